//! The calls of a task, one after another.

use beget_plan::scope::PlannedIdx;
use beget_suite::{Literal, Method};

use super::{Calls, RunContext, Worker};

/// One call to make. It consists only of its number, which is passed in registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) planned: PlannedIdx,
    pub(super) tuple: u32,
}

impl<'e> Worker<'e> {
    pub(super) fn method_of(&self, attempt: Attempt) -> &'e Method {
        self.plan().method(attempt.planned)
    }

    pub(super) fn literals_of(&self, attempt: Attempt) -> &'e [&'e Literal] {
        &self.shared.tuples[attempt.planned.index()][attempt.tuple as usize]
    }
}

/// The calls of one method.
pub(super) struct MethodAttempts<'w> {
    pub(super) planned: PlannedIdx,
    pub(super) method: &'w Method,
    /// The number of the first tuple.
    first: u32,
    tuples: &'w [Vec<&'w Literal>],
}

impl<'w> MethodAttempts<'w> {
    /// The attempts, each with its literals.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Attempt, &'w [&'w Literal])> + use<'w> {
        let planned = self.planned;
        let tuples = (self.first..).zip(self.tuples);
        tuples.map(move |(tuple, literals)| (Attempt { planned, tuple }, &literals[..]))
    }
}

/// The calls: methods in suite order, literals in lexicographic order.
pub(super) fn attempts<'w>(
    shared: &'w RunContext<'w>,
    calls: Calls<'w>,
) -> impl Iterator<Item = Attempt> {
    let by_method = attempts_by_method(shared, calls);
    by_method.flat_map(|attempts| attempts.iter().map(|(attempt, _)| attempt))
}

/// The same by methods, so that a loop over one method's calls has little to check before each.
pub(super) fn attempts_by_method<'w>(
    shared: &'w RunContext<'w>,
    calls: Calls<'w>,
) -> impl Iterator<Item = MethodAttempts<'w>> {
    calls.group.methods.iter().map(move |&planned| {
        let all = &shared.tuples[planned.index()][..];
        let (first, tuples) = match calls.literals {
            None => (0, all),
            Some(only) => (only, &all[only as usize..][..1]),
        };
        let method = shared.reconstructor.plan.method(planned);
        MethodAttempts { planned, method, first, tuples }
    })
}
