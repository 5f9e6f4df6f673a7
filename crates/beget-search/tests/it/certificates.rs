//! What is said of sets of methods, to the word and to the last structure; and made-up suites whose
//! methods join three structures.
#![allow(
    unreachable_pub,
    dead_code,
    missing_docs,
    clippy::new_without_default,
    reason = "suites want public methods"
)]

use crate::common;

use std::error::Error as _;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use beget::{HasSuite, Heap};
use beget_engine::store::{Store, StructureId};
use beget_engine::{Explorer, Interim, Observer, Settings};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::BuildersError;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_search::builders::{
    BuilderSearch, BuilderSettings, Exact, Genetic, Goal, MethodSet, SearchOutcome, Space, certify,
    confirm, find, identify,
};
use beget_search::builders_file::FileError;
use beget_search::extensions::{Extension, Source, Target};
use common::{Does, ToyMethod, built, plan, subsets, toys};

fn with_space<R>(plan: &Plan, goal: Goal, use_it: impl FnOnce(&Space<'_, '_>) -> R) -> R {
    let explorer = Explorer::new(plan, Settings::default());
    use_it(&Space::explore(&explorer, goal, &mut |_| None).expect("nothing stops it"))
}

fn idxs(plan: &Plan, names: &[&str]) -> Vec<PlannedIdx> {
    let of = |name: &&str| plan.find_planned(plan.suite.find_method(name).unwrap()).unwrap();
    names.iter().map(of).collect()
}

#[test]
fn a_certificate_says_in_sentences_what_is_needed() {
    let methods = [
        ToyMethod::make(&[0]),
        ToyMethod::change(&[(0, 1)]),
        ToyMethod::change(&[(1, 2)]),
        ToyMethod::change(&[(0, 1)]),
    ];
    let plan = toys(&methods);
    let of = |names: &[&str]| {
        let methods = idxs(&plan, names);
        certify(&plan, &methods, Goal::Everything, Settings::default(), &mut |_| None).unwrap()
    };
    let all = of(&["a", "b", "c", "d"]);
    assert!(all.is_sufficient() && !all.is_minimal());
    assert_eq!(all.why_minimal(&plan), "not needed at k = 3: b, d");
    let minimal = of(&["a", "b", "c"]);
    assert!(minimal.is_sufficient() && minimal.is_minimal());
    let why = "generated at k = 3: 3 structures, but 0 without a, 1 without b, 2 without c";
    assert_eq!(minimal.why_minimal(&plan), why);
    let digest = minimal.full.digest;
    let why = format!(
        "generated at k = 3: the full API and the builders give the same 3 structures, digest {digest:032x}"
    );
    assert_eq!(minimal.why_sufficient(), why);
    let losses = minimal.needs.iter().map(|need| need.loss.as_ref().unwrap().heap.is_some());
    assert_eq!(losses.collect::<Vec<_>>(), [true; 3]);
}

/// A heap of gold that grows only where there is a smelted ore.
#[derive(Clone, Debug, Heap)]
pub struct Gold {
    nuggets: u8,
}

/// What only counts once it is smelted.
#[derive(Clone, Debug, Heap)]
pub struct Ore {
    is_smelted: bool,
}

impl Gold {
    pub fn new() -> Self {
        Gold { nuggets: 0 }
    }

    pub fn add(&mut self, ore: &Ore) {
        self.nuggets = ore.is_smelted.into();
    }
}

impl Ore {
    pub fn dig() -> Self {
        Ore { is_smelted: false }
    }

    pub fn smelt(&mut self) {
        self.is_smelted = true;
    }
}

beget::suite! {
    pub suite Mining {
        for Gold {
            fn new() -> Self;
            fn add(&mut self, ore: &Ore);
        }
        for Ore {
            fn dig() -> Self;
            fn smelt(&mut self);
        }
    }
}

#[test]
fn a_confirmation_goes_on_until_a_structure_is_found_that_counts() {
    let plan = plan(Mining::suite(), 2);
    let confirmed = |goal| {
        let methods = idxs(&plan, &["new"]);
        let confirmed = confirm(&plan, &methods, goal, Settings::default(), &mut |_| None);
        let missing = confirmed.unwrap().missing.expect("the set is not sufficient");
        (missing.recipe.unwrap().n_calls(), format!("{:?}", missing.heap.unwrap()).contains("Gold"))
    };
    // An ore, by one call; a nugget, by four.
    assert_eq!(confirmed(Goal::Everything), (1, false));
    assert_eq!(confirmed(Goal::MainType), (4, true));
    // Ores alone: the first heap of gold is missing.
    let methods = idxs(&plan, &["dig", "smelt"]);
    let confirmed =
        confirm(&plan, &methods, Goal::MainType, Settings::default(), &mut |_| None).unwrap();
    assert_eq!(confirmed.missing.unwrap().recipe.unwrap().n_calls(), 1);
    assert_eq!(confirmed.superfluous, methods);
}

#[test]
fn a_confirmation_reaches_the_last_of_many_structures() {
    /// A number, of which only the last can be raised.
    #[derive(Clone, Debug, Heap)]
    pub struct Height {
        n: u32,
    }
    impl Height {
        pub fn new(n: u32) -> Self {
            Height { n }
        }
        pub fn jump(&mut self) {
            if self.n == N - 1 {
                self.n += 1;
            }
        }
    }
    beget::suite! {
        pub suite Jumping for Height {
            fn new(n: u32) -> Self;
            fn jump(&mut self);
        }
    }
    /// More than the calls between two looks at how many structures there are.
    const N: u32 = 40_000;
    let plan = plan(Jumping::suite(), N);
    let methods = idxs(&plan, &["new"]);
    let confirmed =
        confirm(&plan, &methods, Goal::Everything, Settings::default(), &mut |_| None).unwrap();
    assert_eq!(confirmed.builders.structures, u64::from(N));
    assert_eq!(confirmed.missing.unwrap().recipe.unwrap().n_calls(), 2);
}

/// Calls of a method outside the set take their time; whoever watches the check gets to see them.
#[test]
fn calls_of_a_confirmation_are_waited_for() {
    static SEEN: Mutex<Vec<String>> = Mutex::new(vec![]);

    #[derive(Clone, Debug, Heap)]
    pub struct Bed {
        is_warm: bool,
    }
    impl Bed {
        pub fn new() -> Self {
            Bed { is_warm: false }
        }
        pub fn nap(&self) {
            // Far longer than it takes to be seen.
            for _ in 0..20_000 {
                if !SEEN.lock().unwrap().is_empty() {
                    return;
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
    beget::suite! {
        pub suite Resting for Bed {
            fn new() -> Self;
            fn nap(&self);
        }
    }

    struct Onlooker;
    impl Observer for Onlooker {
        fn check(&mut self, _: Progress) -> Option<StopReason> {
            None
        }

        fn wait(&mut self, interim: &Interim<'_>) {
            let calls = interim.current_calls();
            SEEN.lock().unwrap().extend(calls.iter().filter_map(|call| interim.source(call)));
        }
    }

    let plan = plan(Resting::suite(), 1);
    let methods = idxs(&plan, &["new"]);
    let confirmed =
        confirm(&plan, &methods, Goal::Everything, Settings::default(), &mut Onlooker).unwrap();
    assert!(confirmed.missing.is_none());
    assert!(SEEN.lock().unwrap()[0].contains("nap"));
}

#[test]
fn a_set_reaches_what_three_structures_together_lead_to() {
    let methods = [
        ToyMethod::make(&[0]),
        ToyMethod::make(&[1]),
        ToyMethod::change(&[(0, 2)]),
        ToyMethod::new(Does::Merge([0, 1, 2, 3])),
        ToyMethod::new(Does::Merge([3, 3, 1, 4])),
        ToyMethod::new(Does::Merge([4, 2, 3, 5])),
    ];
    let plan = toys(&methods);
    with_space(&plan, Goal::Everything, |space| {
        for set in subsets(methods.len()) {
            let expected = built(&methods, &set);
            let reached = space.reach(&MethodSet::of(methods.len(), set.iter().copied()));
            assert_eq!(reached.n_structures(), expected.len() as u64, "{set:?}");
        }
        let how = BuilderSearch::Exact(Exact::default());
        let (set, _) = find(space, how, 2.0, &mut |_| None).unwrap();
        assert_eq!(set.len(), 6);
    });
}

#[test]
fn a_space_says_which_structures_and_extensions_a_set_builds() {
    let methods = [ToyMethod::make(&[0]), ToyMethod::change(&[(0, 1), (1, 2)])];
    let plan = toys(&methods);
    with_space(&plan, Goal::Everything, |space| {
        assert_eq!(space.goal(), Goal::Everything);
        let of = |set: &[usize]| {
            let set = MethodSet::of(2, set.iter().map(|&index| PlannedIdx::new(index)));
            let reached = space.reach(&set);
            let ids = (0..space.closure().store().len()).map(StructureId::new);
            let contained: Vec<bool> = ids.map(|id| reached.contains(id)).collect();
            let extensions = space.field_extensions(&reached);
            assert_eq!(space.n_extensions(&reached), extensions.len());
            (contained, extensions.into_iter().cloned().collect::<Vec<_>>())
        };
        let extension = |number: u8| Extension {
            field: "number".to_owned(),
            source: Source { class: "Toy", number: 0 },
            target: Target::Value(number.to_string()),
        };
        assert_eq!(of(&[0]), (vec![true, false, false], vec![extension(0)]));
        assert_eq!(of(&[0, 1]), (vec![true; 3], [0, 1, 2].map(extension).to_vec()));
        assert_eq!(of(&[1]), (vec![false; 3], vec![]));
    });
    with_space(&plan, Goal::MainType, |space| assert_eq!(space.goal(), Goal::MainType));
    assert!(MethodSet::empty(2).is_empty());
    assert!(!MethodSet::of(2, [PlannedIdx::new(1)]).is_empty());
}

/// Five methods, each of which adds a structure that no other does.
fn chain() -> Vec<ToyMethod> {
    let change = |from: u8| ToyMethod::change(&[(from, from + 1)]);
    std::iter::once(ToyMethod::make(&[0])).chain((0..4).map(change)).collect()
}

#[test]
fn the_exact_search_counts_sets_and_stops_at_its_limit_and_not_before() {
    let exact = |methods: &[ToyMethod], most_steps: u64| {
        with_space(&toys(methods), Goal::Everything, |space| {
            let how = BuilderSearch::Exact(Exact { most_steps });
            let (_, found) = find(space, how, 2.0, &mut |_| None).unwrap();
            let SearchOutcome::Proof(proof) = found else { panic!("the exact search proves") };
            (proof.is_cheapest, proof.evaluated)
        })
    };
    // The set without each of the five, and then all five; the branch to them has six steps.
    assert_eq!(exact(&chain(), 1000), (true, 6));
    assert_eq!(exact(&chain(), 6), (true, 6));
    assert_eq!(exact(&chain(), 5), (false, 5));
    // Two ways to one structure: the set without each of the three, the constructor alone, that
    // with each of both added, and the constructor with one.
    let two_ways =
        [ToyMethod::make(&[0]), ToyMethod::change(&[(0, 1)]), ToyMethod::change(&[(0, 1)])];
    assert_eq!(exact(&two_ways, 1000), (true, 3 + 1 + 2 + 1));
}

/// The reported steps of a search.
struct Steps(Vec<(u32, f64)>);

impl Observer for Steps {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn step(&mut self, number: u32, value: f64) -> Option<StopReason> {
        self.0.push((number, value));
        None
    }
}

#[test]
fn steps_of_a_search_are_numbered_from_one() {
    let plan = toys(&chain());
    let mut steps = Steps(Vec::new());
    identify(&plan, BuilderSearch::HillClimbing, BuilderSettings::default(), &mut steps).unwrap();
    assert_eq!(steps.0, [(1, 1.0), (2, 2.0), (3, 3.0), (4, 4.0), (5, 5.0)]);
}

/// The first generation is no step.
#[test]
fn each_generation_of_an_evolution_is_a_step() {
    let plan = toys(&chain());
    let mut steps = Steps(Vec::new());
    let how = BuilderSearch::Genetic(Genetic { evolutions: 7, ..Genetic::default() });
    identify(&plan, how, BuilderSettings::default(), &mut steps).unwrap();
    assert_eq!(steps.0.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn without_crossover_and_mutation_nothing_but_single_methods_is_tried() {
    let plan = toys(&chain());
    let genetic = Genetic { crossover_rate: 0.0, mutation_rate: 0.0, ..Genetic::default() };
    let evaluated = |genetic: Genetic| {
        with_space(&plan, Goal::Everything, |space| {
            let (_, found) =
                find(space, BuilderSearch::Genetic(genetic), 2.0, &mut |_| None).unwrap();
            let SearchOutcome::Evolution(evolution) = found else { panic!("an evolution") };
            evolution.evaluated
        })
    };
    assert_eq!(evaluated(genetic), 5);
    assert!(evaluated(Genetic { crossover_rate: 0.35, ..genetic }) > 5);
    assert!(evaluated(Genetic { mutation_rate: 0.08, ..genetic }) > 5);
}

#[test]
fn methods_without_parameters_have_a_fitness() {
    let plan = plan(Mining::suite(), 2);
    let constructors = idxs(&plan, &["new", "dig"]);
    let methods = constructors.iter().map(|&idx| plan.planned(idx).clone()).collect();
    let plan = plan.with(|draft| draft.methods = methods);
    with_space(&plan, Goal::Everything, |space| {
        let how = BuilderSearch::Genetic(Genetic::default());
        let (set, found) = find(space, how, 2.0, &mut |_| None).unwrap();
        let SearchOutcome::Evolution(evolution) = found else { panic!("an evolution") };
        assert_eq!(set.len(), 2);
        // One extension and one of two methods; two and both of them.
        let (first, last) = (evolution.fitness[0], *evolution.fitness.last().unwrap());
        assert!((first - (1.0 + 2.0 / 3.0)).abs() < 1e-12, "{first}");
        assert!((last - (2.0 + 1.0 / 3.0)).abs() < 1e-12, "{last}");
    });
}

#[test]
fn a_search_has_the_name_that_the_command_line_uses() {
    let searches = [
        BuilderSearch::HillClimbing,
        BuilderSearch::Genetic(Genetic::default()),
        BuilderSearch::Exact(Exact::default()),
    ];
    assert_eq!(searches.map(|search| search.name()), ["hill-climbing", "genetic", "exact"]);
}

#[test]
fn what_stopped_a_check_is_the_source_of_its_error() {
    let error = FileError::Stopped(StopReason::MaxCalls(7));
    assert_eq!(error.source().unwrap().to_string(), StopReason::MaxCalls(7).to_string());
    assert!(FileError::Claim(BuildersError::OtherMethods).source().is_none());
}
