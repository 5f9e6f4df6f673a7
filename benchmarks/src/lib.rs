//! Measured comparisons of beget with other engines, on one subject.
//!
//! The subject is NodeCachingLinkedList (the ROOPS benchmark of the BEAPI paper): a circular
//! doubly linked list that keeps removed nodes in a cache. Its builders are the constructor,
//! `addLast` and `removeIndex`; every argument ranges over `0..k`, and a structure is in scope `k`
//! when at most `k` nodes are reachable, header and cached nodes included.
//!
//! Three rivals enumerate the same structures, each in the way its kind of tool does:
//!
//! - [`floor`] models the whole list as one machine word: what enumeration, hashing and probing
//!   cost when objects cost nothing;
//! - [`stateright_model`] gives the list to a model checker as an arena that renumbers itself;
//! - [`naive`] replays the whole call sequence of a structure for every extension and keeps its
//!   canonical form as bytes in a standard hash set.
//!
//! All of them return an [`Outcome`] and must agree on it. The binary `rival` runs one of them as
//! a process of its own; the binary `measure` runs a plan of such processes and writes their CPU
//! time, wall time and peak memory as a table ([`plan`], [`child`], [`table`], [`machine`]).
//!
//! The criterion benches in `benches/` time single parts of beget within one process ([`scopes`]).
//!
//! [`table1`] is another comparison: the counts and times of beget on all case studies beside the
//! efficiency table of the BEAPI paper. The binary of that name runs it.
//!
//! [`growth`] shows what a call and a structure cost over the size of the scope, as a table and a
//! plot.
//!
//! The binary `korat` runs the search from a repOK on every published count of Korat ([`korat`]).
//!
//! [`estimates`] asks how often the error bars of `beget estimate` hold: on all rows of Table 1.
//!
//! [`builders_random`] says what builders are worth to random runs, [`nighthawk`] what
//! chromosomes, and [`random_options`] what each of their options is.
//!
//! Limits: time and memory are those of a whole process, start-up included, so scopes that end
//! within milliseconds say nothing about an engine.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod floor;
pub mod naive;
pub mod outcome;
pub mod stateright_model;

pub mod builders_random;
pub mod child;
pub mod containers;
pub mod estimates;
pub mod growth;
pub mod korat;
pub mod machine;
pub mod nighthawk;
pub mod plan;
pub mod random_options;
pub mod scopes;
pub mod table;
pub mod table2;

pub mod table1;

pub use outcome::Outcome;
