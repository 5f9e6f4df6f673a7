//! What the macros write, and what they refuse.

pub mod borrowed_and_foreign;
#[path = "../common/mod.rs"]
mod common;
pub mod decoding;
pub mod derive_bounds;
pub mod derive_domain;
pub mod derive_heap;
pub mod derive_view;
pub mod observed;
#[path = "../../src/pretty.rs"]
mod pretty;
mod recipe_twin;
pub mod results;
pub mod returned_inside;
pub mod sequences;
pub mod structures_inside;
pub mod suite;
pub mod test_source;
pub mod ui;
pub mod views;
pub mod weird_usage;
