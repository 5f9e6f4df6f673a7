//! A sequence while it runs: the values of its variables.

use std::any::Any;

use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded, last_panic};
use beget_suite::{
    Breach, Execution, Literal, Outcome, ReturnValue, Slot, Statement, TypeIdx, Variable,
};

use crate::random::{CallStep, Fragment};

/// The values of a sequence's variables. They are dropped under guard.
pub(crate) struct Live<'p> {
    plan: &'p Plan,
    execution: Execution<'p>,
    /// By variable.
    types: Vec<TypeIdx>,
}

/// The result of a call.
#[derive(Debug)]
pub(crate) enum MadeCall {
    /// It returned, with what it returned if that was asked for.
    Returned(Outcome, Option<ReturnValue>),
    /// It panicked.
    Panicked(PanicReport),
    /// A variable that it takes holds nothing.
    Unbound,
}

/// A step of a sequence did not go as it did before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divergence;

impl<'p> Live<'p> {
    /// No variables.
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Live { plan, execution: Execution::new(&plan.suite), types: Vec::new() }
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> Option<&dyn Any> {
        self.execution.value(variable)
    }

    /// Takes the value of a variable.
    pub(crate) fn take(&mut self, variable: Variable) -> Slot {
        self.execution.take(variable)
    }

    /// The type of a variable.
    pub(crate) fn type_of(&self, variable: Variable) -> TypeIdx {
        self.types[variable.0]
    }

    /// The variables that hold something, with their types.
    pub(crate) fn values(&self) -> Vec<(Variable, TypeIdx)> {
        let all = self.types.iter().enumerate().map(|(number, &ty)| (Variable(number), ty));
        all.filter(|(variable, _)| self.value(*variable).is_some()).collect()
    }

    /// How many variables there are, those that hold nothing included.
    pub(crate) fn n_variables(&self) -> usize {
        self.types.len()
    }

    /// Makes room for `n_variables` empty variables.
    pub(crate) fn make_room(&mut self, n_variables: usize) {
        self.types.resize(n_variables, TypeIdx::new(0));
    }

    /// Puts a value of a type into a variable that there is room for.
    pub(crate) fn bind(&mut self, variable: Variable, ty: TypeIdx, value: Box<dyn Any>) {
        self.types[variable.0] = ty;
        self.execution.bind(variable, value);
    }

    /// The contract that the last call broke.
    pub(crate) fn take_breach(&mut self) -> Option<Breach> {
        self.execution.take_breach()
    }

    /// Makes the call of a step whose variables are counted from `first`.
    pub(crate) fn make(&mut self, first: usize, step: &CallStep, observe: bool) -> MadeCall {
        if !step.statement.ends.is_empty() {
            return self.make_and_end(first, step, observe);
        }
        let made = with_references(&step.literals, |literals| {
            self.execution.step_from(first, &step.statement, literals, |method, call| {
                let make = || match observe {
                    true => method.observe(call),
                    false => (method.make(call), None),
                };
                guarded(make).map_err(|_| last_panic())
            })
        });
        self.note_types(first, &step.statement);
        match made {
            None => MadeCall::Unbound,
            Some(Ok((outcome, returned))) => MadeCall::Returned(outcome, returned),
            Some(Err(report)) => MadeCall::Panicked(report),
        }
    }

    /// Like [`Live::make`], of a step with which structures end: they are dropped under guard.
    #[cold]
    fn make_and_end(&mut self, first: usize, step: &CallStep, observe: bool) -> MadeCall {
        let statement = Statement { ends: Vec::new(), ..step.statement.clone() };
        let kept = CallStep { statement, literals: step.literals.clone() };
        let made = self.make(first, &kept, observe);
        if !matches!(made, MadeCall::Unbound) {
            for variable in &step.statement.ends {
                let ended = self.execution.take(variable.counted_from(first));
                let _ = guarded(|| drop(ended));
            }
        }
        made
    }

    fn note_types(&mut self, first: usize, statement: &Statement) {
        let outputs = &self.plan.suite.method(statement.method).outputs;
        for binding in &statement.bindings {
            let Variable(number) = binding.variable.counted_from(first);
            let ty = outputs[binding.output].ty;
            if self.types.len() <= number {
                self.types.resize(number + 1, ty);
            }
            self.types[number] = ty;
        }
    }

    /// Makes the calls of a sequence again, which went well before.
    pub(crate) fn replay(&mut self, fragment: &Fragment) -> Result<(), Divergence> {
        fragment.visit(&mut |first, step| self.repeat(first, step))
    }

    /// Makes a call again that went well before.
    pub(crate) fn repeat(&mut self, first: usize, step: &CallStep) -> Result<(), Divergence> {
        let went_well = match self.make(first, step, false) {
            MadeCall::Returned(outcome, _) => outcome.leaves_structures() && !step.statement.panics,
            MadeCall::Panicked(_) => step.statement.panics,
            MadeCall::Unbound => false,
        };
        went_well.then_some(()).ok_or(Divergence)
    }

    /// Drops all values.
    ///
    /// # Errors
    /// The first panic of a destructor.
    pub(crate) fn end(mut self) -> Result<(), PanicReport> {
        self.clear()
    }

    /// Drops all values; there are no variables then.
    ///
    /// # Errors
    /// The first panic of a destructor.
    pub(crate) fn clear(&mut self) -> Result<(), PanicReport> {
        self.types.clear();
        let values = self.execution.drain_values();
        // One at a time: two panics in one unwinding would abort.
        let drop_one = |value: Slot| match value {
            None => Ok(()),
            value => guarded(|| drop(value)).map_err(|_| last_panic()),
        };
        values.map(drop_one).fold(Ok(()), Result::and)
    }
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        // A caller that needs a destructor's panic calls `clear` itself.
        let _ = self.clear();
    }
}

/// Most calls take few literals: these need no list of their own.
fn with_references<R>(literals: &[Literal], work: impl FnOnce(&[&Literal]) -> R) -> R {
    match literals {
        [] => work(&[]),
        [one] => work(&[one]),
        [one, other] => work(&[one, other]),
        several => work(&several.iter().collect::<Vec<_>>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::tests::{call, pens};

    #[test]
    fn a_call_that_panicked_before_diverges_if_it_returns() {
        let plan = pens("");
        let repeated = |panics| {
            let statement = Statement { panics, ..call(&plan, "new", &[], Some(0)) };
            Live::new(&plan).repeat(0, &CallStep { statement, literals: Vec::new() })
        };
        assert_eq!([false, true].map(repeated), [Ok(()), Err(Divergence)]);
    }
}
