//! Execution of sequences: the values of all variables, statement by statement.

use std::any::Any;

use crate::{
    Breach, Call, Frame, Literal, Method, MethodIdx, Outcome, SameAs, Sequence, Slot, Statement,
    Suite, Variable,
};

/// The variables of a sequence while it runs, on any suite.
///
/// It makes calls but catches nothing: the caller makes the call, under its own guard, and
/// [`Execution::step`] returns the result. Statements can be run one at a time, so a sequence can
/// be executed while it grows.
#[derive(Debug)]
pub struct Execution<'s> {
    suite: &'s Suite,
    slots: Vec<Slot>,
    breach: Option<Breach>,
    /// The frame of the last call, which is reused.
    frame: Frame,
}

/// A literal of the source does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLiteral {
    /// The literal, as Rust source.
    pub source: String,
}

impl<'s> Execution<'s> {
    /// No variable holds anything yet.
    pub fn new(suite: &'s Suite) -> Self {
        Execution { suite, slots: Vec::new(), breach: None, frame: Frame::default() }
    }

    /// The value of a variable; `None` if it holds none: it is not bound yet, its call did not
    /// return it, or it was taken by value.
    pub fn value(&self, variable: Variable) -> Option<&dyn Any> {
        self.slots.get(variable.0).and_then(|slot| slot.as_deref())
    }

    /// Takes the value of a variable, leaving none.
    pub fn take(&mut self, variable: Variable) -> Slot {
        self.slots.get_mut(variable.0).and_then(Option::take)
    }

    /// Puts a value into a variable.
    pub fn bind(&mut self, variable: Variable, value: Box<dyn Any>) {
        if self.slots.len() <= variable.0 {
            self.slots.resize_with(variable.0 + 1, || None);
        }
        self.slots[variable.0] = Some(value);
    }

    /// The values of all variables.
    pub fn into_values(self) -> Vec<Slot> {
        self.slots
    }

    /// Takes the values of all variables, one after another, leaving no variables.
    pub fn drain_values(&mut self) -> impl Iterator<Item = Slot> {
        self.breach = None;
        self.slots.drain(..)
    }

    /// Runs a statement with the literals in parameter order. `make` makes the call, guarded and
    /// observed as the caller likes. Returns `None` if the call is not made, because a variable
    /// that it takes holds nothing.
    ///
    /// After the call the arguments are back in their variables, whatever `make` did. Those that
    /// end with the statement are then dropped, without a guard.
    ///
    /// # Panics
    ///
    /// If the statement does not belong to the suite; check with [`Sequence::check`].
    pub fn step<R>(
        &mut self,
        statement: &Statement,
        literals: &[&Literal],
        make: impl FnOnce(&Method, &mut Call<'_>) -> R,
    ) -> Option<R> {
        self.step_from(0, statement, literals, make)
    }

    /// Like [`Execution::step`], for a sequence whose variables are numbered from `first` on, so
    /// that several sequences can be run one after another.
    ///
    /// # Panics
    ///
    /// Like [`Execution::step`].
    pub fn step_from<R>(
        &mut self,
        first: usize,
        statement: &Statement,
        literals: &[&Literal],
        make: impl FnOnce(&Method, &mut Call<'_>) -> R,
    ) -> Option<R> {
        let is_unbound =
            |(_, variable): (_, Variable)| self.value(variable.counted_from(first)).is_none();
        if statement.variables().any(is_unbound) {
            return None;
        }
        let method = self.suite.method(statement.method);
        self.put_arguments(first, statement, method);
        let made = make(method, &mut Call::new(&mut self.frame, literals));
        self.put_back(first, statement);
        for variable in &statement.ends {
            drop(self.take(variable.counted_from(first)));
        }
        Some(made)
    }

    /// Takes the contract that the last call broke, if any.
    pub fn take_breach(&mut self) -> Option<Breach> {
        self.breach.take()
    }

    fn put_arguments(&mut self, first: usize, statement: &Statement, method: &Method) {
        if !(self.frame.arguments.is_empty() && self.frame.results.is_empty()) {
            self.clear_frame();
        }
        for (index, variable) in statement.variables() {
            let value = self.slots[variable.counted_from(first).0].take();
            let value = value.or_else(|| Some(same_as_earlier(index, variable, statement, method)));
            self.frame.arguments.push(value);
        }
    }

    /// Drops what a call has left whose panic was not caught.
    #[cold]
    fn clear_frame(&mut self) {
        self.frame.arguments.clear();
        self.frame.results.clear();
    }

    /// Takes everything out of the frame. Structures that no variable keeps are dropped last.
    fn put_back(&mut self, first: usize, statement: &Statement) {
        let frame = &mut self.frame;
        self.breach = frame.breach().cloned();
        let variables = statement.variables();
        for ((_, variable), slot) in variables.zip(&mut frame.arguments) {
            if slot.as_ref().is_none_or(|value| !value.is::<SameAs>()) {
                self.slots[variable.counted_from(first).0] = slot.take();
            }
        }
        frame.arguments.clear();
        for binding in &statement.bindings {
            let result = frame.results.get_mut(binding.output).and_then(Option::take);
            let Variable(number) = binding.variable.counted_from(first);
            if self.slots.len() <= number {
                self.slots.resize_with(number + 1, || None);
            }
            self.slots[number] = result.filter(|_| self.breach.is_none());
        }
        if !frame.results.is_empty() {
            frame.results.clear();
        }
    }
}

/// The mark of an argument that is the same structure as an earlier one.
fn same_as_earlier(
    index: usize,
    variable: Variable,
    statement: &Statement,
    method: &Method,
) -> Box<dyn Any> {
    let mut earlier = statement.variables().take(index);
    let owner = earlier.find(|(_, other)| *other == variable).map(|(owner, _)| owner);
    let owner = owner.expect("the variable holds a structure");
    assert!(method.may_alias(owner, index), "only `&` arguments can be the same");
    Box::new(SameAs(owner))
}

impl Sequence {
    /// Runs all statements, without a guard. Returns the values of all variables, and the outcome
    /// of each statement's call; `None` for a call that was not made, which leaves its arguments
    /// unchanged. `literal` finds a literal by the method's position in the suite, the position of
    /// the parameter among the literal ones, and its source.
    ///
    /// # Errors
    ///
    /// The first literal that is not found; no call has been made then.
    ///
    /// # Panics
    ///
    /// If a call does, or if the sequence does not belong to the suite.
    pub fn execute(
        &self,
        suite: &Suite,
        literal: impl Fn(MethodIdx, usize, &str) -> Option<Literal>,
    ) -> Result<(Vec<Slot>, Vec<Option<Outcome>>), UnknownLiteral> {
        let literals = self.literals(literal)?;
        let mut execution = Execution::new(suite);
        let steps = self.statements.iter().zip(&literals);
        let outcomes = steps.map(|(statement, literals)| {
            let literals: Vec<&Literal> = literals.iter().collect();
            execution.step(statement, &literals, Method::make)
        });
        let outcomes = outcomes.collect();
        Ok((execution.into_values(), outcomes))
    }

    /// The literals of each statement, found as in [`Sequence::execute`].
    ///
    /// # Errors
    /// The first literal that is not found.
    pub fn literals(
        &self,
        literal: impl Fn(MethodIdx, usize, &str) -> Option<Literal>,
    ) -> Result<Vec<Vec<Literal>>, UnknownLiteral> {
        let of_statement = |statement: &Statement| {
            let sources = statement.literals().enumerate();
            let found = sources.map(|(index, source)| {
                let unknown = || UnknownLiteral { source: source.to_owned() };
                literal(statement.method, index, source).ok_or_else(unknown)
            });
            found.collect()
        };
        self.statements.iter().map(of_statement).collect()
    }
}

impl std::error::Error for UnknownLiteral {}

impl std::fmt::Display for UnknownLiteral {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not among the literals of its parameter", self.source)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::testing::{method, structure};
    use crate::{Binding, Operand, Passing, TypeIdx, type_of};

    const CLOCK: TypeIdx = TypeIdx::new(0);

    fn suite() -> Suite {
        let clock = structure("self", CLOCK, Passing::Value);
        let methods = vec![
            method("Clock::new", &[], Some(CLOCK), |call| {
                call.give(1_u8);
                Outcome::Returned
            }),
            method("Clock::turn", &[clock], Some(CLOCK), |call| {
                let hour: u8 = call.take(0);
                call.give(hour + 1);
                Outcome::Returned
            }),
        ];
        let types = vec![type_of::<u8>("Clock", None)];
        Suite { name: "clocks".into(), types, methods, ..Suite::default() }
    }

    fn statement(method: usize, takes: Option<usize>, binds: usize) -> Statement {
        let arguments = takes.map(|number| Operand::Variable(Variable(number)));
        let bindings = vec![Binding { output: 0, variable: Variable(binds) }];
        let method = MethodIdx::new(method);
        let arguments = arguments.into_iter().collect();
        Statement { method, arguments, bindings, ends: vec![], panics: false }
    }

    /// The panic comes when the call has given its result, and goes through the execution.
    #[test]
    fn a_panic_that_is_not_caught_leaves_nothing_to_the_next_call() {
        let suite = suite();
        let mut execution = Execution::new(&suite);
        let calls = [statement(0, None, 0), statement(0, None, 1), statement(1, Some(1), 2)];
        for call in &calls {
            execution.step(call, &[], Method::make).unwrap();
        }
        let strike = |method: &Method, call: &mut Call<'_>| -> Outcome {
            method.make(call);
            panic!("it strikes");
        };
        let turn = statement(1, Some(0), 3);
        let struck = catch_unwind(AssertUnwindSafe(|| execution.step(&turn, &[], strike)));
        assert!(struck.is_err());
        assert!(execution.value(Variable(0)).is_none() && execution.value(Variable(3)).is_none());
        // The call that panicked gave 2.
        execution.step(&statement(1, Some(2), 3), &[], Method::make).unwrap();
        let hour = execution.value(Variable(3)).and_then(|value| value.downcast_ref::<u8>());
        assert_eq!(hour, Some(&3));
    }
}
