//! The syntax of `suite!`, and the parts that it shares with `#[api]`.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprClosure, ExprPath, FnArg, Lit, LitStr, Meta, Pat, Path,
    PathSegment, Result, ReturnType, Signature, Token, Type, Visibility, braced, parenthesized,
    token,
};

use super::conditions::Condition;
use super::remedy::Remedy;
use super::types::SuiteType;
use crate::options::{Errors, default_crate, set_once, unknown};
use crate::pretty::pretty;

/// Everything that a suite is made from.
pub(crate) struct Declaration {
    pub(crate) krate: Path,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) implementor: Implementor,
    pub(crate) parts: Vec<TypeBlock>,
    /// Functions of a block that do not take part.
    pub(crate) absent: Vec<AbsentFunction>,
    /// The advice for a signature that cannot take part.
    pub(crate) advice: Advice,
}

/// The kind of place of a signature, for messages.
#[derive(Clone, Copy)]
pub(crate) enum Advice {
    Api,
    Suite,
}

/// A function of a block that does not take part.
pub(crate) struct AbsentFunction {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) ident: Ident,
    /// The variant of `beget_suite::Absence`.
    pub(crate) reason: &'static str,
}

/// The type that implements `HasSuite`.
pub(crate) enum Implementor {
    /// A unit struct to declare.
    New { attributes: Vec<Attribute>, visibility: Visibility, ident: Ident },
    /// The type under test itself.
    Existing(Type),
    /// The type under test, which has its suite from another block.
    Part { ty: Type, number: u32 },
}

/// A type of the suite with its functions.
pub(crate) struct TypeBlock {
    pub(crate) ty: SuiteType,
    /// The use of its values.
    pub(crate) values: ValueUse,
    /// `serde;`: values survive a round trip through serde.
    pub(crate) has_serde: bool,
    pub(crate) abstraction: Option<AbstractionDecl>,
    /// `shown;`: structures are identified by everything that they show.
    pub(crate) is_shown: bool,
    /// Constants of the crate that are literals.
    pub(crate) constants: Vec<ExprPath>,
    pub(crate) functions: Vec<Function>,
}

/// The role of a type's values in their suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueUse {
    /// Keys or structures, as the signatures say.
    Found,
    /// `keys;`: keys of the main type.
    Keys,
    /// `keys(own);`: the same, but no structure is called with a key of another.
    OwnKeys,
    /// `structures;`: no keys, whatever the signatures say.
    Structures,
}

/// `abstraction |value| -> Seen { ... };`
pub(crate) struct AbstractionDecl {
    pub(crate) value: Pat,
    pub(crate) seen: Type,
    pub(crate) body: Expr,
}

/// A signature, and the function to call if it has another name.
pub(crate) struct Function {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) signature: Signature,
    pub(crate) target: Option<Path>,
    /// The trait whose function it is, in a block of a trait.
    pub(crate) of_trait: Option<Path>,
    /// The name in the suite, if it differs from the function's.
    pub(crate) name: Option<String>,
    /// The values of parameters whose types have no domain.
    pub(crate) values: Vec<(Ident, Vec<Expr>)>,
    /// The preconditions: a call that breaks one is misuse.
    pub(crate) requires: Vec<Condition>,
    /// The postconditions.
    pub(crate) ensures: Vec<Condition>,
    /// True for an invariant, which is no method.
    pub(crate) is_invariant: bool,
}

impl Function {
    /// Its name with the generic arguments to call it with.
    pub(crate) fn called_name(&self) -> PathSegment {
        let target = self.target.as_ref().and_then(|target| target.segments.last());
        target.cloned().unwrap_or_else(|| self.signature.ident.clone().into())
    }
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut head = SuiteHead::of(input.call(Attribute::parse_outer)?)?;
        let visibility = input.parse()?;
        let keyword: Ident = input.parse()?;
        if keyword != "suite" {
            return Err(Error::new(keyword.span(), "expected `suite Name for Type { ... }`"));
        }
        let ident: Ident = input.parse()?;
        let parts = if input.peek(Token![for]) {
            vec![input.parse()?]
        } else {
            let content;
            braced!(content in input);
            parse_until_end(&content)?
        };
        if parts.is_empty() {
            return Err(Error::new(ident.span(), "a suite needs a type: `for Type { ... }`"));
        }
        if head.doc.is_empty() {
            head.doc = format!("The suite `{ident}`.");
            head.attributes.push(doc_attribute(&head.doc));
        }
        Ok(Declaration {
            krate: head.krate.unwrap_or_else(default_crate),
            name: head.name.unwrap_or_else(|| ident.unraw().to_string()),
            doc: head.doc,
            implementor: Implementor::New { attributes: head.attributes, visibility, ident },
            parts,
            absent: Vec::new(),
            advice: Advice::Suite,
        })
    }
}

fn doc_attribute(doc: &str) -> Attribute {
    syn::parse_quote!(#[doc = #doc])
}

fn parse_until_end<T: Parse>(content: ParseStream<'_>) -> Result<Vec<T>> {
    let mut items = Vec::new();
    while !content.is_empty() {
        items.push(content.parse()?);
    }
    Ok(items)
}

/// The attributes before `suite`.
struct SuiteHead {
    krate: Option<Path>,
    name: Option<String>,
    doc: String,
    /// The attributes passed on to the struct.
    attributes: Vec<Attribute>,
}

impl SuiteHead {
    fn of(all: Vec<Attribute>) -> Result<Self> {
        let doc = doc_of(&all);
        let mut head = SuiteHead { krate: None, name: None, doc, attributes: Vec::new() };
        for attribute in all {
            match attribute.path().get_ident() {
                Some(option) if option == "name" => {
                    let name: LitStr = syn::parse2(value_of(&attribute)?.to_token_stream())?;
                    set_once(&mut head.name, option, name.value())?;
                }
                Some(option) if option == "crate" => {
                    let path = syn::parse2(value_of(&attribute)?.to_token_stream())?;
                    set_once(&mut head.krate, option, path)?;
                }
                _ => head.attributes.push(attribute),
            }
        }
        Ok(head)
    }
}

fn value_of(attribute: &Attribute) -> Result<&Expr> {
    attribute.meta.require_name_value().map(|meta| &meta.value)
}

/// The text of the doc comments.
pub(crate) fn doc_of(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<_> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

impl TypeBlock {
    /// A type with nothing declared.
    pub(crate) fn new(ty: SuiteType, values: ValueUse) -> Self {
        TypeBlock {
            ty,
            values,
            has_serde: false,
            abstraction: None,
            is_shown: false,
            constants: Vec::new(),
            functions: Vec::new(),
        }
    }
}

impl Parse for TypeBlock {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.parse::<Token![for]>()?;
        let ty: Type = input.parse()?;
        let short = if input.parse::<Option<Token![as]>>()?.is_some() {
            Some(input.parse()?)
        } else {
            None
        };
        let ty = SuiteType::new(ty, short)?;
        let content;
        braced!(content in input);
        let values = ValueUse::of(&content)?;
        let (mut abstraction, mut constants) = (None, None);
        let (mut serde, mut shown) = (None, None);
        loop {
            let Ok(name) = content.fork().parse::<Ident>() else { break };
            match name.to_string().as_str() {
                "abstraction" => set_once(&mut abstraction, &name, content.parse()?)?,
                "consts" => {
                    content.parse::<Ident>()?;
                    set_once(&mut constants, &name, constants_of(&content)?)?;
                    content.parse::<Token![;]>()?;
                }
                "serde" => set_once(&mut serde, &name, parse_word(&content)?)?,
                "shown" => set_once(&mut shown, &name, parse_word(&content)?)?,
                _ => {
                    return Err(unknown(
                        "declaration",
                        &name,
                        &["abstraction", "consts", "serde", "shown", "keys", "structures"],
                    ));
                }
            }
        }
        let (constants, functions) = (constants.unwrap_or_default(), parse_until_end(&content)?);
        if let (Some(shown), Some(_)) = (&shown, &abstraction) {
            let message = "structures are told apart by the abstraction or, with `shown;`, by all that they show: \
                           leave one of both out; a scope may choose by `state: Shown`";
            return Err(Error::new(shown.span(), message));
        }
        let (has_serde, is_shown) = (serde.is_some(), shown.is_some());
        Ok(TypeBlock { ty, values, has_serde, abstraction, is_shown, constants, functions })
    }
}

/// A declaration that is one word.
fn parse_word(input: ParseStream<'_>) -> Result<Ident> {
    let word = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(word)
}

const NO_CONSTANT: &str = "constants are named by their paths, as in `consts(MAX_LEN, Self::CAP)`; other literals stand in \
                           a scope";

/// `(MAX_LEN, Self::CAP)`
pub(crate) fn constants_of(input: ParseStream<'_>) -> Result<Vec<ExprPath>> {
    let content;
    let place = parenthesized!(content in input);
    let listed = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?;
    let mut errors = Errors::default();
    let mut constants: Vec<ExprPath> = Vec::new();
    let mut names = BTreeSet::new();
    for constant in listed {
        match constant {
            Expr::Path(path) => {
                let name = pretty(path.to_token_stream());
                match names.insert(name.clone()) {
                    true => constants.push(path),
                    false => errors.push_over(&path, format!("`{name}` is named twice")),
                }
            }
            other => errors.push_over(&other, NO_CONSTANT),
        }
    }
    errors.finish()?;
    match constants.is_empty() {
        true => Err(Error::new(place.span.join(), NO_CONSTANT)),
        false => Ok(constants),
    }
}

impl ValueUse {
    /// Reads the head of the block.
    fn of(content: ParseStream<'_>) -> Result<Self> {
        let ahead = content.fork();
        let Ok(word) = ahead.parse::<Ident>() else { return Ok(ValueUse::Found) };
        let has_options = ahead.peek(token::Paren);
        let values = match &*word.to_string() {
            "keys" if has_options => ValueUse::OwnKeys,
            "keys" if ahead.peek(Token![;]) => ValueUse::Keys,
            "structures" if ahead.peek(Token![;]) => ValueUse::Structures,
            _ => return Ok(ValueUse::Found),
        };
        content.parse::<Ident>()?;
        if has_options {
            let option;
            parenthesized!(option in content);
            let option: Ident = option.parse()?;
            if option != "own" {
                let message = "after `keys` there may be `(own)`: methods are called with the keys of their own \
                               structure only, and with none of another one";
                return Err(Error::new(option.span(), message));
            }
        }
        content.parse::<Token![;]>()?;
        Ok(values)
    }
}

impl Parse for AbstractionDecl {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.parse::<Ident>()?;
        let mut closure: ExprClosure = input.parse()?;
        input.parse::<Token![;]>()?;
        let usage = "an abstraction is written `abstraction |value| -> Seen { ... };`";
        let ReturnType::Type(_, seen) = closure.output else {
            return Err(Error::new(closure.inputs_begin.span(), usage));
        };
        match (closure.inputs.pop(), closure.inputs.is_empty()) {
            (Some(value), true) => {
                let value = match value {
                    Pat::Type(typed) => *typed.pat,
                    other => other,
                };
                Ok(AbstractionDecl { value, seen: *seen, body: *closure.body })
            }
            _ => Err(Error::new(closure.inputs_begin.span(), usage)),
        }
    }
}

impl Advice {
    /// The way to leave a function out.
    pub(crate) fn how_to_skip(self) -> &'static str {
        match self {
            Advice::Api => {
                "mark it `#[api(skip)]` to leave it out, `#[cfg_attr(test, api(skip))]` where beget is a \
                 dev-dependency"
            }
            Advice::Suite => {
                "leave it out, or wrap it in a function of your own and write `fn name(...) -> ... = function;`"
            }
        }
    }

    /// The way to write a signature that can take part.
    pub(crate) fn how_to(self, remedy: &Remedy) -> String {
        match (self, remedy) {
            (Advice::Api, Remedy::ChooseType(name)) => {
                format!("choose a type for it by `#[api(at({name} = Type))]`")
            }
            (Advice::Api, Remedy::ChooseValue(name)) => {
                format!("choose a value for it by `#[api(at({name} = 2))]`")
            }
            (Advice::Suite, Remedy::ChooseType(_)) => {
                "write the signature with a type in its place".to_owned()
            }
            (Advice::Suite, Remedy::ChooseValue(_)) => {
                "write the signature with a value in its place, and the function with it, as in `fn name(&self) = \
                 Self::name::<2>;`".to_owned()
            }
            (_, Remedy::List { name, around: (open, close) }) => {
                let values = ["First", "Second"].map(|value| format!("{open}{value}{close}"));
                let (place, list) = self.list_of(name, &values.join(", "));
                format!("list some {place} by `{list}`, each of which is made anew for every call")
            }
            (Advice::Api, Remedy::ListFunctions { name, chosen, ty }) => {
                let at = chosen.as_ref().map(|chosen| format!("at({chosen} = {ty}), "));
                let at = at.unwrap_or_default();
                format!("list functions, or closures that capture nothing, by `#[api({at}values({name} = [first, second]))]`")
            }
            (Advice::Suite, Remedy::ListFunctions { name, ty, .. }) => format!(
                "list functions, or closures that capture nothing, by `#[values(first, second)] {name}: {ty}`"
            ),
        }
    }

    /// The place and form of a list of a parameter's values.
    fn list_of(self, name: &str, values: &str) -> (&'static str, String) {
        match self {
            Advice::Api => ("on the function", format!("#[api(values({name} = [{values}]))]")),
            Advice::Suite => ("before the parameter", format!("#[values({values})]")),
        }
    }
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let mut signature: Signature = input.parse()?;
        let values = take_values(&mut signature)?;
        let target =
            if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Token![;]>()?;
        let is_invariant =
            attributes.iter().any(|attribute| attribute.path().is_ident("invariant"));
        let cfgs = cfgs_of(&attributes);
        let conditions = |wanted: &str| conditions_of(&attributes, wanted);
        let (requires, ensures) = (conditions("requires")?, conditions("ensures")?);
        let (of_trait, name) = (None, None);
        Ok(Function {
            cfgs,
            signature,
            target,
            of_trait,
            name,
            values,
            requires,
            ensures,
            is_invariant,
        })
    }
}

/// The conditions of `#[requires(...)]` or `#[ensures(...)]` among the attributes of a function.
fn conditions_of(attributes: &[Attribute], wanted: &str) -> Result<Vec<Condition>> {
    let mut found = Vec::new();
    for attribute in attributes {
        if let Some(name) = attribute.path().get_ident().filter(|name| *name == wanted) {
            let tokens = attribute.meta.require_list().map(|list| list.tokens.clone());
            found.extend(Condition::all_of(tokens.unwrap_or_default(), name)?);
        }
    }
    Ok(found)
}

/// Removes `#[values(...)]` from the parameters and returns the values.
fn take_values(signature: &mut Signature) -> Result<Vec<(Ident, Vec<Expr>)>> {
    let mut all = Vec::new();
    for input in &mut signature.inputs {
        let FnArg::Typed(typed) = input else { continue };
        for attribute in std::mem::take(&mut typed.attrs) {
            if !attribute.path().is_ident("values") {
                typed.attrs.push(attribute);
                continue;
            }
            let Pat::Ident(name) = &*typed.pat else {
                let message = "a parameter with values needs a name";
                return Err(Error::new_spanned(&typed.pat, message));
            };
            let values =
                attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
            all.push((name.ident.clone(), values.into_iter().collect()));
        }
    }
    Ok(all)
}

/// The `#[cfg]`s among the attributes: the suite's entry must exist exactly when the method does.
pub(crate) fn cfgs_of(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}
