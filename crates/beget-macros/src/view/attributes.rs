//! The `#[view(...)]` attribute of containers.

use proc_macro2::Ident;
use syn::{Attribute, Result, Token};

use crate::options::{for_each_option, set_once, unknown};

/// Reads `#[view(name = ...)]`.
pub(crate) fn view_name(attributes: &[Attribute]) -> Result<Option<Ident>> {
    let mut name = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("view")) {
        for_each_option(attribute, |option, input| match option.to_string().as_str() {
            "name" => {
                input.parse::<Token![=]>()?;
                set_once(&mut name, option, input.parse()?)
            }
            _ => Err(unknown("option of the view", option, &["name"])),
        })?;
    }
    Ok(name)
}
