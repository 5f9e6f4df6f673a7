//! The macros of beget.
#![warn(missing_docs)]

mod heap;
mod options;
mod pretty;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Heap`.
#[proc_macro_derive(Heap, attributes(heap))]
pub fn derive_heap(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finish(heap::derive(input))
}

/// Derives `Domain`.
#[proc_macro_derive(Domain)]
pub fn derive_domain(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Declares a suite.
#[proc_macro]
pub fn suite(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Declares the suite of a type from its impl block.
#[proc_macro_attribute]
pub fn api(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// The tokens, or the errors in their place.
fn finish(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result.unwrap_or_else(syn::Error::into_compile_error).into()
}
