//! The macros of beget.
#![warn(missing_docs)]

mod heap;
mod options;
mod pretty;
mod view;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Heap`.
#[proc_macro_derive(Heap, attributes(heap))]
pub fn derive_heap(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finish(heap::derive(input))
}

/// Derives a typed view of a type that derives `Heap`, so that a repOK can be written over it.
///
/// For `struct List` it makes `ListView<'_>`, a position in a table of cells, with one method per field;
/// `#[view(name = Other)]` renames it. An enum without fields is its own view and must be `Copy`.
#[proc_macro_derive(HeapView, attributes(heap, view))]
pub fn derive_heap_view(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    finish(view::derive(input))
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
