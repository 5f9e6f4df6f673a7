//! A sequence while calls are added to it.

use std::any::Any;
use std::sync::Arc;

use beget_guard::guarded;
use beget_heap::CanonicalForm;
use beget_scope::Plan;
use beget_suite::Variable;

use crate::inspect::{Inspector, LeftValue};
use crate::live::Live;
use crate::{CallStep, Fragment};

/// A sequence while calls are added to it.
pub(crate) struct GrowingSequence<'p> {
    pub(crate) prefix: Arc<Fragment>,
    pub(crate) steps: Vec<Arc<CallStep>>,
    pub(crate) live: Live<'p>,
    /// What the last call left.
    pub(crate) left: Vec<LeftValue>,
}

impl GrowingSequence<'_> {
    /// How many calls it has.
    pub(crate) fn n_statements(&self) -> usize {
        self.prefix.n_statements() + self.steps.len()
    }

    /// The sequence as it is now.
    pub(crate) fn to_fragment(&self) -> Fragment {
        let is_empty = self.prefix.n_statements() == 0;
        let parts = if is_empty { Vec::new() } else { vec![self.prefix.clone()] };
        Fragment::new(parts, self.steps.clone())
    }

    /// The value of a variable after all calls, made anew.
    pub(crate) fn value_again(&self, plan: &Plan, variable: Variable) -> Option<Box<dyn Any>> {
        let mut live = Live::new(plan);
        live.replay(&self.prefix).ok()?;
        self.steps.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
        live.take(variable)
    }
}

/// The forms of some variables after a prefix and some steps, made anew.
pub(crate) fn forms_after(
    plan: &Plan,
    prefix: &Fragment,
    steps: &[Arc<CallStep>],
    variables: &[Variable],
) -> Option<Vec<CanonicalForm>> {
    let mut live = Live::new(plan);
    live.replay(prefix).ok()?;
    steps.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
    let mut inspector = Inspector::new(plan);
    let mut form = |&variable: &Variable| {
        guarded(|| inspector.form(&live, variable)).ok().flatten().map(|left| left.form)
    };
    variables.iter().map(&mut form).collect()
}
