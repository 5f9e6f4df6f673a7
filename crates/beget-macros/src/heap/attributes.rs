//! The `#[heap(...)]` attributes of containers and fields.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, Field, LitStr, Path, Result, Token, Type, WherePredicate,
    parse_quote_spanned, token,
};

use super::buffer::BufferLayout;
use super::types::{argument_of, is_raw_pointer};
use crate::options::{default_crate, for_each_option, path_value, set_once, unknown};

/// The options of `#[heap(...)]` on the type.
pub(crate) struct Container {
    pub(crate) krate: Path,
    /// Any expression of type `&'static str`: the name of a generic type may depend on its
    /// parameters.
    pub(crate) name: Option<Expr>,
    /// Bounds besides those that the fields require.
    pub(crate) bounds: Vec<WherePredicate>,
    /// True if the author vouches for all raw pointers in its fields.
    pub(crate) vouches: bool,
}

impl Default for Container {
    fn default() -> Self {
        Container { krate: default_crate(), name: None, bounds: Vec::new(), vouches: false }
    }
}

impl Container {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let (mut krate, mut name, mut bounds, mut vouches) = (None, None, None, None);
        for attribute in heap_attributes(attributes) {
            for_each_option(attribute, |option, input| match option.to_string().as_str() {
                "crate" => set_once(&mut krate, option, path_value(input)?),
                "name" => set_once(&mut name, option, value(input)?),
                "bound" => {
                    let text: LitStr = value(input)?;
                    let parser = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
                    set_once(&mut bounds, option, text.parse_with(parser)?)
                }
                "unsafe" => set_once(&mut vouches, option, read_unsafe(input, "pointers")?),
                _ => {
                    let known = ["crate", "name", "bound", "unsafe"];
                    Err(unknown("option of the type", option, &known))
                }
            })?;
        }
        let bounds = bounds.into_iter().flatten().collect();
        let krate = krate.unwrap_or_else(default_crate);
        Ok(Container { krate, name, bounds, vouches: vouches.is_some() })
    }
}

/// The way in which a field takes part in the heap.
pub(crate) enum Role {
    /// Through its own `Heap`.
    Ordinary,
    /// Not at all; made by the expression, or `Default`, when decoded.
    Skip(Option<Expr>),
    /// By content, without identities.
    Plain,
    /// A raw pointer that the author vouches for.
    Pointer,
    /// Several elements whose place and number the author vouches for.
    Buffer(BufferLayout),
    /// The vector that links lead into.
    Arena(SlotOrder),
    /// An index that means a pointer to `target`.
    Link { target: Box<Type>, null: Option<Expr> },
    /// As the result of a function.
    With(Expr),
}

/// The order of an arena's slots: significant, or any order if the author vouches for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotOrder {
    /// Slots are in the order in which calls have filled them.
    OfCalls,
    /// Any order is equivalent, and slots that no link leads to may be dropped.
    Any,
}

const OPTIONS: [&str; 8] = ["skip", "plain", "unsafe", "arena", "link", "null", "with", "debug"];

impl Role {
    pub(crate) fn of(field: &Field, container: &Container) -> Result<Self> {
        let mut options = FieldOptions::default();
        for attribute in heap_attributes(&field.attrs) {
            for_each_option(attribute, |option, input| match option == "debug" {
                true => options.set(option, Role::by_debug(&field.ty, &container.krate)),
                false => options.read(option, input),
            })?;
        }
        match options.into_role()? {
            Role::Ordinary if container.vouches && is_raw_pointer(&field.ty) => Ok(Role::Pointer),
            role => Ok(role),
        }
    }

    /// The elements of a list are shown one by one, so that the bound of lists applies.
    fn by_debug(ty: &Type, krate: &Path) -> Self {
        Role::With(match argument_of(ty, "Vec") {
            Some(_) => {
                parse_quote_spanned!(ty.span()=> |all: &#ty| #krate::heap::seen::debug_texts(all))
            }
            None => {
                parse_quote_spanned!(ty.span()=> |one: &#ty| #krate::heap::seen::debug_text(one))
            }
        })
    }
}

#[derive(Default)]
struct FieldOptions {
    role: Option<(Ident, Role)>,
    null: Option<(Ident, Expr)>,
}

impl FieldOptions {
    fn read(&mut self, option: &Ident, input: ParseStream<'_>) -> Result<()> {
        let role = match option.to_string().as_str() {
            "skip" => Role::Skip(optional_value(input)?),
            "plain" => Role::Plain,
            "unsafe" => read_unsafe_role(input)?,
            "arena" => Role::Arena(slot_order(input)?),
            "link" => Role::Link { target: Box::new(value(input)?), null: None },
            "with" => Role::With(value(input)?),
            "null" => return set_once(&mut self.null, option, (option.clone(), value(input)?)),
            _ => return Err(unknown("option of a field", option, &OPTIONS)),
        };
        self.set(option, role)
    }

    fn set(&mut self, option: &Ident, role: Role) -> Result<()> {
        match &self.role {
            Some((first, _)) if first == option => {
                Err(Error::new(option.span(), format!("`{option}` is given twice")))
            }
            Some((first, _)) => Err(Error::new(
                option.span(),
                format!(
                    "`{option}` and `{first}` exclude each other: a field is walked in one way"
                ),
            )),
            None => {
                self.role = Some((option.clone(), role));
                Ok(())
            }
        }
    }

    fn into_role(self) -> Result<Role> {
        match (self.role, self.null) {
            (Some((_, Role::Link { target, .. })), null) => {
                Ok(Role::Link { target, null: null.map(|(_, value)| value) })
            }
            (_, Some((name, _))) => Err(Error::new(
                name.span(),
                "`null` needs `link = Type`: it is the index that leads nowhere",
            )),
            (Some((_, role)), None) => Ok(role),
            (None, None) => Ok(Role::Ordinary),
        }
    }
}

fn heap_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("heap"))
}

fn value<T: syn::parse::Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn optional_value(input: ParseStream<'_>) -> Result<Option<Expr>> {
    if input.peek(Token![=]) { value(input).map(Some) } else { Ok(None) }
}

/// Reads the parentheses after `arena`.
fn slot_order(input: ParseStream<'_>) -> Result<SlotOrder> {
    if !input.peek(token::Paren) {
        return Ok(SlotOrder::OfCalls);
    }
    let content;
    syn::parenthesized!(content in input);
    let what = content.call(Ident::parse_any)?;
    match what == "any_order" && content.is_empty() {
        true => Ok(SlotOrder::Any),
        false => Err(Error::new(
            what.span(),
            "what can be said of an arena is `arena(any_order)`: that the numbers of its slots make no difference",
        )),
    }
}

/// Reads the parentheses after `unsafe` on a field.
fn read_unsafe_role(input: ParseStream<'_>) -> Result<Role> {
    let content;
    syn::parenthesized!(content in input);
    let what = content.call(Ident::parse_any)?;
    let role = match what.to_string().as_str() {
        "pointer" => Role::Pointer,
        "buffer" => return BufferLayout::read(&content).map(Role::Buffer),
        _ => {
            let message = "the unsafe options are `unsafe(pointer)` and `unsafe(buffer = len)`";
            return Err(Error::new(what.span(), message));
        }
    };
    match content.is_empty() {
        true => Ok(role),
        false => Err(content.error("`unsafe(pointer)` says nothing more")),
    }
}

/// Reads the parentheses after `unsafe` on a type: `(pointers)`.
fn read_unsafe(input: ParseStream<'_>, expected: &str) -> Result<()> {
    let content;
    syn::parenthesized!(content in input);
    let what = content.call(Ident::parse_any)?;
    match what == expected && content.is_empty() {
        true => Ok(()),
        false => Err(Error::new(what.span(), format!("the unsafe option is `unsafe({expected})`"))),
    }
}
