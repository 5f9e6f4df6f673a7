//! Heaps of all kinds of values.

#[path = "../common/mod.rs"]
#[macro_use]
mod common;
pub mod arenas;
pub mod lengths;
pub mod rules;
pub mod shapes;
pub mod shown;
pub mod std_types;
pub mod templates;
pub mod ties;
