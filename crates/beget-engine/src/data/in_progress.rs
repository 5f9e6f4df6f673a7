//! The calls of a run that are being made.

use beget_plan::finding::{Problem, USABLE_AFTER_PANIC};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{CallInProgress, current_calls};

use crate::data::after_panic::{PanicStepIdx, step_after_panic};
use crate::data::call_audit::CallAudit;

/// What a call is doing, for people.
pub(crate) fn culprit_of(plan: &Plan, call: &CallInProgress) -> String {
    let method = call.method.map(|method| PlannedIdx::new(method as usize));
    let step = PanicStepIdx::of_note(call.after).zip(method);
    let step = step.and_then(|(step, method)| step_after_panic(plan, method, step));
    let audit = CallAudit::of_note(call.after).map(|audit| audit.activity().to_owned());
    if let (Some(activity), Some(_)) = (audit, method) {
        return activity;
    }
    match (step, method) {
        (Some(step), Some(method)) => step.activity(plan, method),
        (_, Some(_)) if call.is_own_work => "walking what the call left".to_owned(),
        (_, Some(_)) => "the call".to_owned(),
        (_, None) => "making, copying or dropping the structure".to_owned(),
    }
}

/// The problem with the contract that was asked when it was met in `call`, if one was.
pub fn with_contract(problem: Problem, call: &CallInProgress) -> Problem {
    match (call.after, CallAudit::of_note(call.after)) {
        (0, _) => problem,
        (_, Some(audit)) => problem.with_name(audit.contract()),
        (_, None) => problem.with_name(USABLE_AFTER_PANIC),
    }
}

/// The calls of a plan's run that are being made.
pub(crate) fn calls_of(plan: &Plan) -> Vec<CallInProgress> {
    let run = run_number(plan);
    current_calls().into_iter().filter(|call| call.run == run).collect()
}

/// Tells runs at the same time apart: each borrows a plan of its own.
pub(crate) fn run_number(plan: &Plan) -> usize {
    std::ptr::from_ref(plan).addr()
}
