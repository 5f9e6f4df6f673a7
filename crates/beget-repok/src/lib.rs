//! The search from a repOK: every structure within a scope that a representation invariant admits.
//!
//! A [`Finitization`] bounds the heap: how many objects there are of each class, and what each
//! field may hold. Each choice of a value for every field is a *candidate*. [`search`] shows
//! candidates to a repOK, a predicate over the [heap view](beget_heap::view), notes in which order
//! it reads the fields, and changes only what was read: a field that was not read cannot have
//! mattered. Of structures that differ only in which objects of a class stand where, one is shown.
//!
//! The algorithm is Korat's (Boyapati, Khurshid, Marinov, "Korat: automated testing based on Java
//! predicates", ISSTA 2002, sections 3.2 to 3.4), and [`SearchReport::generated`] and
//! [`SearchReport::explored`] are its numbers. Departures: a candidate that differs from an
//! accepted one only in fields that the repOK does not read is counted, but the repOK is not run
//! again; the search is divided along the order of reads, over any number of threads with the same
//! result.
//!
//! A repOK must be a function of the heap alone. One that panics, reads without end, or reads
//! differently for the same heap is reported with the candidate as a
//! [`Finding`](beget_plan::finding::Finding).
//!
//! The crate knows nothing of methods or of generation from an API; [`compare`] takes the other set
//! as canonical forms.
#![warn(missing_docs)]

mod checker;
#[cfg(feature = "search")]
mod compare;
#[cfg(feature = "search")]
mod cursor;
#[cfg(feature = "search")]
mod domain;
#[cfg(feature = "search")]
mod finitization;
#[cfg(feature = "search")]
mod groups;
mod guard;
#[cfg(feature = "search")]
mod job;
#[cfg(feature = "search")]
mod leaf;
#[cfg(feature = "search")]
mod naive;
#[cfg(feature = "search")]
mod parallel;
#[cfg(feature = "search")]
mod queue;
mod report;
#[cfg(feature = "search")]
mod resolve;
#[cfg(feature = "search")]
mod scope;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "search")]
mod space;
mod subject;
#[cfg(feature = "search")]
mod total;
#[cfg(feature = "search")]
mod watch;

pub use checker::Checker;
#[cfg(feature = "forms")]
pub use compare::Forms;
#[cfg(feature = "search")]
pub use compare::{Comparison, FormSet, Names, Relation, compare};
#[cfg(feature = "search")]
pub use domain::ValueDomain;
#[cfg(feature = "search")]
pub use finitization::{Finitization, FinitizationError};
#[cfg(feature = "search")]
pub use groups::Group;
#[cfg(feature = "search")]
pub use naive::naive;
pub use report::Cause;
#[cfg(feature = "search")]
pub use report::SearchReport;
#[cfg(feature = "search")]
pub use search::{AcceptedCandidate, Search, SearchSettings, count, search};
#[cfg(feature = "search")]
pub use space::CandidateSpace;
pub use subject::{HasRepOks, Predicate, Subject};
#[cfg(feature = "search")]
pub use watch::{RunId, SearchInProgress};
