//! The glue of a method: the function that makes the call on a frame.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::SuiteEmitter;
use super::arguments::{address_of, borrowed_params};
use super::conditions::Conditions;
use crate::options::call_site_at;
use crate::suite::method::{
    Callee, MethodDecl, ParamDecl, ParamDeclKind, PassedArgument, PassingMode,
};
use crate::suite::result::output;

impl SuiteEmitter<'_> {
    /// Items to put first, the plain call, and the observed one. A result with plain values needs
    /// both: they are one function, generic over the listener, so that it is type-checked once.
    pub(super) fn calls(&self, method: &MethodDecl) -> (TokenStream, TokenStream, TokenStream) {
        let suites = &self.suites;
        let glue = self.glue(method);
        if !method.result.is_more_than_structures() {
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

    /// The body of the call: arguments are bound to locals, the call is made, its result is shown
    /// to a listener, and structures are moved out of it into locals. They are handed over last,
    /// when nothing is borrowed any more.
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
        let Conditions { before, after, end } = self.conditions(method);
        let (longer, is_longer) = match method.result.has_lists() {
            true => (
                quote!(let mut beget_is_longer = false;),
                quote!(if beget_is_longer { return #suites::Outcome::LongerList; }),
            ),
            false => Default::default(),
        };
        let (error, outcome) = match method.result.has_structures_in_error() {
            true => (
                quote!(let mut beget_is_error = false;),
                quote!(if beget_is_error { #suites::Outcome::Error } else { #suites::Outcome::Returned }),
            ),
            false => (TokenStream::new(), quote!(#suites::Outcome::Returned)),
        };
        // In source, the other parts of a result still exist while one is taken.
        let held = outputs.iter().any(|output| output.is_counted).then(|| {
            quote!(let mut beget_held = ::std::vec::Vec::<::std::boxed::Box<dyn ::core::any::Any>>::new();)
        });
        let extract = match after.is_empty() {
            true => extract,
            false => quote!(if beget_breach.is_none() { #extract }),
        };
        quote! {{
            #arguments
            #before
            #(#declared)*
            #longer
            #error
            #held
            {
                #call
                #show
                #after
                #extract
            }
            #end
            #is_longer
            #(call.give_option(#given);)*
            #outcome
        }}
    }

    /// The statement that makes the call.
    pub(super) fn call(&self, method: &MethodDecl) -> TokenStream {
        let span = call_site_at(&method.ident);
        let mut arguments = method.arguments.iter().map(|argument| self.argument(method, argument));
        let call = match &method.callee {
            Callee::Function(function) => quote_spanned!(span=> #function(#(#arguments),*)),
            Callee::Method(name) => {
                let receiver = arguments.next().expect("a method has a receiver");
                if method.arguments[0].build.is_some() {
                    quote_spanned!(span=> (#receiver).#name(#(#arguments),*))
                } else {
                    // The whole call has the span of the signature, for messages.
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
        if !method.result.is_more_than_structures() {
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
        let error =
            method.result.is_fallible().then(|| match method.result.has_structures_in_error() {
                true => quote!(beget_is_error = ::core::result::Result::is_err(&result);),
                false => quote! {
                    if ::core::result::Result::is_err(&result) {
                        return #suites::Outcome::Error;
                    }
                },
            });
        let extract = method.result.extract(&value, &mut 0, &clone);
        quote!(#error #extract)
    }
}
