//! The suite as a value: one entry for each type and method, with the glue that makes the call.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Result;

use super::arguments::{address_of, borrowed_params};
use super::declaration::{Declaration, Implementor, Part};
use super::method::{Callee, Method, Param, ParamKind, Passing};
use super::result::output;
use super::types::{SuiteType, Types};
use crate::options::{Errors, call_site_at};

/// `HasSuite` for the declaration's implementor, and its struct if it is new.
pub(crate) fn suite(declaration: &Declaration) -> Result<TokenStream> {
    let krate = &declaration.krate;
    let types: Vec<&SuiteType> = declaration.parts.iter().map(|part| &part.ty).collect();
    let emitter = Emitter { suites: quote!(#krate::suites), types: &types };
    let methods = emitter.methods(declaration)?;
    let implementation = emitter.implementation(declaration, &methods);
    let registration = registration(declaration);
    Ok(quote!(#implementation #registration))
}

/// Makes the suite known to `cargo beget`, in its own builds.
fn registration(declaration: &Declaration) -> TokenStream {
    let krate = &declaration.krate;
    let ty = match &declaration.implementor {
        Implementor::Existing(ty) => quote!(#ty),
        Implementor::New { ident, .. } => quote!(#ident),
    };
    // A type has one suite, so nothing else in its module has this name.
    let name = ty.to_string().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let module = format_ident!("beget_suite_{}", name.to_lowercase());
    quote!(#krate::register!(#module, #ty);)
}

pub(super) struct Emitter<'d> {
    /// The path of `beget_suite` as the user's crate reaches it.
    pub(super) suites: TokenStream,
    pub(super) types: &'d [&'d SuiteType],
}

impl Emitter<'_> {
    fn methods(&self, declaration: &Declaration) -> Result<Vec<Method>> {
        let mut errors = Errors::default();
        let mut methods: Vec<Method> = Vec::new();
        for (own, part) in declaration.parts.iter().enumerate() {
            for function in &part.functions {
                let method = Method::of(function, Types::new(self.types, own));
                let method =
                    method.map_err(|unsupported| unsupported.with_advice(declaration.how_to_skip));
                let Some(method) = errors.keep(method) else { continue };
                if methods.iter().any(|known| known.name == method.name) {
                    errors.push_at(method.ident.span(), twice(&method.name));
                }
                methods.push(method);
            }
        }
        errors.finish().map(|()| methods)
    }

    fn implementation(&self, declaration: &Declaration, methods: &[Method]) -> TokenStream {
        let (suites, name, doc) = (&self.suites, &declaration.name, &declaration.doc);
        let types = declaration.parts.iter().map(|part| self.ty(part));
        let methods = methods.iter().map(|method| {
            let (cfgs, entry) = (&method.cfgs, self.method(method));
            quote!(#(#cfgs)* methods.push(#entry);)
        });
        let (declared, implementor) = match &declaration.implementor {
            Implementor::Existing(ty) => (TokenStream::new(), quote!(#ty)),
            Implementor::New { attributes, visibility, ident } => (
                quote!(#(#attributes)* #[derive(Clone, Copy, Debug)] #visibility struct #ident;),
                quote!(#ident),
            ),
        };
        quote! {
            #declared

            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, deprecated, unreachable_code, unused)]
            impl #suites::HasSuite for #implementor {
                fn suite() -> #suites::Suite {
                    use #suites::clone_probe::{IsClone as _, IsNotClone as _};
                    let types = ::std::vec![#(#types),*];
                    let mut methods = ::std::vec::Vec::new();
                    #(#methods)*
                    #suites::Suite { name: ::std::string::String::from(#name), doc: #doc, types, methods }
                }
            }
        }
    }

    fn ty(&self, part: &Part) -> TokenStream {
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

    fn method(&self, method: &Method) -> TokenStream {
        let suites = &self.suites;
        let Method { name, signature, path, .. } = method;
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

    /// Items to put first, the plain call, and the observed one. A result that has plain values needs both:
    /// they are one function, generic over the listener, so that it is checked, and reported on, once.
    fn calls(&self, method: &Method) -> (TokenStream, TokenStream, TokenStream) {
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

    fn param(&self, param: &Param) -> TokenStream {
        let (suites, name) = (&self.suites, &param.name);
        let kind = match &param.kind {
            ParamKind::Structure { ty, passing } => {
                let passing = match passing {
                    Passing::Value => quote!(Value),
                    Passing::Ref => quote!(Ref),
                    Passing::Mut => quote!(Mut),
                };
                quote!(Structure {
                    ty: #suites::TypeIdx(#ty),
                    passing: #suites::Passing::#passing,
                })
            }
            ParamKind::Literal { literal, written } => {
                let (domain, prefix) = (literal.domain(suites), literal.prefix());
                quote!(Literal { domain: #suites::LiteralDomain::of::<#domain>(#written), prefix: #prefix })
            }
        };
        quote!(#suites::Param { name: #name, kind: #suites::ParamKind::#kind })
    }

    /// The body of the call: arguments into locals, the call, its result shown to who listens, structures out of it into
    /// locals; only then, when nothing is borrowed any more, they are given.
    fn glue(&self, method: &Method) -> TokenStream {
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

    fn call(&self, method: &Method) -> TokenStream {
        let span = call_site_at(&method.ident);
        let mut arguments = method.params.iter().map(|param| match &param.kind {
            ParamKind::Literal { literal, .. } => literal.pass(&param.local),
            ParamKind::Structure { .. } => {
                let local = &param.local;
                quote!(#local)
            }
        });
        let call = match &method.callee {
            Callee::Function(function) => quote_spanned!(span=> #function(#(#arguments),*)),
            Callee::Method(name) => {
                arguments.next().expect("a method has a receiver");
                // All of the call stands where the signature does, for messages on it.
                let mut receiver = method.params[0].local.clone();
                receiver.set_span(span);
                let is_taken = matches!(
                    method.params[0].kind,
                    ParamKind::Structure { passing: Passing::Value, .. }
                );
                match is_taken {
                    true => quote_spanned!(span=> #receiver.#name(#(#arguments),*)),
                    false => quote_spanned!(span=> (*#receiver).#name(#(#arguments),*)),
                }
            }
        };
        match &method.result_type {
            Some(ty) => quote!(let result: #ty = #call;),
            None => quote!(let result = #call;),
        }
    }

    fn show(&self, method: &Method) -> TokenStream {
        if !method.result.has_plain_values() {
            return TokenStream::new();
        }
        let shown = format_ident!("shown");
        let show = method.result.show(&shown, &self.suites);
        let suites = &self.suites;
        quote!(#suites::Listener::hear(listener, || { let shown = &result; #show });)
    }

    fn extract(&self, method: &Method) -> TokenStream {
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

fn twice(name: &str) -> String {
    format!(
        "the suite has a method `{name}` already: names are unique, choose another one and write \
         `fn other_name(...) = {name}` (`= Self::{name}` without a receiver)"
    )
}
