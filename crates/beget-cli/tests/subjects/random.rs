//! Sequences drawn by chance, and those of the exhaustive search: what each finds of the other.

use crate::common;

use std::collections::BTreeSet;

use beget_engine::store::Store;
use beget_engine::{Corpus, Run};
use beget_heap::{CanonicalForm, Decoder, Encoder};
use beget_plan::scope::{Budget, MethodsOverride, Overrides, Plan};
use beget_run::random::{InProgress, RandomSearch, minimize};
use beget_run::{Catalog, Direction, Host, Input, RandomOptions, RandomRun, Watch, random};
use beget_suite::{Chooser, MethodIdx, Odometer, Outcome, Sequence, SplitMix64, TypeIdx, Variable};

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// A random run of a case study, as the command line makes it.
#[track_caller]
fn run(name: &str, overrides: Overrides, options: RandomOptions) -> RandomRun {
    let suite_name = name.replace('/', "::");
    let mut suites = beget_subjects::suites();
    suites.retain(|suite| suite.name == suite_name);
    let catalog = beget_subjects::subjects().into_iter();
    let catalog = catalog.fold(Catalog::new(suites), |catalog, checked| {
        catalog.with_rep_oks(&checked.suite, checked.subject)
    });
    let input = Input::of_text("scope.ron", common::scope_text(name), catalog).unwrap();
    let plan = input.resolve(&overrides).unwrap().plan;
    let rep_oks = input.rep_oks(None).unwrap();
    let watch = Watch::new(plan.budget, &NoClock);
    random(&input, &rep_oks, plan, options, &watch)
}

fn forms(store: &impl Store) -> BTreeSet<CanonicalForm> {
    let mut forms = BTreeSet::new();
    let scanned = store.scan(0..store.len(), &mut |_, form| {
        forms.insert(form.to_canonical());
    });
    scanned.unwrap();
    forms
}

/// Every structure of a plan that takes at most `levels` calls.
fn exhaustive(plan: Plan, levels: Option<u32>) -> Corpus {
    let budget = Budget { max_levels: levels, ..Budget::default() };
    Run::new(plan.with(|draft| draft.budget = budget)).go()
}

/// The structures of all sequences of at most `length` calls.
fn of_all_sequences(plan: &Plan, length: usize) -> BTreeSet<CanonicalForm> {
    let options = RandomOptions {
        direction: Direction::Undirected,
        max_length: length,
        // Each literal once.
        none_ratio: 0.0,
        is_bounded: true,
        max_calls: u64::MAX,
        ..RandomOptions::default()
    };
    let in_progress = InProgress::default();
    let mut judge = ();
    let mut search = RandomSearch::new(plan, &options, &in_progress, &mut judge, None);
    let mut odometer = Odometer::default();
    loop {
        search.run_undirected(&mut odometer);
        if !odometer.advance() {
            return search.forms().cloned().collect();
        }
    }
}

/// A call of theirs is on one structure, so a sequence and a recipe of a structure are the same.
#[test]
fn all_choices_make_what_the_levels_make() {
    let studies = [
        "roops/ncl",
        "korat/slist",
        "korat/searchtree",
        "kiasan/stack",
        "kiasan/treeset",
        "fajita/avl",
    ];
    for name in studies {
        let plan = common::plan(name, 3, &[]);
        let corpus = exhaustive(plan, Some(4));
        // The integers of the plan have their ranges by now.
        let all = of_all_sequences(&corpus.plan, 4);
        assert!(all.len() > 4, "{name}: {}", all.len());
        assert_eq!(all, forms(&corpus.store), "{name}");
    }
}

/// Where calls take two structures, a sequence can use one again, which a recipe has to build
/// again: the same structures, some of them by fewer calls.
#[test]
fn sequences_with_variables_make_no_other_structures_than_recipes() {
    for (name, methods) in [
        ("ours/skewheap", &["new", "insert", "merge"][..]),
        ("real/btreeset", &["new", "insert", "append", "split_off"]),
    ] {
        let plan = common::plan(name, 3, methods);
        let some = forms(&exhaustive(plan.clone(), Some(4)).store);
        let corpus = exhaustive(plan, None);
        let by_sequences = of_all_sequences(&corpus.plan, 4);
        assert!(some.is_subset(&by_sequences), "{name}");
        assert!(by_sequences.is_subset(&forms(&corpus.store)), "{name}");
    }
}

#[test]
fn a_bounded_run_meets_nothing_that_the_exhaustive_one_does_not() {
    let studies = [
        ("roops/ncl", 4),
        ("korat/dllist", 3),
        ("korat/fibheap", 3),
        ("kiasan/disjsets_fast", 3),
        ("ours/skewheap", 3),
        ("roops/rbt", 3),
        ("fajita/cdlist", 3),
        ("real/vecdeque", 2),
        ("real/indexmap", 2),
        ("real/stablegraph", 2),
    ];
    for (name, k) in studies {
        let corpus = exhaustive(common::plan(name, k, &[]), None);
        let all = forms(&corpus.store);
        for direction in [Direction::Feedback, Direction::Undirected] {
            let options = RandomOptions {
                max_calls: 5_000,
                is_bounded: true,
                direction: direction.clone(),
                ..RandomOptions::default()
            };
            let in_progress = InProgress::default();
            let mut judge = ();
            let plan = &corpus.plan;
            let mut search = RandomSearch::new(plan, &options, &in_progress, &mut judge, None);
            search.run(&mut |_| None);
            let some: BTreeSet<_> = search.forms().cloned().collect();
            assert!(some.is_subset(&all) && some.len() > 2, "{name}, {direction:?}");
            let by_type = &search.report().distinct.by_type;
            assert_eq!(by_type.iter().sum::<u64>(), some.len() as u64, "{name}");
            let digest = some.iter().fold(0, |sum: u128, form| sum.wrapping_add(form.digest()));
            assert_eq!(search.report().distinct.digest, digest, "{name}");
        }
    }
}

/// The pool says of each value which calls give it: made again without the search, they do, and
/// what is decoded from its form is the same.
#[test]
fn a_pooled_sequence_gives_the_structure_that_its_form_decodes_to() {
    for name in ["roops/ncl", "korat/fibheap", "kiasan/treemap", "fajita/rbt", "ours/skewheap"] {
        let plan = exhaustive(common::plan(name, 3, &[]), Some(1)).plan;
        let options =
            RandomOptions { max_calls: 3_000, is_bounded: true, ..RandomOptions::default() };
        let in_progress = InProgress::default();
        let mut judge = ();
        let mut search = RandomSearch::new(&plan, &options, &in_progress, &mut judge, None);
        search.run(&mut |_| None);
        let known: BTreeSet<_> = search.forms().cloned().collect();
        let (mut encoder, mut n_values) = (Encoder::new(plan.coding()), 0);
        let mut decoder = Decoder::new(plan.coding(), 64);
        let walk = |ty: TypeIdx, value: &dyn std::any::Any, encoder: &mut Encoder<'_>| {
            encoder.begin(ty.index() as u64);
            (plan.suite.types[ty.index()].walk)(value, encoder);
            encoder.finish().unwrap().to_canonical()
        };
        for pooled in search.pool().sequences() {
            let sequence = pooled.fragment.to_sequence(None);
            sequence.check(&plan.suite).unwrap();
            let literal = |method: MethodIdx, index: usize, source: &str| {
                let domains = &plan.planned(plan.find_planned(method)?).domains;
                domains[index].iter().find(|literal| literal.source == source).cloned()
            };
            let (values, outcomes) = sequence.execute(&plan.suite, literal).unwrap();
            assert!(outcomes.iter().all(|outcome| outcome.is_some_and(Outcome::leaves_structures)));
            for offer in &pooled.offers {
                let Variable(number) = offer.variable;
                let form = walk(offer.ty, &**values[number].as_ref().unwrap(), &mut encoder);
                assert_eq!(form, *offer.form, "{name}");
                assert!(known.contains(&form), "{name}");
                decoder.begin(form.as_ref());
                if let Ok(decoded) = plan.suite.types[offer.ty.index()].decode(&mut decoder) {
                    assert_eq!(walk(offer.ty, &*decoded, &mut encoder), form, "{name}");
                    n_values += 1;
                }
            }
        }
        assert!(n_values > 5, "{name}: {n_values}");
    }
}

/// The naive twin: a run that never decodes makes all calls of a sequence again.
#[test]
fn a_run_on_decoded_structures_comes_to_what_a_run_by_calls_comes_to() {
    let mut n_spared = 0;
    for suite in beget_subjects::suites() {
        let name = suite.name.replace("::", "/");
        let visible = |is_by_calls: bool| {
            let options =
                RandomOptions { max_calls: 3_000, is_by_calls, ..RandomOptions::default() };
            let run = run(&name, Overrides::default(), options);
            let RandomRun { mut report, findings, contracts, stop_reason, notes, .. } = run;
            let calls = (report.repeated, report.spared);
            (report.repeated, report.spared, report.pool_bytes) = (0, 0, 0);
            (calls, (report, findings, contracts, stop_reason, notes))
        };
        let ((repeated, spared), decoded) = visible(false);
        let ((all_repeated, none_spared), by_calls) = visible(true);
        assert_eq!(decoded, by_calls, "{name}");
        assert_eq!((repeated + spared, none_spared), (all_repeated, 0), "{name}");
        n_spared += u64::from(spared > repeated);
    }
    assert!(n_spared > 20, "most suites are decoded: {n_spared}");
}

#[test]
fn equal_seeds_give_equal_runs() {
    let visible = |seed: u64, options: RandomOptions| {
        let options = RandomOptions { seed, max_calls: 4_000, ..options };
        let RandomRun { report, findings, contracts, stop_reason, .. } =
            run("apache/ncl", Overrides::default(), options);
        (report, findings, contracts, stop_reason)
    };
    let all = RandomOptions {
        swarm: Some(20),
        is_guided: true,
        tries_for_short: 3,
        narrows_ints: true,
        fresh_ints: Some(0..=99),
        ..RandomOptions::default()
    };
    for options in [RandomOptions::default(), all] {
        let first = visible(1, options.clone());
        assert_eq!(first, visible(1, options.clone()));
        assert_ne!(first.0.distinct.digest, visible(2, options).0.distinct.digest);
    }
}

#[test]
fn counters_add_up() {
    let options = RandomOptions { max_calls: 7_000, ..RandomOptions::default() };
    let run = run("real/vecdeque", Overrides::default(), options);
    let sum = run.report.by_method.iter().fold(Default::default(), |mut sum, tally| {
        sum += tally.calls;
        sum
    });
    assert_eq!(run.report.counters, sum);
    assert_eq!(sum.explored(), 7_000);
    assert_eq!(run.report.flaky, []);
}

/// The cache of the list holds one node more than its maximum, 20: a list of 21 elements has to
/// lose them all. No scope that can be exhausted has it.
#[test]
fn a_defect_that_takes_42_calls_is_found_and_minimised() {
    let options = RandomOptions { max_calls: 5_000, ..RandomOptions::default() };
    let run = run("roops/ncl", Overrides::default(), options);
    assert_eq!(run.findings.len(), 2, "one for each repOK");
    for finding in &run.findings {
        assert_eq!(finding.problem.name.as_deref(), Some("the cache size is at most the maximum"));
        let calls = finding.witness.calls(&run.plan.suite).unwrap();
        let methods = calls.statements.iter().map(|one| run.plan.suite.method(one.method).name);
        let methods: Vec<_> = methods.collect();
        let count = |name| methods.iter().filter(|method| **method == name).count();
        let counts = (count("new"), count("add_last"), count("remove_index"));
        assert_eq!(counts, (1, 21, 21), "{methods:?}");
        assert!(
            calls.statements.iter().flat_map(|one| one.literals()).all(|literal| literal == "0")
        );
    }
    let tests: Vec<_> = run.failure_tests(beget_run::RepOkSource::Type).collect();
    assert_eq!(tests.len(), 2);
    assert!(tests.iter().all(|test| test.function.body.len() == 44), "{:?}", tests[0].function);
}

/// How large structures get, with and without repetition (section 2.3 of the paper).
#[test]
fn without_repetition_no_container_gets_large() {
    let largest = |repetition_rate: f64| {
        let options =
            RandomOptions { max_calls: 5_000, repetition_rate, ..RandomOptions::default() };
        let overrides = Overrides { k: Some(50), ..Overrides::default() };
        run("kiasan/treeset", overrides, options).report.distinct.largest()
    };
    let (with, without) = (largest(0.1), largest(0.0));
    assert!(with > 2 * without, "{with} and {without}");
}

/// A failure of an exhaustive run is minimised as well, and one with calls too many becomes the
/// same.
#[test]
fn a_finding_of_any_run_is_minimised() {
    let overrides =
        Overrides { methods: Some(MethodsOverride::All), k: Some(2), ..Overrides::default() };
    let resolved = common::resolved_text(&common::scope_text("real/slab"), &overrides);
    let corpus = exhaustive(resolved.plan, Some(3));
    let plan = &corpus.plan;
    let finding = corpus.report.findings.first().expect("`get_disjoint_mut` of an absent key");
    let sequence = finding.witness.calls(&plan.suite).unwrap();
    let (minimal, problem) = minimize(plan, &sequence, &finding.problem).unwrap();
    assert_eq!(problem.signature(), finding.problem.signature());
    assert!(minimal.statements.len() <= sequence.statements.len());
    // The same calls on variables of their own before them have nothing to do with it.
    let first = minimal.statements.iter().map(|one| one.bindings.len()).sum();
    let (_, before) = minimal.statements.split_last().unwrap();
    let longer = before.iter().cloned().chain(
        minimal
            .statements
            .iter()
            .map(|one| one.renumbered(|variable| variable.counted_from(first))),
    );
    let longer = Sequence { statements: longer.collect(), result: None };
    let shown_not = Sequence { statements: before.to_vec(), result: None };
    assert_eq!(minimize(plan, &longer, &finding.problem), Some((minimal, problem)));
    // Calls that do not show it are no witness.
    assert_eq!(minimize(plan, &shown_not, &finding.problem), None);
}

/// Chance of another kind leads through the loop too: choices that were recorded.
#[test]
fn the_choices_of_a_sequence_make_it_again() {
    let plan = exhaustive(common::plan("korat/slist", 2, &[]), Some(1)).plan;
    let options = RandomOptions {
        direction: Direction::Undirected,
        max_length: 6,
        is_bounded: true,
        ..RandomOptions::default()
    };
    struct Recorder(SplitMix64, Vec<u64>);
    impl Chooser for Recorder {
        fn below(&mut self, n: u64) -> u64 {
            let choice = self.0.below(n);
            self.1.push(choice);
            choice
        }

        fn chance(&mut self, rate: f64) -> bool {
            rate > 0.0 && self.below(2) == 1
        }
    }
    let digest = |choose: &mut dyn Chooser| {
        let in_progress = InProgress::default();
        let mut judge = ();
        let mut search = RandomSearch::new(&plan, &options, &in_progress, &mut judge, None);
        search.run_undirected(choose);
        search.report().distinct.digest
    };
    let mut recorder = Recorder(SplitMix64::of_seeds(&[3]), Vec::new());
    let drawn = digest(&mut recorder);
    let mut recorded = beget_suite::RecordedChoices::new(recorder.1.clone());
    assert_eq!(digest(&mut recorded), drawn);
    let mut others = beget_suite::RecordedChoices::new(Vec::new());
    assert_ne!(digest(&mut others), drawn);
}

/// What the repOKs of the literature are known to reject (`rep_oks_*.rs` says why), and what no
/// small scope shows: a repOK is broken by 42 calls of the list, and by nothing else.
const REJECTIONS: &[(&str, &str)] = &[
    ("fajita/avl", "published: the height is above the higher child"),
    ("fajita/cdlist", "published: the header has no previous node"),
    ("fajita/ncl", "published: ring nodes have a value"),
    ("kiasan/disjsets", "published: cells are ranks or elements"),
    ("kiasan/disjsets", "published: parents lead to a root"),
    ("kiasan/disjsets", "published: there is a root"),
    ("korat/binheap", "published: a heap of another size has nodes"),
    ("korat/binheap", "published: the size is the number of nodes"),
    ("roops/avl", "published: the height is above the higher child"),
    ("roops/fibheap", "mended: no node has a parent"),
    ("roops/fibheap", "published: min is a root"),
    ("roops/fibheap", "published: no node has a parent"),
    ("roops/ncl", "corrected: the cache size is at most the maximum"),
    ("roops/ncl", "published: the cache size is at most the maximum"),
];

/// No call of a sound method fails, no contract is broken, and no repOK rejects anything that it is
/// not known to reject. The paper reports 170 of 424 (section 3.2).
#[test]
fn there_is_no_false_alarm() {
    let mut rejections = BTreeSet::new();
    for suite in beget_subjects::suites() {
        let name = suite.name.replace("::", "/");
        let options = RandomOptions { max_calls: 5_000, ..RandomOptions::default() };
        let run = run(&name, Overrides::default(), options);
        assert_eq!(run.report.counters.failures, 0, "{name}: {:?}", run.findings);
        assert_eq!(run.report.counters.explored(), 5_000, "{name}");
        assert_eq!(run.report.flaky, [], "{name}");
        let broken = run.contracts.iter().filter(|tally| tally.broken > 0).count();
        assert_eq!(broken, 0, "{name}: {:?}", run.findings);
        assert!(run.contracts.iter().any(|tally| tally.asked > 0), "{name}");
        let rejected = run.findings.iter().zip(&run.rejected_by);
        assert_eq!(rejected.len(), run.findings.len(), "{name}: {:?}", run.findings);
        rejections.extend(rejected.map(|(finding, rep_ok)| {
            let clause = finding.problem.name.clone().unwrap_or_default();
            (name.clone(), format!("{rep_ok}: {clause}"))
        }));
    }
    let known = REJECTIONS.iter().map(|&(name, clause)| (name.to_owned(), clause.to_owned()));
    assert_eq!(rejections, known.collect());
}
