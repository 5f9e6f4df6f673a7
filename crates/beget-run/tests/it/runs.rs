//! The runs of one small suite: what each counts, reports and stops at.

use crate::common;

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::time::Duration;

use beget::HasSuite;
use beget::heap::view::{RepOk, clause};
use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_oracle::rep_ok::Subject;
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Budget, MethodsOverride, Overrides};
use beget_run::{Catalog, CheckRun, Event, Input, InputError, StoreKind, Watch, check, generate};
use beget_search::builders::BuilderSearch;
use beget_search::run::{
    BuildersPlan, ComparePlan, CompareRun, RepOkRun, RepOkSpace, Selection, SelectionError,
    SlackStep, search_rep_ok,
};
use common::{Chain, SHORT, Scripted, catalog, input, settings};

/// Chains of up to two links, each with every length up to its own: 6, and two calls on each.
const SNEAKY: &str = r#"k: 2, methods: Only(["new", "push", "sneak"])"#;

fn generated(fields: &str, store: StoreKind<'_>, host: &Scripted) -> Corpus {
    let plan = input(fields).resolve(&Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, host);
    generate(plan, settings(), store, &watch)
}

fn checked(input: &Input<'_>, host: &Scripted) -> CheckRun {
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, host);
    let rep_oks = input.rep_oks(None).unwrap();
    check(input, &rep_oks, plan, settings(), StoreKind::Exact, &watch).unwrap()
}

fn compared(
    fields: &str,
    rep_ok: Option<&str>,
    overrides: Overrides,
    host: &Scripted,
) -> CompareRun {
    let input = input(fields);
    let plan = ComparePlan::new(&input, overrides, rep_ok).unwrap();
    let watch = Watch::new(plan.resolved.plan.budget, host);
    plan.run(settings(), StoreKind::Exact, &watch).unwrap()
}

#[test]
fn a_run_of_calls_keeps_each_structure_once_or_as_often_as_it_is_built() {
    let exact = generated(SNEAKY, StoreKind::Exact, &Scripted::default());
    assert_eq!((exact.store.len(), exact.report.ledger.counters.explored()), (6, 1 + 6 * 2));
    // One of each sequence of up to two calls after the constructor.
    let all = generated(SNEAKY, StoreKind::Unmatched, &Scripted::default());
    assert_eq!((all.store.len(), all.report.ledger.counters.explored()), (1 + 2 + 4, 1 + 7 * 2));
}

#[test]
fn limits_hold_for_what_the_host_measures() {
    let stopped = |budget: &str, host: Scripted| {
        let fields = format!("{SNEAKY}, budget: ({budget})");
        generated(&fields, StoreKind::Exact, &host).report.stop_reason
    };
    let late = || Scripted { seconds: 9.0.into(), ..Scripted::default() };
    let large = |mib: u64| Scripted { memory: Some(mib << 20), ..Scripted::default() };
    let time = StopReason::MaxSeconds(Duration::from_secs(9));
    assert_eq!(stopped("max_seconds: Some(9.0)", late()), time);
    assert_eq!(stopped("max_seconds: Some(9.5)", late()), StopReason::Exhausted);
    assert_eq!(stopped("max_memory_mib: Some(7)", large(7)), StopReason::MaxMemory(7));
    assert_eq!(stopped("max_memory_mib: Some(7)", large(6)), StopReason::Exhausted);
    // The store of this run is far smaller, and it is what counts where nobody knows better.
    assert_eq!(stopped("max_memory_mib: Some(7)", Scripted::default()), StopReason::Exhausted);
    let interrupted = Scripted { is_interrupted: true.into(), ..Scripted::default() };
    assert_eq!(stopped("", interrupted), StopReason::Interrupted);
}

#[test]
fn a_search_begins_and_its_progress_is_reported() {
    let host = Scripted::default();
    generated(SNEAKY, StoreKind::Exact, &host);
    let events = host.events.take();
    assert!(events.contains(&Event::Begin));
    let Some(Event::Progress(last)) = events.last() else { panic!("{events:?}") };
    assert_eq!((last.explored, last.structures), (13, 6));
}

/// The chain counts to 2 by itself, so no number of it is about 100, but the constructor's.
#[test]
fn integers_are_bounded_around_what_constructors_leave() {
    let fields = r#"k: 1, objects: {"*": "k"}, methods: Only(["new", "claim"]), ints: [7]"#;
    let plan =
        Input::of_text("claims.ron", format!(r#"Scope(suite: "chain", {fields})"#), catalog());
    let plan = plan.unwrap().resolve(&Overrides::default()).unwrap().plan;
    let host = Scripted::default();
    let corpus =
        generate(plan, settings(), StoreKind::Exact, &Watch::new(Default::default(), &host));
    // Of the constructor, and after the claim.
    assert_eq!((corpus.store.len(), corpus.report.ledger.counters.out_of_scope), (2, 0));
}

#[test]
fn every_repok_is_asked_about_every_structure() {
    let run = checked(&input(SNEAKY), &Scripted::default());
    let rejected: Vec<_> = run.rep_oks.iter().map(|tally| (tally.name, tally.rejected)).collect();
    assert_eq!((run.checked, rejected), (6, vec![("short", 3), ("corrected", 3)]));
    let first: Vec<_> =
        run.rejections.iter().map(|one| (one.rep_ok, one.id.number(), one.calls)).collect();
    assert_eq!(first, [("corrected", 2, 2), ("short", 3, 3)]);
    let [corrected, short] = &run.rejections[..] else { panic!("two") };
    assert_eq!(corrected.clause, "as many links as it says");
    assert_eq!((corrected.finding.count, short.finding.count), (3, 3));
    assert_eq!(corrected.finding.witness.number, Some(2));
    assert_eq!(corrected.finding.witness.heap.as_ref().map(|heap| heap.objects().len()), Some(2));
    assert_eq!(run.stop_reason, StopReason::Exhausted);
    assert!(run.has_findings());
    assert_eq!(run.findings().count(), 2);
}

/// A structure that two repOKs reject is told of in the order of the repOKs.
#[test]
fn rejections_of_one_structure_are_in_the_order_of_the_repoks() {
    let run = checked(
        &input(r#"k: 2, methods: Only(["new", "sneak", "claim"]), ints: [0]"#),
        &Scripted::default(),
    );
    // 0, 1 and 2 links, and a length of 0: 1 is wrong, 2 is wrong twice.
    let found: Vec<_> = run.rejections.iter().map(|one| (one.rep_ok, one.id.number())).collect();
    assert_eq!(found, [("corrected", 1), ("short", 2)]);
}

#[test]
fn a_check_without_anything_wrong_has_no_findings() {
    let fine = input(r#"k: 1, methods: Only(["new", "push"])"#);
    let run = checked(&fine, &Scripted::default());
    assert_eq!((run.checked, run.findings().count()), (2, 0));
    assert!(!run.has_findings());
    let without = Input::of_text(
        "chain.ron",
        r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new", "push"]))"#
            .into(),
        Catalog::new(vec![Chain::suite()]),
    );
    let run = checked(&without.unwrap(), &Scripted::default());
    assert_eq!((run.checked, run.rep_oks.len()), (0, 0));
}

/// A repOK that takes its time on one structure is named with it, and an interrupt is seen then.
#[test]
fn a_check_is_watched_while_a_repok_runs() {
    static IS_SEEN: AtomicBool = AtomicBool::new(false);
    const SLOW: RepOk<Chain> = RepOk::<Chain>::new("slow", |chain| {
        while chain.len() == 1 && !IS_SEEN.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        clause("always", true)
    });
    struct Watching(Scripted);
    impl beget_run::Host for Watching {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn waiting_for_answer(&self, runs: &dyn beget_run::Questions, due: Option<StopReason>) {
            self.0.waiting_for_answer(runs, due);
            assert_eq!(runs.source([0, 7]), None, "there is no such repOK");
            assert!(runs.so_far(StopReason::Interrupted, &[]).is_none(), "a check is no search");
            IS_SEEN.store(!self.0.sources.borrow().is_empty(), Relaxed);
        }
    }
    let catalog =
        Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", Subject::new([SHORT, SLOW]));
    let text =
        r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new", "push"]))"#;
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Watching(Scripted::default());
    let watch = Watch::new(plan.budget, &host);
    let rep_oks = input.rep_oks(None).unwrap();
    let run = check(&input, &rep_oks, plan, settings(), StoreKind::Exact, &watch).unwrap();
    assert_eq!((run.checked, run.has_findings()), (2, false));
    let source = "`slow` on the structure let mut chain = Chain::new();\nlet _ = chain.push();";
    assert_eq!(host.0.sources.take(), [source]);
}

/// 1,326 chains of up to 50 links. The repOK takes its time on one of three, and the user
/// interrupts meanwhile: the check ends with the level that is asked about, 1 + 2 + 3 + 4 chains.
#[test]
fn a_check_that_is_interrupted_ends_with_the_level_that_is_asked_about() {
    static IS_SEEN: AtomicBool = AtomicBool::new(false);
    const SLOW: RepOk<Chain> = RepOk::<Chain>::new("slow", |chain| {
        while chain.len() == 3 && !IS_SEEN.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        clause("always", true)
    });
    #[derive(Default)]
    struct Impatient(std::cell::Cell<bool>);
    impl beget_run::Host for Impatient {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn is_interrupted(&self) -> bool {
            self.0.get()
        }
        fn waiting_for_answer(&self, _: &dyn beget_run::Questions, _: Option<StopReason>) {
            // The repOK goes on when the interrupt has been seen.
            IS_SEEN.store(self.0.replace(true), Relaxed);
        }
    }
    let catalog = Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", Subject::new([SLOW]));
    let text = r#"Scope(suite: "chain", k: 50, objects: {"*": "k"},
        methods: Only(["new", "push", "sneak"]))"#;
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Impatient::default();
    let watch = Watch::new(plan.budget, &host);
    let rep_oks = input.rep_oks(None).unwrap();
    let run = check(&input, &rep_oks, plan, settings(), StoreKind::Exact, &watch).unwrap();
    assert_eq!((run.corpus.store.len(), run.checked), (10, 10));
    assert_eq!(run.stop_reason, StopReason::Interrupted);
}

/// The structures that a repOK admits have the digest of those that calls build, where these are
/// the same.
#[test]
fn a_search_finds_what_calls_build() {
    let input = input(r#"k: 2, methods: Only(["new", "push"])"#);
    let resolved = input.resolve_without_slack(&Overrides::default()).unwrap();
    let from = RepOkSpace::new(&input, None, &resolved).unwrap();
    assert_eq!(from.rep_ok.name, "corrected");
    let host = Scripted::default();
    let watch = Watch::new(resolved.plan.budget, &host);
    let mut n_found = 0;
    let run = search_rep_ok(&from, &resolved.plan, Some(1), &watch, &mut |_| n_found += 1);
    let corpus = generate(resolved.plan.clone(), settings(), StoreKind::Exact, &watch);
    assert_eq!((n_found, run.report.stop_reason), (3, StopReason::Exhausted));
    assert_eq!(run.digest, corpus.totals().unwrap().digest);

    let plan = resolved.plan.with(|draft| draft.budget.max_structures = Some(2));
    let run = search_rep_ok(&from, &plan, None, &watch, &mut |_| ());
    assert_eq!(run.report.stop_reason, StopReason::MaxStructures(2));
    let plan = plan.with(|draft| {
        draft.budget = Budget { max_structures: None, max_calls: Some(2), ..draft.budget };
    });
    let run = search_rep_ok(&from, &plan, Some(1), &watch, &mut |_| ());
    assert_eq!(run.report.stop_reason, StopReason::MaxCalls(2));
}

const EVEN: &str = r#"k: 1, methods: Only(["new", "push_two", "pop"])"#;

#[test]
fn slack_is_raised_until_nothing_is_missing() {
    let host = Scripted::default();
    let run = compared(EVEN, None, Overrides::default(), &host);
    let steps = [
        SlackStep { slack: 0, api: 1, only_rep_ok: 1 },
        SlackStep { slack: 1, api: 2, only_rep_ok: 0 },
    ];
    assert_eq!((run.rep_ok, run.named_after), ("corrected", None));
    assert_eq!((run.slack_steps, run.best.slack, run.best.gap()), (steps.to_vec(), 1, 0));
    assert_eq!(run.stop_reason, StopReason::Exhausted);
    assert!(run.best.is_complete);
    let more = |event: &Event<'_>| matches!(event, Event::MoreSlack { .. });
    let raised: Vec<_> = host.events.take().into_iter().filter(more).collect();
    assert_eq!(raised, [Event::MoreSlack { slack: 0, gap: 1 }]);
}

#[test]
fn slack_that_helps_nothing_twice_is_not_raised_further() {
    let host = Scripted::default();
    let run = compared(r#"k: 1, methods: Only(["new"])"#, None, Overrides::default(), &host);
    let slacks: Vec<u32> = run.slack_steps.iter().map(|step| step.slack).collect();
    assert_eq!((slacks, run.best.slack, run.best.gap()), (vec![0, 1, 2], 0, 1));
    let [witness] = &run.best.only_rep_ok[..] else { panic!("one") };
    assert_eq!((witness.count, witness.clause.as_deref()), (1, None));
    assert_eq!(witness.witness.heap.as_ref().map(|heap| heap.objects().len()), Some(2));
    assert!(witness.witness.recipe.is_none());
}

#[test]
fn a_slack_that_is_given_is_the_only_one() {
    let given = Overrides { slack: Some(3), ..Overrides::default() };
    let run = compared(EVEN, None, given, &Scripted::default());
    assert_eq!(run.slack_steps, [SlackStep { slack: 3, api: 2, only_rep_ok: 0 }]);
}

/// What only a flawed repOK admits is named by the clauses of the right one. Calls build 0 to 2
/// links with as many counted; `short` admits 0 and 1 links, each with three lengths.
#[test]
fn differences_are_named_by_the_other_repok() {
    let fields = r#"k: 2, methods: Only(["new", "push"])"#;
    let run = compared(fields, Some("short"), Overrides::default(), &Scripted::default());
    assert_eq!((run.rep_ok, run.named_after), ("short", Some("corrected")));
    let [only_rep_ok] = &run.best.only_rep_ok[..] else { panic!("one clause") };
    assert_eq!(only_rep_ok.clause.as_deref(), Some("as many links as it says"));
    assert_eq!((only_rep_ok.count, run.best.gap()), (4, 4));
    let [only_api] = &run.best.only_api[..] else { panic!("one clause") };
    assert_eq!(only_api.clause.as_deref(), Some("at most one link"));
    assert_eq!((only_api.count, only_api.witness.number), (1, Some(0)));
    assert_eq!(only_api.witness.recipe.as_ref().map(|recipe| recipe.calls().len()), Some(3));
}

#[test]
fn a_comparison_ends_where_its_run_of_calls_is_cut() {
    let fields = format!("{EVEN}, budget: (max_calls: Some(1))");
    let run = compared(&fields, None, Overrides::default(), &Scripted::default());
    assert_eq!(run.stop_reason, StopReason::MaxCalls(1));
    assert_eq!((run.slack_steps.len(), run.best.is_complete), (1, false));

    // The search has no levels: it is complete, and only the calls are not.
    let fields = format!("{EVEN}, budget: (max_levels: Some(1))");
    let run = compared(&fields, None, Overrides::default(), &Scripted::default());
    assert_eq!(run.stop_reason, StopReason::MaxLevels(1));
    assert!(run.best.comparison.search.is_complete());
    assert!(!run.best.is_complete);
}

#[test]
fn builders_are_found_and_confirmed_at_larger_scopes() {
    let input = input(r#"k: 2, methods: Only(["new"])"#);
    let methods = ["new", "push", "push_two", "pop"].map(str::to_owned).to_vec();
    let only = Overrides { methods: Some(MethodsOverride::Only(methods)), ..Overrides::default() };
    let host = Scripted::default();
    let plan = BuildersPlan::new(&input, &only, &[3, 4]).unwrap();
    assert_eq!(plan.larger.iter().map(|larger| larger.plan.k).collect::<Vec<_>>(), [3, 4]);
    let watch = Watch::new(plan.resolved.plan.budget, &host);
    let run = plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
    let found = run.found.expect("a set");
    let names = |methods: &[beget_plan::scope::PlannedIdx]| -> Vec<&str> {
        let plan = &plan.resolved.plan;
        methods.iter().map(|&one| plan.suite.method(plan.planned(one).method).name).collect()
    };
    assert_eq!(
        (names(&found.methods), run.stop_reason),
        (vec!["new", "push"], StopReason::Exhausted)
    );
    assert_eq!(run.confirmed.len(), 2);
    assert_begins_where_counts_go_back(&host.events.take());

    host.is_interrupted.set(true);
    let run = plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
    assert!(run.found.is_none() && run.confirmed.is_empty());
    assert_eq!(run.stop_reason, StopReason::Interrupted);
}

/// Another search is told to begin exactly where levels or counts go back, but for the calls of
/// level 1 that show which integers constructors leave; these are made for each of the three plans.
fn assert_begins_where_counts_go_back(events: &[Event<'_>]) {
    let level_of = |progress: &Progress| progress.level.map_or(0, |level| level.number);
    let (mut last, mut has_begun, mut n_begun, mut n_back) = (None, false, 0, 0);
    for event in events {
        match event {
            Event::Begin => (has_begun, n_begun) = (true, n_begun + 1),
            Event::Progress(progress) => {
                let goes_back = last.as_ref().is_some_and(|last: &Progress| {
                    level_of(progress) < level_of(last) || progress.explored < last.explored
                });
                let is_first_level = level_of(progress) == 1;
                assert!(has_begun || !goes_back || is_first_level, "{last:?}, then {progress:?}");
                n_back += usize::from(goes_back);
                (last, has_begun) = (Some(*progress), false);
            }
            _ => panic!("{event:?}"),
        }
    }
    assert!(n_back > 3 && n_begun <= n_back + 4, "{n_begun} of {n_back}");
}

/// Without names given, all methods take part that have literals, whatever the scope file says.
#[test]
fn the_whole_suite_is_searched_for_builders() {
    let input = input(r#"k: 1, methods: Only(["new"])"#);
    let plan = BuildersPlan::new(&input, &Overrides::default(), &[]).unwrap();
    // All but `claim`, which takes a number.
    assert_eq!(plan.resolved.plan.methods.len(), 5);
}

#[test]
fn a_builder_without_literals_at_a_larger_scope_is_an_error() {
    let fields = r#"k: 1, methods: Only(["new"]), ints: "k..2", objects: {"*": "k"}"#;
    let input =
        Input::of_text("chain.ron", format!(r#"Scope(suite: "chain", {fields})"#), catalog());
    let input = input.unwrap();
    let plan = BuildersPlan::new(&input, &Overrides::default(), &[2]).unwrap();
    let host = Scripted::default();
    let watch = Watch::new(plan.resolved.plan.budget, &host);
    let error = plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap_err();
    assert!(matches!(error, InputError::NoLiterals { k: 2, method: "claim" }), "{error}");
    assert_eq!(error.to_string(), "at k = 2 the scope has no literals for builder `claim`");
}

/// A counter that goes round after 2, and whether it has been round or was told so.
#[derive(Clone, Debug, Default, beget::Heap)]
pub struct Round {
    value: u8,
    is_round: bool,
}

#[beget::api(name = "round")]
impl Round {
    /// At 0.
    pub fn new() -> Self {
        Round::default()
    }

    /// Changes nothing. Takes part from k = 2 on.
    pub fn look(&mut self, _: u8) {}

    /// Says that it has been round.
    pub fn turn(&mut self) {
        self.is_round = true;
    }

    /// One further.
    pub fn step(&mut self) {
        self.is_round |= self.value == 2;
        self.value = (self.value + 1) % 3;
    }
}

/// At k = 1 nothing but `turn` turns; at k = 2 it can be spared. There it is the third method that
/// takes part, and the second at k = 1, by which it is told.
#[test]
fn what_a_larger_scope_can_spare_is_told_by_positions_of_the_search() {
    let text = r#"Scope(suite: "round", k: 1, ints: "2..=k", fields: {"Round.value": "0..=k"})"#;
    let catalog = Catalog::new(vec![Round::suite()]);
    let input = Input::of_text("round.ron", text.to_owned(), catalog).unwrap();
    let plan = BuildersPlan::new(&input, &Overrides::default(), &[2]).unwrap();
    let n_methods = |plan: &beget_plan::scope::Plan| plan.methods.len();
    assert_eq!((n_methods(&plan.resolved.plan), n_methods(&plan.larger[0].plan)), (3, 4));
    let host = Scripted::default();
    let watch = Watch::new(plan.resolved.plan.budget, &host);
    let run = plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
    let name = |&method: &beget_plan::scope::PlannedIdx| {
        let plan = &plan.resolved.plan;
        plan.suite.method(plan.planned(method).method).name
    };
    let found: Vec<_> = run.found.unwrap().methods.iter().map(name).collect();
    assert_eq!(found, ["new", "turn", "step"]);
    let spared: Vec<_> = run.confirmed[0].superfluous.iter().map(name).collect();
    assert_eq!(spared, ["turn"]);
}

#[test]
fn a_selection_cuts_the_run_that_it_is_of() {
    let resolved = || input(SNEAKY).resolve(&Overrides::default()).unwrap().plan;
    let cut = |number: u64, most: Option<u64>| {
        let plan = resolved().with(|draft| draft.budget.max_structures = most);
        let (plan, is_cut) = Selection::Number(number).cut(plan);
        (is_cut, plan.budget.max_structures)
    };
    assert_eq!(cut(3, None), (true, Some(4)));
    assert_eq!(cut(3, Some(4)), (true, Some(4)));
    assert_eq!(cut(3, Some(3)), (false, Some(3)));
    let (plan, is_cut) = Selection::Last.cut(resolved());
    assert_eq!((is_cut, plan.budget.max_structures), (false, None));
}

#[test]
fn a_selection_is_of_structures_that_the_run_has() {
    let host = Scripted::default();
    let corpus = generated(SNEAKY, StoreKind::Exact, &host);
    let of = |selection: Selection| selection.of(&corpus);
    assert_eq!(of(Selection::Last), Ok(vec![StructureId::new(5)]));
    assert_eq!(of(Selection::Number(5)), Ok(vec![StructureId::new(5)]));
    assert_eq!(of(Selection::Gallery(2)), Ok([0, 5].map(StructureId::new).to_vec()));
    assert_eq!(of(Selection::Gallery(6)).unwrap().len(), 6);
    let missing = of(Selection::Number(6)).unwrap_err();
    assert_eq!(missing, SelectionError::NoStructure { number: 6, found: 6 });
    assert_eq!(missing.to_string(), "there is no structure 6: the scope has 6, counted from 0");

    let cut =
        generated(&format!("{SNEAKY}, budget: (max_structures: Some(2))"), StoreKind::Exact, &host);
    let missing = Selection::Number(99).of(&cut).unwrap_err();
    let found = cut.store.len();
    assert_eq!(
        missing,
        SelectionError::NotReached { number: 99, found, reason: StopReason::MaxStructures(2) }
    );
    let none =
        generated(&format!("{SNEAKY}, budget: (max_calls: Some(0))"), StoreKind::Exact, &host);
    assert_eq!(Selection::Last.of(&none), Err(SelectionError::Nothing(StopReason::MaxCalls(0))));
}

/// Without one named `corrected`, the first other repOK names what only the compared one admits.
#[test]
fn the_first_other_repok_names_differences_if_none_is_corrected() {
    const ANY: RepOk<Chain> = RepOk::<Chain>::new("any", |_| clause("always", true));
    let fields = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new"]), repoks: {
        "any": (objects: {"Link": "k"}, fields: {
            "Chain.first": "null | Link", "Chain.len": "0..=k", "Link.next": "null",
        }),
    })"#;
    let subject = Subject::new([ANY, SHORT]);
    let catalog = Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", subject);
    let input = Input::of_text("chain.ron", fields.to_owned(), catalog).unwrap();
    let plan = ComparePlan::new(&input, Overrides::default(), Some("any")).unwrap();
    let host = Scripted::default();
    let run =
        plan.run(settings(), StoreKind::Exact, &Watch::new(Default::default(), &host)).unwrap();
    assert_eq!((run.rep_ok, run.named_after), ("any", Some("short")));
}

/// A call that fails is a finding of a check, though no repOK rejects a structure.
#[test]
fn a_failure_is_a_finding_of_a_check() {
    // `pop` on a chain whose length is 0 but not its links.
    let failing = input(r#"k: 1, methods: Only(["new", "sneak", "pop"])"#);
    let plan = failing.resolve(&Overrides::default()).unwrap().plan;
    let host = Scripted::default();
    let watch = Watch::new(plan.budget, &host);
    let run = check(&failing, &[], plan, settings(), StoreKind::Exact, &watch).unwrap();
    assert_eq!(run.corpus.report.ledger.counters.failures, 1);
    assert!(run.has_findings());
}

/// A number that is another one each time.
#[derive(Debug, Default, beget::Heap)]
pub struct Moody {
    mood: u8,
}

#[beget::api(name = "moody")]
impl Moody {
    /// In no mood.
    pub fn new() -> Self {
        Moody::default()
    }

    /// The next of three moods, whatever this one is.
    pub fn turn(&mut self) {
        static N_TURNS: AtomicU8 = AtomicU8::new(0);
        self.mood = 1 + N_TURNS.fetch_add(1, Relaxed) % 3;
    }
}

/// No call fails, and no repOK rejects anything.
#[test]
fn a_finding_that_is_no_failure_is_one_of_a_check() {
    let text = r#"Scope(suite: "moody", k: 1, objects: {"*": "k"}, fields: {"*": "any"})"#;
    let catalog = Catalog::new(vec![Moody::suite()]);
    let input = Input::of_text("moody.ron", text.to_owned(), catalog).unwrap();
    let run = checked(&input, &Scripted::default());
    assert_eq!((run.corpus.report.ledger.counters.failures, run.rep_oks.len()), (0, 0));
    let kinds: Vec<_> = run.findings().map(|finding| finding.problem.kind.name()).collect();
    assert_eq!(kinds, ["nondeterministic"]);
    assert!(run.has_findings());
}

/// Whoever waits for a repOK of a search sees the candidate, and what the search has by then.
#[test]
fn a_search_is_watched_while_a_repok_runs() {
    static IS_SEEN: AtomicBool = AtomicBool::new(false);
    const SLOW: RepOk<Chain> = RepOk::<Chain>::new("corrected", |chain| {
        while chain.len() == 1 && !IS_SEEN.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        clause("always", true)
    });
    #[derive(Default)]
    struct Watching(std::cell::RefCell<Vec<(String, StopReason)>>);
    impl beget_run::Host for Watching {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn waiting_for_answer(&self, runs: &dyn beget_run::Questions, _: Option<StopReason>) {
            let source = runs.runs().into_iter().find_map(|run| runs.source(run));
            let Some(source) = source.filter(|_| self.0.borrow().is_empty()) else { return };
            let run = runs.so_far(StopReason::Interrupted, &[]).expect("a search");
            let run = run.downcast::<RepOkRun>().expect("the result of a search");
            self.0.borrow_mut().push((source, run.report.stop_reason));
            IS_SEEN.store(true, Relaxed);
        }
    }
    let text = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new"]), repoks: {
        "corrected": (objects: {"Link": "k"}, fields: {
            "Chain.first": "null", "Chain.len": "0..=k", "Link.next": "null",
        }),
    })"#;
    let catalog = Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", Subject::new([SLOW]));
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let resolved = input.resolve_without_slack(&Overrides::default()).unwrap();
    let from = RepOkSpace::new(&input, None, &resolved).unwrap();
    let host = Watching::default();
    let watch = Watch::new(Default::default(), &host);
    search_rep_ok(&from, &resolved.plan, Some(1), &watch, &mut |_| ());
    let seen = host.0.take();
    let [(source, reason)] = &seen[..] else { panic!("{seen:?}") };
    assert!(source.starts_with("`corrected` on the candidate "), "{source}");
    assert_eq!(*reason, StopReason::Interrupted);
}

#[test]
fn an_error_of_the_store_is_that_of_a_selection() {
    use std::error::Error as _;
    let failed = beget_engine::store::StoreError::Failed("the disk is on fire".to_owned());
    let error = SelectionError::from(failed.clone());
    assert_eq!(error.to_string(), failed.to_string());
    assert_eq!(error.source().map(ToString::to_string), failed.source().map(ToString::to_string));
    assert!(SelectionError::Nothing(StopReason::Interrupted).source().is_none());
}
