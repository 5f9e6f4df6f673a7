//! Policies: what to call next.

mod chromosome;
mod demand;
mod feedback;
mod methods;
mod undirected;

use std::sync::Arc;

use beget_plan::scope::PlannedIdx;
use beget_suite::{Chooser, Method, ReturnValue, Variable};

pub(crate) use chromosome::ChromosomePolicy;
pub(crate) use feedback::Feedback;
pub(crate) use undirected::Undirected;

use crate::random::constants::LiteralPool;
use crate::random::live::Live;
use crate::random::{CallStep, CallVerdict, PooledValue, SequencePool};

/// Decides what is called next, and learns what became of it.
///
/// A sequence begins with others that are put one after another; then calls are added to it one at
/// a time, each after the one before was made.
pub(crate) trait Policy {
    /// How the next sequence begins.
    fn begin(&mut self, given: &PolicySources<'_>, choose: &mut dyn Chooser) -> Opening;

    /// The next call on the values there are; `None` if the sequence is over.
    fn next(
        &mut self,
        given: &PolicySources<'_>,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<NextCall>;

    /// Learns the verdict on a call, and the number of points that it covered first.
    fn learn(&mut self, method: PlannedIdx, verdict: CallVerdict, gained: u64);

    /// Returns whether it is to [see](Policy::see) what calls return.
    fn observes(&self) -> bool {
        false
    }

    /// Sees the result of the last proposed call, before it learns the verdict.
    fn see(&mut self, _: &ReturnValue) {}

    /// Returns whether a sequence goes on after a call that broke a rule of use or left the scope,
    /// without what that call gave or changed.
    fn outlives_misuse(&self) -> bool {
        false
    }
}

/// The sources that policies draw from.
pub(crate) struct PolicySources<'g> {
    pub(crate) plan: &'g beget_plan::scope::Plan,
    pub(crate) pool: &'g SequencePool,
    pub(crate) literals: &'g LiteralPool,
}

/// How a sequence begins.
pub(crate) enum Opening {
    /// With the sequences of these values, for a call of a method if that is decided, which takes
    /// these of their variables.
    Parts(Vec<PooledValue>, Option<(PlannedIdx, Vec<Variable>)>),
    /// Not at all: the method takes a structure of a type that there is none of.
    NoInputs(PlannedIdx),
    /// There is no method to call.
    Nothing,
}

/// A call to make.
pub(crate) struct NextCall {
    pub(crate) method: PlannedIdx,
    pub(crate) step: Arc<CallStep>,
}

/// Returns whether structure parameter number `index` can take a value that those before it, which
/// have taken `chosen`, may have taken too.
pub(crate) fn may_take(
    method: &Method,
    index: usize,
    variable: Variable,
    chosen: &[Variable],
) -> bool {
    let mut uses = chosen.iter().enumerate().filter(|(_, other)| **other == variable);
    uses.all(|(other, _)| method.may_alias(other, index))
}

/// A position, each as often as its weight says; `None` if there is no weight.
fn draw_weighted(weights: &[u64], choose: &mut dyn Chooser) -> Option<usize> {
    let all: u64 = weights.iter().sum();
    let mut drawn = (all > 0).then(|| choose.below(all))?;
    weights.iter().position(|&weight| {
        let is_drawn = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        is_drawn
    })
}

#[cfg(test)]
mod tests {
    use beget_suite::RecordedChoices;

    use super::*;
    use crate::random::RandomOptions;
    use crate::random::tests::pens;

    #[test]
    fn positions_are_drawn_by_weight() {
        let drawn =
            |weights: &[u64], at| draw_weighted(weights, &mut RecordedChoices::new(vec![at]));
        assert_eq!([0, 1, 2, 3].map(|at| drawn(&[1, 0, 3], at)), [0, 2, 2, 2].map(Some));
        assert_eq!(drawn(&[0, 0], 1), None);
    }

    /// It takes time to look at what calls return.
    #[test]
    fn of_policies_without_genes_none_sees_what_calls_return() {
        let plan = pens("");
        let feedback = Feedback::new(&plan, &RandomOptions::default());
        assert!(!feedback.observes() && !Undirected::new(&plan).observes());
    }
}
