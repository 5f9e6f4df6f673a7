//! Feedback-directed generation: a call extends what earlier calls left.
//!
//! Source: Pacheco, Lahiri, Ernst and Ball, Feedback-directed random test generation (ICSE 2007),
//! Figure 3 and section 2.3. Departures:
//!
//! - in place of `null`, an `Option` is `None`; a structure is never;
//! - a repetition draws its integers anew, which the paper does not say and its implementation
//!   does: without that no container gets large;
//! - a method without parameters is called until it returns once, as in the implementation.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, ParamKind, Passing, TypeIdx, Variable};

use super::demand::Demand;
use super::methods::MethodDraw;
use super::{NextCall, Opening, Policy, PolicySources, may_take};
use crate::random::constants::{DrawnLiteral, Spread};
use crate::random::live::Live;
use crate::random::steps::StepTable;
use crate::random::{CallVerdict, PooledValue, RandomOptions, SequencePool};

/// The policy of the paper.
pub(crate) struct Feedback {
    methods: MethodDraw,
    repetition_rate: f64,
    most_repetitions: u32,
    alias_ratio: f64,
    tries_for_short: u32,
    /// By method of the plan: whether it takes nothing.
    is_constant: Vec<bool>,
    steps: StepTable,
    demand: Option<Demand>,
    /// The call that the sequence is drawn for.
    drawn: Option<DrawnCall>,
}

/// The call that a sequence is made for.
struct DrawnCall {
    method: PlannedIdx,
    structures: Vec<Variable>,
    literals: Vec<DrawnLiteral>,
    is_begun: bool,
    /// How often the call is to be made.
    left: u32,
    spread: Option<Spread>,
}

/// The structures of a call, while they are drawn.
#[derive(Default)]
struct Inputs {
    parts: Vec<PooledValue>,
    n_variables: usize,
    /// The values that the parts offer.
    offered: Vec<(Variable, TypeIdx)>,
    chosen: Vec<Variable>,
}

impl Feedback {
    pub(crate) fn new(plan: &Plan, options: &RandomOptions) -> Self {
        let is_constant = |idx| plan.method(idx).params.is_empty();
        Feedback {
            methods: MethodDraw::new(plan, options),
            repetition_rate: options.repetition_rate,
            most_repetitions: options.most_repetitions,
            alias_ratio: options.alias_ratio,
            tries_for_short: options.tries_for_short,
            is_constant: plan.planned_idxs().map(is_constant).collect(),
            steps: StepTable::new(),
            demand: options.is_on_demand.then(|| Demand::new(plan)),
            drawn: None,
        }
    }

    /// The method to call; `None` if none is worth it.
    fn draw_method(
        &mut self,
        given: &PolicySources<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<PlannedIdx> {
        let Some(demand) = &mut self.demand else { return self.methods.draw(choose) };
        if let Some(due) = demand.due() {
            return Some(due);
        }
        let method = self.methods.draw(choose)?;
        Some(demand.first_for(given, &self.methods, method, choose))
    }

    /// The structures for a call of `method`; `None` if there are none of some type.
    fn draw_inputs(
        &self,
        given: &PolicySources<'_>,
        method: PlannedIdx,
        choose: &mut dyn Chooser,
    ) -> Option<Inputs> {
        let mut inputs = Inputs::default();
        let method = given.plan.method(method);
        for (index, (ty, _)) in method.structure_params().enumerate() {
            let fitting: Vec<Variable> = inputs
                .offered
                .iter()
                .filter(|(variable, offered)| {
                    *offered == ty && may_take(method, index, *variable, &inputs.chosen)
                })
                .map(|(variable, _)| *variable)
                .collect();
            if !fitting.is_empty() && choose.chance(self.alias_ratio) {
                inputs.chosen.push(fitting[choose.index(fitting.len())]);
                continue;
            }
            let drawn = given.pool.draw(ty, self.tries_for_short, choose)?;
            inputs.add(given.pool, drawn);
        }
        Some(inputs)
    }
}

impl Inputs {
    fn add(&mut self, pool: &SequencePool, drawn: PooledValue) {
        let sequence = pool.sequence(drawn);
        let first = self.n_variables;
        let offers = sequence.offers.iter();
        let offers = offers.map(|offer| (offer.variable.counted_from(first), offer.ty));
        self.offered.extend(offers);
        self.chosen.push(pool.offer(drawn).variable.counted_from(first));
        self.n_variables += sequence.fragment.n_variables();
        self.parts.push(drawn);
    }
}

impl Policy for Feedback {
    fn begin(&mut self, given: &PolicySources<'_>, choose: &mut dyn Chooser) -> Opening {
        let Some(method) = self.draw_method(given, choose) else { return Opening::Nothing };
        let Some(inputs) = self.draw_inputs(given, method, choose) else {
            return Opening::NoInputs(method);
        };
        let Inputs { parts, chosen, .. } = inputs;
        let literals = given.literals.draw(method, choose);
        let consumes = given.plan.method(method).params.iter().any(|param| {
            matches!(param.kind, ParamKind::Structure { passing: Passing::Value, .. })
        });
        let can_repeat = !chosen.is_empty() && !consumes;
        let mut left = 1;
        if can_repeat && choose.chance(self.repetition_rate) {
            left += choose.below(u64::from(self.most_repetitions) + 1) as u32;
        }
        let spread = (left > 1).then(|| given.literals.draw_spread(choose));
        let structures = chosen.clone();
        self.drawn =
            Some(DrawnCall { method, structures, literals, is_begun: false, left, spread });
        Opening::Parts(parts, Some((method, chosen)))
    }

    fn next(
        &mut self,
        given: &PolicySources<'_>,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<NextCall> {
        let first = live.n_variables();
        let drawn = self.drawn.as_mut().filter(|drawn| drawn.left > 0)?;
        drawn.left -= 1;
        let method = drawn.method;
        if let Some(spread) = drawn.spread.filter(|_| drawn.is_begun) {
            given.literals.redraw(method, &mut drawn.literals, spread, choose);
        }
        let literals = (given.literals, &drawn.literals[..]);
        let step = self.steps.step(given.plan, method, &drawn.structures, literals, first);
        drawn.is_begun = true;
        Some(NextCall { method, step })
    }

    fn learn(&mut self, method: PlannedIdx, verdict: CallVerdict, gained: u64) {
        self.methods.learn(method, verdict, gained);
        let returned = matches!(verdict, CallVerdict::Kept | CallVerdict::Matched);
        if returned && self.is_constant[method.index()] {
            self.methods.give_up(method);
        }
    }
}
