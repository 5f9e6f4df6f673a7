//! Heuristics that make calls succeed, with repair from what a panic says.
//!
//! Most calls with arbitrary arguments fail: an index is beyond the end, a container is empty. To
//! measure an API, or to call each method once, that is in the way. Here each method is called in
//! the order of its complexity, with arguments that are likely to go well; of a call that panics
//! the message is read, and the call is repaired: by the numbers of the message, by other
//! arguments, by another state of the structures that it takes, in this order and within bounds.
//!
//! - [`call`]: a run. [`CallReport`]: for each method the call that went well, or why there is
//!   none.
//! - [`TypeGraph`]: what each method takes and gives, and how complex it is to call.
//! - [`Clue`]: what the message of a panic says, by [`PanicFamily`].
//! - [`repair`], [`bound`]: the integers that are tried, as functions of integers alone.
//! - [`Repository`]: what runs leave for later ones.
//!
//! Source: Kuperberg and Omri, Automated generation of method parameters for benchmarking APIs
//! (HeuriGenJ). Departures: the numbers of messages come first, since the standard library's often
//! have the index and the length; relative operations are measured, not listed; types are those of
//! the suite, so that no cast can fail.
//!
//! The crate knows plans and calls. It knows nothing of files, terminals and clocks.
//!
//! # How
//!
//! **Calls that go well** are looked for by a search of its own, since failing is what it avoids:
//! it uses the sequences and the trials of random runs, and neither its pool nor its loop. Its pool
//! ranks structures by whether they are empty and by how many calls they take, where the other
//! draws them.
//!
//! - A first round calls every method once, in the order of complexity; that measures which methods
//!   make structures larger or smaller. Two rounds of repairs follow.
//! - What is tried after a panic is a queue
//!   (`crates/beget-search/src/heuristic/search/proposals.rs`): what the message says before all
//!   else, then other arguments, then other states, which take calls to prepare. Each list is
//!   bounded by the number of arguments; eight messages in a row are followed.
//! - The integers of a repair are functions of integers alone
//!   (`crates/beget-search/src/heuristic/repair.rs`), so that a test can compare them with trying
//!   every tuple on functions of the standard library.
//! - Indices are never larger than 100: a size that no allocator has room for ends the process,
//!   where one that no type can hold only panics.
//! - The feature `calls` of `crates/beget-run` (for chromosomes `evolution`) keeps all this out of
//!   the tests of a user.
mod graph;
mod literals;
mod numbers;
mod options;
mod panics;
mod pool;
mod report;
mod source_literals;

pub mod bound;
mod effects;
pub mod repair;
mod repository;
mod search;

use beget_plan::finding::{Control, StopReason};
use beget_plan::scope::{Misuse, Plan};
use beget_run::random::{InProgress, RandomOptions};

pub use effects::{MeasuredEffect, SizeChange};
pub use graph::{ApiEdge, ApiNode, TypeGraph};
pub use options::{CallGoal, CallOptions};
pub use panics::{Clue, PanicFamily};
pub use report::{
    CallOrigin, CallReport, FailedCall, FamilyTally, MethodReport, Repair, RepairKind,
    SuccessfulCall,
};
pub use repository::{FailureRecord, MethodHistory, RepairRecord, Repository};
pub use source_literals::literals_of;

/// The plan of a run: without the bounds of the scope, and without rules of misuse, since any panic
/// is repaired.
pub fn plan_for(plan: Plan, options: &CallOptions) -> Plan {
    let unbounded = RandomOptions { max_objects: options.max_objects, ..RandomOptions::default() };
    Plan { misuse: Misuse::default(), ..beget_run::random::plan_for(plan, &unbounded) }
}

/// Looks for a call of each method of a plan that [`plan_for`] has made; `control` is asked now and
/// then whether to end.
pub fn call(
    plan: &Plan,
    options: CallOptions,
    repository: Option<&Repository>,
    in_progress: &InProgress,
    control: &mut Control<'_>,
) -> (CallReport, StopReason) {
    let mut search = search::CallSearch::new(plan, options, in_progress);
    let reason = search.run(repository, control);
    (search.into_report(reason), reason)
}
