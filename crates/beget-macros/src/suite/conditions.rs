//! Preconditions and postconditions of methods: `requires(...)` and `ensures(...)`.
//!
//! A condition is an expression over `self` and the parameters by their names; `ensures` may also
//! use the `result` and the values before the call as `old(...)`. The tokens are the user's, so
//! messages point at them.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Result, Token};

use crate::options::call_site_at;
use crate::pretty::pretty_expression;

/// A condition that holds before or after a call.
#[derive(Clone)]
pub(crate) struct Condition {
    tokens: TokenStream,
}

/// A postcondition with the values that it needs from before the call.
pub(crate) struct Postcondition {
    /// The values of `old(...)`, to be computed before the call, with their names.
    pub(crate) olds: Vec<(Ident, TokenStream)>,
    /// The expression after it.
    pub(crate) holds: TokenStream,
}

impl Condition {
    /// The conditions that an option's parentheses hold.
    pub(crate) fn all_of(tokens: TokenStream, option: &Ident) -> Result<Vec<Self>> {
        let all = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens)?;
        if all.is_empty() {
            let message = format!("`{option}` holds an expression: `{option}(self.len() > 0)`");
            return Err(Error::new(option.span(), message));
        }
        Ok(all.into_iter().map(|one| Condition { tokens: one.into_token_stream() }).collect())
    }

    /// Its text for display.
    pub(crate) fn text(&self) -> String {
        pretty_expression(self.tokens.clone())
    }

    /// The position for messages on it.
    pub(crate) fn span(&self) -> Span {
        call_site_at(&self.tokens)
    }

    /// The expression with `receiver` in place of `self`.
    pub(crate) fn before_call(&self, receiver: &Ident) -> TokenStream {
        rename_self(self.tokens.clone(), receiver)
    }

    /// The expression after the call, with `receiver` in place of `self`, and the values of
    /// `old(...)`.
    pub(crate) fn after_call(&self, receiver: &Ident, number: usize) -> Postcondition {
        let mut olds = Vec::new();
        let holds = take_old(self.tokens.clone(), number, &mut olds);
        let olds = olds.into_iter().map(|(name, value)| (name, rename_self(value, receiver)));
        Postcondition { olds: olds.collect(), holds: rename_self(holds, receiver) }
    }
}

/// Replaces `self`, even in arguments of macros.
fn rename_self(tokens: TokenStream, receiver: &Ident) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "self" => {
            let mut receiver = receiver.clone();
            receiver.set_span(ident.span().resolved_at(receiver.span()));
            TokenTree::Ident(receiver)
        }
        TokenTree::Group(group) => inside(&group, |inner| rename_self(inner, receiver)),
        token => token,
    });
    replaced.collect()
}

/// Returns whether a name is among the tokens.
pub(crate) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Replaces each `old(value)` by a name, and collects the values.
fn take_old(
    tokens: TokenStream,
    number: usize,
    olds: &mut Vec<(Ident, TokenStream)>,
) -> TokenStream {
    let mut replaced = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let is_old = matches!(&token, TokenTree::Ident(ident) if ident == "old");
        let value = match rest.peek() {
            Some(TokenTree::Group(group))
                if is_old && group.delimiter() == Delimiter::Parenthesis =>
            {
                Some(group.stream())
            }
            _ => None,
        };
        replaced.push(match (token, value) {
            (token, Some(value)) => {
                rest.next();
                let mut name = format_ident!("old_{}_{}", number, olds.len());
                name.set_span(call_site_at(&TokenStream::from(token)));
                olds.push((name.clone(), value));
                TokenTree::Ident(name)
            }
            (TokenTree::Group(group), None) => {
                inside(&group, |inner| take_old(inner, number, olds))
            }
            (token, None) => token,
        });
    }
    replaced.into_iter().collect()
}

fn inside(group: &Group, change: impl FnOnce(TokenStream) -> TokenStream) -> TokenTree {
    let mut changed = Group::new(group.delimiter(), change(group.stream()));
    changed.set_span(group.span());
    TokenTree::Group(changed)
}
