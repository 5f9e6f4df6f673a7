//! The size and cost of a scope, estimated: smaller scopes are run within a budget, and their
//! counts extrapolated.
//!
//! # The choice of curves
//!
//! `beget estimate` runs small scopes and extrapolates (`crates/beget-search/src/run/estimate.rs`,
//! `crates/beget-search/src/estimate.rs`). The curves and their weights were chosen by what they
//! say of the rows of Table 1 from the rows before them, by the interval score of the bars (their
//! width, and twenty times by how much a truth lies outside); `benchmarks/results/estimate.md` is
//! that backtest, made by the code of the command. Tried there, and not kept: ratios that grow
//! linearly, squares of k, both bends at once (narrower on lists, several orders of magnitude off
//! on heaps two steps ahead). `DISK_BYTES` is the one number there that is not measured. Calls are
//! no growth of their own where they follow from the structures.

use crate::estimate::{CountGrowth, ErrorBar};
use beget_engine::store::Store;
use beget_engine::{Corpus, Settings};
use beget_plan::finding::{Finding, StopReason};
use beget_plan::scope::{Budget, Overrides, Plan, Resolution};
use beget_suite::TypeIdx;

use beget_run::{Input, InputError, RunError, StoreKind, Watch, generate};

/// Bytes of a structure on disk, recipe included: between those measured for lists and for trees
/// (3.3 to 7, `benchmarks/results/disk.md`).
pub const DISK_BYTES: f64 = 5.0;

/// The error of [`DISK_BYTES`], as an [error](ErrorBar::around).
const DISK_ERROR: f64 = 0.3;

/// The number of structures that fit in the memory store, if its parts fill up evenly.
pub const MEMORY_STORE_ROOM: f64 = 16.0 * ((1 << 26) - 2) as f64;

/// The number of structures that fit in the store on disk: it has room for 2^40 bytes of forms, and
/// as many forms take at least five bytes each and one for their length.
pub const DISK_STORE_ROOM: f64 = (1_u64 << 40) as f64 / 6.0;

/// 90 % bound on how cost per call varies between scopes, if it was measured in a run of at least
/// `CALLS_TO_MEASURE`: as an [error](ErrorBar::around), from measurements on the rows of Table 1 of
/// the BEAPI paper.
const CALL_ERROR: f64 = 0.45;
const CALLS_TO_MEASURE: u64 = 50_000;

/// The same for shorter runs, in which starting dominates.
const SHORT_RUN_ERROR: f64 = 1.5;

/// The same for a structure's bytes in memory.
const BYTES_ERROR: f64 = 0.35;
const STRUCTURES_TO_MEASURE: u64 = 30_000;

/// The bytes of a structure in memory if no run was large enough to measure them: in all runs of
/// Table 1 with more than 100,000 structures it is 17 to 36 bytes.
const USUAL_BYTES: f64 = 24.0;
const USUAL_BYTES_ERROR: f64 = 0.5;

/// A scope to be estimated.
#[derive(Clone, Debug)]
pub struct EstimatePlan<'i> {
    input: &'i Input<'i>,
    overrides: Overrides,
    /// The scope itself.
    pub resolved: Resolution,
}

/// The budget of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimateBudget {
    /// Calls of all runs together. A run that ends here is reproducible.
    pub max_calls: u64,
}

/// A completely explored scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedScope {
    /// Its number.
    pub k: u32,
    /// Structures of the main type.
    pub generated: u64,
    /// Structures in the store: of all types, and with slack those beyond the scope proper.
    pub stored: u64,
    /// Calls.
    pub explored: u64,
    /// User and system time, or else wall time.
    pub cpu_seconds: f64,
    /// Bytes of the store.
    pub store_bytes: u64,
}

/// The result of an estimate.
#[derive(Clone, Debug)]
pub struct EstimateRun {
    /// The completely explored scopes, by k.
    pub counted: Vec<CountedScope>,
    /// The scope that was begun and not finished, with its structures of the main type and calls so
    /// far: a lower bound for the requested scope.
    pub begun: Option<(u32, u64, u64)>,
    /// The reason why there are no more scopes: exhausted if the requested scope is among them.
    pub stop_reason: StopReason,
    /// The findings of the first run that had any.
    pub findings: Vec<Finding>,
    /// Calls that broke a promise in that run.
    pub failures: u64,
    /// All calls made.
    pub explored: u64,
    /// The estimate. `None` if there are too few counts.
    pub estimate: Option<ScopeEstimate>,
}

/// The estimated size and cost of a scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScopeEstimate {
    /// Structures of the main type.
    pub structures: ErrorBar,
    /// Structures that a store has to hold.
    pub stored: ErrorBar,
    /// Calls.
    pub calls: ErrorBar,
    /// User and system time.
    pub cpu_seconds: ErrorBar,
    /// Bytes of memory.
    pub memory_bytes: ErrorBar,
    /// Bytes on disk, with recipes.
    pub disk_bytes: ErrorBar,
    /// The assumed cost of a call, in seconds of CPU.
    pub seconds_per_call: ErrorBar,
    /// The assumed bytes of a structure in memory.
    pub bytes_per_structure: f64,
    /// True if the time comes from a run of so few calls that starting may dominate it.
    pub is_rate_doubtful: bool,
    /// True if no run had enough structures to measure their bytes in memory.
    pub are_bytes_usual: bool,
}

impl<'i> EstimatePlan<'i> {
    /// The scope with `overrides`. Their budget and the file's are ignored: the estimate is for the
    /// whole scope.
    ///
    /// # Errors
    ///
    /// If the input is wrong.
    pub fn new(input: &'i Input<'i>, overrides: &Overrides) -> Result<Self, InputError> {
        let overrides = Overrides { budget: Budget::default(), ..overrides.clone() };
        let resolved = input.resolve(&overrides)?;
        Ok(EstimatePlan { input, overrides, resolved })
    }

    /// Runs the scopes from k = 1 on, as many as the budget allows, and estimates the requested
    /// scope.
    ///
    /// A scope is not begun if even the lower bound of its estimate exceeds the budget.
    ///
    /// # Errors
    ///
    /// If a store cannot read its contents.
    pub fn run(
        &self,
        budget: EstimateBudget,
        settings: Settings,
        watch: &Watch<'_>,
    ) -> Result<EstimateRun, RunError> {
        let mut runs = Runs::new(budget);
        let before = watch.memory_bytes().unwrap_or(0);
        let k = self.resolved.plan.k;
        for k in 1..=k {
            if let Some(reason) = watch.stop_reason(0) {
                runs.stop_reason = reason;
                break;
            }
            let Some(plan) = self.at(k) else { continue };
            if !runs.can_begin(k) {
                break;
            }
            let cpu = watch.cpu_seconds();
            let max_calls = Some(runs.calls_left());
            let budget = Budget { max_calls, ..Budget::default() };
            let plan = plan.with(|draft| draft.budget = budget);
            let corpus = generate(plan, settings, StoreKind::Exact, watch);
            runs.add(&corpus, watch.cpu_seconds() - cpu)?;
            if !runs.stop_reason.is_exhausted() {
                break;
            }
        }
        Ok(runs.finish(&self.resolved.plan, before))
    }

    /// The plan at a smaller k. `None` if the scope has no such methods there, or is invalid.
    fn at(&self, k: u32) -> Option<Plan> {
        let resolved = self.input.resolve(&Overrides { k: Some(k), ..self.overrides.clone() });
        let plan = resolved.ok()?.plan;
        let methods =
            |plan: &Plan| -> Vec<_> { plan.methods.iter().map(|one| one.method).collect() };
        (methods(&plan) == methods(&self.resolved.plan)).then_some(plan)
    }
}

/// The runs of an estimate so far.
struct Runs {
    budget: EstimateBudget,
    counted: Vec<CountedScope>,
    begun: Option<(u32, u64, u64)>,
    stop_reason: StopReason,
    findings: Vec<Finding>,
    failures: u64,
    explored: u64,
    /// The structures of each type, by k, of the counted scopes.
    by_type: Vec<(u32, Vec<u64>)>,
    /// True as long as the calls of each counted scope were those of its [`CallFormula`].
    are_calls_formula: bool,
}

/// The calls of a scope from its structures: each method is called with every tuple of literals on
/// every tuple of structures. It does not hold with slack, which has calls on further structures.
#[derive(Debug)]
struct CallFormula {
    /// For each method the tuples of literals, and the types of its structures.
    methods: Vec<(f64, Vec<TypeIdx>)>,
}

impl CallFormula {
    fn of(plan: &Plan) -> CallFormula {
        let methods = plan.methods.iter();
        let methods = methods.map(|one| (one.n_tuples() as f64, one.structures.clone())).collect();
        CallFormula { methods }
    }

    /// The calls for these numbers of structures by type.
    fn at(&self, structures: impl Fn(TypeIdx) -> f64) -> f64 {
        let calls = |(n_tuples, types): &(f64, Vec<TypeIdx>)| {
            n_tuples * types.iter().map(|&ty| structures(ty)).product::<f64>()
        };
        self.methods.iter().map(calls).sum()
    }
}

impl Runs {
    fn new(budget: EstimateBudget) -> Runs {
        Runs {
            budget,
            counted: Vec::new(),
            begun: None,
            stop_reason: StopReason::Exhausted,
            findings: Vec::new(),
            failures: 0,
            explored: 0,
            by_type: Vec::new(),
            are_calls_formula: true,
        }
    }

    fn calls_left(&self) -> u64 {
        self.budget.max_calls.saturating_sub(self.explored)
    }

    /// Returns whether the scope may end within the budget. If not, that is the stop reason.
    fn can_begin(&mut self, k: u32) -> bool {
        let calls = CountGrowth::of(self.counted.iter().map(|scope| (scope.k, scope.explored)));
        let least = calls.at(k).map_or(1.0, |calls| calls.low);
        let can_begin = least <= self.calls_left() as f64;
        if !can_begin {
            self.stop_reason = StopReason::MaxCalls(self.budget.max_calls);
        }
        can_begin
    }

    fn add(&mut self, corpus: &Corpus, cpu_seconds: f64) -> Result<(), RunError> {
        let totals = corpus.totals()?;
        let (k, report) = (corpus.plan.k, &corpus.report);
        let generated = totals.by_type.first().copied().unwrap_or(0);
        let explored = report.ledger.counters.explored();
        self.explored += explored;
        self.stop_reason = match report.stop_reason {
            StopReason::MaxCalls(_) => StopReason::MaxCalls(self.budget.max_calls),
            reason => reason,
        };
        if self.findings.is_empty() && self.failures == 0 {
            self.findings = report.findings.clone();
            self.failures = report.ledger.counters.failures;
        }
        if !report.stop_reason.is_exhausted() {
            self.begun = Some((k, generated, explored));
            return Ok(());
        }
        self.counted.push(CountedScope {
            k,
            generated,
            stored: corpus.store.len(),
            explored,
            cpu_seconds,
            store_bytes: corpus.store.bytes(),
        });
        let calls = CallFormula::of(&corpus.plan).at(|ty| totals.by_type[ty.index()] as f64);
        self.are_calls_formula &= calls == explored as f64;
        self.by_type.push((k, totals.by_type));
        Ok(())
    }

    /// The result for the scope of `plan`, in a process that held `before` bytes at first.
    fn finish(self, plan: &Plan, before: u64) -> EstimateRun {
        let estimate = self.estimate(plan, before as f64);
        let Runs { counted, begun, stop_reason, findings, failures, explored, .. } = self;
        EstimateRun { counted, begun, stop_reason, findings, failures, explored, estimate }
    }

    fn estimate(&self, plan: &Plan, before: f64) -> Option<ScopeEstimate> {
        let mut estimate = ScopeEstimate::of(&self.counted, plan.k)?;
        if let Some(calls) = self.calls_of_structures(plan) {
            estimate = estimate.with_calls(calls);
        }
        let (_, generated, explored) = self.begun.unwrap_or_default();
        Some(ScopeEstimate {
            structures: estimate.structures.at_least(generated as f64),
            stored: estimate.stored.at_least(generated as f64),
            calls: estimate.calls.at_least(explored as f64),
            memory_bytes: estimate.memory_bytes.plus(before),
            ..estimate
        })
    }

    /// The calls that follow from the structures of each type. `None` if the formula failed for a
    /// counted scope, or a type has too few counts.
    fn calls_of_structures(&self, plan: &Plan) -> Option<ErrorBar> {
        if !self.are_calls_formula {
            return None;
        }
        let n_types = self.by_type.first()?.1.len();
        let bar = |ty: usize| {
            let counts = self.by_type.iter().map(|(k, by_type)| (*k, by_type[ty]));
            match counts.clone().all(|(_, count)| count == 0) {
                true => Some(ErrorBar::exact(0.0)),
                false => CountGrowth::of(counts).at(plan.k),
            }
        };
        let bars: Vec<ErrorBar> = (0..n_types).map(bar).collect::<Option<_>>()?;
        let formula = CallFormula::of(plan);
        Some(ErrorBar {
            low: formula.at(|ty| bars[ty.index()].low),
            likely: formula.at(|ty| bars[ty.index()].likely),
            high: formula.at(|ty| bars[ty.index()].high),
        })
    }
}

impl ScopeEstimate {
    /// The estimate for the scope `k`, from counted ones. Memory is that of the store. `None` if
    /// there are too few counts.
    pub fn of(counted: &[CountedScope], k: u32) -> Option<ScopeEstimate> {
        let growth = |count: &dyn Fn(&CountedScope) -> u64| {
            CountGrowth::of(counted.iter().map(|scope| (scope.k, count(scope))))
        };
        let structures = growth(&|scope| scope.generated).at(k)?;
        let stored = growth(&|scope| scope.stored).at(k)?.at_least(structures.low);
        let calls = growth(&|scope| scope.explored).at(k)?;
        let largest = counted.iter().max_by_key(|scope| scope.explored)?;
        let is_counted = largest.k == k;
        let (call, bytes) = match is_counted {
            true => (ErrorBar::exact(largest.call()), ErrorBar::exact(largest.structure())),
            false => (largest.call_elsewhere(), largest.structure_elsewhere()),
        };
        Some(ScopeEstimate {
            structures,
            stored,
            calls,
            cpu_seconds: calls.times(&call),
            memory_bytes: stored.times(&bytes),
            disk_bytes: stored.times(&ErrorBar::around(DISK_BYTES, DISK_ERROR)),
            seconds_per_call: call,
            bytes_per_structure: bytes.likely,
            is_rate_doubtful: !is_counted && largest.explored < CALLS_TO_MEASURE,
            are_bytes_usual: !is_counted && largest.stored < STRUCTURES_TO_MEASURE,
        })
    }

    /// The same with other calls, and the time that they take.
    fn with_calls(self, calls: ErrorBar) -> ScopeEstimate {
        ScopeEstimate { calls, cpu_seconds: calls.times(&self.seconds_per_call), ..self }
    }
}

impl CountedScope {
    /// The measured seconds of a call.
    fn call(&self) -> f64 {
        self.cpu_seconds / self.explored.max(1) as f64
    }

    /// The measured bytes of a structure.
    fn structure(&self) -> f64 {
        self.store_bytes as f64 / self.stored.max(1) as f64
    }

    /// The cost of a call in a larger scope.
    fn call_elsewhere(&self) -> ErrorBar {
        let error = if self.explored < CALLS_TO_MEASURE { SHORT_RUN_ERROR } else { CALL_ERROR };
        ErrorBar::around(self.call(), error)
    }

    /// The bytes of a structure in a larger scope.
    fn structure_elsewhere(&self) -> ErrorBar {
        match self.stored < STRUCTURES_TO_MEASURE {
            true => ErrorBar::around(USUAL_BYTES, USUAL_BYTES_ERROR),
            false => ErrorBar::around(self.structure(), BYTES_ERROR),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_run::{Catalog, Host};

    use super::*;

    struct Timeless;

    impl Host for Timeless {
        fn seconds(&self) -> f64 {
            0.0
        }
    }

    fn counted(k: u32, explored: u64) -> CountedScope {
        let (generated, stored, store_bytes) = (10, 10, 240);
        CountedScope { k, generated, stored, explored, cpu_seconds: 5.0, store_bytes }
    }

    #[test]
    fn what_a_call_takes_is_measured_at_the_largest_scope_and_less_sure_after_few_calls() {
        let estimate = |last: u64, k| ScopeEstimate::of(&[counted(1, 100), counted(2, last)], k);
        let known = estimate(50_000, 2).unwrap();
        assert_eq!(known.seconds_per_call, ErrorBar::exact(5.0 / 50_000.0));
        assert_eq!(known.cpu_seconds.likely, 5.0);
        for (last, error, is_doubtful) in
            [(49_999, SHORT_RUN_ERROR, true), (50_000, CALL_ERROR, false)]
        {
            let larger = estimate(last, 3).unwrap();
            assert_eq!(larger.seconds_per_call, ErrorBar::around(5.0 / last as f64, error));
            assert_eq!(larger.is_rate_doubtful, is_doubtful);
        }
    }

    #[test]
    fn bytes_of_a_structure_are_measured_in_a_large_scope_and_usual_otherwise() {
        let scope = |k, stored: u64| CountedScope { k, stored, ..counted(k, 100 * stored) };
        let estimate = |stored: u64, k| {
            let last = CountedScope { store_bytes: 30 * stored, ..scope(2, stored) };
            ScopeEstimate::of(&[scope(1, 100), last], k).unwrap()
        };
        let known = estimate(30_000, 2);
        assert_eq!((known.bytes_per_structure, known.are_bytes_usual), (30.0, false));
        assert_eq!(known.memory_bytes, ErrorBar::exact(30_000.0).times(&ErrorBar::exact(30.0)));
        // Few structures are no reason to doubt what was counted.
        assert!(!estimate(200, 2).are_bytes_usual && !estimate(200, 2).is_rate_doubtful);
        for (stored, bytes, error, are_usual) in
            [(29_999, 24.0, USUAL_BYTES_ERROR, true), (30_000, 30.0, BYTES_ERROR, false)]
        {
            let larger = estimate(stored, 3);
            let growth = CountGrowth::of([(1, 100), (2, stored)]).at(3).unwrap();
            assert_eq!(larger.stored, growth);
            assert_eq!((larger.bytes_per_structure, larger.are_bytes_usual), (bytes, are_usual));
            assert_eq!(larger.memory_bytes, growth.times(&ErrorBar::around(bytes, error)));
            assert_eq!(larger.disk_bytes, growth.times(&ErrorBar::around(5.0, 0.3)));
        }
    }

    #[test]
    fn with_other_calls_the_time_is_another_one_and_nothing_else() {
        let estimate = ScopeEstimate::of(&[counted(1, 100), counted(2, 1000)], 3).unwrap();
        let calls = ErrorBar::around(7.0, 0.5);
        let cpu_seconds = calls.times(&ErrorBar::around(0.005, SHORT_RUN_ERROR));
        assert_eq!(estimate.with_calls(calls), ScopeEstimate { calls, cpu_seconds, ..estimate });
    }

    #[test]
    fn a_scope_is_begun_if_the_least_of_its_estimate_is_left() {
        let begins = |counted: Vec<CountedScope>, explored, max_calls| {
            let mut runs = Runs { counted, explored, ..Runs::new(EstimateBudget { max_calls }) };
            let begins = runs.can_begin(3);
            (begins, runs.calls_left(), runs.stop_reason)
        };
        let (exhausted, cut) = (StopReason::Exhausted, StopReason::MaxCalls);
        // Of one count no estimate is made, so one call must be left.
        assert_eq!(begins(vec![counted(2, 8)], 8, 9), (true, 1, exhausted));
        assert_eq!(begins(vec![counted(2, 8)], 8, 8), (false, 0, cut(8)));
        assert_eq!(begins(vec![counted(2, 8)], 9, 8), (false, 0, cut(8)));
        let low = CountGrowth::of([(1, 200), (2, 800)]).at(3).unwrap().low;
        let two = || vec![counted(1, 200), counted(2, 800)];
        let (enough, scant) = (1000 + low.ceil() as u64, 1000 + low.floor() as u64);
        assert_eq!(begins(two(), 1000, enough), (true, enough - 1000, exhausted));
        assert_eq!(begins(two(), 1000, scant), (false, scant - 1000, cut(scant)));
    }

    #[test]
    fn stores_have_room_for_a_billion_structures_or_for_180() {
        let room = [MEMORY_STORE_ROOM, DISK_STORE_ROOM.floor()];
        assert_eq!(room, [1_073_741_792.0, 183_251_937_962.0]);
        // Five bytes, and no fewer, tell them apart.
        assert_eq!((DISK_STORE_ROOM.log2() / 8.0).ceil(), 5.0);
    }

    /// Flags on one another.
    #[derive(Clone, Default, Heap)]
    pub struct Pile {
        top: Option<Box<Flag>>,
    }

    #[derive(Clone, Heap)]
    pub struct Flag {
        is_up: bool,
        below: Option<Box<Flag>>,
    }

    #[beget::api(name = "test::pile")]
    impl Pile {
        pub fn new() -> Self {
            Pile::default()
        }

        pub fn put(&mut self, is_up: bool) {
            self.top = Some(Box::new(Flag { is_up, below: self.top.take() }));
        }
    }

    /// Piles of at most k flags are reported; with slack, calls are also made on those of one more.
    #[test]
    fn calls_beyond_the_structures_reported_are_a_growth_of_their_own() {
        let text = r#"Scope(suite: "test::pile", k: 5, objects: {"*": "k"}, slack: 1)"#;
        let catalog = Catalog::new(vec![Pile::suite()]);
        let input = Input::of_text("pile.ron", text.to_owned(), catalog).unwrap();
        let plan = EstimatePlan::new(&input, &Overrides::default()).unwrap();
        let (budget, settings) = (EstimateBudget { max_calls: 120 }, Settings::default());
        let run = plan.run(budget, settings, &Watch::new(Budget::default(), &Timeless)).unwrap();
        let counts = run.counted.iter().map(|scope| (scope.k, scope.generated, scope.explored));
        assert_eq!(counts.collect::<Vec<_>>(), [(1, 3, 15), (2, 7, 31), (3, 15, 63)]);
        let growth = CountGrowth::of([(1, 15), (2, 31), (3, 63)]);
        assert_eq!(run.estimate.unwrap().calls, growth.at(5).unwrap());
    }

    /// A clock that stands still at seven.
    struct Stopped;

    impl Host for Stopped {
        fn seconds(&self) -> f64 {
            7.0
        }
    }

    fn pile(k: u32, max_calls: u64) -> (Plan, EstimateRun) {
        let text = format!(r#"Scope(suite: "test::pile", k: {k}, objects: {{"*": "k"}})"#);
        let catalog = Catalog::new(vec![Pile::suite()]);
        let input = Input::of_text("pile.ron", text, catalog).unwrap();
        let plan = EstimatePlan::new(&input, &Overrides::default()).unwrap();
        let watch = Watch::new(Budget::default(), &Stopped);
        let run = plan.run(EstimateBudget { max_calls }, Settings::default(), &watch).unwrap();
        (plan.resolved.plan, run)
    }

    /// One call makes the empty pile, and two are made on each one.
    #[test]
    fn calls_follow_from_the_structures() {
        let (_, run) = pile(5, 60);
        let counts = run.counted.iter().map(|scope| (scope.k, scope.generated, scope.explored));
        assert_eq!(counts.collect::<Vec<_>>(), [(1, 3, 7), (2, 7, 15), (3, 15, 31)]);
        let structures = CountGrowth::of([(1, 3), (2, 7), (3, 15)]).at(5).unwrap();
        let calls = run.estimate.unwrap().calls;
        assert_eq!(calls, structures.scaled(2.0).plus(1.0));
        assert_ne!(calls, CountGrowth::of([(1, 7), (2, 15), (3, 31)]).at(5).unwrap());
        // No time has passed.
        assert!(run.counted.iter().all(|scope| scope.cpu_seconds == 0.0));
    }

    /// After the seven calls of k = 1, five are left for k = 2.
    #[test]
    fn a_run_ends_with_the_budget_of_the_estimate() {
        let (_, run) = pile(5, 12);
        assert_eq!((run.counted.len(), run.explored), (1, 12));
        let (k, generated, explored) = run.begun.expect("a scope was begun");
        assert_eq!((k, explored), (2, 5));
        assert!((1..=5).contains(&generated), "{generated}");
        assert_eq!(run.stop_reason, StopReason::MaxCalls(12));
    }

    #[test]
    fn a_scope_that_was_begun_bounds_its_estimate_from_below() {
        let (plan, _) = pile(3, 60);
        let runs = |begun| Runs {
            counted: vec![counted(1, 100), counted(2, 200)],
            begun,
            are_calls_formula: false,
            ..Runs::new(EstimateBudget { max_calls: 1000 })
        };
        let without = runs(None).estimate(&plan, 0.0).unwrap();
        let with = runs(Some((3, 5000, 70_000))).estimate(&plan, 64.0).unwrap();
        assert_eq!(with.structures, without.structures.at_least(5000.0));
        assert_eq!(with.stored, without.stored.at_least(5000.0));
        assert_eq!(with.calls, without.calls.at_least(70_000.0));
        assert_eq!(with.memory_bytes, without.memory_bytes.plus(64.0));
        assert_ne!((with.structures, with.calls), (without.structures, without.calls));
    }

    #[test]
    fn findings_are_those_of_the_first_run_that_had_any() {
        let (plan, _) = pile(1, 60);
        let problem = beget_plan::finding::Problem::new(beget_plan::finding::Kind::Panic, "first");
        let finding = Finding { problem, count: 1, witness: Default::default() };
        let watch = Watch::new(Budget::default(), &Stopped);
        let corpus = generate(plan, Settings::default(), StoreKind::Exact, &watch);
        let added = |findings: Vec<Finding>, failures| {
            let mut runs =
                Runs { findings, failures, ..Runs::new(EstimateBudget { max_calls: 9 }) };
            runs.add(&corpus, 0.0).unwrap();
            (runs.findings.len(), runs.failures)
        };
        // The run that is added has none.
        assert_eq!(added(vec![finding.clone()], 0), (1, 0));
        assert_eq!(added(vec![], 3), (0, 3));
        assert_eq!(added(vec![finding], 3), (1, 3));
        let mut corpus = corpus;
        corpus.report.ledger.counters.failures = 5;
        let mut runs = Runs::new(EstimateBudget { max_calls: 9 });
        runs.add(&corpus, 0.0).unwrap();
        assert_eq!(runs.failures, 5);
    }
}
