//! Suites: the types under test, their methods, and how a call is made.
//!
//! A [`Suite`] is a plain value: types and methods in source order, each method with its typed
//! parameters and a function that makes the call. The macros write it; a test can write it by hand.
//! Method order decides which of several shortest recipes is kept, so it is part of a suite's
//! meaning.
//!
//! This crate knows what a call is. It knows nothing of scopes, searches or stores.
#![warn(missing_docs)]

mod bytes;
mod call;
mod choose;
mod constant;
mod domain;
mod downcast;
pub mod elements;
mod execution;
mod extent;
mod import;
mod invariant;
mod keys;
mod lockstep;
mod part;
mod recipe;
mod return_value;
mod sequence;
mod shown;
mod source;
mod source_names;
mod state;
mod suite;
mod test_source;
#[cfg(test)]
mod testing;
mod trait_methods;
mod traits;
mod types;

pub use bytes::{
    MemoryDifference, N_MEMORY_FIELDS, bytes_view, leave_out_remains, memory_difference,
    memory_text,
};
pub use call::{Breach, Call, Frame, Outcome, SameAs, Slot, argument, shared_argument};
pub use choose::{Chooser, Odometer, RecordedChoices, SplitMix64};
pub use constant::{Constant, ConstantValue};
pub use domain::{
    Domain, DomainError, DomainKind, Factory, ListedValue, Literal, LiteralDomain, LiteralOwner,
    PathText, Pools, Referent, Slice, Text, first_kind, listed, type_names,
};
pub use execution::{Execution, UnknownLiteral};
pub use extent::{Extent, MOST_LITERALS, MOST_SOURCE, check_product};
pub use import::{Import, SourceModule};
pub use invariant::{Answer, Invariant, InvariantFn};
pub use keys::{KeyedMethod, into_without_keys, without_keys};
pub use lockstep::{Lockstep, PairedMethod, UnpairedMethod, in_lockstep, unpaired_notes};
pub use part::{Absence, AbsentMethod, HasPart, SuitePart, part_probe};
pub use recipe::{Argument, Recipe};
pub use return_value::{
    Listener, Nobody, PlainValue, ReturnValue, ToLiteral, observed, value_probe,
};
pub use sequence::{
    Binding, Operand, Sequence, SequenceError, SequenceProblem, Statement, Variable,
};
pub use shown::{Showing, ShownMethod, ShownResult, shown_view, type_shown};
pub use source::{
    SourceSink, WriteCall, to_call_source, to_source, to_source_with_keys, write_source,
};
pub use source_names::{first_names, is_known_everywhere, name_of};
pub use state::{StateKind, StateView};
pub use suite::{HasSuite, KnownLiterals, Suite};
pub use test_source::{CallWords, TestFunction, name_of_calls};
pub use trait_methods::TraitMethod;
pub use traits::{
    BorrowFns, DebugFn, EqFn, ExactItemSteps, HashFn, ItemSteps, ItemStepsBack, IterateBothFn,
    IterateExactFn, IterateFn, OrdFn, PartialOrdFn, RoundTripFn, TypeTraits, trait_probe,
};
pub use types::{
    Abstraction, CallFn, CloneFn, FormFn, Method, MethodIdx, ObservedCallFn, Operation, Output,
    Param, ParamKind, Passing, Type, TypeIdx, clone_probe, heap_probe, type_of, type_seen_as,
};
