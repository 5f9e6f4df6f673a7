//! `#[derive(Heap)]`: from the item to a [`model`], from there to an implementation that calls the
//! runtime.

pub(crate) mod attributes;
mod bounds;
mod emit;
pub(crate) mod model;
mod types;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Result};
pub(crate) use types::argument_of;

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    Ok(emit::implementation(&model::Model::of(input)?))
}
