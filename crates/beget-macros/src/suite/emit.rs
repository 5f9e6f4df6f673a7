//! The suite as a value: lists with an entry for each type, method and invariant. Each kind of
//! entry has its module.

mod arguments;
mod conditions;
mod domains;
mod glue;
mod invariants;
mod method;
mod ty;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, Expr, Result, Type};

use super::api::MOST_PARTS;
use super::declaration::{Declaration, Implementor, ValueUse};
use super::method::MethodDecl;
use super::types::{SuiteType, Types};
use crate::options::{Errors, call_site_at};
use crate::pretty::pretty;
use domains::SharedDomains;
use ty::import;

/// `HasSuite` for the declaration's implementor, and its struct if it is new.
pub(crate) fn suite(declaration: &Declaration) -> Result<TokenStream> {
    let krate = &declaration.krate;
    let types: Vec<&SuiteType> = declaration.parts.iter().map(|part| &part.ty).collect();
    let emitter = SuiteEmitter { krate, suites: quote!(#krate::__private::suites), types: &types };
    let methods = emitter.methods(declaration)?;
    let implementation = emitter.implementation(declaration, &methods)?;
    let registration = registration(declaration);
    Ok(quote!(#implementation #registration))
}

/// Registers the suite for `cargo beget`, in builds of its own. A further block belongs to a suite
/// that is registered already.
fn registration(declaration: &Declaration) -> Option<TokenStream> {
    let krate = &declaration.krate;
    let ty = match &declaration.implementor {
        Implementor::Existing(ty) => quote!(#ty),
        Implementor::New { ident, .. } => quote!(#ident),
        Implementor::Part { .. } => return None,
    };
    // A type has one suite, so this name is unique in its module.
    let name = ty.to_string().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let module = format_ident!("beget_suite_{}", name.to_lowercase());
    Some(quote!(#krate::register!(#module, #ty);))
}

/// The methods of a declaration.
#[derive(Default)]
struct MethodDecls {
    methods: Vec<MethodDecl>,
    /// The errors of functions that a `cfg` may leave out, under it.
    refused: Vec<TokenStream>,
}

struct SuiteEmitter<'d> {
    krate: &'d syn::Path,
    /// The path of `beget_suite` as the user's crate reaches it.
    suites: TokenStream,
    types: &'d [&'d SuiteType],
}

impl SuiteEmitter<'_> {
    /// The methods of all parts.
    fn methods(&self, declaration: &Declaration) -> Result<MethodDecls> {
        let mut errors = Errors::default();
        let mut found = MethodDecls::default();
        for (own, part) in declaration.parts.iter().enumerate() {
            for function in part.functions.iter().filter(|function| !function.is_invariant) {
                let methods = MethodDecl::all_of(function, Types::new(self.types, own));
                let methods =
                    methods.map_err(|unsupported| unsupported.with_advice(declaration.advice));
                match methods {
                    Ok(methods) => methods.into_iter().for_each(|method| {
                        if found.methods.iter().any(|known| known.name == method.name) {
                            errors.push_at(method.ident.span(), twice(&method.name));
                        }
                        found.methods.push(method);
                    }),
                    Err(error) if function.cfgs.is_empty() => errors.push(error),
                    Err(error) => {
                        let (cfgs, error) = (&function.cfgs, error.into_compile_error());
                        found.refused.push(quote!(#(#cfgs)* { #error }));
                    }
                }
            }
        }
        errors.finish().map(|()| found)
    }

    fn implementation(
        &self,
        declaration: &Declaration,
        methods: &MethodDecls,
    ) -> Result<TokenStream> {
        let (suites, name, doc) = (&self.suites, &declaration.name, &declaration.doc);
        let parts = declaration.parts.iter().enumerate();
        let types = parts.map(|(own, part)| self.ty(own, part, &methods.methods));
        let lists = self.lists(declaration, methods)?;
        let (declared, implementor) = match &declaration.implementor {
            Implementor::Existing(ty) => (only_once(ty), quote!(#ty)),
            Implementor::New { attributes, visibility, ident } => (
                quote!(#(#attributes)* #[derive(Clone, Copy, Debug)] #visibility struct #ident;),
                quote!(#ident),
            ),
            Implementor::Part { ty, number } => {
                return Ok(quote! {
                    #[automatically_derived]
                    #[allow(clippy::all, clippy::pedantic, deprecated, unreachable_code, unused)]
                    impl #suites::HasPart<#number> for #ty {
                        fn part() -> #suites::SuitePart {
                            #lists
                            #suites::SuitePart { methods, absent, invariants, constants }
                        }
                    }
                });
            }
        };
        let further = self.further_parts(declaration);
        let keyed = self.keyed(declaration)?;
        let main = &self.types[0].ty;
        let imports = self.types.iter().filter_map(|ty| import(ty, suites));
        Ok(quote! {
            #declared

            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, deprecated, unreachable_code, unused)]
            impl #suites::HasSuite for #implementor {
                type Main = #main;

                fn suite() -> #suites::Suite {
                    let types = {
                        use #suites::clone_probe::{IsClone as _, IsNotClone as _};
                        ::std::vec![#(#types),*]
                    };
                    #lists
                    let beside = #suites::SourceModule::new(::core::module_path!());
                    let imports = ::std::vec![#(#imports,)* #suites::Import::Module(beside)];
                    let name = ::std::string::String::from(#name);
                    let suite = #suites::Suite {
                        name, doc: #doc, types, methods, invariants, imports, absent, constants,
                        literals: ::core::default::Default::default()
                    };
                    #further
                    #keyed
                    suite
                }
            }
        })
    }

    /// The statement that lets structures of the main type carry their keys, if it may have some.
    fn keyed(&self, declaration: &Declaration) -> Result<Option<TokenStream>> {
        let (suites, parts) = (&self.suites, &declaration.parts);
        let said_of_main = match parts[0].values {
            ValueUse::Found => None,
            ValueUse::Structures => Some("structures;"),
            ValueUse::Keys | ValueUse::OwnKeys => Some("keys;"),
        };
        if let Some(said) = said_of_main {
            let message = format!(
                "the first type of a suite is the one under test: `{said}` is for those of the \
                 keys that it returns"
            );
            return Err(Error::new_spanned(&parts[0].ty.ty, message));
        }
        if parts.len() < 2 {
            return Ok(None);
        }
        let of = |wanted: &[ValueUse]| {
            let parts = parts.iter().enumerate();
            let types = parts.filter(|(_, part)| wanted.contains(&part.values)).map(|(at, _)| at);
            quote!(&[#(#suites::TypeIdx::new(#types)),*])
        };
        let declared = of(&[ValueUse::Keys, ValueUse::OwnKeys]);
        let (own, structures) = (of(&[ValueUse::OwnKeys]), of(&[ValueUse::Structures]));
        Ok(Some(quote!(let suite = suite.with_all_keys(#declared, #own, #structures);)))
    }

    /// Statements that make `methods`, `absent` and `invariants`.
    fn lists(&self, declaration: &Declaration, methods: &MethodDecls) -> Result<TokenStream> {
        let suites = &self.suites;
        let shared = SharedDomains::of(&methods.methods, suites);
        let domains = shared.statements();
        let entries = methods.methods.iter().map(|method| {
            let (cfgs, entry) = (&method.cfgs, self.method(method, &shared));
            quote!(#(#cfgs)* methods.push(#entry);)
        });
        let refused = &methods.refused;
        let absent = declaration.absent.iter().map(|absent| {
            let (cfgs, name) = (&absent.cfgs, absent.ident.unraw().to_string());
            let reason = Ident::new(absent.reason, proc_macro2::Span::call_site());
            let entry = quote!(#suites::AbsentMethod {
                name: #name,
                reason: #suites::Absence::#reason,
            });
            quote!(#(#cfgs)* absent.push(#entry);)
        });
        let invariants = self.invariants(declaration)?;
        let constants = self.constants(declaration);
        Ok(quote! {
            use #suites::clone_probe::{IsClone as _, IsNotClone as _};
            #domains
            let mut methods = ::std::vec::Vec::new();
            #(#entries)*
            #(#refused)*
            let mut absent = ::std::vec::Vec::new();
            #(#absent)*
            let mut invariants = ::std::vec::Vec::new();
            #(#invariants)*
            let constants = ::std::vec![#(#constants),*];
        })
    }

    /// The constants that all parts name.
    fn constants(&self, declaration: &Declaration) -> Vec<TokenStream> {
        let suites = &self.suites;
        let parts = declaration.parts.iter().enumerate();
        let named =
            parts.flat_map(|(own, part)| part.constants.iter().map(move |path| (own, path)));
        named
            .map(|(own, path)| {
                let written = pretty(path.to_token_stream());
                let value = Types::new(self.types, own).resolve_expr(Expr::Path(path.clone()));
                quote_spanned!(call_site_at(path)=> #suites::Constant::new(#written, #value))
            })
            .collect()
    }

    /// The first block of a type looks for the type's further blocks.
    fn further_parts(&self, declaration: &Declaration) -> TokenStream {
        let (suites, Implementor::Existing(ty)) = (&self.suites, &declaration.implementor) else {
            return TokenStream::new();
        };
        let numbers = 2..=MOST_PARTS;
        quote! {
            use #suites::part_probe::{IsNoPart as _, IsPart as _};
            #(let suite =
                suite.with_part((&#suites::part_probe::PartProbe::<#ty, #numbers>::new()).part());)*
        }
    }
}

/// An item that a second block without a number would declare again: the compiler's message then
/// suggests the fix.
fn only_once(ty: &Type) -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(non_upper_case_globals, dead_code)]
        #[doc(hidden)]
        impl #ty {
            const a_further_block_of_the_type_says_api_part_2: () = ();
        }
    }
}

fn twice(name: &str) -> String {
    format!(
        "the suite has a method `{name}` already: names are unique, choose another one and write \
         `fn other_name(...) = {name}` (`= Self::{name}` without a receiver)"
    )
}
