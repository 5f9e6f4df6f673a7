//! Looking on while calls are made.
//!
//! A call that does not end is the end of any run, and nothing can be done about its thread. So
//! whoever waits for the calls of a batch gets a look now and then at what the run [has](Interim):
//! it can write that and end the process.

use std::ops::Range;

use beget_heap::FormRef;
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{CallInProgress, tell_ends};
use beget_suite::{Recipe, to_call_source};

use crate::data::after_panic::{PanicStepIdx, step_after_panic};
use crate::data::calls::{CallParts, CallTable, recipe_of, recipe_of_call};
use crate::data::in_progress::{calls_of, culprit_of, run_number};
use crate::data::report::Report;
use crate::run::corpus::Corpus;
use crate::run::merged::{MergedValue, RunRecipes};
use crate::store::{
    Candidates, CommitCounts, Dropped, Origin, Store, StoreError, StructureId, Totals,
};

/// Watches over a run.
pub trait Watcher {
    /// Hears of the progress after each batch, and may stop the run.
    fn check(&mut self, progress: Progress) -> Option<StopReason>;

    /// Returns whether the run should be [saved](Store::save) now, between two levels or within
    /// one. Is asked after each batch, of runs that can be.
    fn is_save_due(&mut self, is_between_levels: bool) -> bool {
        is_between_levels
    }

    /// Does work of the store in which no calls are made, and which may take long: deciding on what
    /// it has put off, writing the run down. Nobody is asked meanwhile whether to stop.
    fn without_calls(&mut self, work: &mut dyn FnMut()) {
        work();
    }

    /// Is called after each batch with what the run has, if it should be looked at.
    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        let _ = interim;
    }

    /// Is called about ten times a second while calls are made. It cannot stop them; if they do not
    /// end, it can only use what there is, and end the process.
    fn wait(&mut self, interim: &Interim<'_>) {
        let _ = interim;
    }
}

/// A function that progress is reported to waits for calls as long as they take.
impl<F: FnMut(Progress) -> Option<StopReason> + ?Sized> Watcher for F {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self(progress)
    }
}

/// What a run has while calls are made: everything up to the last batch.
pub struct Interim<'r> {
    pub(crate) plan: &'r Plan,
    pub(crate) calls: &'r CallTable,
    pub(crate) store: &'r dyn Store,
    /// What calls are made on besides structures.
    pub(crate) merged: &'r [MergedValue],
    /// As if the run stopped here; the reason is none yet.
    pub(crate) report: Report,
}

impl std::fmt::Debug for Interim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interim").field("report", &self.report).finish_non_exhaustive()
    }
}

impl<'r> Interim<'r> {
    /// The corpus that the run would leave if it stopped now, without the calls of the batch in
    /// progress.
    pub fn corpus(&self, stop_reason: StopReason) -> Corpus<StoreView<'r>> {
        Corpus {
            plan: self.plan.clone(),
            calls: self.calls.clone(),
            store: StoreView(self.store),
            report: Report { stop_reason, ..self.report.clone() },
        }
    }

    /// The calls of this run that are being made.
    pub fn current_calls(&self) -> Vec<CallInProgress> {
        calls_of(self.plan)
    }

    /// What a call is doing, for people: what its end or its standstill is blamed on.
    pub fn culprit(&self, call: &CallInProgress) -> String {
        culprit_of(self.plan, call)
    }

    /// Says that somebody has told of the ends of the process by calls of this run.
    pub fn tell_ends(&self) {
        tell_ends(run_number(self.plan));
    }

    /// A call as Rust statements; `None` if it is no call of this run.
    pub fn source(&self, call: &CallInProgress) -> Option<String> {
        let recipe = call.method.and_then(|_| self.recipe(call))?;
        Some(to_call_source(&self.plan.suite, &recipe))
    }

    /// The recipe of a call, of the step after its panic, or of the structure that is made for a
    /// call; `None` if it is none of this run.
    pub fn recipe(&self, call: &CallInProgress) -> Option<Recipe> {
        let arguments = call.arguments.as_ref()?.iter().map(|&id| StructureId(id));
        let arguments: Vec<StructureId> = arguments.collect();
        let recipes = &RunRecipes { store: self.store, merged: self.merged };
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
        let step = PanicStepIdx::of_note(call.after);
        let step = step.and_then(|step| step_after_panic(self.plan, planned, step));
        let recipe = match step {
            None => recipe_of_call(self.plan, self.calls, recipes, parts, &arguments),
            Some(step) => step.recipe(self.plan, self.calls, recipes, parts, &arguments),
        };
        recipe.ok()
    }
}

/// A store that can only be read.
#[derive(Clone, Copy)]
pub struct StoreView<'s>(&'s dyn Store);

impl std::fmt::Debug for StoreView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreView").field("len", &self.0.len()).finish()
    }
}

impl Store for StoreView<'_> {
    fn commit(&mut self, _: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        unreachable!("a run writes to its own store")
    }

    fn dropped(&self) -> Option<&Dropped> {
        self.0.dropped()
    }

    fn scan(
        &self,
        ids: Range<u32>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.0.scan(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.0.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.0.origin(id)
    }

    fn totals(&self) -> Totals {
        self.0.totals()
    }

    fn len(&self) -> u32 {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn matches(&self) -> bool {
        self.0.matches()
    }
}
