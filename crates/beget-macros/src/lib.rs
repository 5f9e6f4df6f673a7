//! The macros of beget: [`derive(Heap)`](derive@Heap), [`derive(Domain)`](derive@Domain),
//! [`suite!`] and [`#[api]`](macro@api).
//!
//! They are used through the crate `beget`, which re-exports and describes them. Each reads the
//! item, rejects with a precise position whatever cannot work, and writes calls into `beget-heap`
//! and `beget-suite`; emitted code contains no algorithm. It compiles under
//! `#![forbid(unsafe_code)]`, except for fields marked `#[heap(unsafe(pointer))]`.
#![warn(missing_docs)]

mod domain;
mod heap;
mod options;
mod pretty;
mod suite;
mod view;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// `derive(Heap)`: implements `beget::Heap`.
#[proc_macro_derive(Heap, attributes(heap))]
pub fn derive_heap(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    heap::derive(input).into()
}

/// `derive(HeapView)`: implements `beget::HeapView`.
#[proc_macro_derive(HeapView, attributes(heap, view))]
pub fn derive_heap_view(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finish(view::derive(input))
}

/// `derive(Domain)`: implements `beget::Domain`.
#[proc_macro_derive(Domain, attributes(domain))]
pub fn derive_domain(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finish(domain::derive(&input))
}

/// `suite!`: declares a suite from the signatures of its methods.
#[proc_macro]
pub fn suite(input: TokenStream) -> TokenStream {
    finish(suite::suite(input.into()))
}

/// `#[api]`: makes an impl block the suite of its type.
#[proc_macro_attribute]
pub fn api(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(suite::api(arguments.into(), item.into()))
}

/// `#[invariant]`: marks a function that every structure must pass.
#[proc_macro_attribute]
pub fn invariant(_: TokenStream, item: TokenStream) -> TokenStream {
    // The attribute of a block removes the marks from its functions, so this one is outside of any
    // block.
    let message =
        "`invariant` marks a function of a block with `#[beget::api]`: put that on the impl block";
    let error = syn::Error::new(proc_macro2::Span::call_site(), message).into_compile_error();
    let item = proc_macro2::TokenStream::from(item);
    quote::quote!(#item #error).into()
}

/// The tokens, or the errors in their place.
fn finish(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result.unwrap_or_else(syn::Error::into_compile_error).into()
}
