//! What a run found: counters, levels, findings, and why it ended.

use std::fmt;

use crate::guard::PanicReport;
use crate::store::StructureId;

/// Calls by outcome. Their sum is the number of calls made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Left at least one new structure.
    pub kept: u64,
    /// Left only known structures.
    pub matched: u64,
    /// Left a structure beyond the scope: dropped.
    pub out_of_scope: u64,
    /// Broke a rule of use: dropped.
    pub misuse: u64,
    /// Broke a promise: reported.
    pub failures: u64,
}

impl Counters {
    /// The number of calls.
    pub fn explored(&self) -> u64 {
        self.kept + self.matched + self.out_of_scope + self.misuse + self.failures
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.kept += other.kept;
        self.matched += other.matched;
        self.out_of_scope += other.out_of_scope;
        self.misuse += other.misuse;
        self.failures += other.failures;
    }
}

/// One level: everything whose cheapest recipe has `calls` calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of calls of a recipe of this level.
    pub calls: u32,
    /// Structures found in it.
    pub new: u64,
    /// Calls made for it.
    pub explored: u64,
}

/// Why a run ended. Only [`StopReason::Exhausted`] means that the space was explored completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// Every call on every structure was made.
    Exhausted,
    /// The budget of calls was spent.
    MaxCalls(u64),
    /// The budget of structures was spent.
    MaxStructures(u64),
    /// The time was up, in seconds. Not reproducible.
    MaxSeconds(f64ish::Seconds),
    /// The memory was used up, in MiB. Not reproducible.
    MaxMemory(u64),
    /// As many levels were explored as the budget allows.
    MaxLevels(u32),
    /// The user interrupted the run.
    Interrupted,
    /// Calls on copies gave something else than calls on rebuilt structures: what was found may be wrong.
    CopiesDiffer,
}

/// Seconds that can be compared exactly, so that reports can.
pub mod f64ish {
    /// A number of seconds, kept in milliseconds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Seconds(pub u64);
}

impl StopReason {
    /// The name that summaries use.
    pub fn name(&self) -> &'static str {
        match self {
            StopReason::Exhausted => "exhausted",
            StopReason::MaxCalls(_) => "max_calls",
            StopReason::MaxStructures(_) => "max_structures",
            StopReason::MaxSeconds(_) => "max_seconds",
            StopReason::MaxMemory(_) => "max_memory",
            StopReason::MaxLevels(_) => "max_levels",
            StopReason::Interrupted => "interrupted",
            StopReason::CopiesDiffer => "copies_differ",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Exhausted => f.write_str("the space is exhausted"),
            StopReason::MaxCalls(n) => write!(f, "the budget of {n} calls is spent"),
            StopReason::MaxStructures(n) => write!(f, "the budget of {n} structures is spent"),
            StopReason::MaxSeconds(f64ish::Seconds(ms)) => {
                write!(f, "the time of {} s is up", *ms as f64 / 1000.0)
            }
            StopReason::MaxMemory(mib) => write!(f, "the memory of {mib} MiB is used up"),
            StopReason::MaxLevels(n) => write!(f, "all sequences of {n} calls or fewer were made"),
            StopReason::Interrupted => f.write_str("the run was interrupted"),
            StopReason::CopiesDiffer => f.write_str(
                "copies of structures cannot be trusted, so what was found may be wrong; run again with \
                 other copies (`--copies remake`)",
            ),
        }
    }
}

/// What is wrong with the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A call panicked, and no rule of the scope excuses it.
    Panic(PanicReport),
    /// The recipe, run again, gives another structure.
    Nondeterministic,
    /// Calls on a clone changed its original. The type's clones are not used from there on.
    CloneShares,
    /// Calls on clones gave something else than calls on rebuilt structures. The run was started again without clones.
    CloneDiffers,
    /// A type's `Clone` panicked. Clones are not used from there on.
    ClonePanics(PanicReport),
    /// The destructor of what a call left panicked.
    DropPanics(PanicReport),
    /// Calls in the region gave something else than calls on rebuilt structures, or left memory where no root scan looks.
    /// What was found before may be wrong, so the run ends.
    RegionDiffers,
    /// The value decoded from a form walks to another form.
    DecodeDiffers,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Panic(report) => report.fmt(f),
            Problem::Nondeterministic => f.write_str(
                "run again, the same calls give another structure. Usual causes: the iteration order of a \
                 HashMap, time, randomness, addresses, a static or thread-local that calls share, or a field \
                 that is skipped or omitted but matters",
            ),
            Problem::CloneShares => f.write_str(
                "a call on a clone changed the original: `Clone` shares state (an `Rc`, a raw pointer), so \
                 clones are not used",
            ),
            Problem::CloneDiffers => f.write_str(
                "calls on clones gave something else than calls on rebuilt structures: `Clone` shares state (an \
                 `Rc`, a raw pointer) or leaves something out, so clones are not used",
            ),
            Problem::ClonePanics(report) => {
                write!(f, "`Clone` {report}; clones are not used")
            }
            Problem::DropPanics(report) => write!(f, "a destructor {report}"),
            Problem::RegionDiffers => f.write_str(
                "the region image cannot be trusted: calls in it gave something else than calls on rebuilt \
                 structures, or keep memory outside the values where no scan looks; run again with other copies \
                 (`--copies remake`)",
            ),
            Problem::DecodeDiffers => f.write_str(
                "the value decoded from its canonical form walks to another form: `decode` must mirror `walk`",
            ),
        }
    }
}

/// A problem and the call, or structure, that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// The call, by its number; the meant structure in it has no meaning for panics.
    pub call: u32,
    /// The structures it was made on.
    pub arguments: Vec<StructureId>,
}

/// Everything a run tells besides the structures themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Calls by outcome.
    pub counters: Counters,
    /// The levels, cheapest first.
    pub levels: Vec<Level>,
    /// The first findings, in order; at most [`Report::MOST_FINDINGS`].
    pub findings: Vec<Finding>,
    /// How fresh copies were made in the end, and why not otherwise; by type.
    pub notes: Vec<String>,
}

impl Report {
    /// How many findings are kept with their witnesses; all failures are counted.
    pub const MOST_FINDINGS: usize = 1000;

    /// Whether the whole space was explored.
    pub fn is_complete(&self) -> bool {
        self.stop_reason == StopReason::Exhausted
    }
}
