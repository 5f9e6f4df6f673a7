//! A sequence run once, to see what it shows.

use beget_finding::{Kind, Problem, Signature};
use beget_scope::Plan;

use crate::CallStep;
use crate::inspect::{Inspection, Inspector};
use crate::live::Live;

/// Whether the last of some calls, or dropping what they leave, shows a problem of this cause, and
/// none of those before shows one.
pub(crate) fn shows(plan: &Plan, steps: &[CallStep], cause: &Signature) -> bool {
    problem_of(plan, steps).is_some_and(|problem| problem.signature() == *cause)
}

/// What the last of some calls shows, or dropping what they leave; `None` if that is nothing, or if
/// one before it does not go well.
pub(crate) fn problem_of(plan: &Plan, steps: &[CallStep]) -> Option<Problem> {
    let (last, before) = steps.split_last()?;
    let mut live = Live::new(plan);
    let mut inspector = Inspector::new(plan);
    before.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
    let made = live.make(0, last, false);
    // Whether a call changed something decides between misuse and what is none: neither is a
    // problem.
    let inspection = inspector.inspect(&mut live, last, made, &mut |_| None);
    match (inspection, live.end()) {
        (Inspection::Failure(problem), _) => Some(problem),
        (_, Err(report)) => Some(Problem::drop_panics(&report.message, report.location)),
        (_, Ok(())) => None,
    }
}

/// Whether a problem is one that calls show by themselves.
pub(crate) fn is_of_calls(problem: &Problem) -> bool {
    let others = [Kind::NONDETERMINISTIC, Kind::REPOK];
    !others.contains(&problem.kind)
}
