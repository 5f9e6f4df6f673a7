//! Reading `#[heap(...)]`-like lists of options, with messages for unknown and repeated names.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Path, Result, Token};

/// Calls `option` with the name of each option of `attribute`; it must read the option's value.
pub(crate) fn for_each_option(
    attribute: &Attribute,
    option: impl FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) -> Result<()> {
    attribute.parse_args_with(option_list(option))
}

/// A parser of `name ...` separated by commas.
pub(crate) fn option_list(
    mut option: impl FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) -> impl Parser<Output = ()> {
    move |input: ParseStream<'_>| {
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            option(&name, input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

/// Reads `= path`.
pub(crate) fn path_value(input: ParseStream<'_>) -> Result<Path> {
    input.parse::<Token![=]>()?;
    input.call(Path::parse_mod_style)
}

/// Stores an option's value; a second one is an error.
pub(crate) fn set_once<T>(place: &mut Option<T>, name: &Ident, value: T) -> Result<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(name.span(), format!("`{name}` is given twice"))),
    }
}

/// The error for an unknown option, with the nearest known one.
pub(crate) fn unknown(what: &str, name: &Ident, known: &[&str]) -> Error {
    let nearest = known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(candidate, &name.to_string()), candidate))
        .filter(|(similarity, _)| *similarity > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let message = match nearest {
        Some((_, nearest)) => format!("unknown {what} `{name}`: did you mean `{nearest}`?"),
        None => format!("unknown {what} `{name}`: there are `{}`", known.join("`, `")),
    };
    Error::new(name.span(), message)
}

/// The path of the facade crate if no option names another.
pub(crate) fn default_crate() -> Path {
    syn::parse2(quote!(::beget)).expect("`::beget` is a path")
}

/// The position of `tokens` for messages, with names resolved at the call site: the tokens may come
/// from a `macro_rules!` whose hygiene would hide the local variables of emitted code.
pub(crate) fn call_site_at(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::call_site())
}

/// Collects errors, so that one build shows them all.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn push_at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(Error::new(span, message));
    }

    /// Like `push_at`, for the span of all `tokens`.
    pub(crate) fn push_over(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Keeps the value, or notes the error.
    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
