//! Domains of types that several parameters have: the code names such a type once, so that a type
//! without a domain is one error, at its first parameter.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::suite::method::{MethodDecl, ParamDeclKind};

/// The types of several parameters, each with the closure that makes its domains.
#[derive(Default)]
pub(super) struct SharedDomains {
    closures: BTreeMap<String, Ident>,
    statements: Vec<TokenStream>,
}

impl SharedDomains {
    /// The shared types of methods that always exist: a type may exist only under a `cfg`.
    pub(super) fn of(methods: &[MethodDecl], suites: &TokenStream) -> Self {
        let mut shared = SharedDomains::default();
        let mut first = BTreeMap::new();
        let methods = methods.iter().filter(|method| method.cfgs.is_empty());
        for param in methods.flat_map(|method| &method.params) {
            let ParamDeclKind::Literal { literal, values: None, .. } = &param.kind else {
                continue;
            };
            let ty = literal.domain(suites);
            let key = ty.to_string();
            match first.get(&key) {
                Some(first) if !shared.closures.contains_key(&key) => {
                    shared.add(key, first, suites);
                }
                Some(_) => {}
                None => drop(first.insert(key, ty)),
            }
        }
        shared
    }

    fn add(&mut self, key: String, ty: &TokenStream, suites: &TokenStream) {
        let closure = format_ident!("beget_domain_{}", self.closures.len());
        self.statements.push(quote! {
            let #closure = |written: &'static str| #suites::LiteralDomain::of::<#ty>(written);
        });
        self.closures.insert(key, closure);
    }

    /// The statements that define the closures.
    pub(super) fn statements(&self) -> TokenStream {
        let statements = &self.statements;
        quote!(#(#statements)*)
    }

    /// The domain of a parameter of this type.
    pub(super) fn domain(
        &self,
        ty: &TokenStream,
        written: &str,
        suites: &TokenStream,
    ) -> TokenStream {
        match self.closures.get(&ty.to_string()) {
            Some(closure) => quote!(#closure(#written)),
            None => quote!(#suites::LiteralDomain::of::<#ty>(#written)),
        }
    }
}
