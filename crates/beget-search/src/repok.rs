//! The search from a repOK: every structure within a scope that a representation invariant admits.
//!
//! A [`Finitization`] bounds the heap: the number of objects of each class, and the values of each
//! field. Each choice of a value for every field is a *candidate*. [`search`] runs a repOK, a
//! predicate over the [heap view](beget_heap::view), on candidates, notes the order in which it
//! reads the fields, and changes only fields that were read: others cannot have mattered. Of
//! structures that differ only in the choice of objects of a class, one is tried.
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
//! The module knows nothing of methods or of generation from an API; [`compare`] takes the other
//! set as canonical forms.
//!
//! # Sharing the work among threads
//!
//! `crates/beget-search/src/repok/job.rs`. A job is a first candidate and the number of its first
//! reads that stay fixed. After 4,096 candidates a job is divided along the order of reads
//! (`CandidateCursor::rest`): the part that keeps the earliest field still open, then the part with
//! that field's larger values. The candidates alone determine where it is divided, so one thread
//! and many explore the same parts, and the caller's thread adds them up in order. The queue
//! (`queue.rs`) gives out the earliest job first and lets a bounded number of finished parts wait,
//! so memory does not grow with the search.
mod compare;
mod cursor;
mod domain;
mod finitization;
mod groups;
mod job;
mod leaf;
mod naive;
mod parallel;
mod queue;
mod report;
mod resolve;
mod scope;
mod search;
mod space;
mod total;
mod watch;

pub use compare::{Comparison, FormSet, Forms, Names, Relation, compare};
pub use domain::ValueDomain;
pub use finitization::{Finitization, FinitizationError};
pub use groups::Group;
pub use naive::naive;
pub use report::SearchReport;
pub use search::{AcceptedCandidate, Search, SearchSettings, count, search};
pub use space::CandidateSpace;
pub use watch::{RunId, SearchInProgress};
