//! Heuristics that make calls succeed, with repairs from panic messages.
//!
//! Most calls with arbitrary arguments fail: an index is beyond the end, a container is empty. That
//! is in the way of measuring an API, or of calling each method once. Here each method is called in
//! the order of its complexity, with promising arguments. If a call panics, its message is read and
//! the call is repaired: by the numbers of the message, by other arguments, by another state of its
//! structures, in this order and within bounds.
//!
//! - [`call`]: a run. [`CallReport`]: for each method the successful call, or the reason why there
//!   is none.
//! - [`TypeGraph`]: the types that each method takes and gives, and its complexity.
//! - [`Clue`]: the information in a panic's message, by [`PanicFamily`].
//! - [`repair`], [`bound`]: the integers tried, as functions of integers alone.
//! - [`Repository`]: the history that runs leave for later ones.
//!
//! Source: Kuperberg and Omri, Automated generation of method parameters for benchmarking APIs
//! (HeuriGenJ). Departures: the numbers of messages come first, because the standard library's
//! often have the index and the length; relative operations are measured, not listed; types are
//! those of the suite, so that no cast can fail.
//!
//! The module knows plans and calls. It knows nothing of files, terminals and clocks.
//!
//! # How
//!
//! **Successful calls** have a separate search, which avoids failures: it uses the sequences and
//! the trials of random runs, but neither their pool nor their loop. Its pool ranks structures by
//! whether they are empty and by the number of their calls, whereas the other draws them.
//!
//! - A first round calls every method once, in the order of complexity; this measures which methods
//!   enlarge or shrink structures. Two rounds of repairs follow, and one that calls methods again
//!   whose call shows little, on structures that hold something
//!   (`crates/beget-search/src/heuristic/search/fuller.rs`).
//! - Samples come last, from the literals of the scope and the structures of the pool
//!   (`crates/beget-search/src/heuristic/search/samples.rs`). Their order is a stride through all
//!   tuples and not a drawing, so that few samples are spread and none comes twice. Repetitions
//!   (`crates/beget-search/src/heuristic/search/repeats.rs`) replay the whole sequence each time.
//! - The attempts after a panic are a queue
//!   (`crates/beget-search/src/heuristic/search/proposals.rs`): first those of the message, then
//!   other arguments, then other states, which take calls to prepare. Each list is bounded by the
//!   number of arguments; at most eight messages in a row are followed.
//! - The integers of a repair are functions of integers alone
//!   (`crates/beget-search/src/heuristic/repair.rs`), so that a test can compare them with trying
//!   every tuple on functions of the standard library.
//! - Indices are never larger than 100: a size that exceeds the memory ends the process, whereas
//!   one that no type can hold only panics.
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
pub use options::{CallGoal, CallOptions, VariedParam};
pub use panics::{Clue, PanicFamily};
pub use report::{
    CallOrigin, CallRepeats, CallReport, CallShare, CallWorth, FailedCall, FamilyTally,
    MethodReport, Repair, RepairKind, SampledCall, SuccessfulCall,
};
pub use repository::{FailureRecord, MethodHistory, RepairRecord, Repository};
pub use source_literals::literals_of;

/// The plan of a run: without the bounds of the scope, and without misuse, because any panic is
/// repaired.
pub fn plan_for(plan: Plan, options: &CallOptions) -> Plan {
    let unbounded = RandomOptions { max_objects: options.max_objects, ..RandomOptions::default() };
    beget_run::random::plan_for(plan, &unbounded).with(|draft| draft.misuse = Misuse::default())
}

/// Searches for a successful call of each method of a plan made by [`plan_for`]. `control` is
/// called now and then and may end the run.
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
