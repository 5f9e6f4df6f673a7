//! Steps of calls that are made again and again: each is made once, and shared by all sequences.
//!
//! Invariant: equal method, variables and literals give equal steps, whether they are kept or not,
//! so what is kept and forgotten shows nowhere.

use std::sync::Arc;

use beget_heap::hash::{FixedMap, fixed_map};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Literal, Variable};

use crate::random::CallStep;
use crate::random::constants::{DrawnLiteral, LiteralPool};

/// Calls with more structures and literals than this less two are not kept.
const KEY_LENGTH: usize = 8;

/// The method, the first free variable, the structures, the literals. How many of each there are
/// the method says.
type StepKey = [u32; KEY_LENGTH];

/// The most steps that are kept; then the table is cleared.
const MOST_KEPT: usize = 1 << 16;

/// The steps made so far.
pub(crate) struct StepTable {
    kept: FixedMap<StepKey, Arc<CallStep>>,
}

impl StepTable {
    pub(crate) fn new() -> Self {
        StepTable { kept: fixed_map() }
    }

    /// The call of a method; what it returns is bound from variable `first` on.
    pub(crate) fn step(
        &mut self,
        plan: &Plan,
        method: PlannedIdx,
        structures: &[Variable],
        (pool, literals): (&LiteralPool, &[DrawnLiteral]),
        first: usize,
    ) -> Arc<CallStep> {
        let make = || make_step(plan, method, structures, (pool, literals), first);
        let Some(key) = key_of(method, structures, literals, first) else { return make() };
        if self.kept.len() == MOST_KEPT {
            self.kept.clear();
        }
        let step = self.kept.entry(key).or_insert_with(&make);
        debug_assert_eq!(step.statement, make().statement, "another call was kept");
        step.clone()
    }
}

/// The same step, not kept.
pub(crate) fn make_step(
    plan: &Plan,
    method: PlannedIdx,
    structures: &[Variable],
    (pool, literals): (&LiteralPool, &[DrawnLiteral]),
    first: usize,
) -> Arc<CallStep> {
    let literal = |(param, drawn)| Literal::clone(pool.get(method, param, drawn));
    let literals = literals.iter().enumerate().map(literal).collect();
    Arc::new(CallStep::new(plan, method, structures, literals, first))
}

/// The key that identifies a call; `None` if it takes too much, or a literal of its own.
fn key_of(
    method: PlannedIdx,
    structures: &[Variable],
    literals: &[DrawnLiteral],
    first: usize,
) -> Option<StepKey> {
    let (mut key, mut places) = ([0; KEY_LENGTH], 0..KEY_LENGTH);
    let mut put = |number: usize| -> Option<()> {
        key[places.next()?] = u32::try_from(number).ok()?;
        Some(())
    };
    put(method.index())?;
    put(first)?;
    structures.iter().try_for_each(|variable| put(variable.0))?;
    literals.iter().try_for_each(|drawn| match drawn {
        DrawnLiteral::Kept(number) => put(*number as usize),
        DrawnLiteral::Made(_) => None,
    })?;
    Some(key)
}
