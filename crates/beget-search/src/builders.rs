//! Builders: the smallest set of methods that builds everything, with a certificate.
//!
//! Most APIs have far more methods than are needed to build every structure of a scope, and each
//! unnecessary one multiplies the work of all later steps. [`identify`] finds a set that suffices
//! and needs each of its methods, and proves both by generating with and without.
//!
//! The steps:
//!
//! 1. The full API is explored once, at a small scope, and every effect of every call is recorded
//!    ([`Space`]). This also shows which methods only observe ([`Observer`]): they cannot belong to
//!    a minimal set.
//! 2. A [`BuilderSearch`] chooses a set. The recorded effects show what a set builds, without a
//!    call.
//! 3. The set is [certified](certificate) by new runs that trust neither the recording nor the
//!    search.
//!
//! ```
//! use beget::{HasSuite, Heap};
//! use beget_search::builders::{BuilderSearch, BuilderSettings, identify};
//! # use beget_plan::scope::{Overrides, ScopeFile};
//!
//! #[derive(Clone, Heap)]
//! pub struct Counter { count: u8 }
//!
//! #[beget::api]
//! impl Counter {
//!     pub fn new() -> Self { Counter { count: 0 } }
//!     pub fn add(&mut self, n: u8) { self.count = (self.count + n).min(9) }
//!     pub fn increment(&mut self) { self.add(1) }
//!     pub fn is_zero(&self) -> bool { self.count == 0 }
//! }
//!
//! # let name = Counter::suite().name;
//! # let text = format!("Scope(suite: {name:?}, k: 3, ints: \"0..k\")");
//! # let scope = ScopeFile::parse("counter.ron", &text).unwrap();
//! # let suite = std::sync::Arc::new(Counter::suite());
//! # let overrides = Overrides::default();
//! # let plan = scope.resolve(&suite, &overrides, &|_| Err(String::new())).unwrap().plan;
//! // `plan` is the suite resolved against a scope, with all methods.
//! let found = identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut |_| None)?;
//! assert_eq!(found.names, ["new", "increment"]);
//! assert_eq!(found.observers.len(), 1);
//! assert!(found.certificate.is_sufficient() && found.certificate.is_minimal());
//! # Ok::<(), beget_plan::finding::StopReason>(())
//! ```
//!
//! # Limits
//!
//! A certificate holds for its scope. That builders of a small scope suffice at larger ones is an
//! empirical observation, not a guarantee: Politano et al. (FASE 2023) found scope 5 enough for all
//! their subjects, yet red-black trees need no remove method up to scope 3. [`confirm`] checks a
//! set at a larger scope. The exploration holds the effects in memory: 8 bytes for each different
//! step from one structure to another, 24 (at first 40) for each step from two structures to a
//! third. With slack in the plan, everything explored is compared.

pub mod certificate;
mod climb;
mod exact;
mod extensions;
mod genetic;
mod identify;
mod methods;
mod reach;
mod space;

pub use certificate::{Certificate, Confirmation, Need, certify, confirm};
pub use climb::{Climb, Step};
pub use exact::{Exact, Proof};
pub use extensions::extensions_of;
pub use genetic::{Evolution, Genetic};
pub use identify::{
    BuilderSearch, BuilderSettings, Identification, RunOfStage, SearchOutcome, Stage, StageWatcher,
    find, identify,
};
pub use methods::{Complexity, MethodSet};
pub use space::{BuiltExtent, BuiltSet, Goal, Observer, Space};
