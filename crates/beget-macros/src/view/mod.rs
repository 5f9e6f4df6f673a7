//! `#[derive(HeapView)]`: the model of `derive(Heap)`, emitted as a view type with one accessor per
//! field.

mod attributes;
mod emit;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Error, Result};

use crate::heap::model::{Model, Shape};

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    let name = attributes::view_name(&input.attrs)?;
    let (ident, visibility) = (input.ident.clone(), input.vis.clone());
    let model = Model::of(input)?;
    if let Shape::Enum(variants) = &model.shape
        && let Some(variant) = variants.iter().find(|variant| !variant.record.fields.is_empty())
    {
        return Err(Error::new(
            variant.ident.span(),
            "an enum whose variants have fields has no view: move the fields into a struct, which has one",
        ));
    }
    let view = name.unwrap_or_else(|| quote::format_ident!("{}View", ident));
    emit::implementation(&model, &visibility, &view)
}
