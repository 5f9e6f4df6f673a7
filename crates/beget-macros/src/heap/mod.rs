//! `#[derive(Heap)]`: from the item to a [`model`], from there to an implementation that calls the
//! runtime.

pub(crate) mod attributes;
mod bounds;
mod buffer;
mod emit;
pub(crate) mod model;
mod types;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Generics, Ident, parse_quote};
pub(crate) use types::argument_of;

use crate::options::default_crate;

pub(crate) fn derive(input: DeriveInput) -> TokenStream {
    let (ident, generics) = (input.ident.clone(), input.generics.clone());
    match model::Model::of(input) {
        Ok(model) => emit::implementation(&model),
        Err(error) => with_placeholder(&error, &ident, generics),
    }
}

/// The errors, and an implementation that is never called: without it, the compiler would also
/// report the missing heap wherever the type is used.
fn with_placeholder(error: &Error, ident: &Ident, mut generics: Generics) -> TokenStream {
    let errors = error.to_compile_error();
    // A type with a lifetime cannot have a heap.
    if generics.lifetimes().next().is_some() {
        return errors;
    }
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!('static));
    }
    let krate = default_crate();
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        #errors

        impl #impl_generics #krate::heap::Heap for #ident #type_generics #clause {
            fn describe(_: &mut #krate::heap::Schema) {}

            fn walk<BegetWalker: #krate::heap::Walker>(&self, _: &mut BegetWalker) {}
        }
    }
}
