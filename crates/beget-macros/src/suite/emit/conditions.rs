//! Preconditions before a call, postconditions after it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::SuiteEmitter;
use crate::suite::conditions::{Condition, mentions};
use crate::suite::method::{MethodDecl, ParamDecl, ParamDeclKind, PassingMode};

/// The code that the conditions of a method add to its glue.
#[derive(Default)]
pub(super) struct Conditions {
    /// Between the arguments and the call.
    pub(super) before: TokenStream,
    /// After the call, while its result exists.
    pub(super) after: TokenStream,
    /// At the end, when nothing is borrowed any more.
    pub(super) end: TokenStream,
}

impl SuiteEmitter<'_> {
    pub(super) fn conditions(&self, method: &MethodDecl) -> Conditions {
        if method.requires.is_empty() && method.ensures.is_empty() {
            return Conditions::default();
        }
        let kept = keep_literals(method);
        let [names, names_after] = [true, false].map(|before| self.bind_names(method, before));
        let requires = method.requires.iter().map(|condition| self.precondition(condition));
        // Parameters may have any name, so theirs are used only in separate blocks.
        let mut before = quote!(#kept { #names #(#requires)* });
        if method.ensures.is_empty() {
            return Conditions { before, ..Conditions::default() };
        }
        let suites = &self.suites;
        let mut checks = TokenStream::new();
        for (number, condition) in method.ensures.iter().enumerate() {
            let after = condition.after_call(&receiver(), number);
            for (old, value) in after.olds {
                before.extend(quote!(let #old = { #names #value };));
            }
            checks.extend(self.postcondition(method, condition, &after.holds));
        }
        Conditions {
            before: quote! {
                #before
                let mut beget_breach: ::core::option::Option<#suites::Breach> =
                    ::core::option::Option::None;
            },
            after: quote!({
                let beget_result = &result;
                #names_after
                let result = beget_result;
                #checks
            }),
            end: quote! {
                if let ::core::option::Option::Some(breach) = beget_breach {
                    return call.break_contract(breach);
                }
            },
        }
    }

    fn precondition(&self, condition: &Condition) -> TokenStream {
        let (suites, holds) = (&self.suites, condition.before_call(&receiver()));
        quote_spanned! {condition.span()=>
            let holds: bool = { #holds };
            if !holds {
                return #suites::Outcome::Misuse;
            }
        }
    }

    fn postcondition(
        &self,
        method: &MethodDecl,
        condition: &Condition,
        holds: &TokenStream,
    ) -> TokenStream {
        let (suites, text) = (&self.suites, condition.text());
        let has_self = params(method).any(|(name, param)| name == receiver() && !is_taken(param));
        if !has_self && mentions(holds, &receiver()) {
            let message =
                "there is no `self` after the call: write `old(...)` around what it was before";
            return quote_spanned!(condition.span()=> ::core::compile_error!(#message););
        }
        let message = format!("`{}` does not ensure `{text}`", method.name);
        quote_spanned! {condition.span()=>
            if beget_breach.is_none() {
                let holds: bool = { #holds };
                if !holds {
                    beget_breach = ::core::option::Option::Some(#suites::Breach {
                        kind: "contract",
                        name: #text,
                        message: ::std::string::String::from(#message),
                        panic: ::core::option::Option::None,
                    });
                }
            }
        }
    }

    /// Binds the parameters to their names, structures as shared references; by-value parameters
    /// exist only before the call.
    fn bind_names(&self, method: &MethodDecl, before: bool) -> TokenStream {
        let bound = params(method).filter(|(_, param)| before || !is_taken(param));
        let bound = bound.map(|(name, param)| {
            let local = &param.local;
            match &param.kind {
                ParamDeclKind::Literal { .. } => {
                    let kept = kept(param);
                    quote!(let #name = ::core::clone::Clone::clone(&#kept);)
                }
                ParamDeclKind::Structure { ty, passing } => {
                    let ty = &self.types[*ty].ty;
                    match passing {
                        PassingMode::Value => quote!(let #name: &#ty = &#local;),
                        PassingMode::Ref | PassingMode::Mut => quote!(let #name: &#ty = &*#local;),
                    }
                }
            }
        });
        bound.collect()
    }
}

/// Copies of the literals, which the call does not take.
fn keep_literals(method: &MethodDecl) -> TokenStream {
    let literals = params(method).filter_map(|(_, param)| {
        let ParamDeclKind::Literal { literal, .. } = &param.kind else { return None };
        let (kept, value) = (kept(param), literal.look_at(&param.local));
        Some(quote!(let #kept = #value;))
    });
    literals.collect()
}

fn is_taken(param: &ParamDecl) -> bool {
    matches!(param.kind, ParamDeclKind::Structure { passing: PassingMode::Value, .. })
}

fn kept(param: &ParamDecl) -> Ident {
    format_ident!("kept_{}", param.local)
}

/// The parameters that are passed as they are, with their names in conditions.
fn params(method: &MethodDecl) -> impl Iterator<Item = (Ident, &ParamDecl)> {
    let plain = method.arguments.iter().enumerate().filter(|(_, passed)| passed.build.is_none());
    plain.map(|(position, passed)| {
        let param = &method.params[passed.first];
        let is_receiver = position == 0 && method.receives;
        let name =
            if is_receiver { receiver() } else { Ident::new(&param.name, Span::call_site()) };
        (name, param)
    })
}

/// The replacement for `self`, which is not available in a separate function.
fn receiver() -> Ident {
    format_ident!("beget_receiver", span = Span::call_site())
}
