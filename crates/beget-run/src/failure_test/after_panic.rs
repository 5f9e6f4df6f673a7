//! Tests of the values left by a panic: the calls, one of which panics and is caught, and the
//! invariant that then fails. A panicking destructor makes the test fail by itself.

use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_suite::Sequence;

use super::{NoFailure, asked, assertion_of_invariant, broken_invariant, called};
use crate::replay::{Replay, unobserved};

/// The statements of a test that fails as the problem describes, if the repeated calls show it.
pub(super) fn body(
    plan: &Plan,
    calls: &Sequence,
    problem: &Problem,
) -> Result<Vec<String>, NoFailure> {
    let invariants = plan.suite.invariants.iter();
    let mut named = invariants.filter(|one| is_named(&problem.message, one.name));
    let broken = named.find_map(|one| broken_invariant(plan, calls, one.name).ok());
    if let Some((calls, name)) = broken {
        return Ok(asked(plan, &calls, |variable| assertion_of_invariant(name, variable)));
    }
    let calls = Sequence { result: None, ..calls.clone() };
    let mut replay = Replay::new(plan, &calls);
    replay.run(&calls, unobserved).map_err(|_| NoFailure::Gone)?;
    let dropped = replay.end().err().ok_or(NoFailure::Gone)?;
    let is_it = problem.place.as_deref() == Some(dropped.location.as_str());
    is_it.then(|| called(plan, &calls)).ok_or(NoFailure::Gone)
}

fn is_named(message: &str, invariant: &str) -> bool {
    message.contains(&format!("`{invariant}`"))
}
