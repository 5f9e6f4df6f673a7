//! The steps after a panic: what is done with the values that a call leaves when it panics.
//!
//! A program that catches a panic goes on with these values: it shows them, calls their methods and
//! drops them. The plan alone determines the steps after a method's panic, so each step has a
//! number, by which a watcher can name it.

use std::any::Any;

use beget_plan::finding::Problem;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{PanicReport, guarded, last_panic};
use beget_suite::{ItemSteps, Passing, Recipe, TypeIdx, TypeTraits};

use crate::data::calls::{CallParts, CallTable, recipe_of, recipe_of_call, recipe_with};
use crate::data::ids::StructureId;
use crate::data::origin::{Recipes, StoreError};
use crate::data::wire::packs_fields;

/// The number of tuples of literals, the first ones, with which a method is tried after a panic.
const MOST_TUPLES: usize = 4;

/// The most items taken from an iteration.
const MOST_ITEMS: usize = 1_000;

/// One step after the panic of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PanicStep {
    /// The structure argument that it concerns.
    pub(crate) argument: usize,
    /// The call made on it; `None` if it is only shown and dropped.
    pub(crate) next: Option<FollowingCall>,
}

/// A call after a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FollowingCall {
    pub(crate) planned: PlannedIdx,
    pub(crate) tuple: u32,
    /// Its structure arguments after the first, each by the argument of the panicking call whose
    /// structure is built again for it.
    pub(crate) others: Vec<usize>,
}

/// The number of a step: its position among those of the method, counted from 1, because 0 in a
/// note means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PanicStepIdx(u32);

packs_fields! {
    PanicStepIdx { 0 }
    PanicTally { followed, broken }
}

impl PanicStepIdx {
    /// The step with this number; `None` for 0.
    pub(crate) fn of_number(number: u32) -> Option<Self> {
        (number > 0).then_some(PanicStepIdx(number))
    }

    /// The number, which is not 0.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The steps after a panic of `planned`, in order. There are none if it leaves no structure.
pub(crate) fn steps_after_panic(
    plan: &Plan,
    planned: PlannedIdx,
) -> Vec<(PanicStepIdx, PanicStep)> {
    let arguments: Vec<(TypeIdx, Passing)> = plan.method(planned).structure_params().collect();
    let left = |&(_, (_, passing)): &(usize, (TypeIdx, Passing))| passing != Passing::Value;
    let left: Vec<_> = arguments.iter().copied().enumerate().filter(left).collect();
    let looks = left.iter().take(1).map(|&(argument, _)| PanicStep { argument, next: None });
    let calls = plan.planned_idxs().flat_map(|next| {
        let mut structures = plan.planned(next).structures.iter();
        let of = structures.next().and_then(|ty| left.iter().find(|(_, (left, _))| left == ty));
        let other = |ty: &TypeIdx| arguments.iter().position(|(of, _)| of == ty);
        let others: Option<Vec<usize>> = structures.map(other).collect();
        let n_tuples = plan.planned(next).n_tuples().min(MOST_TUPLES) as u32;
        let calls = of.zip(others).map(|(&(argument, _), others)| {
            (0..n_tuples).map(move |tuple| {
                let others = others.clone();
                PanicStep { argument, next: Some(FollowingCall { planned: next, tuple, others }) }
            })
        });
        calls.into_iter().flatten()
    });
    (1..).map(PanicStepIdx).zip(looks.chain(calls)).collect()
}

/// The step with a number, if there is one.
pub(crate) fn step_after_panic(
    plan: &Plan,
    planned: PlannedIdx,
    number: PanicStepIdx,
) -> Option<PanicStep> {
    let mut steps = steps_after_panic(plan, planned).into_iter();
    steps.find(|(known, _)| *known == number).map(|(_, step)| step)
}

impl PanicStep {
    /// The time of an event, in words: `planned` is the method that panicked.
    pub(crate) fn when(&self, plan: &Plan, planned: PlannedIdx) -> String {
        let panicked = plan.method_name(planned);
        match &self.next {
            None => format!("after the panic in `{panicked}`"),
            Some(next) => {
                let next = plan.method_name(next.planned);
                format!("after the panic in `{panicked}` and a call of `{next}`")
            }
        }
    }

    /// The action of the step, in words, to blame for a death during it.
    pub(crate) fn activity(&self, plan: &Plan, planned: PlannedIdx) -> String {
        let panicked = plan.method_name(planned);
        match &self.next {
            None => {
                format!("after the panic in `{panicked}`, looking at what it left or dropping that")
            }
            Some(next) => {
                let next = plan.method_name(next.planned);
                format!("after the panic in `{panicked}`, `{next}` or dropping what that left")
            }
        }
    }

    /// The recipe of the step: of the call that panics, or of the call after it.
    pub(crate) fn recipe(
        &self,
        plan: &Plan,
        calls: &CallTable,
        recipes: &dyn Recipes,
        panicked: CallParts,
        arguments: &[StructureId],
    ) -> Result<Recipe, StoreError> {
        let panicked = CallParts { output: self.argument, panics: true, ..panicked };
        let left = recipe_of_call(plan, calls, recipes, panicked, arguments)?;
        let Some(FollowingCall { planned, tuple, others }) = &self.next else { return Ok(left) };
        let mut made = vec![left];
        for &other in others {
            made.push(recipe_of(plan, calls, recipes, arguments[other])?);
        }
        let (planned, tuple) = (*planned, *tuple as usize);
        let parts = CallParts { planned, output: 0, tuple, panics: false };
        Ok(recipe_with(plan, parts, &mut made))
    }
}

/// The results for the values that panics left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanicTally {
    /// Calls whose values were followed after the panic.
    pub followed: u64,
    /// Those of them that showed a problem.
    pub broken: u64,
}

impl std::ops::AddAssign for PanicTally {
    fn add_assign(&mut self, other: PanicTally) {
        self.followed += other.followed;
        self.broken += other.broken;
    }
}

/// A fault after a panic.
#[derive(Clone, Debug)]
pub enum AfterPanicFault {
    /// An invariant does not hold.
    Invariant(Problem),
    /// A destructor panics.
    Drop(PanicReport),
}

impl AfterPanicFault {
    /// Returns whether both are of the same invariant or destructor.
    pub fn is_like(&self, other: &AfterPanicFault) -> bool {
        match (self, other) {
            (AfterPanicFault::Invariant(one), AfterPanicFault::Invariant(other)) => {
                one.name == other.name
            }
            (AfterPanicFault::Drop(one), AfterPanicFault::Drop(other)) => {
                one.location == other.location
            }
            _ => false,
        }
    }

    /// The broken contract; `when` names the preceding call, in words.
    pub fn problem(self, when: &str) -> Problem {
        match self {
            AfterPanicFault::Invariant(problem) => {
                Problem::after_panic(&format!("{when}, {}", problem.message))
            }
            AfterPanicFault::Drop(report) => {
                let message = format!("{when}, a destructor {report}");
                Problem::after_panic(&message).at(report.location)
            }
        }
    }
}

/// Shows a value as a program may: by its `Debug` and by iteration. Panics of these are ignored.
pub fn look_at_value(traits: &TypeTraits, value: &dyn Any) {
    if let Some(shown) = traits.debug_of(value) {
        let _ = guarded(|| drop(format!("{shown:?}")));
    }
    if let Some(iterate) = traits.iterate {
        let all = |items: &mut dyn ItemSteps| {
            (0..MOST_ITEMS).take_while(|_| items.step().is_some()).for_each(drop);
        };
        let _ = guarded(|| iterate(value, &mut { all }));
    }
    drop(last_panic());
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use beget_plan::finding::Kind;

    use super::*;
    use crate::common::{plan, suite};
    use crate::data::origin::Origin;

    fn next(planned: usize, tuple: u32, others: &[usize]) -> Option<FollowingCall> {
        let planned = PlannedIdx::new(planned);
        Some(FollowingCall { planned, tuple, others: others.to_vec() })
    }

    /// An insertion of five, of which four are tried, and a call that takes a second tree, which
    /// is made like the first.
    #[test]
    fn after_a_panic_the_value_is_shown_and_every_method_is_tried_on_it() {
        let plan = plan(suite(), &["new", "insert", "absorb"], 5);
        let steps = |method| steps_after_panic(&plan, PlannedIdx::new(method));
        let of = |steps: Vec<(PanicStepIdx, PanicStep)>| {
            let of = |(number, step): (PanicStepIdx, PanicStep)| {
                assert_eq!(step.argument, 0);
                (number.number(), step.next)
            };
            steps.into_iter().map(of).collect::<Vec<_>>()
        };
        let meant = vec![
            (1, None),
            (2, next(1, 0, &[])),
            (3, next(1, 1, &[])),
            (4, next(1, 2, &[])),
            (5, next(1, 3, &[])),
            (6, next(2, 0, &[0])),
        ];
        assert_eq!(of(steps(1)), meant);
        assert_eq!(of(steps(2)), meant);
        assert_eq!(steps(0), []);
    }

    /// Every structure is an empty tree.
    struct OnlyNew;

    impl Recipes for OnlyNew {
        fn origin_of(&self, _: StructureId) -> Result<Origin, StoreError> {
            Ok(Origin { call: crate::CallIdx::new(0), arguments: Vec::new() })
        }
    }

    #[test]
    fn the_recipe_of_a_step_means_the_argument_that_it_is_about() {
        let plan = plan(suite(), &["new", "absorb"], 1);
        let calls = CallTable::new(&plan);
        let absorb = PlannedIdx::new(1);
        let panicked = CallParts { planned: absorb, output: 0, tuple: 0, panics: false };
        let recipe = |step: PanicStep| {
            let arguments = [0, 0].map(StructureId::new);
            step.recipe(&plan, &calls, &OnlyNew, panicked, &arguments).unwrap()
        };
        let looked = recipe(PanicStep { argument: 1, next: None });
        assert_eq!((looked.output, looked.panics), (1, true));
        let called = recipe(PanicStep { argument: 1, next: next(1, 0, &[0]) });
        assert_eq!((called.output, called.panics), (0, false));
    }

    #[test]
    fn faults_are_alike_if_one_invariant_or_one_destructor_shows_them() {
        let invariant = |name, reason| AfterPanicFault::Invariant(Problem::invariant(name, reason));
        let drop = |location: &str| {
            let (message, location) = ("no".to_owned(), location.to_owned());
            AfterPanicFault::Drop(PanicReport { message, location })
        };
        assert!(invariant("sorted", "2 before 1").is_like(&invariant("sorted", "3 before 2")));
        assert!(!invariant("sorted", "no").is_like(&invariant("balanced", "no")));
        assert!(drop("a.rs:1").is_like(&drop("a.rs:1")));
        assert!(!drop("a.rs:1").is_like(&drop("a.rs:2")));
        assert!(!drop("a.rs:1").is_like(&invariant("sorted", "no")));
        assert_eq!(drop("a.rs:1").problem("then").kind, Kind::Contract);
    }

    #[test]
    fn a_value_is_shown_by_its_debug_whose_panic_is_ignored() {
        static N_SHOWN: AtomicU32 = AtomicU32::new(0);
        let debug = |_: &dyn Any, _: &mut fmt::Formatter<'_>| {
            N_SHOWN.fetch_add(1, Relaxed);
            panic!("do not look")
        };
        let traits = TypeTraits { debug: Some(debug), ..TypeTraits::default() };
        look_at_value(&traits, &());
        assert_eq!(N_SHOWN.load(Relaxed), 1);
    }
}
