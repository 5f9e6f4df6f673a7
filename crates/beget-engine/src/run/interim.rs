//! Watching a run while calls are made.
//!
//! A call that does not end blocks any run, and its thread cannot be stopped. So the thread that
//! waits for the calls of a batch regularly shows the [state](Interim) of the run to a watcher,
//! which can write it and end the process.

use beget_plan::finding::{Finding, Kind, Problem, Progress, StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{CallInProgress, tell_ends};
use beget_suite::{Recipe, to_call_source};

use crate::data::after_call::AfterCall;
use crate::data::after_panic::step_after_panic;
use crate::data::calls::{CallParts, CallTable, recipe_of, recipe_of_call};
use crate::data::in_progress::{calls_of, culprit_of, named_by_work, run_number};
use crate::data::merged::MergedValue;
use crate::data::report::{Report, rank};
use crate::run::corpus::Corpus;
use crate::run::merged::StoreView;
use crate::store::{Store, StructureId};

/// The observer of a run.
pub trait Observer {
    /// Hears of the progress after each batch, and may stop the run.
    fn check(&mut self, progress: Progress) -> Option<StopReason>;

    /// Is called when a run begins, or begins anew: nothing from before counts.
    fn begin(&mut self) {}

    /// Is called when a level is complete, with what the run has. Returns whether its structures
    /// show a failure.
    ///
    /// # Errors
    /// Why the run should end here.
    fn end_level<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
        let _ = interim;
        Ok(false)
    }

    /// Hears of a step of a search among calls that are made already: its number, from 1, and its
    /// result, such as the fewest methods still possible. May stop the search.
    fn step(&mut self, number: u32, value: f64) -> Option<StopReason> {
        let _ = (number, value);
        None
    }

    /// Returns whether the run should be [saved](Store::save) now, between two levels or within
    /// one. Called after each batch of runs that can be saved.
    fn is_save_due(&mut self, is_between_levels: bool) -> bool {
        is_between_levels
    }

    /// Does work of the store that makes no calls and may take long: deciding on pending
    /// candidates, saving the run. It is not interrupted.
    fn without_calls(&mut self, work: &mut dyn FnMut()) {
        work();
    }

    /// Is called after each batch with the state of the run.
    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        let _ = interim;
    }

    /// Is called about ten times a second while calls are made. It cannot stop them; if they do not
    /// end, it can only use the state and end the process.
    fn wait(&mut self, interim: &Interim<'_>) {
        let _ = interim;
    }
}

/// A function that progress is reported to waits for calls as long as they take.
impl<F: FnMut(Progress) -> Option<StopReason> + ?Sized> Observer for F {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self(progress)
    }
}

/// The state of a run while calls are made: everything up to the last batch.
pub struct Interim<'r> {
    pub(crate) plan: &'r Plan,
    pub(crate) calls: &'r CallTable,
    pub(crate) store: &'r dyn Store,
    /// The values that calls are made on besides structures.
    pub(crate) merged: &'r [MergedValue],
    /// The report as if the run stopped here; its stop reason is meaningless.
    pub(crate) report: Report,
}

impl std::fmt::Debug for Interim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interim").field("report", &self.report).finish_non_exhaustive()
    }
}

impl<'r> Interim<'r> {
    /// The corpus of the run if it stopped now, without the calls of the batch in progress.
    pub fn corpus(&self, stop_reason: StopReason) -> Corpus<StoreView<'r>> {
        Corpus {
            plan: self.plan.clone(),
            calls: self.calls.clone(),
            store: StoreView { store: self.store, merged: &[] },
            report: Report { stop_reason, ..self.report.clone() },
        }
    }

    /// Like [`Interim::corpus`], if the run stopped because of these calls: each is a finding.
    /// Calls of one method that do not return are one finding, and none if the run has it already.
    pub fn corpus_with(
        &self,
        stop_reason: StopReason,
        calls: &[CallInProgress],
    ) -> Corpus<StoreView<'r>> {
        let mut corpus = self.corpus(stop_reason);
        let findings = &mut corpus.report.findings;
        let mut new: Vec<Finding> = calls.iter().map(|call| self.finding(call)).collect();
        // The first of several is the one with the fewest calls.
        rank(&mut new);
        for finding in new {
            if !findings.iter().any(|known| is_same_end(known, &finding)) {
                findings.push(finding);
            }
        }
        rank(findings);
        corpus
    }

    /// The finding of a call that ended the process or does not return.
    fn finding(&self, call: &CallInProgress) -> Finding {
        let culprit = self.culprit(call);
        let is_no_call = call.is_own_work || call.method.is_none();
        let problem = match call.end {
            Some(end) => Problem::new(Kind::Crash, format!("{culprit} {end}")),
            None if is_no_call => Problem::left_out(&culprit),
            None => Problem::new(Kind::Hang, format!("{culprit} does not return")),
        };
        let witness = self.recipe(call).map(|recipe| match call.method {
            Some(_) => Witness::of_call(recipe),
            None => Witness::of_recipe(recipe),
        });
        let problem = named_by_work(self.plan, problem, call);
        Finding { problem, count: 1, witness: witness.unwrap_or_default() }
    }

    /// The calls of this run that are being made.
    pub fn current_calls(&self) -> Vec<CallInProgress> {
        calls_of(self.plan)
    }

    /// The current work of a call, in words, to blame for its end or standstill.
    pub fn culprit(&self, call: &CallInProgress) -> String {
        culprit_of(self.plan, call)
    }

    /// Marks the process ends noted by calls of this run as reported.
    pub fn tell_ends(&self) {
        tell_ends(run_number(self.plan));
    }

    /// A call as Rust statements; `None` if it does not belong to this run.
    pub fn source(&self, call: &CallInProgress) -> Option<String> {
        let recipe = call.method.and_then(|_| self.recipe(call))?;
        Some(to_call_source(&self.plan.suite, &recipe))
    }

    /// The recipe of a call, of the step after its panic, or of the structure being made for a
    /// call; `None` if it does not belong to this run.
    pub fn recipe(&self, call: &CallInProgress) -> Option<Recipe> {
        let arguments = call.arguments.as_ref()?.iter().map(|&id| StructureId::new(id));
        let arguments: Vec<StructureId> = arguments.collect();
        let recipes = &StoreView { store: self.store, merged: self.merged };
        let Some(planned) = call.method.map(|method| PlannedIdx::new(method as usize)) else {
            let first = arguments.first().filter(|&&id| recipes.has(id))?;
            return recipe_of(self.plan, self.calls, recipes, *first).ok();
        };
        let method = self.plan.methods.get(planned.index())?;
        let is_known = arguments.iter().all(|&id| recipes.has(id));
        let tuple = call.tuple as usize;
        if !is_known || arguments.len() != method.structures.len() || tuple >= method.n_tuples() {
            return None;
        }
        let parts = CallParts { planned, output: 0, tuple, panics: false };
        let step = match AfterCall::of_note(call.after) {
            Some(AfterCall::PanicStep(step)) => step_after_panic(self.plan, planned, step),
            Some(AfterCall::Audit(_) | AfterCall::Invariant(_)) | None => None,
        };
        let recipe = match step {
            None => recipe_of_call(self.plan, self.calls, recipes, parts, &arguments),
            Some(step) => step.recipe(self.plan, self.calls, recipes, parts, &arguments),
        };
        recipe.ok()
    }
}

/// Returns whether two findings are calls of one method that ended in the same way.
fn is_same_end(one: &Finding, other: &Finding) -> bool {
    let end = |finding: &Finding| {
        let method = finding.witness.recipe.as_ref().map(|recipe| recipe.method);
        (finding.problem.kind.clone(), finding.problem.name.clone(), method)
    };
    end(one) == end(other)
}

#[cfg(test)]
mod tests {
    use beget_suite::MethodIdx;

    use super::*;

    #[test]
    fn calls_end_alike_if_method_kind_and_contract_are_the_same() {
        let finding = |kind, method, name: Option<&str>| {
            let call = |method| Recipe { method, arguments: Vec::new(), output: 0, panics: false };
            let problem = Problem::new(kind, "it ends so");
            Finding {
                problem: match name {
                    Some(name) => problem.with_name(name),
                    None => problem,
                },
                count: 1,
                witness: Witness::of_call(call(MethodIdx::new(method))),
            }
        };
        let one = finding(Kind::Hang, 1, None);
        let more = Finding { count: 7, ..finding(Kind::Hang, 1, None) };
        assert!(is_same_end(&one, &more));
        assert!(!is_same_end(&one, &finding(Kind::Hang, 2, None)));
        assert!(!is_same_end(&one, &finding(Kind::Crash, 1, None)));
        assert!(!is_same_end(&one, &finding(Kind::Hang, 1, Some("memory_sound"))));
    }

    #[test]
    fn a_function_that_observes_says_of_no_level_that_it_fails() {
        let mut observer = |_: Progress| None;
        assert_eq!(observer.end_level(&|| unreachable!("it does not look")), Ok(false));
        assert_eq!(observer.step(1, 2.0), None);
        assert!(observer.is_save_due(true) && !observer.is_save_due(false));
    }
}
