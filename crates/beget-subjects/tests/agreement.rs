//! Every suite, whatever the ways of copying and the threads: forms, values and recipes tell the same.

mod common;

use std::any::Any;

use beget::heap::Encoder;
use beget::suites::{Argument, Call, CloneFn, Frame, Literal, Recipe, TypeIdx};
use beget_engine::store::{Origin, Store, StructureId, Totals};
use beget_engine::{Copying, Corpus, Counters, Finding, Level, Making, Settings, Way, Wishes};
use beget_scope::Plan;

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
    ("ours/skewheap", 3),
];

/// The plan of a scope at k with all methods of its suite.
fn plan_of_all(scope: &str, k: u32) -> Plan {
    let suite = common::plan(scope, k, &[]).suite;
    let names: Vec<_> = suite.methods.iter().map(|method| method.name).collect();
    common::plan(scope, k, &names)
}

/// Every combination of wishes.
fn all_wishes() -> impl Iterator<Item = Wishes> {
    (0..8).map(|bits| Wishes {
        no_decode: bits & 1 != 0,
        no_region: bits & 2 != 0,
        no_clone: bits & 4 != 0,
    })
}

#[derive(Debug, PartialEq)]
struct Visible {
    structures: Vec<(Vec<u8>, Origin)>,
    totals: Totals,
    counters: Counters,
    levels: Vec<Level>,
    findings: Vec<Finding>,
}

/// Everything of a corpus that must not depend on how it was made.
fn visible(corpus: &Corpus) -> Visible {
    let mut structures = Vec::new();
    corpus.store.scan(0..corpus.store.len(), &mut |id, form| {
        structures.push((form.to_vec(), corpus.store.origin(id)));
    });
    Visible {
        structures,
        totals: corpus.store.totals(),
        counters: corpus.report.counters,
        levels: corpus.report.levels.clone(),
        findings: corpus.report.findings.clone(),
    }
}

#[test]
fn every_way_of_copying_and_every_number_of_threads_gives_the_same_bytes() {
    for &(scope, k) in SCOPES {
        let plan = plan_of_all(scope, k);
        let reference = visible(&common::run(plan.clone(), Settings::default()));
        assert_eq!(reference.findings, [], "{scope}");
        for threads in [1, 2, 4] {
            for wishes in all_wishes() {
                let corpus = common::run(plan.clone(), Settings { threads, wishes });
                assert_eq!(corpus.report.notes, [""; 0], "{scope}, {threads} threads, {wishes:?}");
                let same = visible(&corpus) == reference;
                assert!(same, "{scope}, {threads} threads, {wishes:?}");
            }
        }
    }
}

#[test]
fn every_structure_is_decoded_and_copied_by_region_images() {
    for &(scope, k) in SCOPES {
        let corpus = common::run(plan_of_all(scope, k), Settings::default());
        let way = Way { making: Making::Decode, copying: Copying::Region };
        assert_eq!(corpus.ways(Wishes::default()), [way], "{scope}");
    }
}

#[test]
fn values_clones_and_recipes_walk_to_the_stored_form_and_share_nothing() {
    for &(scope, _) in SCOPES {
        let corpus = common::run(plan_of_all(scope, 3), Settings::default());
        for id in (0..corpus.store.len()).map(StructureId) {
            let recipe = corpus.recipe(id);
            let of = format!("{scope}, {recipe:?}");
            let (ty, stored) = (corpus.type_of(id), unpadded(corpus.store.form(id)));
            let value = corpus.remake(id).unwrap_or_else(|| panic!("{of}"));
            assert_eq!(form(&corpus.plan, ty, &*value), stored, "{of}");
            let clone = corpus.plan.suite.types[ty.0].clone.expect("case studies are `Clone`");
            let copy = clone(&*value);
            change_clones(&corpus.plan, &*value, clone);
            assert_eq!(form(&corpus.plan, ty, &*value), stored, "{of}: clones share state");
            drop(value);
            assert_eq!(form(&corpus.plan, ty, &*copy), stored, "{of}");
            assert_eq!(form(&corpus.plan, ty, &*replay(&corpus.plan, &recipe)), stored, "{of}");
            assert_eq!(recipe.n_calls(), corpus.cost(id) as usize, "{of}");
        }
    }
}

/// Makes every call of the plan on clones of `value`.
fn change_clones(plan: &Plan, value: &dyn Any, clone: CloneFn) {
    for planned in &plan.methods {
        for tuple in 0..planned.n_tuples() {
            let arguments = planned.structures.iter().map(|_| Some(clone(value))).collect();
            let mut frame = Frame { arguments, results: Vec::new() };
            let call = plan.suite.methods[planned.method].call;
            call(&mut Call::new(&mut frame, &planned.tuple(tuple)));
        }
    }
}

/// The canonical form of a value under the bounds of a plan.
fn form(plan: &Plan, ty: TypeIdx, value: &dyn Any) -> Vec<u8> {
    let mut encoder = Encoder::new(&plan.layout);
    let tag_bits = plan.suite.types.len().next_power_of_two().trailing_zeros();
    encoder.begin(ty.0 as u64, tag_bits);
    (plan.suite.types[ty.0].walk)(value, &mut encoder);
    unpadded(encoder.finish().expect("a stored structure is in scope").to_bytes())
}

/// A form without the zeros that a store may put behind it.
fn unpadded(mut form: Vec<u8>) -> Vec<u8> {
    form.truncate(form.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
    form
}

/// Runs a recipe from its description alone.
fn replay(plan: &Plan, recipe: &Recipe) -> Box<dyn Any> {
    let method = &plan.suite.methods[recipe.method];
    let planned = plan.methods.iter().find(|planned| planned.method == recipe.method);
    let mut domains = planned.expect("a method of the plan").domains.iter();
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
