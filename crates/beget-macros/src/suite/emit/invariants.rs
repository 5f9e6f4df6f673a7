//! Invariants, which every structure of a type must pass.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, FnArg, ReceiverKind, Result, Signature};

use super::SuiteEmitter;
use crate::options::{Errors, call_site_at};
use crate::suite::declaration::Declaration;
use crate::suite::method::Callee;
use crate::suite::types::Types;

impl SuiteEmitter<'_> {
    pub(super) fn invariants(&self, declaration: &Declaration) -> Result<Vec<TokenStream>> {
        let suites = &self.suites;
        let mut errors = Errors::default();
        let mut found = Vec::new();
        for (own, part) in declaration.parts.iter().enumerate() {
            let types = Types::new(self.types, own);
            for function in part.functions.iter().filter(|function| function.is_invariant) {
                let signature = &function.signature;
                if let Some(error) = not_an_invariant(signature) {
                    errors.push(error);
                    continue;
                }
                let (cfgs, ty, name) =
                    (&function.cfgs, &part.ty.ty, signature.ident.unraw().to_string());
                let span = call_site_at(&signature.ident);
                let call = match Callee::of(function, types) {
                    Callee::Method(name) => quote_spanned!(span=> <#ty>::#name(value)),
                    Callee::Function(path) => quote_spanned!(span=> #path(value)),
                };
                let verdict = quote_spanned!(span=> #suites::Answer::verdict(#call));
                found.push(quote! {
                    #(#cfgs)*
                    invariants.push(#suites::Invariant {
                        name: #name,
                        ty: #suites::TypeIdx::new(#own),
                        check: |value| {
                            let value = value.downcast_ref::<#ty>().expect("a value of its type");
                            #verdict
                        },
                    });
                });
            }
        }
        errors.finish().map(|()| found)
    }
}

fn not_an_invariant(signature: &Signature) -> Option<Error> {
    let takes_self = matches!(
        signature.inputs.first(),
        Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, None))
    );
    let is_plain = signature.generics.params.is_empty() && signature.asyncness.is_none();
    if takes_self && is_plain && signature.inputs.len() == 1 {
        return None;
    }
    let message = "an invariant takes `&self` and nothing else: `fn is_sound(&self) -> bool`";
    Some(Error::new(signature.ident.span(), message))
}
