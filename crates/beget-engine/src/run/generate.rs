//! Generation: every structure of a plan, by levels.

use beget_plan::finding::{Control, Kind, StopReason};
use beget_plan::scope::Plan;

use crate::data::report::Report;
use crate::run::abstraction::with_merges;
use crate::run::corpus::Corpus;
use crate::run::executor::{BlockRunner, Executor, Threads};
use crate::run::interim::Watcher;
use crate::run::merged::WithMerged;
use crate::store::{ExactStore, Store, StoreError};
use crate::strategy::levels::Levels;
use crate::strategy::proposal::Strategy;
use crate::worker::explorer::{Explorer, Settings};

/// Makes every structure of the plan and keeps them in an [`ExactStore`]. `control` is asked after
/// each batch and may stop the run.
pub fn generate(plan: Plan, settings: Settings, mut control: &mut Control<'_>) -> Corpus {
    generate_watched(&exact, plan, settings, &mut control)
}

/// The usual store.
fn exact(plan: &Plan) -> NewStore {
    Ok(Box::new(ExactStore::of(plan)))
}

/// An empty store, or why there is none.
pub type NewStore = Result<Box<dyn Store>, StoreError>;

/// Like [`generate`], into an empty store by `new_store` and with a watcher that looks on while
/// calls are made.
///
/// If calls on clones turn out to give something else than calls on reconstructed structures, what
/// was found so far may be wrong anywhere: nothing of it is kept, and the run starts again without
/// clones.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_watched(
    new_store: &dyn Fn(&Plan) -> NewStore,
    plan: Plan,
    settings: Settings,
    watcher: &mut dyn Watcher,
) -> Corpus {
    generate_watched_on(&Threads, new_store, plan, settings, watcher)
}

/// Like [`generate_watched`], with `runner` making the calls.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_watched_on(
    runner: &dyn BlockRunner,
    new_store: &dyn Fn(&Plan) -> NewStore,
    plan: Plan,
    settings: Settings,
    watcher: &mut dyn Watcher,
) -> Corpus {
    generate_from(None, runner, new_store, plan, settings, watcher)
}

/// A run that another process has [saved](Store::save).
#[derive(Debug)]
pub struct SavedRun {
    /// Its structures.
    pub store: Box<dyn Store>,
    /// The rest of it.
    pub state: Vec<u8>,
}

/// Like [`generate_watched_on`], from where another process has saved the run. Whether it was of
/// the same plan is for the caller to know.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn resume_watched_on(
    runner: &dyn BlockRunner,
    saved: SavedRun,
    new_store: &dyn Fn(&Plan) -> NewStore,
    plan: Plan,
    settings: Settings,
    watcher: &mut dyn Watcher,
) -> Corpus {
    generate_from(Some(saved), runner, new_store, plan, settings, watcher)
}

/// From a saved run, or from nothing.
fn generate_from(
    saved: Option<SavedRun>,
    runner: &dyn BlockRunner,
    new_store: &dyn Fn(&Plan) -> NewStore,
    plan: Plan,
    settings: Settings,
    watcher: &mut dyn Watcher,
) -> Corpus {
    let explorer = Explorer::new(&plan, settings);
    let (store, mut report) = match saved {
        Some(saved) => resume_in(saved, &explorer, runner, watcher),
        None => run_in(new_store(&plan), &explorer, runner, watcher),
    };
    // Another process may have started it again.
    if explorer.copy_strategies().has_doubted_clones() {
        report.ledger.notes.insert(0, STARTED_AGAIN.to_owned());
    }
    let calls = explorer.into_calls();
    let is_lost = report.stop_reason == StopReason::CopiesDiffer;
    if !is_lost || !report.findings.iter().any(|found| found.problem.kind == Kind::CLONE_DIFFERS) {
        return with_merges(Corpus { plan, calls, store, report });
    }
    drop(store);
    let explorer = Explorer::doubting_clones(&plan, settings);
    let (store, mut report) = run_in(new_store(&plan), &explorer, runner, watcher);
    report.ledger.notes.insert(0, STARTED_AGAIN.to_owned());
    with_merges(Corpus { plan, calls, store, report })
}

const STARTED_AGAIN: &str = "started again without clones: calls on them gave other results";

/// Like [`generate`], into a given empty store. A store that is full or fails ends the run, with
/// what it has. Where [`generate`] starts again without clones, this ends with
/// [`StopReason::CopiesDiffer`].
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_into<S: Store>(
    store: S,
    plan: Plan,
    settings: Settings,
    control: &mut Control<'_>,
) -> Corpus<S> {
    generate_on(&Threads, store, plan, settings, control)
}

/// Like [`generate_into`], with `runner` making the calls.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_on<S: Store>(
    runner: &dyn BlockRunner,
    store: S,
    plan: Plan,
    settings: Settings,
    mut control: &mut Control<'_>,
) -> Corpus<S> {
    let explorer = Explorer::new(&plan, settings);
    let (store, report) = run_levels(&explorer, runner, store, &mut control);
    let calls = explorer.into_calls();
    with_merges(Corpus { plan, calls, store, report })
}

/// Goes on with a saved run.
fn resume_in(
    saved: SavedRun,
    explorer: &Explorer<'_>,
    runner: &dyn BlockRunner,
    watcher: &mut dyn Watcher,
) -> (Box<dyn Store>, Report) {
    let mut executor = Executor::new(explorer, saved.store);
    let mut levels = WithMerged::new(Levels::new(), explorer.plan());
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
    watcher: &mut dyn Watcher,
) -> (Box<dyn Store>, Report) {
    match new_store {
        Ok(store) => run_levels(explorer, runner, store, watcher),
        Err(error) => {
            let store: Box<dyn Store> = Box::new(ExactStore::of(explorer.plan()));
            let mut executor = Executor::new(explorer, store);
            let reason = executor.stopped_by(error);
            report_of(executor, &WithMerged::new(Levels::new(), explorer.plan()), reason)
        }
    }
}

fn run_levels<S: Store>(
    explorer: &Explorer<'_>,
    runner: &dyn BlockRunner,
    store: S,
    watcher: &mut dyn Watcher,
) -> (S, Report) {
    let executor = Executor::new(explorer, store);
    let levels = WithMerged::new(Levels::new(), explorer.plan());
    run_with(executor, levels, runner, watcher)
}

fn run_with<S: Store>(
    mut executor: Executor<'_, '_, S>,
    mut levels: WithMerged<'_, Levels>,
    runner: &dyn BlockRunner,
    watcher: &mut dyn Watcher,
) -> (S, Report) {
    let mut stop_reason = executor.run_watched(runner, &mut levels, watcher);
    if let Some(reason) = executor.probe(&mut levels, stop_reason, runner, watcher) {
        stop_reason = reason;
    }
    report_of(executor, &levels, stop_reason)
}

fn report_of<S: Store>(
    executor: Executor<'_, '_, S>,
    levels: &WithMerged<'_, Levels>,
    stop_reason: StopReason,
) -> (S, Report) {
    let report = Report {
        doubted: Vec::new(),
        stop_reason,
        ledger: executor.ledger().clone(),
        levels: levels.levels(executor.store(), executor.ledger().counters.explored()),
        findings: executor.findings_with_pictures(),
        store_failure: executor.store_failure().cloned(),
    };
    (executor.into_store(), report)
}
