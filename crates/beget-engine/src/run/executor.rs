//! The one loop: a strategy proposes calls, they are made, the store takes their results, the
//! strategy learns.
//!
//! Blocks of a batch run in parallel, and the store takes their candidates in block order, so the
//! choice of threads is invisible in the result. The executor knows no search; it keeps the
//! counters, the findings and the budgets of all of them.
//!
//! # Budgets
//!
//! Calls and structures are counted before a batch; a batch is cut to the budget, but all calls on
//! one parent are made or none, so a run can go a little beyond. The place where it stops is
//! reproducible. Time, memory and interrupts are checked after each batch. Writing the corpus
//! makes some hundred structures at once, and checks for an interrupt before it writes each
//! (`OutputDir::write`), with a limit that the program knows (`WriteLimit`).

use beget_heap::PassedBound;
use beget_plan::finding::{Finding, Kind, LevelProgress, Progress, StopReason};
use beget_plan::scope::{Budget, PlannedIdx};

use crate::data::block::Block;
use crate::data::ledger::Ledger;
use crate::data::merged::{MergedValue, MergedValues};
use crate::data::report::{Report, rank};
use crate::data::sightings::Sighting;
use crate::data::state_bytes::state_from;
use crate::data::wire::to_bytes;
use crate::run::interim::{Interim, Observer};
use crate::run::merged::StoreView;
use crate::run::state::RunState;
use crate::store::{Candidates, Recipes, Store, StoreError, StructureId, UnsettledCandidates};
use crate::strategy::proposal::{Batch, Lesson, Proposal, Situation, Strategy};
use crate::worker::explorer::Explorer;
use crate::worker::pieces::MOST_HANGS;
use crate::worker::{BlockResult, THOROUGH, call_batch};

/// Makes the calls of blocks.
///
/// Threads, child processes and other machines give the same results: blocks do not depend on each
/// other.
pub trait BlockRunner {
    /// Returns the results of `blocks`, in their order. `recipes` has the origins of their
    /// structures; `wait` must be called now and then meanwhile.
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult>;
}

/// The threads of an [`Explorer`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads;

impl BlockRunner for Threads {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        explorer.run_blocks(blocks, recipes, wait)
    }
}

/// A search in progress: the structures, and everything known about the calls made.
#[derive(Clone, Debug)]
pub struct Executor<'e, 'p, S> {
    explorer: &'e Explorer<'p>,
    pub(crate) store: S,
    pub(crate) ledger: Ledger,
    store_failure: Option<StoreError>,
    /// True if the structures of a complete level have shown a failure.
    has_failed_level: bool,
    /// Structures that the run extends though the store does not keep them, numbered behind the
    /// others.
    pub(crate) merged: Vec<MergedValue>,
}

impl<'e, 'p, S: Store> Executor<'e, 'p, S> {
    /// A search before its first call; `store` is empty.
    pub fn new(explorer: &'e Explorer<'p>, store: S) -> Self {
        Executor {
            explorer,
            store,
            ledger: Ledger::default(),
            store_failure: None,
            has_failed_level: false,
            merged: Vec::new(),
        }
    }

    /// The possible calls.
    pub(crate) fn explorer(&self) -> &'e Explorer<'p> {
        self.explorer
    }

    /// The structures so far.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The results of the calls.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn store_failure(&self) -> Option<&StoreError> {
        self.store_failure.as_ref()
    }

    /// The findings, in the order of reports.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.ranked(|sighting| self.finding(sighting))
    }

    /// The findings of all sightings: most important first, then the shortest, then the rare ones.
    fn ranked(&self, finding: impl Fn(Sighting) -> Finding) -> Vec<Finding> {
        let sightings = self.ledger.sightings.ranked().into_iter();
        let mut findings: Vec<Finding> = sightings.map(finding).collect();
        rank(&mut findings);
        findings
    }

    fn finding(&self, sighting: Sighting) -> Finding {
        sighting.into_finding(self.explorer.plan(), self.explorer.calls(), &self.recipes())
    }

    /// The origins of everything that calls are made on.
    pub(crate) fn recipes(&self) -> StoreView<'_> {
        StoreView { store: &self.store, merged: &self.merged }
    }

    /// Like [`Executor::findings`], with a picture if an invariant rejects the result of a call.
    /// That is never walked, so the picture shows the arguments of the call, which are
    /// reconstructed for it.
    pub(crate) fn findings_with_pictures(&self) -> Vec<Finding> {
        let finding = |sighting: Sighting| {
            let rejected = sighting.problem.kind == Kind::Invariant;
            let arguments = if rejected { sighting.arguments.clone() } else { Vec::new() };
            let mut finding = self.finding(sighting);
            // A failed reconstruction is a separate finding.
            let graph = |&id: &StructureId| {
                let form = self.recipes().form(id).ok()?;
                self.explorer.graph_of(&self.recipes(), id, form.as_ref()).ok().flatten()
            };
            finding.witness.before = arguments.iter().filter_map(graph).collect();
            finding
        };
        self.ranked(finding)
    }

    /// Makes the calls that `strategy` proposes, by `runner`, until it stops, a budget is spent or
    /// `watcher` ends the run.
    pub fn run(
        &mut self,
        strategy: &mut dyn Strategy<S>,
        runner: &dyn BlockRunner,
        watcher: &mut dyn Observer,
    ) -> StopReason {
        loop {
            if self.is_undecided() {
                return self.ended(StopReason::Undecided, &*strategy, watcher);
            }
            if let Err(reason) = self.end_level(&*strategy, watcher) {
                return self.ended(reason, &*strategy, watcher);
            }
            let batch = match strategy.propose(&self.situation()) {
                Ok(Proposal::Calls(batch)) => batch,
                Ok(Proposal::Settle) => match self.settle(watcher) {
                    Ok(()) => continue,
                    Err(error) => return self.stopped_by(error),
                },
                Ok(Proposal::Stop(reason)) => return self.ended(reason, &*strategy, watcher),
                Err(error) => return self.stopped_by(error),
            };
            if let Err(reason) = self.run_batch(&batch, runner, strategy, watcher) {
                return self.broken_off(reason, watcher);
            }
            if let Some(reason) = watcher.check(self.progress(&batch)) {
                return self.ended(reason, &*strategy, watcher);
            }
            watcher.look(&|| self.interim(&*strategy));
            if self.store.lasts()
                && watcher.is_save_due(strategy.is_between_levels())
                && let Err(error) = self.save(&*strategy, watcher)
            {
                return self.stopped_by(error);
            }
        }
    }

    /// Has the structures looked at if a level is complete.
    fn end_level(
        &mut self,
        strategy: &dyn Strategy<S>,
        watcher: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        if strategy.is_between_levels() && self.store.unsettled().candidates == 0 {
            self.has_failed_level |= watcher.end_level(&|| self.interim(strategy))?;
        }
        Ok(())
    }

    /// Returns whether a call has left a structure that cannot be told from others.
    fn is_undecided(&self) -> bool {
        self.ledger.passed.iter().any(|passed| passed.bound == PassedBound::Undecided)
    }

    /// Has the store decide on what it has put off.
    fn settle(&mut self, watcher: &mut dyn Observer) -> Result<(), StoreError> {
        if self.store.unsettled().candidates == 0 {
            return Ok(());
        }
        let explorer = self.explorer;
        let settled = self.at_work(watcher, |store| explorer.install(|| store.settle()))?;
        // Until now they counted as matched.
        self.ledger.counters.kept += settled.calls_with_new;
        self.ledger.counters.matched -= settled.calls_with_new;
        Ok(())
    }

    /// Makes the store save the run.
    fn save(
        &mut self,
        strategy: &dyn Strategy<S>,
        watcher: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        self.settle(watcher)?;
        match self.state(strategy) {
            Some(state) => self.at_work(watcher, |store| store.save(&state)),
            None => Ok(()),
        }
    }

    /// Work of the store in which no calls are made.
    fn at_work<R>(&mut self, watcher: &mut dyn Observer, work: impl Fn(&mut S) -> R) -> R {
        let mut done = None;
        watcher.without_calls(&mut || done = Some(work(&mut self.store)));
        done.expect("the watcher has the work done")
    }

    /// The stop reason between two batches: `reason`, unless the store cannot keep its contents.
    fn ended(
        &mut self,
        reason: StopReason,
        strategy: &dyn Strategy<S>,
        watcher: &mut dyn Observer,
    ) -> StopReason {
        let saved = match self.store.lasts() {
            true => self.save(strategy, watcher),
            false => self.settle(watcher),
        };
        match saved {
            Ok(()) if reason.is_exhausted() && self.leaves_out() => StopReason::LeftOut,
            Ok(()) => reason,
            Err(error) => self.stopped_by(error),
        }
    }

    /// Returns whether some calls, or the results of some, are left out.
    fn leaves_out(&self) -> bool {
        self.ledger.sightings.have_left_out() || !self.ledger.omissions.is_empty()
    }

    /// The blocks without the calls of methods that do not return, and with the number of these
    /// calls so far; `None` if all calls have returned.
    fn without_endless(&mut self, blocks: &[Block]) -> Option<Vec<Block>> {
        let hangs = self.ledger.hangs();
        if hangs.is_empty() {
            return None;
        }
        let mut blocks = blocks.to_vec();
        for block in &mut blocks {
            block.hangs.clone_from(&hangs);
            for &(method, n_hangs) in &hangs {
                if n_hangs >= MOST_HANGS && block.spare_calls(self.explorer, method) {
                    self.ledger.spare(method);
                }
            }
        }
        Some(blocks)
    }

    /// Says of each method that is called no more from now on why that is so.
    pub(crate) fn note_endless(&mut self, before: &[PlannedIdx], place: &str) {
        let spared = self.ledger.spared.clone();
        for method in spared.into_iter().filter(|method| !before.contains(method)) {
            let plan = self.explorer.plan();
            let name = plan.method_name(method);
            let calls = match plan.suite.invariants[..] {
                [] => format!("calls of `{name}`"),
                _ => format!("calls of `{name}`, or invariants of what they leave,"),
            };
            self.ledger.add_omission(format!(
                "{calls} do not return: after {MOST_HANGS} of them, {place}, it was called no more"
            ));
        }
    }

    /// Why the run ends with a batch of which nothing counts. The strategy has proposed it all the
    /// same, so a run that went on from here would leave it out: what was saved last stays.
    fn broken_off(&mut self, reason: StopReason, watcher: &mut dyn Observer) -> StopReason {
        let settled = match reason {
            StopReason::StoreFull | StopReason::StoreFailed | StopReason::Interrupted => Ok(()),
            _ => self.settle(watcher),
        };
        match settled {
            Ok(()) => reason,
            Err(error) => self.stopped_by(error),
        }
    }

    /// Everything that the run remembers besides its structures.
    fn state(&self, strategy: &dyn Strategy<S>) -> Option<Vec<u8>> {
        let state = RunState {
            ledger: self.ledger.clone(),
            distrust: self.explorer.copy_strategies().distrust(),
            strategy: strategy.state()?,
        };
        Some(to_bytes(&state))
    }

    /// Continues a run that another process has [saved](Store::save): its structures are in the
    /// store, and `strategy` is new.
    ///
    /// # Errors
    ///
    /// If `state` does not belong to such a run.
    pub fn resume(
        &mut self,
        state: &[u8],
        strategy: &mut dyn Strategy<S>,
    ) -> Result<(), StoreError> {
        let state: RunState = state_from(state)?;
        strategy.restore(&state.strategy)?;
        self.explorer.copy_strategies().adopt(state.distrust);
        self.ledger = state.ledger;
        Ok(())
    }

    /// The stop reason of a run whose store failed. The cause is one of the notes.
    pub(crate) fn stopped_by(&mut self, error: StoreError) -> StopReason {
        let UnsettledCandidates { candidates, .. } = self.store.unsettled();
        if candidates > 0 {
            self.ledger.add_note(format!(
                "of {candidates} candidates it was not found out whether they are new: their calls count as matched"
            ));
        }
        if matches!(error, StoreError::Failed(_) | StoreError::CutShort) {
            self.ledger.add_note(error.to_string());
            self.store_failure = Some(error.clone());
        }
        StopReason::from(error)
    }

    /// The structures, by value.
    pub(crate) fn into_store(self) -> S {
        self.store
    }

    fn situation(&self) -> Situation<'_, S> {
        let Executor { explorer, store, ledger, .. } = self;
        let explored = ledger.counters.explored();
        let n_structures = store.len() + store.unsettled().candidates;
        let allowed = allowed_calls(&explorer.plan().budget, explored, n_structures);
        let of_calls = ledger.counters.failures > 0 || !ledger.sightings.groups().is_empty();
        let has_failed = of_calls || self.has_failed_level;
        Situation { explorer, store, explored, allowed, has_failed }
    }

    /// Makes the calls of a batch, commits their results and informs the strategy. If copies cannot
    /// be trusted or the store fails, nothing of the batch counts.
    fn run_batch(
        &mut self,
        batch: &Batch,
        runner: &dyn BlockRunner,
        strategy: &mut dyn Strategy<S>,
        watcher: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        self.store.pass(batch.passed);
        let spared = self.ledger.spared.clone();
        let mut results = self.call_all(&batch.blocks, runner, &*strategy, watcher)?;
        let before = self.store.len();
        let is_due = |store: &S| strategy.needs_lessons() || store.unsettled().is_due;
        let committed = self.commit(&mut results);
        let settled = committed.and_then(|()| match is_due(&self.store) {
            true => self.settle(watcher),
            false => Ok(()),
        });
        if let Err(error) = settled {
            return Err(self.stopped_by(error));
        }
        self.note_endless(&spared, &format!("in level {}", batch.level));
        let calls = self.explorer.calls();
        let new = before..self.store.len();
        strategy.learn(&Lesson { calls, store: &self.store, new, results: &results });
        Ok(())
    }

    /// Makes the calls of some blocks. If copies cannot be trusted, keeps only the findings about
    /// that.
    pub(crate) fn call_all(
        &mut self,
        blocks: &[Block],
        runner: &dyn BlockRunner,
        strategy: &dyn Strategy<S>,
        watcher: &mut dyn Observer,
    ) -> Result<Vec<BlockResult>, StopReason> {
        let explorer = self.explorer;
        let without_endless = self.without_endless(blocks);
        let mut wait = || watcher.wait(&self.interim(strategy));
        let blocks = without_endless.as_deref().unwrap_or(blocks);
        let call_all = || runner.run_all(explorer, &self.recipes(), blocks, &mut wait);
        let (results, lost) = call_batch(explorer.copy_strategies(), call_all);
        let misses_drops = lost.drops && !lost.trust && self.store.len() > THOROUGH;
        if misses_drops {
            explorer.copy_strategies().miss_drops();
        }
        if lost.trust || misses_drops {
            let ledgers = results.into_iter().map(|result| result.ledger);
            ledgers.for_each(|one| self.ledger.take_remarks(one.sightings, one.notes));
            return Err(StopReason::CopiesDiffer);
        }
        Ok(results)
    }

    fn commit(&mut self, results: &mut [BlockResult]) -> Result<(), StoreError> {
        if let Some(error) = store_error(results) {
            return Err(error);
        }
        let take = |result: &mut BlockResult| std::mem::take(&mut result.candidates);
        let candidates: Vec<Candidates> = results.iter_mut().map(take).collect();
        let committed = self.explorer.install(|| self.store.commit(&candidates))?;
        for ((result, candidates), committed) in results.iter_mut().zip(candidates).zip(committed) {
            // Until now `kept` included all calls in scope.
            let counters = &mut result.ledger.counters;
            counters.matched += counters.kept - committed.calls_with_new;
            counters.kept = committed.calls_with_new;
            result.candidates = candidates;
            // Strategies learn the outcomes.
            let ledger = std::mem::take(&mut result.ledger);
            result.ledger.counters = ledger.counters;
            let Executor { explorer, store, ledger: of_run, .. } = self;
            of_run.append(ledger, |change| {
                Some(change.to_text(explorer.plan(), explorer.calls(), &*store))
            });
        }
        Ok(())
    }

    /// The state of the run before a batch.
    pub(crate) fn interim(&self, strategy: &dyn Strategy<S>) -> Interim<'_> {
        let report = Report {
            doubted: Vec::new(),
            stop_reason: StopReason::Interrupted,
            ledger: self.ledger.clone(),
            levels: strategy.levels(&self.store, self.ledger.counters.explored()),
            findings: self.findings(),
            store_failure: None,
            merged: MergedValues::default(),
        };
        let (plan, calls) = (self.explorer.plan(), self.explorer.calls());
        Interim { plan, calls, store: &self.store, merged: &self.merged, report }
    }

    fn progress(&self, batch: &Batch) -> Progress {
        Progress {
            structures: self.store.len(),
            explored: self.ledger.counters.explored(),
            failures: self.ledger.counters.failures,
            store_bytes: self.store.bytes(),
            level: Some(LevelProgress { number: batch.level, done: batch.level_done }),
        }
    }
}

/// The first error of the store in some blocks.
pub(crate) fn store_error(results: &mut [BlockResult]) -> Option<StoreError> {
    results.iter_mut().find_map(|result| result.store_error.take())
}

/// The number of calls that the budgets still allow at once: by calls, and by structures, of which
/// each call may bring some.
pub(crate) fn allowed_calls(
    budget: &Budget,
    explored: u64,
    n_structures: u64,
) -> Result<u64, StopReason> {
    let mut allowed = u64::MAX;
    if let Some(most) = budget.max_calls {
        allowed = most.saturating_sub(explored);
        if allowed == 0 {
            return Err(StopReason::MaxCalls(most));
        }
    }
    if let Some(most) = budget.max_structures {
        let left = most.saturating_sub(n_structures);
        if left == 0 {
            return Err(StopReason::MaxStructures(most));
        }
        allowed = allowed.min(left);
    }
    Ok(allowed)
}

#[cfg(test)]
pub(crate) mod tests;
