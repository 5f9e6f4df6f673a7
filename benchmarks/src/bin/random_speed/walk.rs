//! Calls drawn on whatever values there are, in the plainest way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use beget::scope::{Plan, PlannedIdx};
use beget::suites::{
    Binding, Chooser, Execution, Literal, Operand, ParamKind, SplitMix64, Statement, TypeIdx,
    Variable,
};

/// A sequence of calls from scratch.
pub(crate) struct Walk<'p> {
    plan: &'p Plan,
    execution: Execution<'p>,
    types: Vec<TypeIdx>,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It returned.
    Returned,
    /// It panicked.
    Panicked,
    /// It was not made: there is no value for it.
    NotMade,
}

impl<'p> Walk<'p> {
    /// No values.
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Walk { plan, execution: Execution::new(&plan.suite), types: Vec::new() }
    }

    /// Calls a method on values and literals that are drawn.
    pub(crate) fn call(&mut self, planned: PlannedIdx, choose: &mut dyn Chooser) -> Step {
        let domains = &self.plan.planned(planned).domains;
        let literals: Vec<&Literal> =
            domains.iter().map(|domain| &domain[choose.index(domain.len())]).collect();
        let Some(statement) = self.draw(planned, &literals, choose) else { return Step::NotMade };
        let made = self.execution.step(&statement, &literals, |method, call| {
            catch_unwind(AssertUnwindSafe(|| method.make(call)))
        });
        let outputs = &self.plan.method(planned).outputs;
        self.types.extend(outputs.iter().map(|output| output.ty));
        match made {
            Some(Ok(_)) => Step::Returned,
            _ => Step::Panicked,
        }
    }

    fn draw(
        &self,
        planned: PlannedIdx,
        literals: &[&Literal],
        choose: &mut dyn Chooser,
    ) -> Option<Statement> {
        let method = self.plan.method(planned);
        let (mut taken, mut literals) = (Vec::new(), literals.iter());
        let mut arguments = Vec::with_capacity(method.params.len());
        for param in &method.params {
            arguments.push(match param.kind {
                ParamKind::Literal { .. } => Operand::Literal(literals.next()?.source.clone()),
                ParamKind::Structure { ty, .. } => {
                    let all = (0..self.types.len()).map(Variable);
                    let fits = |variable: &Variable| {
                        self.types[variable.0] == ty
                            && !taken.contains(variable)
                            && self.execution.value(*variable).is_some()
                    };
                    let fitting: Vec<Variable> = all.filter(fits).collect();
                    let drawn = fitting.get(choose.index(fitting.len().max(1))).copied()?;
                    taken.push(drawn);
                    Operand::Variable(drawn)
                }
            });
        }
        let binding = |output| Binding { output, variable: Variable(self.types.len() + output) };
        let bindings = (0..method.outputs.len()).map(binding).collect();
        let method = self.plan.planned(planned).method;
        Some(Statement { method, arguments, bindings, panics: false })
    }
}

/// Sequences of random calls, each from scratch; how many there were.
pub(crate) fn naive(plan: &Plan, n_calls: u64, length: usize) -> u64 {
    let mut choose = SplitMix64::of_seeds(&[1]);
    let planned: Vec<PlannedIdx> = plan.planned_idxs().collect();
    let (mut left, mut n_sequences) = (n_calls, 0);
    while left > 0 {
        n_sequences += 1;
        let mut walk = Walk::new(plan);
        for _ in 0..length {
            match walk.call(planned[choose.index(planned.len())], &mut choose) {
                Step::NotMade => continue,
                Step::Returned => left = left.saturating_sub(1),
                Step::Panicked => {
                    left = left.saturating_sub(1);
                    break;
                }
            }
        }
    }
    n_sequences
}
