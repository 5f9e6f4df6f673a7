//! Repeated sequences, each call guarded and, if it shows something, observed.

use std::any::Any;

use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded, last_panic};
use beget_suite::{
    Binding, Breach, Call, Execution, Literal, Method, Outcome, ReturnValue, Sequence, Slot,
    Statement, Variable,
};

/// A sequence while it runs on real values. They are dropped under guard.
pub struct Replay<'p> {
    plan: &'p Plan,
    execution: Option<Execution<'p>>,
    /// The first number after the variables of the sequence.
    n_variables: usize,
    /// The panic of the last statement, if it was expected.
    caught: Option<PanicReport>,
    /// True if the last statement returned `Err`.
    returned_error: bool,
}

/// Makes a call of a replay.
pub type MakeCall = fn(&Method, &mut Call<'_>) -> (Outcome, Option<ReturnValue>);

/// A call that shows what it returned.
pub fn observed(method: &Method, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
    method.observe(call)
}

/// Makes a call as a run does.
pub(crate) fn unobserved(method: &Method, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
    (method.make(call), None)
}

/// The result of a call that was made, or its panic.
type StepResult = Result<(Outcome, Option<ReturnValue>), PanicReport>;

/// Says why a replay has an execution.
const UNTIL_DROPPED: &str = "it is there until it is dropped";

/// The reason why a statement fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The call panicked, which is not expected of it.
    Panicked(PanicReport),
    /// A variable that it takes is empty, or a literal is unknown: the earlier calls had other
    /// results than in the run.
    Impossible,
    /// It should have panicked.
    Returned,
    /// It breaks its own contract, or a model.
    Broken(Breach),
    /// The call is misuse, or its result is out of scope.
    Refused,
    /// The destructor of an unused result panicked, or that of an argument that ends with its call.
    Dropped(PanicReport),
}

impl<'p> Replay<'p> {
    /// A replay of `sequence`, or of one with the same variables.
    pub fn new(plan: &'p Plan, sequence: &Sequence) -> Self {
        let n_variables = sequence.statements.iter().map(|one| one.bindings.len()).sum();
        Replay::with_variables(plan, n_variables)
    }

    /// A replay of statements that bind `n_variables` in all.
    pub fn with_variables(plan: &'p Plan, n_variables: usize) -> Self {
        let execution = Some(Execution::new(&plan.suite));
        Replay { plan, execution, n_variables, caught: None, returned_error: false }
    }

    /// Runs all statements of a sequence; returns the plain parts of each result.
    ///
    /// # Errors
    /// The first statement that does not go as it should, with its position.
    pub fn run(
        &mut self,
        sequence: &Sequence,
        make: MakeCall,
    ) -> Result<Vec<Option<ReturnValue>>, (usize, ReplayError)> {
        let statements = sequence.statements.iter().enumerate();
        let step = |(index, statement)| {
            self.step(statement, make).map_err(|error: ReplayError| (index, error))
        };
        statements.map(step).collect()
    }

    /// Runs a statement; what it returned, as far as it is plain.
    pub fn step(
        &mut self,
        statement: &Statement,
        make: MakeCall,
    ) -> Result<Option<ReturnValue>, ReplayError> {
        let literals = literals_of(self.plan, statement).ok_or(ReplayError::Impossible)?;
        self.step_with(statement, &literals, make)
    }

    /// Like [`Replay::step`], with the [literals](literals_of) of the statement: a statement that
    /// is run many times has them looked up once.
    ///
    /// # Errors
    /// Like [`Replay::step`].
    pub fn step_with(
        &mut self,
        statement: &Statement,
        literals: &[&Literal],
        make: MakeCall,
    ) -> Result<Option<ReturnValue>, ReplayError> {
        if statement.ends.is_empty() && self.binds_all(statement) {
            let made = self.make_call(statement, literals, make);
            return self.finish_step(statement, made, Ok(()));
        }
        let unbound = self.unbound(statement);
        let bindings = statement.bindings.iter().chain(&unbound).copied().collect();
        let bound = Statement { bindings, ends: Vec::new(), ..statement.clone() };
        let made = self.make_call(&bound, literals, make);
        let unbound = unbound.into_iter().map(|binding| binding.variable);
        let ends = statement.ends.iter().copied().filter(|_| made.is_some());
        let execution = self.execution.as_mut().expect(UNTIL_DROPPED);
        let dropped = drop_all(unbound.chain(ends).map(|variable| execution.take(variable)));
        self.finish_step(statement, made, dropped)
    }

    #[inline]
    fn make_call(
        &mut self,
        statement: &Statement,
        literals: &[&Literal],
        make: MakeCall,
    ) -> Option<StepResult> {
        let execution = self.execution.as_mut().expect(UNTIL_DROPPED);
        execution.step(statement, literals, |method, call| {
            guarded(|| make(method, call)).map_err(|_| last_panic())
        })
    }

    /// The result of a statement, of which the call was made, and what it does not keep `dropped`.
    #[inline]
    fn finish_step(
        &mut self,
        statement: &Statement,
        made: Option<StepResult>,
        dropped: Result<(), PanicReport>,
    ) -> Result<Option<ReturnValue>, ReplayError> {
        let Some(made) = made else { return Err(ReplayError::Impossible) };
        match made {
            Ok(_) if statement.panics => Err(ReplayError::Returned),
            Ok((Outcome::Broken, _)) => {
                let breach = self.execution.as_mut().and_then(Execution::take_breach);
                Err(breach.map_or(ReplayError::Refused, ReplayError::Broken))
            }
            Ok((Outcome::Misuse | Outcome::LongerList, _)) => Err(ReplayError::Refused),
            Ok((outcome, returned)) => {
                self.returned_error = outcome == Outcome::Error;
                match dropped {
                    Ok(()) => Ok(returned),
                    Err(report) => Err(ReplayError::Dropped(report)),
                }
            }
            Err(report) if statement.panics => {
                self.caught = Some(report);
                Ok(None)
            }
            Err(report) => Err(ReplayError::Panicked(report)),
        }
    }

    /// Returns whether each result of the statement has a variable.
    fn binds_all(&self, statement: &Statement) -> bool {
        let n_outputs = self.plan.suite.method(statement.method).outputs.len();
        (0..n_outputs).all(|output| is_bound(statement, output))
    }

    /// Bindings for the results that the statement drops: they are dropped here, one at a time.
    fn unbound(&self, statement: &Statement) -> Vec<Binding> {
        let n_outputs = self.plan.suite.method(statement.method).outputs.len();
        let unbound = (0..n_outputs).filter(|output| !is_bound(statement, *output));
        let binding = |output| Binding { output, variable: Variable(self.n_variables + output) };
        unbound.map(binding).collect()
    }

    /// The last panic that a statement expects.
    pub(crate) fn caught(&self) -> Option<&PanicReport> {
        self.caught.as_ref()
    }

    /// Returns whether the last statement returned `Err`.
    pub fn returned_error(&self) -> bool {
        self.returned_error
    }

    /// The value of a variable, unless a call has taken it.
    pub fn value(&self, variable: Variable) -> Option<&dyn Any> {
        self.execution.as_ref().and_then(|execution| execution.value(variable))
    }

    /// Takes the value of a variable.
    pub(crate) fn take(&mut self, variable: Variable) -> Slot {
        self.execution.as_mut().and_then(|execution| execution.take(variable))
    }

    /// Drops all values.
    ///
    /// # Errors
    /// The first panic of a destructor.
    pub(crate) fn end(mut self) -> Result<(), PanicReport> {
        self.drop_values()
    }

    fn drop_values(&mut self) -> Result<(), PanicReport> {
        let values = self.execution.take().map(Execution::into_values).unwrap_or_default();
        drop_all(values)
    }
}

fn is_bound(statement: &Statement, output: usize) -> bool {
    statement.bindings.iter().any(|binding| binding.output == output)
}

/// Drops values one at a time: two panics in one unwinding would abort.
fn drop_all(values: impl IntoIterator<Item = Slot>) -> Result<(), PanicReport> {
    let drop_one = |value: Slot| guarded(|| drop(value)).map_err(|_| last_panic());
    values.into_iter().map(drop_one).fold(Ok(()), Result::and)
}

impl Drop for Replay<'_> {
    fn drop(&mut self) {
        // A panic in a destructor is reported by `end`.
        let _ = self.drop_values();
    }
}

/// The literals of a statement, from the plan; `None` if one is unknown to it.
pub fn literals_of<'p>(plan: &'p Plan, statement: &Statement) -> Option<Vec<&'p Literal>> {
    let domains = &plan.planned(plan.find_planned(statement.method)?).domains;
    let found = statement
        .literals()
        .zip(domains)
        .map(|(source, domain)| domain.iter().find(|literal| literal.source == source));
    found.collect()
}

#[cfg(test)]
mod tests {
    use beget::HasSuite as _;

    use super::*;
    use crate::random::tests::{Knob, call, crockery, pens, plan_of, sequence};

    #[test]
    fn a_panic_that_is_expected_is_caught_and_must_come() {
        let plan = pens("");
        let of = |name: &str, panics: bool| {
            let last = Statement { panics, ..call(&plan, name, &[0], None) };
            let calls = sequence(&[call(&plan, "new", &[], Some(0)), last]);
            let mut replay = Replay::new(&plan, &calls);
            let n_made = replay.run(&calls, unobserved).map(|returned| returned.len());
            (n_made, replay.caught().map(|report| report.message.to_string()))
        };
        assert_eq!(of("bend", true), (Ok(2), Some("it is stiff".to_owned())));
        assert_eq!(of("write", true), (Err((1, ReplayError::Returned)), None));
        assert_eq!(of("write", false), (Ok(2), None));
        assert!(matches!(of("bend", false).0, Err((1, ReplayError::Panicked(_)))));
    }

    #[test]
    fn an_error_is_known_until_the_next_statement() {
        let plan = plan_of(Knob::suite());
        let new = call(&plan, "new", &[], Some(0));
        let mut replay = Replay::new(&plan, &sequence(std::slice::from_ref(&new)));
        replay.step(&new, unobserved).unwrap();
        assert!(!replay.returned_error());
        let mut check = call(&plan, "check", &[0], None);
        check.arguments.push(beget_suite::Operand::Literal("2".into()));
        replay.step(&check, unobserved).unwrap();
        assert!(replay.returned_error());
    }

    /// Of a pair the second breaks, whether the first is bound or dropped too.
    #[test]
    fn destructors_that_panic_are_noticed_and_go_no_further() {
        let plan = crockery();
        let kept = sequence(&[call(&plan, "second_hand", &[], Some(0))]);
        let mut replay = Replay::new(&plan, &kept);
        assert!(replay.run(&kept, unobserved).is_ok());
        assert_eq!(&*replay.end().unwrap_err().message, "it breaks");
        let mut replay = Replay::new(&plan, &kept);
        assert!(replay.run(&kept, unobserved).is_ok());
        drop(replay);
        // It ends with the next call.
        let new = Statement { ends: vec![Variable(0)], ..call(&plan, "new", &[], Some(1)) };
        let ended = sequence(&[kept.statements[0].clone(), new]);
        let ran = Replay::new(&plan, &ended).run(&ended, unobserved);
        assert!(matches!(ran, Err((1, ReplayError::Dropped(_)))));
        for (name, bound) in [("second_hand", None), ("pair", None), ("pair", Some(0))] {
            let unused = sequence(&[call(&plan, name, &[], bound)]);
            let ran = Replay::new(&plan, &unused).run(&unused, unobserved);
            assert!(matches!(ran, Err((0, ReplayError::Dropped(_)))), "{name}");
        }
    }
}
