//! A method of the suite: its entry, with the entries of its parameters and results.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use super::SuiteEmitter;
use super::domains::SharedDomains;
use crate::suite::literal::LiteralParam;
use crate::suite::method::{MethodDecl, ParamDecl, ParamDeclKind, PassingMode};

impl SuiteEmitter<'_> {
    pub(super) fn method(&self, method: &MethodDecl, shared: &SharedDomains) -> TokenStream {
        let suites = &self.suites;
        let MethodDecl { name, signature, path, .. } = method;
        let params = method.params.iter().map(|param| self.param(param, shared));
        let outputs = method.result.outputs().into_iter().map(|output| {
            let (ty, access) = (output.ty, &output.access);
            let access = match output.is_counted {
                // A structure that is also held elsewhere is cloned.
                true => {
                    let (own, cloned) = (&self.types[ty].ty, cloned_access(access));
                    quote!(match (&#suites::clone_probe::Probe::<#own>::new()).clone_fn() {
                        ::core::option::Option::Some(_) => #cloned,
                        ::core::option::Option::None => #access,
                    })
                }
                false => quote!(#access),
            };
            quote!(#suites::Output { ty: #suites::TypeIdx::new(#ty), access: #access })
        });
        let returns = match &method.returns {
            Some(ty) => quote!(::core::option::Option::Some(#ty)),
            None => quote!(::core::option::Option::None),
        };
        let fallible = method.result.is_fallible();
        let (glue, call, call_observed) = self.calls(method);
        quote! {{
            #glue
            #suites::Method {
                name: #name,
                signature: #signature,
                returns: #returns,
                path: #path,
                params: ::std::vec![#(#params),*],
                outputs: ::std::vec![#(#outputs),*],
                fallible: #fallible,
                call: #call,
                call_observed: #call_observed,
                stand_in: ::core::option::Option::None,
            }
        }}
    }

    fn param(&self, param: &ParamDecl, shared: &SharedDomains) -> TokenStream {
        let (suites, name) = (&self.suites, &param.name);
        let kind = match &param.kind {
            ParamDeclKind::Structure { ty, passing } => {
                let passing = match passing {
                    PassingMode::Value => quote!(Value),
                    PassingMode::Ref => quote!(Ref),
                    PassingMode::Mut => quote!(Mut),
                };
                quote!(Structure {
                    ty: #suites::TypeIdx::new(#ty),
                    passing: #suites::Passing::#passing,
                })
            }
            ParamDeclKind::Literal { literal, written, values } => {
                let (ty, prefix) = (literal.domain(suites), literal.prefix());
                let domain = match values {
                    None => shared.domain(&ty, written, suites),
                    Some(values) => self.listed(literal, written, values),
                };
                quote!(Literal { domain: #domain, prefix: #prefix })
            }
        };
        quote!(#suites::Param { name: #name, kind: #suites::ParamKind::#kind })
    }

    /// The domain of a parameter whose values the suite lists.
    fn listed(&self, param: &LiteralParam, written: &str, values: &[Expr]) -> TokenStream {
        let suites = &self.suites;
        let listed = values.iter().map(|value| {
            let (value, source) = param.listed(value, suites);
            quote!(#suites::ListedValue {
                source: #source,
                literal: |source| {
                    #suites::Literal {
                        value: ::std::sync::Arc::new(#value),
                        source: ::std::string::String::from(source),
                    }
                },
            })
        });
        quote! {{
            fn beget_literals(
                pools: &#suites::Pools,
            ) -> ::core::result::Result<::std::vec::Vec<#suites::Literal>, #suites::DomainError> {
                #suites::listed(pools, #written, &[#(#listed),*])
            }
            #suites::LiteralDomain::listed(
                #written,
                beget_literals,
                |pools| beget_literals(pools).map(|all| #suites::Extent::of_literals(&all)),
            )
        }}
    }
}

/// The access to a counted structure, which is cloned if there are other owners.
fn cloned_access(access: &str) -> String {
    access.replace("::into_inner(", "::unwrap_or_clone(").trim_end_matches(".unwrap()").to_owned()
}
