//! The parts of a search, on a type with a length.

#![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

use beget::{HasSuite as _, Heap};
use beget_plan::scope::Overrides;
use beget_run::{Catalog, Input};
use beget_suite::TypeIdx;

use super::proposals::CallProposals;
use super::structures::length_methods;
use super::*;
use crate::heuristic::panics::PanicFamily;
use crate::heuristic::plan_for;

/// Rungs, counted from below.
#[derive(Clone, Default, Heap)]
pub struct Ladder {
    rungs: Vec<u8>,
}

#[beget::api(name = "test::ladder")]
impl Ladder {
    pub fn new() -> Self {
        Ladder::default()
    }

    pub fn add(&mut self, rung: u8) {
        self.rungs.push(rung);
    }

    pub fn is_tall(&self) -> bool {
        self.rungs.len() > 9
    }

    /// Takes more than a ladder.
    pub fn len(&self, least: u8) -> usize {
        self.rungs.iter().filter(|rung| **rung >= least).count()
    }

    pub fn size(&self) -> usize {
        self.rungs.len()
    }

    pub fn lean(&self, other: &Ladder) -> bool {
        self.size() < other.size()
    }

    /// A cause for each step and side.
    pub fn climb(&self, step: u8, foot: u8) {
        let side = ["left", "middle", "right"][usize::from(foot % 3)];
        panic!("no step {} on the {side}", "x".repeat(usize::from(step)));
    }
}

fn plan() -> Plan {
    let text =
        r#"Scope(suite: "test::ladder", k: 2, objects: {"*": "k"}, arrays: "k", ints: "1..=3")"#;
    let catalog = Catalog::new(vec![Ladder::suite()]);
    let input = Input::of_text("ladder.ron", text.to_owned(), catalog).unwrap();
    plan_for(input.resolve(&Overrides::default()).unwrap().plan, &CallOptions::default())
}

fn find(plan: &Plan, name: &str) -> PlannedIdx {
    plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).expect("a method")
}

const LADDER: TypeIdx = TypeIdx::new(0);

/// Does `test` in a search that knows an empty ladder and two others.
fn with_three_ladders(test: impl FnOnce(&mut CallSearch<'_>)) {
    let (plan, in_progress) = (plan(), InProgress::default());
    let mut search = CallSearch::new(&plan, CallOptions::default(), &in_progress);
    let (new, add) = (find(&plan, "new"), find(&plan, "add"));
    search.try_first(new);
    let empty = search.pool.ranked(LADDER)[0];
    for rung in 1..=2_u8 {
        let literals = vec![Literal::new(rung)];
        let candidate =
            CallCandidate { structures: vec![empty], literals, repair: None, n_messages: 0 };
        assert!(search.try_candidate(add, &candidate).is_none());
    }
    assert_eq!(search.pool.len(), 3);
    test(&mut search);
}

#[test]
fn only_a_method_with_the_name_of_a_length_measures_it() {
    let plan = plan();
    assert_eq!(length_methods(&plan), [Some(find(&plan, "size"))]);
}

/// Those of the preferred literals first, then all in turn.
#[test]
fn later_variants_have_the_literals_in_turn() {
    with_three_ladders(|search| {
        let add = find(search.plan, "add");
        let sources: Vec<String> =
            search.menus[add.index()][0].literals.iter().map(|one| one.source.clone()).collect();
        assert!(sources.len() > 3);
        for variant in 1..2 * sources.len() {
            let candidate = search.generated(add, variant).unwrap();
            assert_eq!(candidate.literals[0].source, sources[variant % sources.len()]);
        }
        let (mut proposals, mut variant) = (CallProposals::default(), 0);
        let mut next = || search.next_candidate(add, &mut proposals, &mut variant);
        let first = next().expect("the preferred one");
        assert!(["1", "2", "3"].contains(&first.literals[0].source.as_str()));
        let second = next().expect("a second one");
        assert_eq!(second.literals[0].source, sources[1]);
        // 64 in all.
        assert_eq!(std::iter::from_fn(next).count(), 62);
    });
}

#[test]
fn the_range_is_the_least_positive_length() {
    with_three_ladders(|search| {
        let lean = find(search.plan, "lean");
        let ranked = search.pool.ranked(LADDER);
        let range = |structures: [usize; 2]| {
            let structures = structures.map(|at| ranked[at]).to_vec();
            let literals = Vec::new();
            let candidate = CallCandidate { structures, literals, repair: None, n_messages: 0 };
            search.range(lean, &candidate)
        };
        // The empty one comes last.
        assert_eq!([range([0, 1]), range([0, 2]), range([2, 2])], [Some(1), Some(1), None]);
    });
}

#[test]
fn rows_of_filled_structures_end_with_the_last_type_that_has_one() {
    with_three_ladders(|search| {
        let ranked = search.pool.ranked(LADDER);
        let mut rows = |name: &str| {
            let method = find(search.plan, name);
            [0, 1, 2].map(|row| search.filled_structures(method, row))
        };
        assert_eq!(rows("new"), [Some(vec![]), None, None]);
        let [first, second] = [ranked[0], ranked[1]];
        assert_eq!(rows("add"), [Some(vec![first]), Some(vec![second]), None]);
        assert_eq!(rows("lean"), [Some(vec![first; 2]), Some(vec![second; 2]), None]);
    });
}

#[test]
fn kinds_of_failures_are_families_or_causes() {
    let panic = |family: PanicFamily| {
        let clue = Clue { family, numbers: vec![1, 2] };
        Failure::Panic { clue, message: "anything".to_owned() }.kind()
    };
    assert_eq!([panic(PanicFamily::Full), panic(PanicFamily::Empty)], ["full", "empty"]);
    assert_eq!(Failure::Other("it returned `None`".to_owned()).kind(), "other it returned `None`");
}

#[test]
fn reasons_count_the_calls() {
    assert_eq!([calls(1), calls(2)], ["1 call failed", "2 calls failed"]);
}

/// All calls of `climb` fail, those with another step or side for another cause.
#[test]
fn a_method_is_tried_as_often_as_allowed_and_has_sixteen_causes_at_most() {
    let plan = plan();
    let report = |max_attempts: u32| {
        let options = CallOptions { max_attempts, ..CallOptions::default() };
        let (report, _) =
            crate::heuristic::call(&plan, options, None, &InProgress::default(), &mut |_| None);
        report.methods[find(&plan, "climb").index()].clone()
    };
    let few = report(5);
    assert_eq!((few.attempts, few.success.is_none()), (5, true));
    let many = report(100);
    assert_eq!((many.attempts, many.failures.len()), (100, MOST_CAUSES));
    let causes: BTreeSet<&str> = many.failures.iter().map(|one| one.cause.as_str()).collect();
    assert_eq!(causes.len(), MOST_CAUSES);
    // One call for each attempt, those of further causes not counted.
    let counted: u32 = few.failures.iter().map(|one| one.count).sum();
    assert_eq!(counted, 5);
    let first = format!("100 calls failed, the first: {}", many.failures[0].cause);
    assert_eq!(many.reason, Some(first));
    assert!(many.failures.iter().any(|one| one.count > 1), "{:?}", many.failures);
}
