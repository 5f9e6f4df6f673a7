//! The suite as a value: one entry for each type and method, with the glue that makes the call.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, Expr, FnArg, PathArguments, ReceiverKind, Result, Signature, Type};

use super::api::MOST_PARTS;
use super::arguments::{address_of, borrowed_params};
use super::declaration::{Declaration, Implementor, TypeBlock};
use super::method::{Callee, MethodDecl, ParamDecl, ParamDeclKind, PassedArgument, PassingMode};
use super::result::output;
use super::types::{SuiteType, Types};
use crate::options::{Errors, call_site_at};
use crate::pretty::pretty;

/// `HasSuite` for the declaration's implementor, and its struct if it is new.
pub(crate) fn suite(declaration: &Declaration) -> Result<TokenStream> {
    let krate = &declaration.krate;
    let types: Vec<&SuiteType> = declaration.parts.iter().map(|part| &part.ty).collect();
    let emitter = SuiteEmitter { suites: quote!(#krate::suites), types: &types };
    let methods = emitter.methods(declaration)?;
    let implementation = emitter.implementation(declaration, &methods)?;
    let registration = registration(declaration);
    Ok(quote!(#implementation #registration))
}

/// Makes the suite known to `cargo beget`, in its own builds. A further block is part of a suite
/// that is.
fn registration(declaration: &Declaration) -> Option<TokenStream> {
    let krate = &declaration.krate;
    let ty = match &declaration.implementor {
        Implementor::Existing(ty) => quote!(#ty),
        Implementor::New { ident, .. } => quote!(#ident),
        Implementor::Part { .. } => return None,
    };
    // A type has one suite, so nothing else in its module has this name.
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

pub(super) struct SuiteEmitter<'d> {
    /// The path of `beget_suite` as the user's crate reaches it.
    pub(super) suites: TokenStream,
    pub(super) types: &'d [&'d SuiteType],
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
        let types = declaration.parts.iter().map(|part| self.ty(part));
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
                            #suites::SuitePart { methods, absent, invariants }
                        }
                    }
                });
            }
        };
        let further = self.further_parts(declaration);
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
                    let imports = ::std::vec![#(#imports),*];
                    let name = ::std::string::String::from(#name);
                    let suite =
                        #suites::Suite { name, doc: #doc, types, methods, invariants, imports, absent };
                    #further
                    suite
                }
            }
        })
    }

    /// Statements that make `methods`, `absent` and `invariants`.
    fn lists(&self, declaration: &Declaration, methods: &MethodDecls) -> Result<TokenStream> {
        let suites = &self.suites;
        let entries = methods.methods.iter().map(|method| {
            let (cfgs, entry) = (&method.cfgs, self.method(method));
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
        Ok(quote! {
            use #suites::clone_probe::{IsClone as _, IsNotClone as _};
            let mut methods = ::std::vec::Vec::new();
            #(#entries)*
            #(#refused)*
            let mut absent = ::std::vec::Vec::new();
            #(#absent)*
            let mut invariants = ::std::vec::Vec::new();
            #(#invariants)*
        })
    }

    /// A block of a type asks for the further ones that the type may have.
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

    fn invariants(&self, declaration: &Declaration) -> Result<Vec<TokenStream>> {
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
                        ty: #suites::TypeIdx(#own),
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

    fn ty(&self, part: &TypeBlock) -> TokenStream {
        let suites = &self.suites;
        let (ty, name) = (&part.ty.ty, &part.ty.name);
        let span = call_site_at(ty);
        let clone = quote!((&#suites::clone_probe::Probe::<#ty>::new()).clone_fn());
        let traits = quote!(#suites::type_traits!(#ty));
        let Some(abstraction) = &part.abstraction else {
            let described = quote_spanned!(span=> #suites::type_of::<#ty>(#name, #clone));
            return quote!(#described.with_traits(#traits));
        };
        let (value, seen, body) = (&abstraction.value, &abstraction.seen, &abstraction.body);
        quote! {{
            struct BegetAbstraction;
            impl #suites::Abstraction for BegetAbstraction {
                type Of = #ty;
                type Seen = #seen;
                fn see(#value: &#ty) -> #seen {
                    #body
                }
            }
            #suites::type_seen_as::<BegetAbstraction>(#name, #clone).with_traits(#traits)
        }}
    }

    fn method(&self, method: &MethodDecl) -> TokenStream {
        let suites = &self.suites;
        let MethodDecl { name, signature, path, .. } = method;
        let params = method.params.iter().map(|param| self.param(param));
        let outputs = method.result.outputs().into_iter().map(|output| {
            let (ty, access) = (output.ty, output.access);
            quote!(#suites::Output { ty: #suites::TypeIdx(#ty), access: #access })
        });
        let fallible = method.result.is_fallible();
        let (glue, call, call_observed) = self.calls(method);
        quote! {{
            #glue
            #suites::Method {
                name: #name,
                signature: #signature,
                path: #path,
                params: ::std::vec![#(#params),*],
                outputs: ::std::vec![#(#outputs),*],
                fallible: #fallible,
                call: #call,
                call_observed: #call_observed,
            }
        }}
    }

    /// Items to put first, the plain call, and the observed one. A result that has plain values
    /// needs both: they are one function, generic over the listener, so that it is checked, and
    /// reported on, once.
    fn calls(&self, method: &MethodDecl) -> (TokenStream, TokenStream, TokenStream) {
        let suites = &self.suites;
        let glue = self.glue(method);
        if !method.result.has_plain_values() {
            let call = quote!(|call: &mut #suites::Call<'_>| #glue);
            return (TokenStream::new(), call, quote!(::core::option::Option::None));
        }
        let items = quote! {
            #[inline]
            fn beget_glue(
                call: &mut #suites::Call<'_>,
                listener: &mut impl #suites::Listener,
            ) -> #suites::Outcome #glue
        };
        let call = quote!(|call: &mut #suites::Call<'_>| beget_glue(call, &mut #suites::Nobody));
        let observed = quote!(::core::option::Option::Some(|call: &mut #suites::Call<'_>| {
            #suites::observed(|listener| beget_glue(call, listener))
        }));
        (items, call, observed)
    }

    fn param(&self, param: &ParamDecl) -> TokenStream {
        let (suites, name) = (&self.suites, &param.name);
        let kind = match &param.kind {
            ParamDeclKind::Structure { ty, passing } => {
                let passing = match passing {
                    PassingMode::Value => quote!(Value),
                    PassingMode::Ref => quote!(Ref),
                    PassingMode::Mut => quote!(Mut),
                };
                quote!(Structure {
                    ty: #suites::TypeIdx(#ty),
                    passing: #suites::Passing::#passing,
                })
            }
            ParamDeclKind::Literal { literal, written, values } => {
                let (ty, prefix) = (literal.domain(suites), literal.prefix());
                let domain = match values {
                    None => quote!(#suites::LiteralDomain::of::<#ty>(#written)),
                    Some(values) => self.listed(&ty, written, values),
                };
                quote!(Literal { domain: #domain, prefix: #prefix })
            }
        };
        quote!(#suites::Param { name: #name, kind: #suites::ParamKind::#kind })
    }

    /// The domain of a parameter whose values the suite lists.
    fn listed(&self, ty: &TokenStream, written: &str, values: &[Expr]) -> TokenStream {
        let suites = &self.suites;
        let listed = values.iter().map(|value| {
            let source = pretty(quote!(#value));
            quote!(#suites::ListedValue {
                source: #source,
                literal: |source| {
                    let value: #ty = #value;
                    #suites::Literal {
                        value: ::std::sync::Arc::new(value),
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

    /// The body of the call: arguments into locals, the call, its result shown to who listens,
    /// structures out of it into locals; only then, when nothing is borrowed any more, they are
    /// given.
    fn glue(&self, method: &MethodDecl) -> TokenStream {
        let suites = &self.suites;
        let arguments = self.arguments(method);
        let outputs = method.result.outputs();
        let declared = outputs.iter().enumerate().map(|(index, found)| {
            let (local, ty) = (output(index), &self.types[found.ty].ty);
            quote!(let mut #local: ::core::option::Option<#ty> = ::core::option::Option::None;)
        });
        let given = (0..outputs.len()).map(output);
        let (call, show, extract) = (self.call(method), self.show(method), self.extract(method));
        quote! {{
            #arguments
            #(#declared)*
            {
                #call
                #show
                #extract
            }
            #(call.give_option(#given);)*
            #suites::Outcome::Returned
        }}
    }

    fn call(&self, method: &MethodDecl) -> TokenStream {
        let span = call_site_at(&method.ident);
        let mut arguments = method.arguments.iter().map(|argument| self.argument(method, argument));
        let call = match &method.callee {
            Callee::Function(function) => quote_spanned!(span=> #function(#(#arguments),*)),
            Callee::Method(name) => {
                let receiver = arguments.next().expect("a method has a receiver");
                if method.arguments[0].build.is_some() {
                    quote_spanned!(span=> (#receiver).#name(#(#arguments),*))
                } else {
                    // All of the call stands where the signature does, for messages on it.
                    let mut receiver = method.params[0].local.clone();
                    receiver.set_span(span);
                    let is_taken = matches!(
                        method.params[0].kind,
                        ParamDeclKind::Structure { passing: PassingMode::Value, .. }
                    );
                    match is_taken {
                        true => quote_spanned!(span=> #receiver.#name(#(#arguments),*)),
                        false => quote_spanned!(span=> (*#receiver).#name(#(#arguments),*)),
                    }
                }
            }
        };
        match &method.result_type {
            Some(ty) => quote!(let result: #ty = #call;),
            None => quote!(let result = #call;),
        }
    }

    fn argument(&self, method: &MethodDecl, argument: &PassedArgument) -> TokenStream {
        let params = &method.params[argument.first..][..argument.len];
        if let Some(build) = &argument.build {
            let locals: Vec<Ident> = params.iter().map(|param| param.local.clone()).collect();
            return build.expression(&locals);
        }
        let ParamDecl { local, kind, .. } = &params[0];
        match kind {
            ParamDeclKind::Literal { literal, .. } => literal.pass(local),
            ParamDeclKind::Structure { .. } => quote!(#local),
        }
    }

    fn show(&self, method: &MethodDecl) -> TokenStream {
        if !method.result.has_plain_values() {
            return TokenStream::new();
        }
        let shown = format_ident!("shown");
        let show = method.result.show(&shown, &self.suites);
        let suites = &self.suites;
        quote!(#suites::Listener::hear(listener, || { let shown = &result; #show });)
    }

    fn extract(&self, method: &MethodDecl) -> TokenStream {
        let suites = &self.suites;
        let value = format_ident!("result");
        let clone = |ty: usize, value: &Ident| {
            let addresses = borrowed_params(method)
                .filter(|(_, other)| *other == ty)
                .map(|(param, _)| address_of(param));
            let ty = &self.types[ty].ty;
            quote!({
                let found: &#ty = &*#value;
                let arguments: &[usize] = &[#(#addresses),*];
                match arguments.contains(&::core::ptr::from_ref::<#ty>(found).addr()) {
                    true => ::core::option::Option::None,
                    false => (&#suites::clone_probe::Probe::<#ty>::new()).try_clone(found),
                }
            })
        };
        let error = method.result.is_fallible().then(|| {
            quote! {
                if ::core::result::Result::is_err(&result) {
                    return #suites::Outcome::Error;
                }
            }
        });
        let extract = method.result.extract(&value, &mut 0, &clone);
        quote!(#error #extract)
    }
}

/// An item that a second block without a number would declare again: the compiler's message then
/// says what to write.
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

/// What brings a type into scope by the name that recipes write.
fn import(ty: &SuiteType, suites: &TokenStream) -> Option<TokenStream> {
    const OF_PRELUDE: [&str; 5] = ["Box", "Option", "Result", "String", "Vec"];
    let line = |line: String| quote!(#suites::Import::Line(#line));
    let Type::Path(path) = &ty.ty else {
        return Some(line(format!("type {} = {};", ty.path, pretty(ty.ty.to_token_stream()))));
    };
    let mut whole = path.path.clone();
    let last = whole.segments.last_mut()?;
    last.arguments = PathArguments::None;
    let name = last.ident.to_string();
    if ty.has_short_name {
        let written = pretty(ty.ty.to_token_stream());
        Some(line(format!("type {} = {written};", ty.path)))
    } else if whole.segments.len() > 1 {
        Some(line(format!("use {};", pretty(whole.to_token_stream()))))
    } else if OF_PRELUDE.contains(&&*name) {
        None
    } else {
        Some(quote!(#suites::Import::Item { module: ::core::module_path!(), name: #name }))
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

fn twice(name: &str) -> String {
    format!(
        "the suite has a method `{name}` already: names are unique, choose another one and write \
         `fn other_name(...) = {name}` (`= Self::{name}` without a receiver)"
    )
}
