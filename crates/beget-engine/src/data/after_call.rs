//! The work on a call that has returned or panicked: the steps after its panic, its audits, the
//! invariants of what it left.
//!
//! Each may kill its process or hang, so each has a number that a worker notes beside the call. A
//! watcher names the work by it, and blames it instead of the call.

use beget_plan::finding::{Problem, USABLE_AFTER_PANIC};
use beget_plan::scope::{Plan, PlannedIdx};

use crate::data::after_panic::{PanicStepIdx, step_after_panic};
use crate::data::call_audit::CallAudit;

/// The work on a call that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterCall {
    /// A step after its panic.
    PanicStep(PanicStepIdx),
    /// An audit, which repeats the call.
    Audit(CallAudit),
    /// The check of an invariant, by its position in the suite.
    Invariant(u32),
}

/// The mark of an invariant in a note; that of an audit is the bit above.
const INVARIANT: u32 = 1 << 30;

impl AfterCall {
    /// The work with this number in a note; `None` for 0, which means the call itself.
    pub(crate) fn of_note(number: u32) -> Option<Self> {
        if let Some(audit) = CallAudit::of_note(number) {
            return Some(AfterCall::Audit(audit));
        }
        match number & !INVARIANT {
            index if index != number => Some(AfterCall::Invariant(index)),
            _ => PanicStepIdx::of_number(number).map(AfterCall::PanicStep),
        }
    }

    /// The number in a note.
    pub(crate) fn number(self) -> u32 {
        match self {
            AfterCall::PanicStep(step) => step.number(),
            AfterCall::Audit(audit) => audit.number(),
            AfterCall::Invariant(index) => INVARIANT | index,
        }
    }

    /// The work in words, to blame for a death during it; `None` if a call of `planned` has no such
    /// work.
    pub fn activity(self, plan: &Plan, planned: PlannedIdx) -> Option<String> {
        Some(match self {
            AfterCall::PanicStep(step) => {
                step_after_panic(plan, planned, step)?.activity(plan, planned)
            }
            AfterCall::Audit(audit) => audit.activity().to_owned(),
            AfterCall::Invariant(_) => format!("the invariant `{}`", self.asked(plan)?),
        })
    }

    /// The contract or the invariant that is asked; `None` if the suite has no such invariant.
    fn asked(self, plan: &Plan) -> Option<&'static str> {
        match self {
            AfterCall::PanicStep(_) => Some(USABLE_AFTER_PANIC),
            AfterCall::Audit(audit) => Some(audit.contract()),
            AfterCall::Invariant(index) => Some(plan.suite.invariants.get(index as usize)?.name),
        }
    }

    /// The same problem with the name of what was asked when it occurred.
    pub fn named(self, plan: &Plan, problem: Problem) -> Problem {
        match self.asked(plan) {
            Some(name) => problem.with_name(name),
            None => problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_work_has_a_number_of_its_own() {
        let step = PanicStepIdx::of_number(7).expect("steps count from 1");
        let all = [
            AfterCall::PanicStep(step),
            AfterCall::Audit(CallAudit::Memory),
            AfterCall::Audit(CallAudit::Lie(7)),
            AfterCall::Invariant(0),
            AfterCall::Invariant(7),
        ];
        for work in all {
            assert_eq!(AfterCall::of_note(work.number()), Some(work));
        }
        assert_eq!(AfterCall::of_note(0), None);
    }
}
