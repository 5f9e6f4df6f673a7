//! Tests without beget's allocator: values are cloned or made again.

pub mod binary_heap;
pub mod bounds;
pub mod check;
pub mod chosen;
pub mod clones;
#[path = "../common/mod.rs"]
mod common;
pub mod contracts;
pub mod deepening;
pub mod dependency;
pub mod films;
pub mod findings;
pub mod isomorphism;
pub mod long_recipes;
pub mod owned_elsewhere;
pub mod random;
pub mod returned_errors;
pub mod returned_lists;
pub mod serde;
pub mod slack;
pub mod slots;
pub mod space;
pub mod trait_methods;
