//! A repOK's word on a structure.
//!
//! A repOK is a predicate over the [heap view](beget_heap::view) that says whether a structure is a
//! proper value of its type. A [`Checker`] shows it canonical forms. A repOK that panics, reads
//! without end, or answers otherwise when asked again has misbehaved by a [`Cause`].
//!
//! The module knows nothing of searches; the search for all that a repOK admits is in
//! `beget-search`.

mod cause;
mod checker;
mod guard;
mod judge;
mod subject;

pub use cause::Cause;
pub use checker::Checker;
pub use guard::guarded;
pub use judge::RepOks;
pub use subject::{HasRepOks, Predicate, Subject};
