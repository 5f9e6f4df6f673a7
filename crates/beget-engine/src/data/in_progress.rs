//! The calls of a run that are being made.

use beget_plan::finding::Problem;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{CallInProgress, current_calls};

use crate::data::after_call::AfterCall;

/// The current work of a call, in words.
pub(crate) fn culprit_of(plan: &Plan, call: &CallInProgress) -> String {
    let method = call.method.map(|method| PlannedIdx::new(method as usize));
    let after = AfterCall::of_note(call.after).zip(method);
    let after = after.and_then(|(after, method)| after.activity(plan, method));
    match (after, method) {
        (Some(activity), _) => activity,
        (None, Some(_)) if call.is_own_work => "walking what the call left".to_owned(),
        (None, Some(_)) => "the call".to_owned(),
        (None, None) => "making, copying or dropping the structure".to_owned(),
    }
}

/// The same problem with the name of the contract or invariant that was asked about `call` when it
/// occurred, if any.
pub fn named_by_work(plan: &Plan, problem: Problem, call: &CallInProgress) -> Problem {
    match AfterCall::of_note(call.after) {
        Some(after) => after.named(plan, problem),
        None => problem,
    }
}

/// The calls of a plan's run that are being made.
pub(crate) fn calls_of(plan: &Plan) -> Vec<CallInProgress> {
    let run = run_number(plan);
    current_calls().into_iter().filter(|call| call.run == run).collect()
}

/// Distinguishes runs at the same time: each borrows its own plan.
pub(crate) fn run_number(plan: &Plan) -> usize {
    std::ptr::from_ref(plan).addr()
}
