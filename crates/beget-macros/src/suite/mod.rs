//! Suites from signatures: `suite!` and `#[api]` read a [`declaration`], its signatures become
//! [`method`]s, and [`emit`] writes the value that describes them.
//!
//! # What it cannot know from tokens
//!
//! `#[api]` is expanded before the attributes inside its block, so it reads marks behind `cfg_attr`
//! as they were written (`crates/beget-macros/src/suite/marks.rs`). A type's further blocks
//! implement `HasPart<N>`, and the first one asks for them by the same specialization. A signature
//! with structures inside other types becomes several methods
//! (`crates/beget-macros/src/suite/wrapped.rs`): the engine knows fixed numbers of structures only.
//! For the same reason a returned list is as many optional results as it may hold
//! (`crates/beget-macros/src/suite/result.rs`), and a call that returns more ends with
//! `Outcome::LongerList`: out of scope as a whole, for what is not taken would be missing from a
//! run that is called complete.

mod api;
mod chosen;
mod conditions;
mod declaration;
mod emit;
mod lent;
mod literal;
mod marks;
mod method;
mod remedy;
mod result;
mod shown;
mod types;
mod wrapped;

use proc_macro2::TokenStream;
use syn::Result;

pub(crate) use api::api;
use declaration::Declaration;

pub(crate) fn suite(tokens: TokenStream) -> Result<TokenStream> {
    emit::suite(&syn::parse2::<Declaration>(tokens)?)
}
