//! The runs that only programs make, each within the limits of a
//! [`Watch`](beget_run::Watch): from the scope file that an [`Input`](beget_run::Input) has read to
//! a result.
//!
//! - [`search_rep_ok`], [`ComparePlan`], [`BuildersPlan`], [`evolve`](evolve()), [`call`](call()):
//!   the searches of this crate. [`EstimatePlan`]: what a run would take.
//! - [`behaviors`], [`record`], [`make_calls_on`]: calls of a run made again, to be written as
//!   tests, compared with another version, or shown.
//! - [`Selection`]: some of the structures of a run.

mod builders;
mod call;
mod compare;
mod estimate;
mod evolve;
mod repok;
mod space;

mod live;
mod recording;
mod regression;
mod selection;

pub use builders::{BuildersPlan, BuildersRun};
pub use call::{CallRun, call};
pub use compare::{ComparePlan, CompareRun, CompareStep, SideWitness, SlackStep};
pub use estimate::{
    CountedScope, DISK_BYTES, DISK_STORE_ROOM, EstimateBudget, EstimatePlan, EstimateRun,
    MEMORY_STORE_ROOM, ScopeEstimate,
};
pub use evolve::{EvolveRun, PointKind, evolve};
pub use live::{
    LeftStructure, LiveCall, LiveCalls, LiveOutcome, calls_of_method, make_calls_of, make_calls_on,
};
pub use recording::{
    AskRecorded, RecordedSequence, Recording, RecordingDiff, compare_recording, record, replay_all,
};
pub use regression::{
    Behavior, Behaviors, ObservedCall, ResultIdx, StatementIdx, TestedSequences, behaviors,
    behaviors_by_chance, behaviors_of_outcomes,
};
pub use repok::{RepOkRun, search_rep_ok};
pub use selection::{Selection, SelectionError};
pub use space::RepOkSpace;
