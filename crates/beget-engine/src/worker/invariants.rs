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
        arguments.chain(results).find_map(|(slot, ty)| {
            let value = slot.as_deref()?;
            broken_invariant(&plan.suite.invariants, *ty, value)
        })
    }
}

/// The problem of a structure of type `ty` that one of the `invariants` rejects, each checked under
/// guard.
pub fn broken_invariant(invariants: &[Invariant], ty: TypeIdx, value: &dyn Any) -> Option<Problem> {
    invariants.iter().filter(|invariant| invariant.ty == ty).find_map(|invariant| {
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
