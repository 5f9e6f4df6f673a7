//! What a run found: counters, levels, findings, and why it ended.

use std::cmp::Ordering;

use beget_finding::{Finding, Problem, Sightings, StopReason, Witness};
use beget_guard::PanicReport;
use beget_heap::PassedBound;
use beget_scope::{Plan, PlannedIdx};
use beget_suite::to_call_source;

use crate::after_panic::{PanicStepIdx, PanicTally, step_after_panic};
use crate::call_audit::AuditTally;
use crate::calls::{CallIdx, CallTable, recipe_of_call};
use crate::probe::ProbeTally;
use crate::store::{Recipes, StoreError, StructureId};

/// Calls by outcome. Their sum is the number of calls made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
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

/// How many calls left a structure out of scope by a bound, the first that its walk passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Passed {
    /// The bound.
    #[cfg_attr(feature = "messages", serde(with = "PassedBoundData"))]
    pub bound: PassedBound,
    /// The number of calls.
    pub calls: u64,
}

impl Passed {
    /// One call.
    #[inline]
    pub(crate) fn once(bound: PassedBound) -> Self {
        Passed { bound, calls: 1 }
    }
}

/// A [`PassedBound`] in messages.
#[cfg(feature = "messages")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "PassedBound")]
enum PassedBoundData {
    Objects { class: u16 },
    Arrays,
    Texts,
    Field { class: u16, field: u16 },
    Ints,
    Returned,
    Undecided,
}

/// How many calls of a method panicked at one place, as the scope expects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct ExpectedPanic {
    /// The pattern that expects it, by its position in [`Misuse`](beget_scope::Misuse): the first.
    pub pattern: u32,
    /// Where in the source.
    pub place: String,
    /// The method, by its position in the plan.
    pub method: PlannedIdx,
    /// The number of calls.
    pub calls: u64,
}

/// What calls are counted by.
pub(crate) trait Counted: Clone {
    /// The order of what is counted, whatever the number of calls.
    fn compare(&self, other: &Self) -> Ordering;

    /// Whether the same is counted.
    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }

    fn calls(&mut self) -> &mut u64;
}

impl Counted for Passed {
    #[inline]
    fn compare(&self, other: &Self) -> Ordering {
        self.bound.cmp(&other.bound)
    }

    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        self.bound == other.bound
    }

    #[inline]
    fn calls(&mut self) -> &mut u64 {
        &mut self.calls
    }
}

impl Counted for ExpectedPanic {
    fn compare(&self, other: &Self) -> Ordering {
        let key = |panic: &Self| (panic.pattern, panic.method);
        key(self).cmp(&key(other)).then_with(|| self.place.cmp(&other.place))
    }

    fn calls(&mut self) -> &mut u64 {
        &mut self.calls
    }
}

/// What calls came to, one after another. Those of neighbours are counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CountLog<C>(Vec<C>);

impl<C> Default for CountLog<C> {
    fn default() -> Self {
        CountLog(Vec::new())
    }
}

impl<C: Counted> CountLog<C> {
    #[inline(always)]
    pub(crate) fn push(&mut self, mut one: C) {
        match self.0.last_mut() {
            Some(last) if last.is_like(&one) => *last.calls() += *one.calls(),
            _ => self.push_apart(one),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_apart(&mut self, one: C) {
        self.0.push(one);
    }

    /// Adds what comes after it.
    pub(crate) fn append(&mut self, next: CountLog<C>) {
        next.0.into_iter().for_each(|one| self.push(one));
    }

    /// How far the log has come.
    pub(crate) fn mark(&mut self) -> LogMark {
        LogMark { len: self.0.len(), calls: self.0.last_mut().map_or(0, |last| *last.calls()) }
    }

    /// Forgets what came after a mark.
    pub(crate) fn undo(&mut self, mark: LogMark) {
        self.0.truncate(mark.len);
        if let Some(last) = self.0.last_mut() {
            *last.calls() = mark.calls;
        }
    }

    /// Adds what it tells to an ordered list.
    pub(crate) fn add_to(&self, all: &mut Vec<C>) {
        for one in &self.0 {
            match all.binary_search_by(|known| known.compare(one)) {
                Ok(index) => *all[index].calls() += *one.clone().calls(),
                Err(index) => all.insert(index, one.clone()),
            }
        }
    }
}

/// How far a log had come.
#[derive(Clone, Copy)]
pub(crate) struct LogMark {
    len: usize,
    calls: u64,
}

/// How a call ended that is no misuse, or may be none, because it changed an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum ChangedBy {
    /// It returned `Err`.
    Error,
    /// It panicked as the scope expects.
    Panic,
}

/// A call that changed an argument though it ended badly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ChangeNote {
    pub(crate) by: ChangedBy,
    /// The method, by its position in the plan.
    pub(crate) method: PlannedIdx,
    pub(crate) call: CallIdx,
    /// The structures it was made on.
    pub(crate) arguments: Vec<StructureId>,
}

impl ChangeNote {
    /// What is said of it, with the recipe of the call.
    pub(crate) fn to_text(&self, plan: &Plan, calls: &CallTable, recipes: &dyn Recipes) -> String {
        let name = plan.method(self.method).name;
        let what = match self.by {
            ChangedBy::Error => format!(
                "`{name}` returned `Err` and changed an argument: such calls count as calls that returned; \
                 with `misuse: (errors: true)` they would be left out, and what they leave would not be tested"
            ),
            ChangedBy::Panic => format!(
                "`{name}` panicked as expected and changed an argument, which is left out; write \
                 `keep_panicked: true` in `misuse` to keep it"
            ),
        };
        match example_text(plan, calls, recipes, self.call, &self.arguments) {
            Some(example) => format!("{what}; {example}"),
            None => what,
        }
    }
}

/// A call as an example in a note; `None` if it takes too many others first.
pub(crate) fn example_text(
    plan: &Plan,
    calls: &CallTable,
    recipes: &dyn Recipes,
    call: CallIdx,
    arguments: &[StructureId],
) -> Option<String> {
    const MOST_CALLS: usize = 20;
    let recipe = recipe_of_call(plan, calls, recipes, calls.parts(call), arguments).ok()?;
    let is_short = recipe.n_calls() <= MOST_CALLS;
    is_short
        .then(|| format!("for example {}", to_call_source(&plan.suite, &recipe).replace('\n', " ")))
}

/// One level: everything whose cheapest recipe has `calls` calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// The number of calls of a recipe of this level.
    pub calls: u32,
    /// Structures found in it.
    pub new: u64,
    /// Calls made for it.
    pub explored: u64,
}

/// A problem and the call, or structure, that shows it, while the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Sighting {
    /// What is wrong.
    pub(crate) problem: Problem,
    /// The call, by its number; the meant structure in it has no meaning for panics.
    pub(crate) call: CallIdx,
    /// The structures it was made on.
    pub(crate) arguments: Vec<StructureId>,
    /// How many calls show it, of which this is the first.
    pub(crate) count: u64,
    /// What shows it, if not the call but a step after its panic.
    pub(crate) after: Option<PanicStepIdx>,
}

impl Sighting {
    /// One call, or structure.
    pub(crate) fn new(problem: Problem, call: CallIdx, arguments: Vec<StructureId>) -> Self {
        Sighting { problem, call, arguments, count: 1, after: None }
    }

    /// The same, of a step after the panic of the call.
    pub(crate) fn after_panic(self, step: PanicStepIdx) -> Self {
        Sighting { after: Some(step), ..self }
    }

    /// The finding, whose witness is the recipe of the call; without it if the store cannot tell it
    /// any more.
    pub(crate) fn into_finding(
        self,
        plan: &Plan,
        calls: &CallTable,
        recipes: &dyn Recipes,
    ) -> Finding {
        let parts = calls.parts(self.call);
        let step = self.after.and_then(|step| step_after_panic(plan, parts.planned, step));
        let recipe = match step {
            None => recipe_of_call(plan, calls, recipes, parts, &self.arguments),
            Some(step) => step.recipe(plan, calls, recipes, parts, &self.arguments),
        };
        let witness = recipe.map(Witness::of_call).unwrap_or_default();
        Finding { problem: self.problem, count: self.count, witness }
    }
}

/// The problem that a destructor which panicked shows.
pub(crate) fn drop_problem(report: PanicReport) -> Problem {
    Problem::drop_panics(&report.message, report.location)
}

/// The problem that a call which panicked shows.
pub(crate) fn panic_problem(report: PanicReport) -> Problem {
    Problem::panic(&report.message, report.location)
}

/// Everything a run tells besides the structures themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Calls by outcome.
    pub counters: Counters,
    /// The calls out of scope by the bound that they passed; they add up to that counter.
    pub passed: Vec<Passed>,
    /// The panics that the scope expects.
    pub expected: Vec<ExpectedPanic>,
    /// What became of the values that panics left, where that was followed.
    pub panics: PanicTally,
    /// What audits of calls came to, where calls were audited.
    pub audits: AuditTally,
    /// What extending values came to that were matched, where the plan asks for
    /// [probes](Plan::probe).
    pub probes: ProbeTally,
    /// The levels, cheapest first.
    pub levels: Vec<Level>,
    /// The findings, one for each cause and method: what matters most first, of that the rare ones.
    /// At most [`Report::MOST_FINDINGS`].
    pub findings: Vec<Finding>,
    /// What is not believed of structures that are told apart by their memory, in sentences.
    pub doubted: Vec<String>,
    /// How fresh copies were made in the end, and why not otherwise; by type.
    pub notes: Vec<String>,
}

impl Report {
    /// How many findings are kept, each with its first witness; all failures are counted.
    pub const MOST_FINDINGS: usize = Sightings::<Sighting>::MOST;

    /// What the store failed at, if the run has ended by that: the last of its notes.
    pub fn store_failure(&self) -> Option<StoreError> {
        let has_failed = self.stop_reason == StopReason::StoreFailed;
        let note = self.notes.last().filter(|_| has_failed)?;
        Some(StoreError::of_text(note))
    }

    /// Whether there is nothing but what constructors left, and a bound kept other calls from
    /// leaving more.
    pub fn has_only_constructed(&self) -> bool {
        let n_with_new = self.levels.iter().filter(|level| level.new > 0).count();
        self.is_complete() && n_with_new == 1 && self.counters.out_of_scope > 0
    }

    /// The places of the panics that each pattern of the scope expects, where they are several: a
    /// pattern that is meant for one may hide another.
    pub fn shared_patterns(&self) -> Vec<(u32, Vec<&str>)> {
        let mut shared: Vec<(u32, Vec<&str>)> = Vec::new();
        for panic in &self.expected {
            match shared.last_mut() {
                Some((pattern, places)) if *pattern == panic.pattern => places.push(&panic.place),
                _ => shared.push((panic.pattern, vec![&panic.place])),
            }
        }
        for (_, places) in &mut shared {
            places.sort_unstable();
            places.dedup();
        }
        shared.retain(|(_, places)| places.len() > 1);
        shared
    }

    /// Whether the whole space was explored.
    pub fn is_complete(&self) -> bool {
        self.stop_reason == StopReason::Exhausted
    }
}
