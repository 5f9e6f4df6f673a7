//! A sequence while calls are added to it.

use std::sync::Arc;

use beget_guard::guarded;
use beget_heap::CanonicalForm;
use beget_suite::Variable;

use crate::inspect::{Inspector, LeftValue};
use crate::live::Live;
use crate::start::SequenceStart;
use crate::{CallStep, Fragment};

/// A sequence while calls are added to it.
pub(crate) struct GrowingSequence<'p> {
    pub(crate) start: SequenceStart,
    pub(crate) steps: Vec<Arc<CallStep>>,
    pub(crate) live: Live<'p>,
    /// What the last call left.
    pub(crate) left: Vec<LeftValue>,
}

impl GrowingSequence<'_> {
    /// How many calls it has.
    pub(crate) fn n_statements(&self) -> usize {
        self.start.prefix.n_statements() + self.steps.len()
    }

    /// The sequence as it is now.
    pub(crate) fn to_fragment(&self) -> Fragment {
        to_fragment(&self.start, self.steps.clone())
    }
}

/// The sequence that begins so and goes on with these steps.
pub(crate) fn to_fragment(start: &SequenceStart, steps: Vec<Arc<CallStep>>) -> Fragment {
    let is_empty = start.prefix.n_statements() == 0;
    let parts = if is_empty { Vec::new() } else { vec![start.prefix.clone()] };
    Fragment::new(parts, steps)
}

/// The forms of some variables; `None` if one holds nothing, or is out of scope.
pub(crate) fn forms_of(
    inspector: &mut Inspector<'_>,
    live: &Live<'_>,
    variables: &[Variable],
) -> Option<Vec<Arc<CanonicalForm>>> {
    let mut form = |&variable: &Variable| {
        guarded(|| inspector.form(live, variable)).ok().flatten().map(|left| left.form)
    };
    variables.iter().map(&mut form).collect()
}
