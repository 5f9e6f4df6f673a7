//! Exact counts, the same result by every way and number of threads, order and budgets.

use crate::common;

use beget_engine::store::{FormRef, Store, StructureId, UnmatchedStore};
use beget_engine::{CopyOptions, Corpus, Run, Settings, recipe_of};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::Budget;
use beget_suite::{
    Call, LiteralDomain, Method, Outcome, Output, Param, ParamKind, Passing, Suite, TypeIdx,
    to_source, type_of,
};
use common::{Tree, pairs, plan, suite};

fn run(methods: &[&str], k: u32, settings: Settings) -> Corpus {
    Run::new(plan(suite(), methods, k)).settings(settings).go()
}

/// Sum over n of binomial(k, n) * Catalan(n): every search tree over every subset of the keys.
fn n_search_trees(k: u64) -> u64 {
    let binomial = |n: u64, r: u64| (0..r).fold(1, |b, i| b * (n - i) / (i + 1));
    (0..=k).map(|n| binomial(k, n) * binomial(2 * n, n) / (n + 1)).sum()
}

#[test]
fn search_trees_are_counted_by_the_closed_form() {
    for k in 1..=7 {
        let corpus = run(&["new", "insert"], k, Settings::default());
        let expected = n_search_trees(k.into());
        assert_eq!(corpus.store.len(), expected, "k = {k}");
        // Every structure is extended by k insertions; the constructor is called once.
        assert_eq!(
            corpus.report.ledger.counters.explored(),
            u64::from(k) * expected + 1,
            "k = {k}"
        );
        assert_eq!(corpus.report.stop_reason, StopReason::Exhausted);
    }
}

/// Everything visible of a corpus.
fn fingerprint(corpus: &Corpus) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut forms = Vec::new();
    corpus
        .store
        .scan(0..corpus.store.len(), &mut |id, form| {
            forms.push((form.to_canonical(), corpus.store.origin(id)));
        })
        .unwrap();
    let report = &corpus.report;
    (
        forms,
        report.ledger.counters,
        report.levels.clone(),
        report.findings.clone(),
        corpus.store.totals(),
    )
}

#[test]
fn every_way_of_copying_and_every_number_of_threads_gives_the_same_bytes() {
    let methods: &[&[&str]] =
        &[&["new", "insert"], &["new", "insert", "absorb"], &["new", "insert", "split"]];
    for methods in methods {
        let reference = fingerprint(&run(methods, 4, Settings::default()));
        for threads in [1, 2, 4] {
            for bits in 0..8 {
                let copy_options = CopyOptions {
                    no_decode: bits & 1 != 0,
                    no_region: bits & 2 != 0,
                    no_clone: bits & 4 != 0,
                };
                let corpus = run(methods, 4, Settings { threads, copy_options });
                assert_eq!(
                    fingerprint(&corpus),
                    reference,
                    "{methods:?}, {threads} threads, {copy_options:?}"
                );
            }
        }
    }
}

#[test]
fn the_smaller_blocks_within_little_memory_give_the_same_bytes() {
    let run = |mib| {
        let plan = plan(suite(), &["new", "insert", "absorb"], 5);
        Run::new(plan.with(|draft| draft.budget.max_memory_mib = mib)).go()
    };
    let reference = run(None);
    // More calls than a block has otherwise, so that each run has several.
    assert!(reference.report.ledger.counters.explored() > 1 << 15);
    assert_eq!(fingerprint(&run(Some(64))), fingerprint(&reference));
}

#[test]
fn every_form_is_found_under_its_number_and_no_other_is() {
    let corpus = run(&["new", "insert"], 7, Settings::default());
    // More than the samples of the order are apart.
    assert_eq!(corpus.store.len(), 2950);
    for id in (0..corpus.store.len()).map(StructureId::new) {
        let mut form = corpus.store.form(id).unwrap().as_bytes().to_vec();
        let find = |form: &[u8]| corpus.store.find(FormRef::new(form));
        assert_eq!(find(&form), Ok(Some(id)));
        form.extend([0; 9]);
        assert_eq!(find(&form), Ok(Some(id)), "with zeros behind it");
        form.push(1);
        assert_eq!(find(&form), Ok(None));
    }
}

#[test]
fn recipes_have_as_many_calls_as_their_level_says() {
    let corpus = run(&["new", "insert", "absorb"], 4, Settings::default());
    let mut by_calls = std::collections::BTreeMap::new();
    for id in 0..corpus.store.len() {
        let recipe = recipe_of(&corpus.plan, &corpus.calls, &corpus.store, StructureId::new(id));
        *by_calls.entry(recipe.unwrap().n_calls() as u32).or_insert(0_u64) += 1;
    }
    let levels = corpus.report.levels.iter().filter(|level| level.new > 0);
    assert_eq!(
        by_calls.into_iter().collect::<Vec<_>>(),
        levels.map(|l| (l.calls, l.new)).collect::<Vec<_>>()
    );
}

#[test]
fn a_method_on_two_structures_is_tried_on_every_pair_once() {
    let k = 3;
    let corpus = run(&["new", "insert", "absorb"], k, Settings::default());
    let n = corpus.store.len();
    assert_eq!(n, n_search_trees(k.into()));
    // The constructor, the insertions, and every ordered pair.
    assert_eq!(corpus.report.ledger.counters.explored(), 1 + n * u64::from(k) + n * n);
}

#[test]
fn a_budget_of_calls_is_never_passed_by_more_than_a_parent() {
    for most in [1, 2, 10, 100] {
        let plan =
            plan(suite(), &["new", "insert"], 5).with(|draft| draft.budget.max_calls = Some(most));
        let corpus = Run::new(plan).go();
        assert_eq!(corpus.report.stop_reason, StopReason::MaxCalls(most));
        let explored = corpus.report.ledger.counters.explored();
        assert!((most..most + 5).contains(&explored), "{explored} calls of {most}");
    }
}

#[test]
fn the_witness_of_a_call_that_leaves_no_structure_names_that_call() {
    let mut suite = suite();
    let domain = LiteralDomain::of::<i32>("i32");
    let below_two = Method {
        name: "below_two",
        signature: "fn below_two(info: i32)",
        returns: None,
        path: "below_two",
        params: vec![Param { name: "info", kind: ParamKind::Literal { domain, prefix: "" } }],
        outputs: vec![],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            assert!(*call.literal::<i32>(0) < 2, "two or more");
            Outcome::Returned
        },
    };
    suite.methods.insert(1, below_two.clone());
    // At a place of its own: at one place it would be one cause.
    let call = |call: &mut Call<'_>| {
        assert!(*call.literal::<i32>(0) < 2, "two or more");
        Outcome::Returned
    };
    suite.methods.push(Method { name: "below_two_again", path: "again", call, ..below_two });
    let methods = ["new", "below_two", "insert", "below_two_again"];
    let corpus = Run::new(plan(suite, &methods, 3)).go();
    let recipes = corpus.report.findings.iter().flat_map(|finding| &finding.witness.recipe);
    let sources: Vec<_> = recipes.map(|recipe| to_source(&corpus.plan.suite, recipe)).collect();
    let expected = ["let _ = below_two(2);", "let _ = again(2);"];
    assert_eq!(sources, expected.map(|source| (source.to_owned(), String::new())));
}

#[test]
fn a_budget_of_levels_lets_the_last_of_them_end() {
    for most in [1, 2, 3] {
        let plan =
            plan(suite(), &["new", "insert"], 4).with(|draft| draft.budget.max_levels = Some(most));
        let corpus = Run::new(plan).go();
        assert_eq!(corpus.report.stop_reason, StopReason::MaxLevels(most));
        assert_eq!(corpus.report.levels.len(), most as usize);
    }
}

#[test]
fn progress_tells_the_share_of_a_level_in_thousandths() {
    let mut seen = std::collections::BTreeMap::new();
    Run::new(plan(suite(), &["new", "insert"], 4))
        .observe(&mut |progress: Progress| {
            let level = progress.level?;
            assert!(level.done <= 1000, "{level:?}");
            seen.insert(level.number, level.done);
            None
        })
        .go();
    // Constructors have no structures to share out. A tree of four takes four insertions after
    // `new`; those of the sixth level bring nothing new.
    let expected = (1..=6).map(|level| (level, if level == 1 { 0 } else { 1000 }));
    assert_eq!(seen, expected.collect());
}

#[test]
fn the_memory_of_a_store_is_told() {
    let corpus = run(&["new", "insert"], 7, Settings::default());
    // 16 shards with a table and a chunk each, for 2950 structures of about ten bytes. How full
    // they are depends on the hash, which is another without `ahash`.
    let bytes = corpus.store.bytes();
    assert!((2950 * 12..2950 * 64).contains(&bytes), "{bytes}");
    let plan = plan(suite(), &["new", "insert"], 3);
    let store = UnmatchedStore::of(&plan);
    let plan = plan.with(|draft| draft.budget.max_levels = Some(4));
    let corpus = Run::new(plan).go_into(store);
    let (n, bytes) = (corpus.store.len(), corpus.store.bytes());
    assert!((n * 8..n * 64).contains(&bytes), "{bytes} for {n}");
}

/// All calls on a first structure are made, or none: so a run goes beyond its budget by less than
/// the calls on one, however many structures go with it.
#[test]
fn a_budget_of_calls_is_passed_by_less_than_the_calls_on_one_structure() {
    let methods = ["new", "insert", "absorb"];
    let all = run(&methods, 3, Settings::default()).report.ledger.counters.explored();
    // A tree has its three insertions in one level, and in each it absorbs the trees of one cost,
    // of which there are 16 in all.
    for most in (1..all - 16).step_by(7) {
        let plan = plan(suite(), &methods, 3).with(|draft| draft.budget.max_calls = Some(most));
        let report = Run::new(plan).go().report;
        let explored = report.ledger.counters.explored();
        assert_eq!(report.stop_reason, StopReason::MaxCalls(most));
        assert!((most..most + 16).contains(&explored), "{explored} calls for a budget of {most}");
    }
}

/// The number of a call says which of several results is meant, and which literals: a replayed
/// recipe gives the structure that it is kept for.
#[test]
fn the_results_of_one_call_are_told_apart_in_recipes() {
    let info = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let mut suite = suite();
    let split = suite.methods.last().expect("split").clone();
    suite.methods.push(Method {
        name: "cut",
        signature: "fn cut(&self, low: i32, high: i32) -> (Self, Self)",
        returns: Some("(Self, Self)"),
        path: "Tree::cut",
        params: vec![
            split.params[0].clone(),
            Param { name: "low", kind: info },
            Param { name: "high", kind: info },
        ],
        call: |call| {
            let (low, high) = (*call.literal::<i32>(0), *call.literal::<i32>(1));
            let (mut one, mut other) = (Tree::new(), Tree::new());
            one.insert(low);
            other.insert(high);
            other.insert(low);
            call.give(one);
            call.give(other);
            Outcome::Returned
        },
        ..split
    });
    let replay = CopyOptions { no_decode: true, no_region: true, no_clone: true };
    let settings = Settings { threads: 1, copy_options: replay };
    let corpus = Run::new(plan(suite, &["new", "cut"], 3)).settings(settings).go();
    // The empty tree, and one or two of three numbers in either order.
    assert_eq!((corpus.store.len(), corpus.report.findings.len()), (1 + 3 + 3 * 2, 0));
    for id in (0..corpus.store.len()).map(StructureId::new) {
        let parts = corpus.calls.parts(corpus.store.origin(id).unwrap().call);
        assert!(parts.tuple < corpus.plan.planned(parts.planned).n_tuples(), "{parts:?}");
        let source = to_source(&corpus.plan.suite, &corpus.recipe(id).unwrap()).0;
        let heap = corpus.graph(id).unwrap().unwrap();
        let n_outputs = usize::from(source.contains(".cut("));
        let is_second = source.contains(".1;");
        assert_eq!(heap.objects().len(), 1 + n_outputs + usize::from(is_second), "{source}");
    }
}

/// A method on a tree, a stamp and a tree, in a suite of two types.
fn stamps(call: beget_suite::CallFn) -> Suite {
    let mut suite = suite();
    suite.types.push(type_of::<u8>("Stamp", None));
    let structure = |ty| ParamKind::Structure { ty: TypeIdx::new(ty), passing: Passing::Ref };
    let param = |name, kind| Param { name, kind };
    let number = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let split = suite.methods.last().expect("split").clone();
    suite.methods.push(Method {
        name: "stamp",
        signature: "fn stamp(number: i32) -> Stamp",
        returns: Some("Stamp"),
        path: "stamp",
        params: vec![param("number", number)],
        outputs: vec![Output { ty: TypeIdx::new(1), access: "" }],
        call: |call| {
            let number = *call.literal::<i32>(0);
            call.give(number as u8);
            Outcome::Returned
        },
        ..split.clone()
    });
    suite.methods.push(Method {
        name: "mark",
        signature: "fn mark(&self, with: &Stamp, like: &Self)",
        returns: None,
        path: "Tree::mark",
        params: vec![
            param("self", structure(0)),
            param("with", structure(1)),
            param("like", structure(0)),
        ],
        outputs: vec![],
        call,
        ..split
    });
    suite
}

/// Each of the 5 trees with each of the 2 stamps and each of the trees, once, and no other types.
#[test]
fn a_method_on_three_structures_is_tried_on_every_triple_once() {
    let suite = stamps(|call| {
        let number = i64::from(*call.structure::<u8>(1));
        assert!(number < 2, "a stamp");
        let _: (&Tree, &Tree) = (&*call.structure::<Tree>(0), &Tree::new());
        Outcome::Returned
    });
    for threads in [1, 2] {
        let plan = plan(suite.clone(), &["new", "insert", "stamp", "mark"], 2);
        let corpus = Run::new(plan).settings(Settings { threads, ..Settings::default() }).go();
        assert_eq!(corpus.totals().unwrap().by_type, [5, 2]);
        assert_eq!(corpus.report.ledger.counters.explored(), 1 + 2 + 5 * 2 + 5 * 2 * 5);
        assert_eq!(corpus.report.ledger.counters.failures, 0);
    }
}

/// The calls on the empty tree with the 210 trees of four numbers do not fit into one block. A
/// budget that ends among them lets all of them be made, and no other.
#[test]
fn a_budget_that_ends_within_the_calls_on_one_structure_lets_them_be_made() {
    let number = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let mut suite = suite();
    let absorb = suite.methods[2].clone();
    let mut params = absorb.params.clone();
    params.extend(["a", "b", "c"].map(|name| Param { name, kind: number }));
    let call = |_: &mut beget_suite::Call<'_>| Outcome::Returned;
    suite.methods.push(Method { name: "like", params, call, ..absorb });
    let run = |most: Option<u64>, levels: u32| {
        let budget = Budget { max_calls: most, max_levels: Some(levels), ..Budget::default() };
        let plan = plan(suite.clone(), &["new", "insert", "like"], 6);
        let plan = plan.with(|draft| draft.budget = budget);
        let settings = Settings { threads: 1, ..Settings::default() };
        Run::new(plan).settings(settings).go().report.ledger.counters.explored()
    };
    let before = run(None, 6);
    let (n_trees, n_literals) = (15 * 14, 6 * 6 * 6);
    assert_eq!(run(Some(before + 1), 7), before + n_trees * n_literals);
}

/// The calls on one stamp and all others take several blocks, more than a batch has in the second
/// case. The budget ends at the first of them: all of them are made, and none on the next stamp.
#[test]
fn a_budget_that_ends_within_many_blocks_on_one_structure_goes_no_further() {
    for (n_stamps, n_literals) in [(17, 1 << 12), (17, 1 << 15)] {
        let plan = pairs(n_stamps, n_literals)
            .with(|draft| draft.budget.max_calls = Some(u64::from(n_stamps) + 1));
        let settings = Settings { threads: 1, ..Settings::default() };
        let report = Run::new(plan).settings(settings).go().report;
        assert_eq!(report.stop_reason, StopReason::MaxCalls(u64::from(n_stamps) + 1));
        let n_calls = u64::from(n_stamps) * (1 + n_literals as u64);
        assert_eq!(report.ledger.counters.explored(), n_calls, "{n_literals} literals");
    }
}

#[test]
fn how_structures_are_copied_is_told() {
    let of = |no_decode, no_clone| {
        let corpus = run(&["new"], 1, Settings::default());
        let copy_options = CopyOptions { no_decode, no_clone, no_region: false };
        let strategies = corpus.copy_strategies(copy_options);
        strategies.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(of(false, false), ["decode once, then clone"]);
    assert_eq!(of(true, false), ["replay once, then clone"]);
    assert_eq!(of(false, true), ["decode for each call"]);
    assert_eq!(of(true, true), ["replay for each call"]);
}

/// What a form leaves out cannot be decoded from it.
#[test]
fn structures_of_which_a_field_is_left_out_are_replayed() {
    let omitted = [("Tree".to_owned(), "size".to_owned())].into();
    let plan = plan(suite(), &["new", "insert"], 3).with(|draft| draft.bounds.omitted = omitted);
    let corpus = Run::new(plan).go();
    assert_eq!((corpus.store.len(), corpus.report.findings.len()), (15, 0));
    let [strategy] = corpus.copy_strategies(CopyOptions::default())[..] else { panic!("one") };
    assert_eq!(strategy.to_string(), "replay once, then clone");
}

#[test]
fn a_budget_of_structures_ends_a_run_when_there_are_as_many() {
    for most in [1, 4, 9] {
        let plan = plan(suite(), &["new", "insert"], 3)
            .with(|draft| draft.budget.max_structures = Some(most));
        let corpus = Run::new(plan).go();
        assert_eq!(corpus.report.stop_reason, StopReason::MaxStructures(most));
        // The insertions on one tree are made all.
        assert!((most..most + 3).contains(&corpus.store.len()), "{}", corpus.store.len());
    }
}
