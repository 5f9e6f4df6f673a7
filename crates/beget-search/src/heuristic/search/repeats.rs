//! The number of times that a successful call goes well in a row (Kuperberg and Omri, section 8).
//!
//! `pop` consumes what it needs, `len` never does: a benchmark that calls one without making its
//! structure again measures something else.

use std::sync::Arc;

use beget_plan::finding::Control;
use beget_plan::scope::PlannedIdx;
use beget_run::random::{CallStep, Fragment};
use beget_suite::{Passing, Variable};

use super::{CallSearch, Failure, Stop};
use crate::heuristic::report::CallRepeats;

impl CallSearch<'_> {
    /// Makes the successful call of a method on what it left, until it fails or was made often
    /// enough. Takes the square of that number of calls.
    pub(super) fn repeat(
        &mut self,
        method: PlannedIdx,
        control: &mut Control<'_>,
    ) -> Result<(), Stop> {
        let Some(success) = &self.reports[method.index()].success else { return Ok(()) };
        let mut steps: Vec<_> = success.steps.iter().cloned().map(Arc::new).collect();
        let first = steps.last().expect("a success has its call").clone();
        let variables: Vec<Variable> =
            first.statement.variables().map(|(_, variable)| variable).collect();
        let (mut repeats, mut ended) = (CallRepeats { times: 1, end: None }, Ok(()));
        let mut structures = self.plan.method(method).structure_params();
        if structures.any(|(_, passing)| passing == Passing::Value) {
            repeats.end = Some("it takes its structure away".to_owned());
        }
        while repeats.end.is_none() && repeats.times < self.options.max_repeats {
            ended = self.check(control);
            if ended.is_err() {
                repeats.end = Some("the run ended".to_owned());
                break;
            }
            let before = Arc::new(Fragment::new(Vec::new(), steps.clone()));
            let (literals, n_variables) = (first.literals.clone(), before.n_variables());
            let next = CallStep::new(self.plan, method, &variables, literals, n_variables);
            let next = Arc::new(next);
            let made = self.make(method, &before, &next).map_err(Failure::into_cause);
            let made = made.and_then(|returned| match self.not_wanted(&returned) {
                Some(wrong) => Err(wrong),
                None => Ok(()),
            });
            match made {
                Err(cause) => repeats.end = Some(cause),
                Ok(()) => {
                    steps.push(next);
                    repeats.times += 1;
                }
            }
        }
        self.reports[method.index()].repeats = Some(repeats);
        ended
    }
}
