//! Suites from signatures: `suite!` and `#[api]` read a [`declaration`], its signatures become
//! [`method`]s, and [`emit`] writes the value that describes them.
//!
//! # Limits of tokens
//!
//! `#[api]` is expanded before the attributes inside its block, so it sees marks behind `cfg_attr`
//! unexpanded (`crates/beget-macros/src/suite/marks.rs`). A type's further blocks implement
//! `HasPart<N>`, and the first one finds them by autoref specialization. A signature with
//! structures inside other types becomes several methods
//! (`crates/beget-macros/src/suite/wrapped.rs`), because the engine needs fixed numbers of
//! structures. For the same reason a returned list is a fixed number of optional results
//! (`crates/beget-macros/src/suite/result.rs`). A call that returns more ends with
//! `Outcome::LongerList`: it is out of scope as a whole, because otherwise structures would be
//! missing from a run that is called complete.

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
