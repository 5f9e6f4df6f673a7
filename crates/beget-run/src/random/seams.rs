//! The traits by which a run checks structures from outside.

use std::any::Any;
use std::sync::Arc;

use beget_heap::CanonicalForm;
use beget_plan::finding::Problem;
use beget_suite::{Sequence, TypeIdx, Variable};

use crate::random::{CallVerdict, Fragment, JudgedStructures};

/// A structure that a run has met for the first time.
pub struct NewStructure<'s> {
    /// Its number: that of the distinct structures before it.
    pub id: u64,
    /// Its type.
    pub ty: TypeIdx,
    /// Its canonical form, in the coding of the plan.
    pub form: &'s CanonicalForm,
    /// Makes its value again; `None` if the calls do not give it again.
    pub make: &'s mut dyn FnMut() -> Option<Box<dyn Any>>,
    /// The calls that lead to it, and the variable that holds it.
    pub origin: &'s dyn Fn() -> (Arc<Fragment>, Variable),
}

impl std::fmt::Debug for NewStructure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewStructure")
            .field("id", &self.id)
            .field("ty", &self.ty)
            .finish_non_exhaustive()
    }
}

/// Is asked about every structure when it is met for the first time: contracts, repOKs. It keeps
/// what is wrong.
///
/// Whatever it says, the structure is extended, as `check` does, and not as the paper does
/// (section 2.3): a repOK or a contract that is wrong itself would end the run.
pub trait Judge {
    /// Asks about a structure.
    fn judge(&mut self, structure: &mut NewStructure<'_>);

    /// How many findings it has: where that changes, there is something new to tell.
    fn n_found(&self) -> usize {
        0
    }

    /// Adds what it has found, as it was found. It runs nothing of the subject.
    fn tell(&self, _: &mut JudgedStructures) {}
}

impl Judge for () {
    fn judge(&mut self, _: &mut NewStructure<'_>) {}
}

impl<J: Judge + ?Sized, K: Judge + ?Sized> Judge for (&mut J, &mut K) {
    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        self.0.judge(structure);
        self.1.judge(structure);
    }

    fn n_found(&self) -> usize {
        self.0.n_found() + self.1.n_found()
    }

    fn tell(&self, judged: &mut JudgedStructures) {
        self.0.tell(judged);
        self.1.tell(judged);
    }
}

/// Receives every sequence of a run. It is called on the thread that makes the calls, and changes
/// nothing about the run.
pub trait SequenceObserver: Sync {
    /// A sequence begins.
    fn begun(&self);

    /// A sequence is over.
    fn ended(&self, sequence: &EndedSequence);
}

/// A sequence that is over.
#[derive(Clone, Debug)]
pub struct EndedSequence {
    /// Its calls; none if those of the pool could not be repeated.
    pub calls: Sequence,
    /// The calls that were made for the first time.
    pub n_new_calls: u64,
    /// The structures that were met for the first time.
    pub n_new_structures: u64,
    /// The verdict that ended it early, if one did.
    pub cut_by: Option<CallVerdict>,
    /// The problem of its last call, if that failed.
    pub problem: Option<Problem>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has found this many.
    struct CountingJudge(usize);

    impl Judge for CountingJudge {
        fn judge(&mut self, _: &mut NewStructure<'_>) {}

        fn n_found(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn two_judges_have_found_what_each_has() {
        for (one, other) in [(0, 0), (0, 3), (2, 0), (2, 3)] {
            assert_eq!((&mut CountingJudge(one), &mut CountingJudge(other)).n_found(), one + other);
        }
        assert_eq!(().n_found(), 0);
    }
}
