//! Reading off what a call left: how it ended, and the forms of its structures.

use std::sync::Arc;

use beget_engine::broken_invariant;
use beget_heap::{CanonicalForm, Encoder};
use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::{ErrorRule, Plan};
use beget_process::guard::{guarded, last_panic};
use beget_suite::{Outcome, Variable};

use crate::random::CallStep;
use crate::random::forms::FormTable;
use crate::random::live::{Live, MadeCall};

/// Looks at what calls left. What counts as misuse and as failure is what the engine's worker says
/// of it (`beget-engine/src/worker/outputs.rs`).
pub(crate) struct Inspector<'p> {
    plan: &'p Plan,
    encoder: Encoder<'p>,
    /// The forms that are known.
    pub(crate) forms: FormTable,
    /// Room for the variables of a call, and for what it left.
    variables: Vec<Variable>,
    spare: Vec<LeftValue>,
}

/// The result of a call.
#[derive(Debug)]
pub(crate) enum Inspection {
    /// It left these structures, in scope.
    Left(Vec<LeftValue>),
    /// It panicked as expected, which is kept, and left these.
    LeftByPanic(Vec<LeftValue>),
    /// One of its structures is out of scope.
    OutOfScope,
    /// It was not made: a precondition forbids it.
    Forbidden,
    /// It broke a rule of use.
    Misuse,
    /// It broke a promise.
    Failure(Problem),
}

/// A structure that a call left.
#[derive(Clone, Debug)]
pub struct LeftValue {
    /// The variable that holds it.
    pub variable: Variable,
    /// Its canonical form, in the coding of the plan.
    pub form: Arc<CanonicalForm>,
    /// Objects in its heap.
    pub n_objects: u32,
    /// True if the form was known before.
    pub(crate) is_known: bool,
}

/// The forms that some variables had before a call; `None` if that cannot be said.
pub(crate) type FormsBefore<'b> = dyn FnMut(&[Variable]) -> Option<Vec<Arc<CanonicalForm>>> + 'b;

impl<'p> Inspector<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Inspector {
            plan,
            encoder: Encoder::new(plan.coding()),
            forms: FormTable::new(),
            variables: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Takes a list that is no longer needed, to be used again.
    pub(crate) fn recycle(&mut self, mut left: Vec<LeftValue>) {
        left.clear();
        self.spare = left;
    }

    /// Looks at what the call of `step`, whose variables are counted from 0, left. A call that
    /// panicked as expected and is kept says so.
    pub(crate) fn inspect(
        &mut self,
        live: &mut Live<'_>,
        step: &CallStep,
        made: MadeCall,
        before: &mut FormsBefore<'_>,
    ) -> Inspection {
        let misuse = &self.plan.misuse;
        match made {
            MadeCall::Unbound => Inspection::Forbidden,
            MadeCall::Returned(Outcome::Misuse, _) => Inspection::Forbidden,
            MadeCall::Returned(Outcome::Broken, _) => self.broken(live),
            MadeCall::Returned(Outcome::LongerList, _) => {
                let results = step.statement.bindings.iter().map(|one| one.variable);
                match self.left(live, results, step) {
                    Inspection::Failure(problem) => Inspection::Failure(problem),
                    _ => Inspection::OutOfScope,
                }
            }
            MadeCall::Returned(Outcome::Error, _) if misuse.errors == ErrorRule::Misuse => {
                Inspection::Misuse
            }
            MadeCall::Returned(Outcome::Error, _)
                if misuse.errors == ErrorRule::MisuseUnlessChanged
                    && !gives(live, step)
                    && !self.is_changed(live, step, before) =>
            {
                Inspection::Misuse
            }
            MadeCall::Returned(Outcome::Returned | Outcome::Error, _) => {
                self.left(live, step.statement.bindings.iter().map(|one| one.variable), step)
            }
            MadeCall::Panicked(report) if !misuse.expects(&report.message) => {
                Inspection::Failure(Problem::panic(&report.message, report.location))
            }
            MadeCall::Panicked(_)
                if !misuse.keeps_panicked || !self.is_changed(live, step, before) =>
            {
                Inspection::Misuse
            }
            MadeCall::Panicked(_) => match self.left(live, std::iter::empty(), step) {
                Inspection::Left(left) => Inspection::LeftByPanic(left),
                other => other,
            },
        }
    }

    fn broken(&self, live: &mut Live<'_>) -> Inspection {
        let breach = live.take_breach().expect("a call that broke a contract says which");
        if breach.panic.is_some_and(|message| self.plan.misuse.expects(&message)) {
            return Inspection::Misuse;
        }
        let problem = Problem::new(Kind::new(breach.kind), breach.message);
        Inspection::Failure(problem.with_name(breach.name))
    }

    /// Asks the invariants about what a call left, and takes the forms.
    fn left(
        &mut self,
        live: &Live<'_>,
        results: impl Iterator<Item = Variable>,
        step: &CallStep,
    ) -> Inspection {
        let mut variables = std::mem::take(&mut self.variables);
        variables.clear();
        add_distinct(step, &mut variables);
        variables.extend(results);
        variables.retain(|&variable| live.value(variable).is_some());
        let inspection = self.left_in(live, &variables);
        self.variables = variables;
        inspection
    }

    fn left_in(&mut self, live: &Live<'_>, variables: &[Variable]) -> Inspection {
        if let Some(problem) = self.broken_invariant(live, variables) {
            return Inspection::Failure(problem);
        }
        let mut left = std::mem::take(&mut self.spare);
        // Walking runs a subject's code too.
        match guarded(|| self.add_forms(live, variables, &mut left)) {
            Ok(Some(())) => Inspection::Left(left),
            Ok(None) => Inspection::OutOfScope,
            Err(_) => {
                let report = last_panic();
                match self.plan.misuse.expects(&report.message) {
                    true => Inspection::Misuse,
                    false => Inspection::Failure(Problem::panic(&report.message, report.location)),
                }
            }
        }
    }

    fn broken_invariant(&self, live: &Live<'_>, variables: &[Variable]) -> Option<Problem> {
        let invariants = &self.plan.suite.invariants;
        if invariants.is_empty() {
            return None;
        }
        variables.iter().find_map(|&variable| {
            broken_invariant(invariants, live.type_of(variable), live.value(variable)?)
        })
    }

    /// Adds the forms of some variables; `None` if one is out of scope.
    fn add_forms(
        &mut self,
        live: &Live<'_>,
        variables: &[Variable],
        left: &mut Vec<LeftValue>,
    ) -> Option<()> {
        variables.iter().try_for_each(|&variable| {
            left.push(self.form(live, variable)?);
            Some(())
        })
    }

    /// The form of a variable that holds something; `None` if it is out of scope.
    ///
    /// Walking runs a subject's code: the caller guards it.
    pub(crate) fn form(&mut self, live: &Live<'_>, variable: Variable) -> Option<LeftValue> {
        let ty = live.type_of(variable);
        let value = live.value(variable)?;
        self.encoder.begin(ty.index() as u64);
        (self.plan.suite.types[ty.index()].walk)(value, &mut self.encoder);
        let (form, is_known) = self.forms.find_or_copy(&self.encoder.finish().ok()?);
        let classes = 0..self.plan.schema().classes().len();
        let n_objects = classes.map(|class| self.encoder.objects_of(class)).sum();
        Some(LeftValue { variable, form, n_objects, is_known })
    }

    /// Returns whether an argument that is still there has another form than before the call.
    fn is_changed(
        &mut self,
        live: &Live<'_>,
        step: &CallStep,
        before: &mut FormsBefore<'_>,
    ) -> bool {
        let mut variables = distinct(step);
        variables.retain(|&variable| live.value(variable).is_some());
        let Some(before) = before(&variables) else { return true };
        // A walk that panics is met again when what the call left is looked at.
        let mut now = Vec::with_capacity(variables.len());
        let walked = guarded(|| self.add_forms(live, &variables, &mut now)).ok().flatten();
        walked.is_none() || !now.iter().map(|left| &left.form).eq(before.iter())
    }
}

/// Returns whether a call has left a structure in its result.
fn gives(live: &Live<'_>, step: &CallStep) -> bool {
    step.statement.bindings.iter().any(|binding| live.value(binding.variable).is_some())
}

/// The structures that a call takes, each once.
pub(crate) fn distinct(step: &CallStep) -> Vec<Variable> {
    let mut variables = Vec::with_capacity(2);
    add_distinct(step, &mut variables);
    variables
}

fn add_distinct(step: &CallStep, variables: &mut Vec<Variable>) {
    for (_, variable) in step.statement.variables() {
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    }
}
