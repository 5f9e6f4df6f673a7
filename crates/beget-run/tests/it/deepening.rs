//! Checks without a given k, by a clock that a test has in hand.

use crate::common;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use beget_oracle::rep_ok::Predicate;
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Overrides, Plan};
use beget_run::{
    CheckRun, DeepenedRun, Deepening, DepthEnd, Event, Host, Input, InputError, StoreKind, Watch,
    Widening, check, first_plan,
};
use common::{input, settings};

/// Chains of up to k links: at k they take k + 2 levels, k + 2 calls and k + 3 reports, and the
/// last call leaves one that is out of scope.
const GROWING: &str = r#"k: Auto, methods: Only(["new", "push"]), contracts: Off"#;

/// A call of `pop` fails from k = 2 on, after `push_two` and `claim(0)`.
const FAILING: &str = r#"k: Auto, methods: Only(["new", "push_two", "claim", "pop"]), ints: "0..k",
    contracts: Off"#;

/// A second goes by whenever a run reports its progress, but for runs up to some k.
#[derive(Default)]
struct Ticking {
    now: Cell<f64>,
    k: Cell<u32>,
    free_up_to: u32,
    interrupted_at: Option<u32>,
    /// The k from which on the process holds two MiB.
    large_from: Option<u32>,
    tried: RefCell<Vec<u32>>,
    progress: RefCell<Vec<(u32, Progress)>>,
}

impl Host for Ticking {
    fn seconds(&self) -> f64 {
        self.now.get()
    }

    fn memory_bytes(&self) -> Option<u64> {
        let is_large = self.large_from.is_some_and(|k| self.k.get() >= k);
        Some(if is_large { 2 << 20 } else { 0 })
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted_at == Some(self.k.get())
    }

    fn report(&self, event: Event<'_>) {
        match event {
            Event::Deepen { k } => {
                self.k.set(k);
                self.tried.borrow_mut().push(k);
            }
            Event::Progress(progress) => {
                self.progress.borrow_mut().push((self.k.get(), progress));
                if self.k.get() > self.free_up_to {
                    self.now.set(self.now.get() + 1.0);
                }
            }
            _ => {}
        }
    }
}

/// How a check is made.
#[derive(Default)]
struct Case {
    seconds: f64,
    at_least: u32,
    /// The k whose plan takes a hundred seconds.
    late: Option<u32>,
    /// The repOK that is asked.
    rep_ok: Option<&'static str>,
    store: StoreKind<'static>,
    host: Ticking,
}

fn within(seconds: f64) -> Case {
    Case { seconds, ..Case::default() }
}

fn plan_at(input: &Input<'_>, k: u32) -> Result<Plan, InputError> {
    let overrides = Overrides { k: Some(k), ..Overrides::default() };
    input.resolve(&overrides).map(|resolved| resolved.plan)
}

fn deepened(fields: &str, case: &Case) -> DeepenedRun {
    let input = input(fields);
    let named = |name| input.rep_oks(Some(name)).unwrap();
    let rep_oks: Vec<&Predicate> = case.rep_ok.map_or_else(Vec::new, named);
    let deepening = Deepening {
        input: &input,
        rep_oks: &rep_oks,
        settings: settings(),
        store: case.store,
        at_least: case.at_least,
    };
    let mut plan_at = |k, _: &Widening| {
        if case.late == Some(k) {
            case.host.now.set(case.host.now.get() + 100.0);
        }
        plan_at(&input, k).map_err(Wrong)
    };
    let first = first_plan(&mut |k| plan_at(k, &Widening::default())).unwrap();
    deepening.run(case.seconds, first, &mut plan_at, &case.host).unwrap()
}

/// Why there is no plan, or no run.
#[derive(Debug)]
struct Wrong(InputError);

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<beget_engine::store::StoreError> for Wrong {
    fn from(error: beget_engine::store::StoreError) -> Self {
        panic!("{error}")
    }
}

/// The run at one k.
fn at(fields: &str, k: u32) -> CheckRun {
    let input = input(fields);
    let plan = plan_at(&input, k).unwrap();
    let host = Ticking { free_up_to: u32::MAX, ..Ticking::default() };
    let watch = Watch::new(plan.budget, &host);
    check(&input, &[], plan, settings(), StoreKind::Exact, &watch).unwrap()
}

fn time(seconds: u64) -> StopReason {
    StopReason::MaxSeconds(Duration::from_secs(seconds))
}

/// What a run is, but for what differs from time to time.
fn told(run: &CheckRun) -> String {
    let CheckRun { corpus, stop_reason, .. } = run;
    let findings: Vec<_> = run.findings().collect();
    let (report, totals) = (&corpus.report, corpus.totals().unwrap());
    format!(
        "{} {stop_reason} {:?} {:?} {totals:?} {findings:?}",
        corpus.plan.k, report.ledger, report.levels
    )
}

#[test]
fn each_k_is_exhausted_until_the_time_is_up() {
    let case = within(14.0);
    let DeepenedRun { run, depth } = deepened(GROWING, &case);
    assert_eq!(*case.host.tried.borrow(), [1, 2, 3]);
    assert_eq!((depth.reached, &depth.end), (Some(2), &DepthEnd::Cut(3, time(14))));
    // 3 and 4 calls in 4 and 5 seconds, and 5 seconds of the 6 that the third takes.
    assert_eq!(depth.to_string(), "every value up to k = 2; k = 3 needs about 6.7 s");
    assert_eq!(depth.spent_on_next, 5.0);
    assert!(depth.is_done());
    assert_eq!(told(&run), told(&at(GROWING, 2)));
}

#[test]
fn a_k_that_took_longer_than_was_foreseen_needs_more_than_it_had() {
    let case = Case { host: Ticking { free_up_to: 2, ..Ticking::default() }, ..within(3.0) };
    let depth = deepened(GROWING, &case).depth;
    assert_eq!(depth.to_string(), "every value up to k = 2; k = 3 needs more than 3.0 s");
    let depth = deepened(GROWING, &within(5.0)).depth;
    assert_eq!(depth.to_string(), "every value up to k = 1; k = 2 needs more than 2.0 s");
}

#[test]
fn no_run_is_begun_when_the_time_is_up_unless_it_is_demanded() {
    let case = Case { late: Some(3), ..within(14.0) };
    let depth = deepened(GROWING, &case).depth;
    assert_eq!(*case.host.tried.borrow(), [1, 2]);
    assert_eq!((depth.reached, &depth.end), (Some(2), &DepthEnd::Cut(3, time(14))));
    assert_eq!((depth.spent_on_next, depth.is_done()), (0.0, true));
    let case = Case { late: Some(3), at_least: 3, ..within(14.0) };
    let DeepenedRun { run, depth } = deepened(GROWING, &case);
    assert_eq!((run.corpus.plan.k, run.stop_reason), (3, time(14)));
    assert_eq!((depth.reached, depth.is_done()), (Some(2), false));
}

#[test]
fn a_least_k_that_is_not_exhausted_makes_the_check_incomplete() {
    let case = |at_least| Case { at_least, ..within(14.0) };
    assert!(deepened(GROWING, &case(2)).depth.is_done());
    let DeepenedRun { run, depth } = deepened(GROWING, &case(3));
    assert_eq!((run.corpus.plan.k, run.stop_reason, depth.is_done()), (3, time(14), false));
    // Without time nothing is exhausted, and the check has not done its job.
    for at_least in [0, 1] {
        let DeepenedRun { run, depth } = deepened(GROWING, &Case { at_least, ..within(0.0) });
        assert_eq!((run.corpus.plan.k, run.stop_reason), (1, time(0)));
        assert_eq!((depth.reached, depth.is_done(), depth.at_least), (None, false, 1));
        assert_eq!(depth.to_string(), "no k is exhausted; k = 1 needs more than 2.0 s");
    }
}

#[test]
fn the_first_k_with_a_failure_ends_the_check() {
    let case = within(1e9);
    let DeepenedRun { run, depth } = deepened(FAILING, &case);
    assert_eq!(*case.host.tried.borrow(), [1, 2]);
    assert_eq!((depth.reached, &depth.end), (Some(2), &DepthEnd::Found(2)));
    assert_eq!(depth.to_string(), "every value up to k = 2; a failure at k = 2");
    assert_eq!(told(&run), told(&at(FAILING, 2)));
    let failures = case.host.progress.borrow().last().unwrap().1.failures;
    assert!(failures > 0 && failures == run.corpus.report.ledger.counters.failures);
}

#[test]
fn a_failure_of_a_k_that_the_time_cuts_is_found() {
    // The fourth call is the first that fails, and the time is up with it.
    let host = Ticking { free_up_to: 1, ..Ticking::default() };
    let DeepenedRun { run, depth } = deepened(FAILING, &Case { host, ..within(5.0) });
    assert_eq!(run.stop_reason, time(5));
    assert_eq!((depth.reached, &depth.end), (Some(1), &DepthEnd::Found(2)));
    assert_eq!(depth.to_string(), "every value up to k = 1; a failure at k = 2");
    let whole = at(FAILING, 2);
    let witness = |run: &CheckRun| run.findings().next().unwrap().witness.clone();
    assert_eq!(witness(&run), witness(&whole));
    // One second less, and nothing was seen.
    let host = Ticking { free_up_to: 1, ..Ticking::default() };
    let DeepenedRun { run, depth } = deepened(FAILING, &Case { host, ..within(4.0) });
    assert_eq!((run.corpus.plan.k, run.has_findings(), depth.is_done()), (1, false, true));
}

#[test]
fn a_rep_ok_that_rejects_a_structure_ends_the_check() {
    let case = Case { rep_ok: Some("short"), ..within(1e9) };
    let DeepenedRun { run, depth } = deepened(GROWING, &case);
    assert_eq!((*case.host.tried.borrow()).as_slice(), [1, 2]);
    assert_eq!((run.rejections.len(), &depth.end), (1, &DepthEnd::Found(2)));
}

#[test]
fn a_space_that_is_the_same_at_any_larger_k_ends_the_check() {
    // No call leaves anything but the empty chain.
    let finite = r#"k: Auto, methods: Only(["new", "pop"]), contracts: Off"#;
    let case = Case { at_least: 7, ..within(1e9) };
    let DeepenedRun { run, depth } = deepened(finite, &case);
    assert_eq!((&*case.host.tried.borrow(), run.corpus.plan.k), (&vec![1], 1));
    assert_eq!((depth.reached, &depth.end), (Some(1), &DepthEnd::Finite));
    assert!(depth.is_done());
    let said = "every value up to k = 1; any larger k is the same: no bound was met, and no literal \
                depends on k";
    assert_eq!(depth.to_string(), said);
    // Slack explores more at a larger k.
    let slack = Case { host: Ticking { free_up_to: 4, ..Ticking::default() }, ..within(1.0) };
    let with_slack = format!("{finite}, slack: 1");
    assert_eq!(deepened(&with_slack, &slack).depth.end, DepthEnd::Cut(5, time(1)));
    // Nothing is out of scope here either, but there are more literals each time.
    let host = || Ticking { free_up_to: 4, ..Ticking::default() };
    let more = r#"k: Auto, methods: Only(["new", "claim"]), ints: "0..k", contracts: Off"#;
    let of_literals = Case { host: host(), ..within(1.0) };
    assert_eq!(deepened(more, &of_literals).depth.end, DepthEnd::Cut(5, time(1)));
    let other = more.replace(r#""0..k""#, r#"["k"]"#);
    let of_other = Case { host: host(), ..within(1.0) };
    assert_eq!(deepened(&other, &of_other).depth.end, DepthEnd::Cut(5, time(1)));
    // The literals of k = 1 and 2 are the same, those of k = 4 are not.
    let later = more.replace("0..k", "0..max(k, 3)");
    let of_later = Case { host: host(), ..within(1.0) };
    assert_eq!(deepened(&later, &of_later).depth.end, DepthEnd::Cut(5, time(1)));
    // What is the same from k = 3 on.
    let up_to_three = more.replace("0..k", "0..min(k, 3)");
    let depth = deepened(&up_to_three, &Case { host: host(), ..within(1.0) }).depth;
    assert_eq!((depth.reached, &depth.end), (Some(3), &DepthEnd::Finite));
}

#[test]
fn a_k_without_a_plan_ends_the_check_and_is_passed_over_before_the_first() {
    let bound = |bound: &str| format!(r#"{GROWING}, arrays: "{bound}""#);
    let refused = deepened(&bound("6 / (3 - k)"), &within(1e9)).depth;
    assert_eq!((refused.reached, refused.is_done()), (Some(2), true));
    assert_eq!(
        refused.to_string(),
        "every value up to k = 2; k = 3 is refused: division by zero at k = 3"
    );
    let case = within(6.0);
    let from_two = deepened(&bound("6 / (k - 1)"), &case).depth;
    assert_eq!((&*case.host.tried.borrow(), from_two.reached), (&vec![2, 3], Some(2)));
}

#[test]
fn other_budgets_hold_for_each_run_and_an_interrupt_ends_all() {
    let limited = format!("{GROWING}, budget: (max_calls: 5)");
    let depth = deepened(&limited, &within(1e9)).depth;
    assert_eq!((depth.reached, &depth.end), (Some(3), &DepthEnd::Cut(4, StopReason::MaxCalls(5))));
    assert_eq!(
        depth.to_string(),
        "every value up to k = 3; k = 4 needs more: the budget of 5 calls is spent"
    );
    let limited = format!("{GROWING}, budget: (max_memory_mib: 1)");
    let host = Ticking { large_from: Some(3), ..Ticking::default() };
    let depth = deepened(&limited, &Case { host, ..within(1e9) }).depth;
    assert_eq!((depth.reached, &depth.end), (Some(2), &DepthEnd::Cut(3, StopReason::MaxMemory(1))));
    // A part of the store has room for one structure.
    let small = Case { store: StoreKind::Small(1), ..within(1e9) };
    let depth = deepened(GROWING, &small).depth;
    assert!(matches!(depth.end, DepthEnd::Cut(_, StopReason::StoreFull)), "{depth:?}");
    assert!(depth.is_done());
    let host = Ticking { interrupted_at: Some(3), ..Ticking::default() };
    let DeepenedRun { run, depth } = deepened(GROWING, &Case { host, ..within(1e9) });
    assert_eq!((run.corpus.plan.k, run.stop_reason), (3, StopReason::Interrupted));
    assert_eq!((depth.reached, depth.is_done()), (Some(2), false));
    // What is enough of one k counts as this k; the time does not.
    let enough = format!("{GROWING}, budget: (max_levels: 2, enough: true)");
    let host = Ticking { free_up_to: 4, ..Ticking::default() };
    let DeepenedRun { run, depth } = deepened(&enough, &Case { host, ..within(1.0) });
    assert_eq!((run.stop_reason, depth.reached), (StopReason::MaxLevels(2), Some(4)));
    assert_eq!(depth.end, DepthEnd::Cut(5, time(1)));
}

#[test]
fn the_variable_wins_over_the_scope() {
    assert_eq!(Deepening::seconds(None, None), Ok(5.0));
    assert_eq!(Deepening::seconds(None, Some(2.5)), Ok(2.5));
    assert_eq!(Deepening::seconds(Some("0"), Some(2.5)), Ok(0.0));
    for wrong in ["", "-1", "soon", "inf", "NaN"] {
        let problem = format!("BEGET_SECONDS is a number of seconds, not `{wrong}`");
        assert_eq!(Deepening::seconds(Some(wrong), None), Err(problem));
    }
}
