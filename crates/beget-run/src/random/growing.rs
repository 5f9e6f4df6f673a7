//! A sequence while calls are added to it.

use std::sync::Arc;

use beget_heap::CanonicalForm;
use beget_heap::hash::FixedMap;
use beget_process::guard::guarded;
use beget_suite::Variable;

use crate::random::inspect::{Inspector, LeftValue};
use crate::random::live::Live;
use crate::random::start::SequenceStart;
use crate::random::{CallStep, Fragment};

/// A sequence while calls are added to it.
pub(crate) struct GrowingSequence<'p> {
    pub(crate) start: SequenceStart,
    pub(crate) steps: Vec<Arc<CallStep>>,
    pub(crate) live: Live<'p>,
    /// The structures that the last call left.
    pub(crate) left: Vec<LeftValue>,
    /// The forms that variables had when a call was last seen to leave them, where that is asked
    /// for.
    pub(crate) known: FixedMap<usize, Arc<CanonicalForm>>,
}

impl GrowingSequence<'_> {
    /// How many calls it has.
    pub(crate) fn n_statements(&self) -> usize {
        self.start.prefix.n_statements() + self.steps.len()
    }

    /// Notes the forms of what the last call left.
    pub(crate) fn note_left(&mut self) {
        let left = self.left.iter().map(|left| (left.variable.0, left.form.clone()));
        self.known.extend(left);
    }

    /// Returns whether a variable holds something that is not as it was when that was noted last.
    pub(crate) fn is_changed(&self, inspector: &mut Inspector<'_>, variable: Variable) -> bool {
        let known = self.known.get(&variable.0).cloned();
        let now = forms_of(inspector, &self.live, &[variable]);
        self.live.value(variable).is_some()
            && (known.is_none() || now != known.map(|form| vec![form]))
    }

    /// The sequence as it is now.
    pub(crate) fn to_fragment(&self) -> Fragment {
        to_fragment(&self.start, self.steps.clone())
    }
}

/// The forms of some variables after the last of `steps`, which left this; `None` if calls would
/// have to be made again to know them.
pub(crate) fn known_forms(
    start: &SequenceStart,
    steps: &[Arc<CallStep>],
    left: &[LeftValue],
    variables: &[Variable],
) -> Option<Vec<Arc<CanonicalForm>>> {
    let form = |variable: &Variable| match steps {
        [] => start.form_of(*variable).cloned(),
        _ => left.iter().find(|left| left.variable == *variable).map(|left| left.form.clone()),
    };
    variables.iter().map(form).collect()
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
