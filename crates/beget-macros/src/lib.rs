//! The macros of beget.
#![warn(missing_docs)]

use proc_macro::TokenStream;

/// Derives `Heap`.
#[proc_macro_derive(Heap, attributes(heap))]
pub fn derive_heap(_: TokenStream) -> TokenStream {
    TokenStream::new()
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
