//! Calls drawn on whatever values there are, in the plainest way.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use beget_oracle::{ApplicableContracts, Inquiry};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{
    Binding, Chooser, Execution, Literal, Method, Operand, ParamKind, SplitMix64, Statement,
    TypeIdx, Variable,
};

/// A sequence of calls from scratch.
pub(crate) struct Walk<'p> {
    plan: &'p Plan,
    execution: Execution<'p>,
    types: Vec<TypeIdx>,
    /// The calls, with their literals.
    made: Vec<(Statement, Vec<&'p Literal>)>,
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
        let execution = Execution::new(&plan.suite);
        Walk { plan, execution, types: Vec::new(), made: Vec::new() }
    }

    /// Calls a method on values and literals that are drawn.
    pub(crate) fn call(&mut self, planned: PlannedIdx, choose: &mut dyn Chooser) -> Step {
        let domains = &self.plan.planned(planned).domains;
        let literals: Vec<&'p Literal> =
            domains.iter().map(|domain| &domain[choose.index(domain.len())]).collect();
        let Some(statement) = self.draw(planned, &literals, choose) else { return Step::NotMade };
        let made = self.execution.step(&statement, &literals, |method, call| {
            catch_unwind(AssertUnwindSafe(|| method.make(call)))
        });
        let outputs = &self.plan.method(planned).outputs;
        self.types.extend(outputs.iter().map(|output| output.ty));
        self.made.push((statement, literals));
        match made {
            Some(Ok(_)) => Step::Returned,
            _ => Step::Panicked,
        }
    }

    /// What the last call took and gave, as far as it is there, with its type.
    pub(crate) fn left(&self) -> Vec<(Variable, TypeIdx)> {
        let Some((statement, _)) = self.made.last() else { return Vec::new() };
        let taken = statement.variables().map(|(_, variable)| variable);
        let given = statement.bindings.iter().map(|binding| binding.variable);
        let all = taken.chain(given).map(|variable| (variable, self.types[variable.0]));
        all.filter(|(variable, _)| self.execution.value(*variable).is_some()).collect()
    }

    /// The value of a variable once more: its clone, or what the calls give when they are made
    /// again.
    pub(crate) fn copy(&self, variable: Variable) -> Option<Box<dyn Any>> {
        let ty = self.types[variable.0];
        if let Some(clone) = self.plan.suite.types[ty.index()].clone {
            return Some(clone(self.execution.value(variable)?));
        }
        let mut again = Execution::new(&self.plan.suite);
        for (statement, literals) in &self.made {
            again.step(statement, literals, Method::make)?;
        }
        again.take(variable)
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
        Some(Statement { method, arguments, bindings, ends: Vec::new(), panics: false })
    }
}

/// An [`Inquiry`] asks all contracts of so many structures; then it only samples.
const ALL_ASKED: u64 = 10_000;

/// Contracts asked of what every call leaves.
pub(crate) struct Asked<'o> {
    oracle: &'o ApplicableContracts<'o>,
    inquiry: Inquiry<'o>,
    n: u64,
}

impl<'o> Asked<'o> {
    /// Those of an oracle.
    pub(crate) fn new(oracle: &'o ApplicableContracts<'o>) -> Self {
        Asked { oracle, inquiry: Inquiry::new(oracle), n: 0 }
    }

    /// Asks of what the last call of a sequence left.
    pub(crate) fn ask(&mut self, walk: &Walk<'_>) {
        for (variable, ty) in walk.left() {
            self.n += 1;
            if self.n.is_multiple_of(ALL_ASKED) {
                *self = Asked::new(self.oracle);
            }
            self.inquiry.ask(ty, self.n, &mut || walk.copy(variable));
        }
    }
}

/// Sequences of random calls, each from scratch; how many there were.
pub(crate) fn naive(plan: &Plan, n_calls: u64, length: usize, mut asked: Option<Asked<'_>>) -> u64 {
    let mut choose = SplitMix64::of_seeds(&[1]);
    let planned: Vec<PlannedIdx> = plan.planned_idxs().collect();
    let (mut left, mut n_sequences) = (n_calls, 0);
    while left > 0 {
        n_sequences += 1;
        let mut walk = Walk::new(plan);
        for _ in 0..length {
            match walk.call(planned[choose.index(planned.len())], &mut choose) {
                Step::NotMade => continue,
                Step::Returned => {
                    left = left.saturating_sub(1);
                    asked.iter_mut().for_each(|asked| asked.ask(&walk));
                }
                Step::Panicked => {
                    left = left.saturating_sub(1);
                    break;
                }
            }
        }
    }
    n_sequences
}
