//! The calls of a task, one after another.

use std::slice;

use beget_scope::PlannedIdx;
use beget_suite::{Literal, Method};

use super::{Calls, Shared};

/// One call to make.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'w> {
    pub(super) planned: PlannedIdx,
    pub(super) tuple: u32,
    pub(super) literals: &'w [&'w Literal],
    pub(super) method: &'w Method,
}

/// The calls, methods in suite order, literals in lexicographic order.
pub(super) fn attempts<'w>(shared: &'w Shared<'w>, calls: Calls<'w>) -> Attempts<'w> {
    Attempts { shared, methods: calls.group.methods.iter(), only: calls.literals, present: None }
}

/// Written out, because it is asked before every call: a flattened iterator is not inlined there.
pub(super) struct Attempts<'w> {
    shared: &'w Shared<'w>,
    methods: slice::Iter<'w, PlannedIdx>,
    only: Option<u32>,
    present: Option<Tuples<'w>>,
}

/// The calls of one method that are left.
struct Tuples<'w> {
    planned: PlannedIdx,
    method: &'w Method,
    tuples: slice::Iter<'w, Vec<&'w Literal>>,
    next: u32,
}

impl<'w> Iterator for Attempts<'w> {
    type Item = Attempt<'w>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attempt<'w>> {
        loop {
            if let Some(present) = &mut self.present
                && let Some(literals) = present.tuples.next()
            {
                let tuple = present.next;
                present.next += 1;
                return Some(Attempt {
                    planned: present.planned,
                    tuple,
                    literals,
                    method: present.method,
                });
            }
            self.begin_next_method()?;
        }
    }
}

impl<'w> Attempts<'w> {
    #[inline(never)]
    fn begin_next_method(&mut self) -> Option<()> {
        let planned = *self.methods.next()?;
        let plan = self.shared.reconstructor.plan;
        let all = &self.shared.tuples[planned.index()][..];
        let (next, tuples) = match self.only {
            None => (0, all),
            Some(only) => (only, &all[only as usize..][..1]),
        };
        let method = plan.method(planned);
        self.present = Some(Tuples { planned, method, tuples: tuples.iter(), next });
        Some(())
    }
}
