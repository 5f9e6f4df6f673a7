//! Every search against brute force over all subsets of made-up suites.

use crate::common;

use beget_engine::Explorer;
use beget_engine::store::Store;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Complexity, Exact, Genetic, Goal, Identification, MethodSet,
    SearchOutcome, Space, find, identify,
};
use common::{ToyMethod, built, cheapest, drawn, subsets, toys};

fn identified(plan: &Plan, how: BuilderSearch) -> Identification {
    identify(plan, how, BuilderSettings::default(), &mut |_| None).expect("nothing stops it")
}

fn with_space<R>(plan: &Plan, use_it: impl FnOnce(&Space<'_, '_>) -> R) -> R {
    let explorer = Explorer::new(plan, Default::default());
    let space = Space::explore(&explorer, Goal::Everything, &mut |_| None);
    use_it(&space.expect("nothing stops it"))
}

#[test]
fn what_a_set_builds_is_what_its_tables_say_from_scratch_and_step_by_step() {
    for seed in 1..40 {
        let methods = drawn(seed, 7);
        with_space(&toys(&methods), |space| {
            for set in subsets(methods.len()) {
                let expected = built(&methods, &set).len() as u64;
                let reached = space.reach(&MethodSet::of(methods.len(), set.iter().copied()));
                assert_eq!(reached.n_structures(), expected, "seed {seed}, {set:?}");
                let mut so_far = MethodSet::empty(methods.len());
                let mut grown = space.reach(&so_far);
                for &method in set.iter().rev() {
                    grown = space.extend(&grown, &so_far, &[method]);
                    so_far.insert(method);
                }
                assert_eq!(grown, reached, "seed {seed}, {set:?}");
            }
        });
    }
}

#[test]
fn what_a_set_builds_is_what_calls_build() {
    for seed in 1..6 {
        let methods = drawn(seed, 5);
        let plan = toys(&methods);
        with_space(&plan, |space| {
            for set in subsets(methods.len()) {
                let mut closure = space.explorer().empty();
                closure.extend(&set, &mut |_| None);
                let reached = space.reach(&MethodSet::of(methods.len(), set.iter().copied()));
                assert_eq!(reached.n_structures(), closure.store().len(), "{set:?}");
            }
        });
    }
}

#[test]
fn the_exact_search_finds_the_cheapest_of_all_subsets() {
    for seed in 1..300 {
        let methods = drawn(seed, 9);
        with_space(&toys(&methods), |space| {
            let how = BuilderSearch::Exact(Exact::default());
            let (set, found) = find(space, how, 2.0, &mut |_| None).expect("nothing stops it");
            assert_eq!(set.iter().collect::<Vec<_>>(), cheapest(&methods), "seed {seed}");
            let SearchOutcome::Proof(proof) = found else { panic!("the exact search proves") };
            assert!(proof.is_cheapest);
            assert_eq!(proof.fewest_methods, set.len());
        });
    }
}

#[test]
fn hill_climbing_is_sufficient_and_spares_no_method() {
    for seed in 1..300 {
        let methods = drawn(seed, 9);
        let all: Vec<PlannedIdx> = (0..methods.len()).map(PlannedIdx::new).collect();
        with_space(&toys(&methods), |space| {
            let (set, _) = find(space, BuilderSearch::HillClimbing, 2.0, &mut |_| None)
                .expect("nothing stops it");
            let set: Vec<PlannedIdx> = set.iter().collect();
            let full = built(&methods, &all);
            assert_eq!(built(&methods, &set), full, "seed {seed}, {set:?}");
            for &method in &set {
                let others: Vec<PlannedIdx> =
                    set.iter().copied().filter(|&other| other != method).collect();
                assert_ne!(built(&methods, &others), full, "seed {seed}, {set:?} - {method:?}");
            }
        });
    }
}

#[test]
fn certificates_say_what_the_tables_say() {
    for seed in 1..12 {
        let methods = drawn(seed, 6);
        let plan = toys(&methods);
        for how in [
            BuilderSearch::HillClimbing,
            BuilderSearch::Genetic(Genetic::default()),
            BuilderSearch::Exact(Exact::default()),
        ] {
            let found = identified(&plan, how);
            let certificate = &found.certificate;
            let n_built = |set: &[PlannedIdx]| built(&methods, set).len() as u64;
            assert_eq!(certificate.builders.structures, n_built(&found.methods));
            assert_eq!(certificate.is_sufficient(), certificate.missing.is_none());
            assert!(certificate.is_minimal());
            for need in &certificate.needs {
                let others = found.methods.iter().copied().filter(|&other| other != need.method);
                let others: Vec<PlannedIdx> = others.collect();
                assert_eq!(need.without.structures, n_built(&others));
                assert!(need.loss.as_ref().is_some_and(|loss| loss.heap.is_some()));
            }
        }
    }
}

#[test]
fn the_exact_search_admits_that_it_gave_up() {
    // Nine methods that each add a structure of its own in two ways: many sets hit some cores.
    let mut methods = vec![ToyMethod::make(&[0])];
    methods.extend(
        (1..6)
            .flat_map(|to| [ToyMethod::change(&[(0, to)]), ToyMethod::change(&[(0, to), (7, 7)])]),
    );
    with_space(&toys(&methods), |space| {
        let how = BuilderSearch::Exact(Exact { most_steps: 12 });
        let (set, found) = find(space, how, 2.0, &mut |_| None).expect("nothing stops it");
        let SearchOutcome::Proof(proof) = found else { panic!("the exact search proves") };
        assert!(!proof.is_cheapest);
        assert!(proof.fewest_methods <= set.len());
        assert!(space.is_everything(&space.reach(&set)));
    });
}

#[test]
fn ties_go_to_fewer_and_simpler_parameters() {
    let methods = [
        ToyMethod::make(&[0]).with(0, 1),
        ToyMethod::make(&[0]).with(1, 0),
        ToyMethod::change(&[(0, 1)]).with(2, 0),
        ToyMethod::change(&[(0, 1)]).with(0, 1),
        ToyMethod::change(&[(0, 1)]).with(1, 0),
    ];
    for how in [
        BuilderSearch::HillClimbing,
        BuilderSearch::Exact(Exact::default()),
        BuilderSearch::Genetic(Genetic::default()),
    ] {
        assert_eq!(identified(&toys(&methods), how).names, ["b", "e"]);
    }
    let plan = toys(&methods);
    let complexity = Complexity::of(&plan.suite.methods[3]);
    assert_eq!(complexity, Complexity { primitive: 1, reference: 1 });
}
