//! Invariants, checked on each structure that a call left before anything walks it.
//!
//! An invariant may depend on integers only, and may be the last protection from a pointer that
//! leads nowhere. So it is checked after every call that may have changed something, and forms are
//! never derived from bytes alone ([`crate::worker::reencode`]) if there are invariants.
//!
//! # When they are checked
//!
//! An **invariant** of a suite is checked on each structure that a call leaves, before it is
//! walked: a rejected structure is a failure and is never stored, so a pointer that the invariant
//! calls wrong is never followed. The picture of such a finding shows the arguments of the call
//! (`Witness::before`), which are in the store.

use std::any::Any;

use beget_plan::finding::Problem;
use beget_process::guard::{guarded, last_panic};
use beget_suite::{Frame, Invariant, TypeIdx, without_keys};

use super::{Attempt, Worker};
use crate::data::after_call::AfterCall;

impl Worker<'_> {
    /// The problem of the first structure left by a call that an invariant rejects. `changed` is
    /// false if no argument can have changed.
    pub(super) fn broken_invariant(
        &self,
        attempt: Attempt,
        frame: &Frame,
        changed: bool,
    ) -> Option<Problem> {
        let plan = self.plan();
        if plan.suite.invariants.is_empty() {
            return None;
        }
        // An invariant is the subject's code.
        self.note(attempt);
        let planned = plan.planned(attempt.planned);
        let method = plan.suite.method(planned.method);
        let arguments = frame.arguments.iter().zip(&planned.structures).filter(|_| changed);
        let results = frame.results.iter().zip(method.outputs.iter().map(|output| &output.ty));
        let broken = arguments.chain(results).find_map(|(slot, ty)| {
            let value = slot.as_deref()?;
            let noted = |index| self.current.set_after(AfterCall::Invariant(index).number());
            broken_invariant_noted(&plan.suite.invariants, *ty, value, noted)
        });
        self.current.set_after(0);
        broken
    }
}

/// The problem of a structure of type `ty` that one of the `invariants` rejects, each checked under
/// guard.
pub fn broken_invariant(invariants: &[Invariant], ty: TypeIdx, value: &dyn Any) -> Option<Problem> {
    broken_invariant_noted(invariants, ty, value, |_| ())
}

/// Like [`broken_invariant`], with the position of each invariant given to `note` before its check.
fn broken_invariant_noted(
    invariants: &[Invariant],
    ty: TypeIdx,
    value: &dyn Any,
    note: impl Fn(u32),
) -> Option<Problem> {
    let mut of_type = (0..).zip(invariants).filter(|(_, invariant)| invariant.ty == ty);
    of_type.find_map(|(index, invariant)| {
        note(index);
        match guarded(|| (invariant.check)(without_keys(value))) {
            Ok(Ok(())) => None,
            Ok(Err(reason)) => Some(Problem::invariant(invariant.name, &reason)),
            Err(_) => {
                let report = last_panic();
                let problem = Problem::invariant(invariant.name, &format!("it {report}"));
                Some(problem.at(report.location))
            }
        }
    })
}
