//! Invariants, asked about each structure that a call left before anything walks it.
//!
//! An invariant may look at integers only, and a broken one may be the last thing to look at before
//! a pointer that leads nowhere. So it is asked after every call that may have changed something,
//! and no form is told from the bytes alone ([`crate::worker::reencode`]) where there are any.
//!
//! # When they are asked
//!
//! An **invariant** of a suite is asked about each structure that a call leaves, before it is
//! walked: what it rejects is a failure and never becomes a structure, so nothing follows a pointer
//! that it calls wrong: the picture of such a finding is of what the call was made on
//! (`Witness::before`), which is in the store. Where there are any, no form is told without a walk
//! (below).

use std::any::Any;

use beget_plan::finding::Problem;
use beget_process::guard::{guarded, last_panic};
use beget_suite::{Frame, Invariant, TypeIdx, without_keys};

use super::{Attempt, Worker};

impl Worker<'_> {
    /// What is wrong with the first structure left by a call that an invariant rejects. `changed`
    /// is false if no argument can have changed.
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

/// What is wrong with a structure of type `ty` that one of the `invariants` rejects, each asked
/// under guard.
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
