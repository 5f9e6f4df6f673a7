//! The same calls by `proptest-state-machine`, with the least that it can be asked for: a machine
//! without a state of its own, whose transitions are a method and a seed for its arguments. Contracts
//! are its invariants, asked after each transition.

use std::cell::{Cell, RefCell};
use std::fmt;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::SplitMix64;
use proptest::strategy::{BoxedStrategy, Just, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use beget_oracle::ApplicableContracts;

use crate::walk::{Asked, Step, Walk};

thread_local! {
    /// What is run: states come from nowhere.
    static PLAN: Cell<Option<&'static Plan>> = const { Cell::new(None) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static ASKED: RefCell<Option<Asked<'static>>> = const { RefCell::new(None) };
}

/// Runs sequences of 1 to `longest` calls until about so many are made; how many sequences and
/// calls there were.
pub(crate) fn run(plan: &Plan, n_calls: u64, longest: usize, asks: bool) -> (u64, u64) {
    let plan: &'static Plan = Box::leak(Box::new(plan.clone()));
    PLAN.set(Some(plan));
    CALLS.set(0);
    let oracle = || -> &'static ApplicableContracts<'static> {
        Box::leak(Box::new(ApplicableContracts::new(plan, &|_| true)))
    };
    ASKED.set(asks.then(|| Asked::new(oracle())));
    let cases = u32::try_from(2 * n_calls / longest as u64).expect("not that many");
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut runner = TestRunner::new_with_rng(config.clone(), rng);
    let strategy = Machine::sequential_strategy(1..=longest);
    let run = runner.run(&strategy, |(state, transitions, seen)| {
        Sequences::test_sequential(config.clone(), state, transitions, seen);
        Ok(())
    });
    run.expect("nothing is asked of the calls");
    (cases.into(), CALLS.get())
}

/// The machine.
struct Machine;

/// Its state: the plan, which stays.
#[derive(Clone, Copy)]
struct PlanState(&'static Plan);

impl fmt::Debug for PlanState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.suite.name)
    }
}

impl ReferenceStateMachine for Machine {
    type State = PlanState;
    type Transition = (usize, u64);

    fn init_state() -> BoxedStrategy<PlanState> {
        Just(PlanState(PLAN.get().expect("a plan is set"))).boxed()
    }

    fn transitions(&PlanState(plan): &PlanState) -> BoxedStrategy<(usize, u64)> {
        (0..plan.methods.len(), 0..u64::MAX).boxed()
    }

    fn apply(state: PlanState, _: &(usize, u64)) -> PlanState {
        state
    }
}

/// The sequences of calls.
struct Sequences;

impl StateMachineTest for Sequences {
    type SystemUnderTest = Walk<'static>;
    type Reference = Machine;

    fn init_test(&PlanState(plan): &PlanState) -> Walk<'static> {
        Walk::new(plan)
    }

    fn apply(
        mut walk: Walk<'static>,
        &PlanState(plan): &PlanState,
        (method, seed): (usize, u64),
    ) -> Walk<'static> {
        let mut choose = SplitMix64::of_seeds(&[seed]);
        match walk.call(PlannedIdx::new(method), &mut choose) {
            Step::NotMade => return walk,
            // What a panicking call leaves is not used.
            Step::Panicked => walk = Walk::new(plan),
            Step::Returned => {}
        }
        CALLS.set(CALLS.get() + 1);
        walk
    }

    fn check_invariants(walk: &Walk<'static>, _: &PlanState) {
        ASKED.with_borrow_mut(|asked| asked.iter_mut().for_each(|asked| asked.ask(walk)));
    }
}
