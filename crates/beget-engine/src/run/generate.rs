//! Generation: every structure of a plan, by levels.

use beget_plan::finding::{Finding, Kind, MEMORY_SOUND, Problem, Progress, StopReason};
use beget_plan::scope::Plan;

use crate::data::merged::MergedValues;
use crate::data::report::{Report, rank};
use crate::rebuild::reconstruct::CopyOptions;
use crate::run::abstraction::with_merges;
use crate::run::corpus::Corpus;
use crate::run::executor::{BlockRunner, Executor, Threads};
use crate::run::interim::Observer;
use crate::run::merged::MergedStrategy;
use crate::store::{ExactStore, Store, StoreError};
use crate::strategy::levels::Levels;
use crate::strategy::proposal::Strategy;
use crate::worker::explorer::{Explorer, Settings};

/// The input of a run: what is explored, within which budget, and how.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The plan, with its budget.
    pub plan: Plan,
    /// Threads and copies: nothing here changes the result.
    pub settings: Settings,
}

impl From<Plan> for RunSpec {
    fn from(plan: Plan) -> Self {
        RunSpec { plan, settings: Settings::default() }
    }
}

/// An empty store, or the reason why there is none.
pub type NewStore = Result<Box<dyn Store>, StoreError>;

/// A run that another process has [saved](Store::save).
#[derive(Debug)]
pub struct SavedRun {
    /// Its structures.
    pub store: Box<dyn Store>,
    /// The rest of it.
    pub state: Vec<u8>,
}

/// A run of all levels: every structure of a plan.
///
/// Unless something else is named, it keeps its structures in an [`ExactStore`], makes its calls on
/// [`Threads`], begins with nothing, and is observed by no one.
pub struct Run<'r> {
    spec: RunSpec,
    new_store: &'r dyn Fn(&Plan) -> NewStore,
    backend: &'r dyn BlockRunner,
    saved: Option<SavedRun>,
    observer: Option<&'r mut dyn Observer>,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl<'r> Run<'r> {
    /// A run of this plan, or of a plan with settings.
    pub fn new(spec: impl Into<RunSpec>) -> Self {
        Run {
            spec: spec.into(),
            new_store: &|plan| Ok(Box::new(ExactStore::of(plan))),
            backend: &Threads,
            saved: None,
            observer: None,
        }
    }

    /// Sets threads and copies.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.spec.settings = settings;
        self
    }

    /// Keeps the structures in an empty store by this function.
    #[must_use]
    pub fn store(self, new_store: &'r dyn Fn(&Plan) -> NewStore) -> Self {
        Run { new_store, ..self }
    }

    /// Makes the calls by this backend.
    #[must_use]
    pub fn backend(self, backend: &'r dyn BlockRunner) -> Self {
        Run { backend, ..self }
    }

    /// Goes on from where another process has saved the run. It must be of the same plan.
    #[must_use]
    pub fn resume(self, saved: SavedRun) -> Self {
        Run { saved: Some(saved), ..self }
    }

    /// Reports to an observer, which may end the run.
    #[must_use]
    pub fn observe(self, observer: &'r mut dyn Observer) -> Self {
        Run { observer: Some(observer), ..self }
    }

    /// Makes the run.
    ///
    /// If calls on clones turn out to give something else than calls on reconstructed structures,
    /// everything found so far may be wrong: nothing of it is kept, and the run starts again
    /// without clones. If destructors panic, those of earlier calls may not have run in the region:
    /// then it starts again without the region. If calls in the region give something else, it
    /// starts again with replayed structures for each call, and keeps the findings about that.
    ///
    /// # Panics
    /// If the thread pool cannot be started.
    pub fn go(self) -> Corpus {
        let Run { spec, new_store, backend, saved, observer } = self;
        let RunSpec { plan, mut settings } = spec;
        let mut silent = |_: Progress| None;
        let observer: &mut dyn Observer = match observer {
            Some(observer) => observer,
            None => &mut silent,
        };
        let mut explorer = Explorer::new(&plan, settings);
        observer.begin();
        let (mut store, mut report) = match saved {
            Some(saved) => resume_in(saved, &explorer, backend, observer),
            None => run_in(new_store(&plan), &explorer, backend, observer),
        };
        // Another process may have started it again.
        let mut doubts_clones = explorer.copy_strategies().has_doubted_clones();
        let mut misses_drops = false;
        let mut of_region: Vec<Finding> = Vec::new();
        loop {
            let is_lost_by_clones = !doubts_clones && is_lost_by_clones(&report);
            let is_lost_by_drops = explorer.copy_strategies().has_missed_drops();
            if of_region.is_empty() && report.stop_reason == StopReason::CopiesDiffer {
                let findings = report.findings.iter().filter(|one| is_of_region(&one.problem));
                of_region.extend(findings.cloned());
            }
            let is_lost_by_region = !of_region.is_empty() && !settings.copy_options.no_copies();
            if !is_lost_by_clones && !is_lost_by_drops && !is_lost_by_region {
                break;
            }
            doubts_clones |= is_lost_by_clones;
            misses_drops |= is_lost_by_drops;
            settings.copy_options.no_region |= misses_drops;
            if is_lost_by_region {
                settings.copy_options = CopyOptions::REPLAY;
            }
            drop(store);
            explorer = match doubts_clones {
                true => Explorer::doubting_clones(&plan, settings),
                false => Explorer::new(&plan, settings),
            };
            observer.begin();
            (store, report) = run_in(new_store(&plan), &explorer, backend, observer);
        }
        let is_replayed = !of_region.is_empty();
        add_new(&mut report.findings, of_region);
        let notes = [
            (doubts_clones, WITHOUT_CLONES),
            (misses_drops, WITHOUT_REGION),
            (is_replayed, REPLAYED),
        ];
        let notes = notes.into_iter().filter(|(applies, _)| *applies);
        report.ledger.notes.splice(0..0, notes.map(|(_, note)| note.to_owned()));
        let calls = explorer.into_calls();
        with_merges(Corpus { plan, calls, store, report })
    }

    /// Makes the run into this empty store. A store that is full or fails ends the run, with what
    /// it has. Where [`Run::go`] starts again, this ends with [`StopReason::CopiesDiffer`].
    ///
    /// # Panics
    /// If the thread pool cannot be started.
    pub fn go_into<S: Store>(self, store: S) -> Corpus<S> {
        let Run { spec: RunSpec { plan, settings }, backend, observer, .. } = self;
        let mut silent = |_: Progress| None;
        let observer: &mut dyn Observer = match observer {
            Some(observer) => observer,
            None => &mut silent,
        };
        let explorer = Explorer::new(&plan, settings);
        observer.begin();
        let (store, report) = run_levels(&explorer, backend, store, observer);
        let calls = explorer.into_calls();
        with_merges(Corpus { plan, calls, store, report })
    }
}

const WITHOUT_CLONES: &str = "started again without clones: calls on them gave other results";
const WITHOUT_REGION: &str = "started again without the region: a destructor panicked";

const REPLAYED: &str = "started again with structures that are replayed for each call: calls in the region gave other results";

/// Returns whether the problem shows that calls in the region cannot be relied on.
fn is_of_region(problem: &Problem) -> bool {
    problem.kind == Kind::RegionDiffers
        || problem.kind == Kind::Memory && problem.name.as_deref() == Some(MEMORY_SOUND)
}

/// Adds the findings of an earlier run that a run has not made itself.
fn add_new(findings: &mut Vec<Finding>, earlier: Vec<Finding>) {
    let is_new = |one: &Finding| findings.iter().all(|known| known.problem != one.problem);
    let new: Vec<Finding> = earlier.into_iter().filter(is_new).collect();
    findings.extend(new);
    rank(findings);
}

/// Returns whether calls on clones have shown that they cannot be relied on.
fn is_lost_by_clones(report: &Report) -> bool {
    report.stop_reason == StopReason::CopiesDiffer
        && report.findings.iter().any(|found| found.problem.kind == Kind::CloneDiffers)
}

/// Continues a saved run.
fn resume_in(
    saved: SavedRun,
    explorer: &Explorer<'_>,
    runner: &dyn BlockRunner,
    watcher: &mut dyn Observer,
) -> (Box<dyn Store>, Report) {
    let mut executor = Executor::new(explorer, saved.store);
    let mut levels = MergedStrategy::new(Levels::new(), explorer.plan());
    match executor.resume(&saved.state, &mut levels) {
        Ok(()) => run_with(executor, levels, runner, watcher),
        Err(error) => {
            let reason = executor.stopped_by(error);
            report_of(executor, &levels, reason)
        }
    }
}

/// Like [`run_levels`]; a run that has no store ends at once.
fn run_in(
    new_store: NewStore,
    explorer: &Explorer<'_>,
    runner: &dyn BlockRunner,
    watcher: &mut dyn Observer,
) -> (Box<dyn Store>, Report) {
    match new_store {
        Ok(store) => run_levels(explorer, runner, store, watcher),
        Err(error) => {
            let store: Box<dyn Store> = Box::new(ExactStore::of(explorer.plan()));
            let mut executor = Executor::new(explorer, store);
            let reason = executor.stopped_by(error);
            report_of(executor, &MergedStrategy::new(Levels::new(), explorer.plan()), reason)
        }
    }
}

fn run_levels<S: Store>(
    explorer: &Explorer<'_>,
    runner: &dyn BlockRunner,
    store: S,
    watcher: &mut dyn Observer,
) -> (S, Report) {
    let executor = Executor::new(explorer, store);
    let levels = MergedStrategy::new(Levels::new(), explorer.plan());
    run_with(executor, levels, runner, watcher)
}

fn run_with<S: Store>(
    mut executor: Executor<'_, '_, S>,
    mut levels: MergedStrategy<'_, Levels>,
    runner: &dyn BlockRunner,
    watcher: &mut dyn Observer,
) -> (S, Report) {
    let mut stop_reason = executor.run(&mut levels, runner, watcher);
    if let Some(reason) = executor.probe(&mut levels, stop_reason, runner, watcher) {
        stop_reason = reason;
    }
    report_of(executor, &levels, stop_reason)
}

fn report_of<S: Store>(
    mut executor: Executor<'_, '_, S>,
    levels: &MergedStrategy<'_, Levels>,
    stop_reason: StopReason,
) -> (S, Report) {
    let report = Report {
        doubted: Vec::new(),
        stop_reason,
        ledger: executor.ledger().clone(),
        levels: levels.levels(executor.store(), executor.ledger().counters.explored()),
        findings: executor.findings_with_pictures(),
        store_failure: executor.store_failure().cloned(),
        merged: MergedValues(std::mem::take(&mut executor.merged).into()),
    };
    (executor.into_store(), report)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use beget_plan::finding::{MEMORY_FREED, Witness};
    use beget_plan::scope::PlannedIdx;

    use super::*;
    use crate::common::{pairs, plan, suite};
    use crate::data::block::Block;
    use crate::data::ledger::Ledger;
    use crate::data::sightings::Sighting;
    use crate::rebuild::reconstruct::Losses;
    use crate::run::executor::tests::ResultChanger;
    use crate::worker::BlockResult;

    fn finding(problem: Problem) -> Finding {
        Finding { problem, count: 1, witness: Witness::default() }
    }

    #[test]
    fn memory_that_is_misused_and_results_that_differ_are_of_the_region() {
        let memory = |name: &str| Problem::new(Kind::Memory, "freed twice").with_name(name);
        assert!(is_of_region(&memory(MEMORY_SOUND)));
        assert!(is_of_region(&Problem::new(Kind::RegionDiffers, "another result")));
        assert!(!is_of_region(&memory(MEMORY_FREED)));
        assert!(!is_of_region(&Problem::new(Kind::Crash, "died").with_name(MEMORY_SOUND)));
    }

    #[test]
    fn findings_of_an_earlier_run_are_added_once_and_in_their_rank() {
        let [panic, crash, hang] = [Kind::Panic, Kind::Crash, Kind::Hang]
            .map(|kind| finding(Problem::new(kind, "something happens")));
        let mut findings = vec![hang.clone(), panic.clone()];
        add_new(&mut findings, vec![panic.clone(), crash.clone()]);
        let mut all = vec![panic, crash, hang];
        rank(&mut all);
        assert_eq!(findings, all);
    }

    #[test]
    fn clones_are_given_up_if_a_run_ended_because_they_differ() {
        let is_lost = |stop_reason, problem| {
            is_lost_by_clones(&Report {
                stop_reason,
                ledger: Ledger::default(),
                levels: Vec::new(),
                findings: vec![finding(problem)],
                doubted: Vec::new(),
                store_failure: None,
                merged: MergedValues::default(),
            })
        };
        let panic = || Problem::panic("no", "here".to_owned());
        assert!(is_lost(StopReason::CopiesDiffer, Problem::clone_differs()));
        assert!(!is_lost(StopReason::CopiesDiffer, panic()));
        assert!(!is_lost(StopReason::Exhausted, Problem::clone_differs()));
    }

    /// Trees of up to three numbers: 15. The first batch of all shows `problem`, and loses what it
    /// says; how often the run was begun, and its corpus.
    fn run_again(problem: &Problem, lost: Losses) -> (u32, Corpus) {
        struct Begun(u32);
        impl Observer for Begun {
            fn check(&mut self, _: Progress) -> Option<StopReason> {
                None
            }

            fn begin(&mut self) {
                self.0 += 1;
            }
        }
        let is_first = Cell::new(true);
        let runner =
            ResultChanger(|explorer: &Explorer<'_>, _: &[Block], all: &mut Vec<BlockResult>| {
                if is_first.replace(false) {
                    let call = explorer.calls().call(PlannedIdx::new(0), 0, 0);
                    let sighting = Sighting::new(problem.clone(), call, Vec::new());
                    all[0].ledger.sightings.add(sighting, PlannedIdx::new(0));
                    all[0].lost = lost;
                }
            });
        let mut begun = Begun(0);
        let run = Run::new(plan(suite(), &["new", "insert"], 3)).backend(&runner);
        let corpus = run.observe(&mut begun).go();
        (begun.0, corpus)
    }

    const TRUST: Losses = Losses { region: false, clone: false, trust: true, drops: false };

    #[test]
    fn a_run_whose_region_differs_starts_again_and_keeps_the_finding() {
        let problem = Problem::region_differs();
        let (n_begun, corpus) = run_again(&problem, TRUST);
        assert_eq!((n_begun, corpus.store.len()), (2, 15));
        assert_eq!(corpus.report.stop_reason, StopReason::Exhausted);
        let problems: Vec<_> = corpus.report.findings.iter().map(|one| &one.problem).collect();
        assert_eq!(problems, [&problem]);
        assert_eq!(corpus.report.ledger.notes[0], REPLAYED);
    }

    /// An audit may find the same, and the results are right all the same.
    #[test]
    fn a_run_that_misuses_memory_is_made_once_if_its_copies_are_alike() {
        let problem = Problem::memory("freed twice").with_name(MEMORY_SOUND);
        let (n_begun, corpus) = run_again(&problem, Losses::default());
        assert_eq!((n_begun, corpus.store.len()), (1, 15));
        assert!(!corpus.report.ledger.notes.iter().any(|note| note == REPLAYED));
        assert_eq!(run_again(&problem, TRUST).0, 2);
    }

    #[test]
    fn a_run_whose_clones_differ_starts_again_without_them() {
        let (n_begun, corpus) = run_again(&Problem::clone_differs(), TRUST);
        assert_eq!((n_begun, corpus.store.len()), (2, 15));
        assert_eq!(corpus.report.findings, []);
        assert_eq!(corpus.report.ledger.notes[0], WITHOUT_CLONES);
    }

    #[test]
    fn a_run_that_does_not_know_why_its_copies_differ_ends() {
        let (n_begun, corpus) = run_again(&Problem::nondeterministic(), TRUST);
        assert_eq!((n_begun, corpus.store.len()), (1, 0));
        assert_eq!(corpus.report.stop_reason, StopReason::CopiesDiffer);
    }

    /// Of 129 stamps the last is not among the first ones, all of whose destructors run.
    #[test]
    fn a_run_that_may_have_missed_a_destructor_starts_again_without_the_region() {
        let n_losses = Cell::new(0);
        let runner =
            ResultChanger(|_: &Explorer<'_>, blocks: &[Block], all: &mut Vec<BlockResult>| {
                if blocks[0].n_structures() > 0 && n_losses.replace(1) == 0 {
                    all[0].lost.drops = true;
                }
            });
        let corpus = Run::new(pairs(129, 1)).backend(&runner).go();
        assert_eq!(corpus.report.stop_reason, StopReason::Exhausted);
        assert_eq!((corpus.store.len(), n_losses.get()), (129, 1));
        assert_eq!(corpus.report.ledger.notes[0], WITHOUT_REGION);
    }
}
