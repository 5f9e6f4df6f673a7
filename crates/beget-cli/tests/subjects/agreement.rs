//! Every suite, whatever the copy strategies and the threads: forms, values and recipes tell the
//! same.

use crate::common;

use std::any::Any;

use beget_engine::store::{Origin, Store, StructureId, Totals};
use beget_engine::{
    CopyOptions, CopyPolicy, CopyStrategy, Corpus, Counters, Level, Reconstruction, Settings,
};
use beget_heap::{CanonicalForm, Encoder};
use beget_plan::finding::Finding;
use beget_plan::scope::{Plan, PlannedMethod};
use beget_suite::{Argument, Call, CloneFn, Frame, Literal, Recipe, TypeIdx};

/// Scope files, each with the largest k at which it is run often in little time.
const SCOPES: &[(&str, u32)] = &[
    ("roops/ncl", 4),
    ("roops/llist", 4),
    ("korat/dllist", 4),
    ("korat/slist", 4),
    ("korat/searchtree", 4),
    ("korat/fibheap", 4),
    ("kiasan/disjsets_fast", 4),
    ("kiasan/treeset", 4),
    ("apache/ncl", 3),
    ("ours/skewheap", 3),
    ("roops/avl", 5),
    ("roops/bintree", 4),
    ("roops/binheap", 3),
    ("roops/fibheap", 3),
    ("roops/rbt", 4),
    ("fajita/avl", 5),
    ("fajita/binheap", 3),
    ("fajita/bintree", 4),
    ("fajita/ncl", 4),
    ("fajita/cdlist", 4),
    ("fajita/slist", 4),
    ("fajita/rbt", 4),
    ("korat/sortedlist", 5),
    ("korat/binheap", 3),
    ("korat/rbt", 4),
    ("kiasan/binaryheap", 4),
    ("kiasan/bst", 4),
    ("kiasan/disjsets", 4),
    ("kiasan/dllist", 3),
    ("kiasan/treemap", 3),
    ("kiasan/stack", 4),
    ("jpf/bintree", 4),
    ("jpf/binheap", 3),
    ("jpf/fibheap", 3),
    ("jpf/treemap", 5),
];

/// Methods that cannot take part, with the reason.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("fajita/avl", "make_empty", "the size grows without bound"),
    ("fajita/binheap", "delete", "with lowered keys, ever smaller keys stay behind"),
    ("korat/binheap", "delete", "with lowered keys, ever smaller keys stay behind"),
    ("jpf/binheap", "delete", "with lowered keys, ever smaller keys stay behind"),
    ("kiasan/disjsets", "find", "it never returns from a cycle"),
    ("kiasan/dllist", "published_clone", "it always panics"),
];

/// The plan of a scope at k with all methods of its suite but those left out.
fn plan_of_all(scope: &str, k: u32) -> Plan {
    let suite = common::plan(scope, k, &[]).suite.clone();
    let is_left_out = |name: &str| LEFT_OUT.iter().any(|left| (left.0, left.1) == (scope, name));
    let names = suite.methods.iter().map(|method| method.name);
    let names: Vec<_> = names.filter(|name| !is_left_out(name)).collect();
    common::plan(scope, k, &names)
}

/// Every combination of copy_options.
fn all_wishes() -> impl Iterator<Item = CopyOptions> {
    (0..8).map(|bits| CopyOptions {
        no_decode: bits & 1 != 0,
        no_region: bits & 2 != 0,
        no_clone: bits & 4 != 0,
    })
}

#[derive(Debug, PartialEq)]
struct Visible {
    structures: Vec<(CanonicalForm, Origin)>,
    totals: Totals,
    counters: Counters,
    levels: Vec<Level>,
    findings: Vec<Finding>,
}

/// Everything of a corpus that must not depend on how it was made.
fn visible(corpus: &Corpus) -> Visible {
    let mut structures = Vec::new();
    corpus
        .store
        .scan(0..corpus.store.len(), &mut |id, form| {
            structures.push((form.to_canonical(), corpus.store.origin(id).unwrap()));
        })
        .unwrap();
    Visible {
        structures,
        totals: corpus.store.totals(),
        counters: corpus.report.ledger.counters,
        levels: corpus.report.levels.clone(),
        findings: corpus.report.findings.clone(),
    }
}

/// Scopes of collections, of which only the methods of the file take part.
const COLLECTIONS: &[&str] = &[
    "real/btreemap",
    "real/btreeset",
    "real/hashmap",
    "real/linkedlist",
    "real/vecdeque",
    "real/binaryheap",
    "real/indexmap",
    "real/slab",
    "real/smallvec",
    "real/stablegraph",
];

/// A clone of a short vector on the heap is one in place, so that clones cannot be used; which is
/// noted.
const CHANGED_BY_CLONING: &[&str] = &["real/smallvec"];

/// An edge to a node that was removed panics as expected, and has changed the graph; which is
/// noted, however copies are made.
const CHANGED_BY_PANICS: &[&str] = &["real/stablegraph"];

/// A test for each number of threads, so that they run beside each other.
#[test]
fn every_way_of_copying_gives_the_same_bytes_on_one_thread() {
    every_way_of_copying_gives_the_same_bytes(1);
}

#[test]
fn every_way_of_copying_gives_the_same_bytes_on_two_threads() {
    every_way_of_copying_gives_the_same_bytes(2);
}

#[test]
fn every_way_of_copying_gives_the_same_bytes_on_four_threads() {
    every_way_of_copying_gives_the_same_bytes(4);
}

fn every_way_of_copying_gives_the_same_bytes(threads: usize) {
    let studies = SCOPES.iter().map(|&(scope, k)| (scope, plan_of_all(scope, k)));
    let collections = COLLECTIONS.iter().map(|&scope| (scope, common::plan(scope, 2, &[])));
    for (scope, plan) in studies.chain(collections) {
        let reference = visible(&common::run(plan.clone(), Settings::default()));
        assert_eq!(reference.findings, [], "{scope}");
        for copy_options in all_wishes() {
            let corpus = common::run(plan.clone(), Settings { threads, copy_options });
            if !CHANGED_BY_CLONING.contains(&scope) {
                let notes = corpus.report.ledger.notes.iter();
                let (of_panics, others): (Vec<&String>, Vec<_>) =
                    notes.partition(|note| note.contains(" panicked as expected "));
                assert_eq!(others, [""; 0], "{scope}, {threads} threads, {copy_options:?}");
                assert_eq!(!of_panics.is_empty(), CHANGED_BY_PANICS.contains(&scope), "{scope}");
            }
            let same = visible(&corpus) == reference;
            assert!(same, "{scope}, {threads} threads, {copy_options:?}");
        }
    }
}

#[test]
fn every_structure_is_decoded_and_copied_by_region_images() {
    for &(scope, k) in SCOPES {
        let corpus = common::run(plan_of_all(scope, k), Settings::default());
        let way = CopyStrategy {
            reconstruction: Reconstruction::Decode,
            copy_policy: CopyPolicy::Region,
        };
        let ways = corpus.copy_strategies(CopyOptions::default());
        assert!(ways.iter().all(|&chosen| chosen == way), "{scope}: {ways:?}");
    }
}

#[test]
fn values_clones_and_recipes_walk_to_the_stored_form_and_share_nothing() {
    for &(scope, _) in SCOPES {
        let corpus = common::run(plan_of_all(scope, 3), Settings::default());
        for id in (0..corpus.store.len()).map(StructureId::new) {
            let recipe = corpus.recipe(id).unwrap();
            let of = format!("{scope}, {recipe:?}");
            let (ty, stored) = (corpus.type_of(id).unwrap(), corpus.store.form(id).unwrap());
            let value = corpus.reconstruct(id).unwrap().unwrap_or_else(|| panic!("{of}"));
            assert_eq!(form(&corpus.plan, ty, &*value), stored, "{of}");
            let clone =
                corpus.plan.suite.types[ty.index()].clone.expect("case studies are `Clone`");
            let copy = clone(&*value);
            change_clones(&corpus.plan, ty, &*value, clone);
            assert_eq!(form(&corpus.plan, ty, &*value), stored, "{of}: clones share state");
            drop(value);
            assert_eq!(form(&corpus.plan, ty, &*copy), stored, "{of}");
            assert_eq!(form(&corpus.plan, ty, &*replay(&corpus.plan, &recipe)), stored, "{of}");
            assert_eq!(recipe.n_calls(), corpus.cost(id) as usize, "{of}");
        }
    }
}

/// Makes every call of the plan that takes no other type on clones of `value`.
fn change_clones(plan: &Plan, ty: TypeIdx, value: &dyn Any, clone: CloneFn) {
    let takes_it = |planned: &&PlannedMethod| planned.structures.iter().all(|&taken| taken == ty);
    for planned in plan.methods.iter().filter(takes_it) {
        for tuple in 0..planned.n_tuples() {
            let arguments = planned.structures.iter().map(|_| Some(clone(value))).collect();
            let mut frame = Frame { arguments, results: Vec::new() };
            let call = plan.suite.method(planned.method).call;
            call(&mut Call::new(&mut frame, &planned.tuple(tuple)));
        }
    }
}

/// The canonical form of a value under the bounds of a plan.
fn form(plan: &Plan, ty: TypeIdx, value: &dyn Any) -> CanonicalForm {
    let mut encoder = Encoder::new(plan.coding());
    encoder.begin(ty.index() as u64);
    (plan.suite.types[ty.index()].walk)(value, &mut encoder);
    encoder.finish().expect("a stored structure is in scope").to_canonical()
}

/// Runs a recipe from its description alone.
fn replay(plan: &Plan, recipe: &Recipe) -> Box<dyn Any> {
    let method = plan.suite.method(recipe.method);
    let planned = plan.find_planned(recipe.method);
    let mut domains = plan.planned(planned.expect("a method of the plan")).domains.iter();
    let (mut frame, mut literals) = (Frame::default(), Vec::<&Literal>::new());
    for argument in &recipe.arguments {
        match argument {
            Argument::Structure(recipe) => frame.arguments.push(Some(replay(plan, recipe))),
            Argument::Literal(source) => {
                let domain = domains.next().expect("a domain for each literal");
                let literal = domain.iter().find(|literal| literal.source == *source);
                literals.push(literal.expect("a literal of the domain"));
            }
        }
    }
    (method.call)(&mut Call::new(&mut frame, &literals));
    let mut left = frame.arguments.into_iter().chain(frame.results);
    left.nth(recipe.output).flatten().expect("the call leaves the structure")
}
