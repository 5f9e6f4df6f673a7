//! The marks `#[api(...)]` and `#[invariant]` on a function of a block, even behind `cfg_attr`.
//!
//! A block's attribute is expanded before the attributes in it, so the `cfg_attr`s of its functions
//! are still unexpanded: a crate that has beget only in its tests writes a mark as
//! `#[cfg_attr(test, api(skip))]`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprArray, ImplItem, ImplItemFn, ItemImpl, LitStr, Meta, Path, Result,
    Token, parenthesized, parse_quote, token,
};

use super::chosen::ParameterChoice;
use super::conditions::Condition;
use crate::options::{Errors, option_list, set_once, unknown};

/// The marks of one function.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) skip: Option<MarkedWhen>,
    /// The name in the suite.
    pub(super) name: Option<LitStr>,
    /// The replacements for parameters' types, and for generic parameters.
    pub(super) at: Vec<(Ident, ParameterChoice)>,
    /// The values of parameters whose types have no domain.
    pub(super) values: Vec<(Ident, Vec<Expr>)>,
    pub(super) requires: Vec<Condition>,
    pub(super) ensures: Vec<Condition>,
    pub(super) is_invariant: bool,
}

/// The condition under which a mark applies.
pub(super) enum MarkedWhen {
    Always,
    /// Under the predicate of a `cfg_attr`.
    If(Box<Meta>),
}

/// Removes our attributes from the functions of the block and returns the marks of each function in
/// order.
pub(super) fn take(block: &mut ItemImpl, krate: Option<&Path>) -> Result<Vec<Marks>> {
    let mut errors = Errors::default();
    let functions = block.items.iter_mut().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let all = functions.map(|function| take_from(function, krate, &mut errors)).collect();
    errors.finish().map(|()| all)
}

fn take_from(function: &mut ImplItemFn, krate: Option<&Path>, errors: &mut Errors) -> Marks {
    let mut marks = Marks::default();
    let mut kept = Vec::new();
    for attribute in function.attrs.drain(..) {
        match conditional(&attribute) {
            Some((condition, metas)) => {
                let (ours, others): (Vec<_>, Vec<_>) =
                    metas.into_iter().partition(|meta| is_ours(meta.path(), krate));
                for meta in &ours {
                    errors.keep(marks.read(meta, || MarkedWhen::If(Box::new(condition.clone()))));
                }
                if ours.is_empty() {
                    kept.push(attribute);
                } else if !others.is_empty() {
                    kept.push(parse_quote!(#[cfg_attr(#condition, #(#others),*)]));
                }
            }
            None if is_ours(attribute.path(), krate) => {
                errors.keep(marks.read(&attribute.meta, || MarkedWhen::Always));
            }
            None => kept.push(attribute),
        }
    }
    function.attrs = kept;
    marks
}

/// The predicate of a `cfg_attr` and its attributes.
fn conditional(attribute: &Attribute) -> Option<(Meta, Vec<Meta>)> {
    let list = attribute.meta.require_list().ok().filter(|list| list.path.is_ident("cfg_attr"))?;
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()?;
    let mut metas = metas.into_iter();
    Some((metas.next()?, metas.collect()))
}

/// `api`, `invariant`, alone or in the crate `beget`.
fn is_ours(path: &Path, krate: Option<&Path>) -> bool {
    let mut segments = path.segments.iter().rev();
    let Some(last) = segments.next() else { return false };
    let of_crate = match segments.next() {
        None => true,
        Some(before) => {
            let renamed = krate.and_then(|krate| krate.segments.last());
            before.ident == "beget" || renamed.is_some_and(|name| name.ident == before.ident)
        }
    };
    of_crate && (last.ident == "api" || last.ident == "invariant")
}

impl Marks {
    fn read(&mut self, meta: &Meta, condition: impl Fn() -> MarkedWhen) -> Result<()> {
        if meta.path().segments.last().is_some_and(|name| name.ident == "invariant") {
            if !matches!(meta, Meta::Path(_)) {
                return Err(Error::new_spanned(meta, "`invariant` has no options"));
            }
            self.is_invariant = true;
            return Ok(());
        }
        let Meta::List(list) = meta else {
            let message = "on a function write `#[api(skip)]`, `#[api(name = \"...\")]` or `#[api(at(parameter = Type))]`";
            return Err(Error::new_spanned(meta, message));
        };
        let read =
            |option: &Ident, input: ParseStream<'_>| self.read_option(option, input, &condition);
        option_list(read).parse2(list.tokens.clone())
    }

    fn read_option(
        &mut self,
        option: &Ident,
        input: ParseStream<'_>,
        condition: &impl Fn() -> MarkedWhen,
    ) -> Result<()> {
        match option.to_string().as_str() {
            "skip" => set_once(&mut self.skip, option, condition()),
            "name" => {
                input.parse::<Token![=]>()?;
                set_once(&mut self.name, option, input.parse()?)
            }
            "at" => {
                self.at.extend(choices(input)?);
                Ok(())
            }
            "values" => {
                let content;
                parenthesized!(content in input);
                let lists =
                    Punctuated::<_, Token![,]>::parse_terminated_with(&content, values_of_one)?;
                self.values.extend(lists);
                Ok(())
            }
            "requires" | "ensures" => {
                let tokens = match input.peek(token::Paren) {
                    true => {
                        let content;
                        parenthesized!(content in input);
                        content.parse()?
                    }
                    false => TokenStream::new(),
                };
                let conditions = Condition::all_of(tokens, option)?;
                let of_kind =
                    if option == "requires" { &mut self.requires } else { &mut self.ensures };
                of_kind.extend(conditions);
                Ok(())
            }
            _ => {
                let known = ["skip", "name", "at", "values", "requires", "ensures"];
                Err(unknown("option of a method", option, &known))
            }
        }
    }
}

/// `name = [value, value]`
fn values_of_one(input: ParseStream<'_>) -> Result<(Ident, Vec<Expr>)> {
    let name = input.parse()?;
    input.parse::<Token![=]>()?;
    let list: ExprArray = input.parse()?;
    Ok((name, list.elems.into_iter().collect()))
}

/// `(name = Type, N = 4)`
pub(super) fn choices(input: ParseStream<'_>) -> Result<Vec<(Ident, ParameterChoice)>> {
    let content;
    parenthesized!(content in input);
    let choices = Punctuated::<_, Token![,]>::parse_terminated_with(&content, named_choice)?;
    Ok(choices.into_iter().collect())
}

/// `name = Type`
fn named_choice(input: ParseStream<'_>) -> Result<(Ident, ParameterChoice)> {
    let name = input.parse()?;
    input.parse::<Token![=]>()?;
    Ok((name, input.parse()?))
}

impl MarkedWhen {
    /// The attribute under which the mark applies, if not always, and the one under which it does
    /// not.
    pub(super) fn cfgs(&self) -> Option<(Attribute, Attribute)> {
        match self {
            MarkedWhen::Always => None,
            MarkedWhen::If(predicate) => {
                let predicate = predicate.to_token_stream();
                Some((parse_quote!(#[cfg(#predicate)]), parse_quote!(#[cfg(not(#predicate))])))
            }
        }
    }
}
