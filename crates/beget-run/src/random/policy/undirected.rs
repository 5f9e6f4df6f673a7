//! Undirected generation: each sequence begins anew, and nothing is learnt from earlier ones.
//!
//! The baseline, and what is proved of it is proved of the loop: with an
//! [`Odometer`](beget_suite::Odometer) for chance it makes all sequences of a length.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, Method, Passing, TypeIdx, Variable};

use super::{NextCall, Opening, Policy, PolicySources, may_take};
use crate::random::CallVerdict;
use crate::random::live::Live;
use crate::random::steps::make_step;

/// The baseline.
pub(crate) struct Undirected {
    methods: Vec<PlannedIdx>,
}

impl Undirected {
    pub(crate) fn new(plan: &Plan) -> Self {
        Undirected { methods: plan.planned_idxs().collect() }
    }
}

impl Policy for Undirected {
    fn begin(&mut self, _: &PolicySources<'_>, _: &mut dyn Chooser) -> Opening {
        Opening::Parts(Vec::new(), None)
    }

    fn next(
        &mut self,
        given: &PolicySources<'_>,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<NextCall> {
        let (values, first) = (live.values(), live.n_variables());
        let is_callable = |idx: &&PlannedIdx| has_inputs(given.plan.method(**idx), &values);
        let callable: Vec<PlannedIdx> = self.methods.iter().filter(is_callable).copied().collect();
        if callable.is_empty() {
            return None;
        }
        let method = callable[choose.index(callable.len())];
        let structures = draw_structures(given.plan.method(method), &values, choose)?;
        let literals = given.literals.draw(method, choose);
        let literals = (given.literals, &literals[..]);
        let step = make_step(given.plan, method, &structures, literals, first);
        Some(NextCall { method, step })
    }

    fn learn(&mut self, _: PlannedIdx, _: CallVerdict, _: u64) {}
}

/// The values that parameter number `index` can take after those before it have taken `chosen`.
fn fitting(
    method: &Method,
    index: usize,
    values: &[(Variable, TypeIdx)],
    chosen: &[Variable],
) -> Vec<Variable> {
    let (ty, _): (TypeIdx, Passing) =
        method.structure_params().nth(index).expect("a parameter of the method");
    let fits = values
        .iter()
        .filter(|(variable, of)| *of == ty && may_take(method, index, *variable, chosen));
    fits.map(|(variable, _)| *variable).collect()
}

/// Returns whether some choice of values can be passed to the method. To take the first that fits
/// decides it: values of one type can stand for each other.
fn has_inputs(method: &Method, values: &[(Variable, TypeIdx)]) -> bool {
    let mut chosen = Vec::new();
    (0..method.structure_params().count()).all(|index| {
        let first = fitting(method, index, values, &chosen).first().copied();
        chosen.extend(first);
        first.is_some()
    })
}

/// Values for all structure parameters. `None` if a choice leaves nothing for a later one.
fn draw_structures(
    method: &Method,
    values: &[(Variable, TypeIdx)],
    choose: &mut dyn Chooser,
) -> Option<Vec<Variable>> {
    let mut chosen = Vec::new();
    for index in 0..method.structure_params().count() {
        let fitting = fitting(method, index, values, &chosen);
        if fitting.is_empty() {
            return None;
        }
        chosen.push(fitting[choose.index(fitting.len())]);
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::tests::pens;

    #[test]
    fn a_value_fits_by_its_type_unless_a_parameter_has_it_alone() {
        let plan = pens("");
        let method = |name| plan.suite.method(plan.suite.find_method(name).unwrap());
        let values = [
            (Variable(0), TypeIdx::new(0)),
            (Variable(1), TypeIdx::new(0)),
            (Variable(2), TypeIdx::new(1)),
        ];
        let second = |name| fitting(method(name), 1, &values, &[Variable(0)]);
        assert_eq!(second("is_like"), [Variable(0), Variable(1)]);
        assert_eq!(second("pour"), [Variable(1)]);
    }

    #[test]
    fn a_method_is_callable_if_values_are_left_for_all_its_parameters() {
        let plan = pens("");
        let method = |name| plan.suite.method(plan.suite.find_method(name).unwrap());
        let values: Vec<_> = (0..2).map(|n| (Variable(n), TypeIdx::new(0))).collect();
        let callable = |name| [0, 1, 2].map(|n| has_inputs(method(name), &values[..n]));
        assert_eq!(callable("new"), [true; 3]);
        assert_eq!(callable("is_like"), [false, true, true]);
        assert_eq!(callable("pour"), [false, false, true]);
        let drawn = |n: usize, choices: &[u64]| {
            let mut choose = beget_suite::RecordedChoices::new(choices.to_vec());
            draw_structures(method("pour"), &values[..n], &mut choose)
        };
        assert_eq!(drawn(1, &[0]), None);
        assert_eq!(drawn(2, &[0]), Some(vec![Variable(0), Variable(1)]));
        assert_eq!(drawn(2, &[1]), Some(vec![Variable(1), Variable(0)]));
    }
}
