//! Every structure of a plan.

use std::fmt;

use beget_engine::store::{ExactStore, UnmatchedStore};
use beget_engine::{
    Corpus, Interim, NewStore, SavedRun, Settings, Watcher, generate_watched_on, resume_watched_on,
};
use beget_finding::{Progress, StopReason};
use beget_scope::Plan;

use crate::failure_test::tell_unreproduced;
use crate::integers::with_int_ranges;
use crate::{Event, Watch};

/// Stores that the host of a run makes.
pub trait Stores: fmt::Debug + Sync {
    /// An empty store.
    ///
    /// # Errors
    /// If it cannot be made.
    fn empty(&self, plan: &Plan) -> NewStore;

    /// The run that another process has saved, if that is to go on. Asked once, before anything.
    fn saved(&self) -> Option<SavedRun>;
}

/// Where a run keeps its structures.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum StoreKind<'s> {
    /// In memory, each once.
    #[default]
    Exact,
    /// As [`StoreKind::Exact`], but full when one of its parts holds so many: to see what becomes
    /// of a full store.
    Small(u32),
    /// In memory, without state matching: only to measure what that is worth.
    Unmatched,
    /// Where the host keeps them.
    Hosted(&'s dyn Stores),
}

impl StoreKind<'_> {
    fn empty(self, plan: &Plan) -> NewStore {
        Ok(match self {
            StoreKind::Exact => Box::new(ExactStore::of(plan)),
            StoreKind::Small(most) => Box::new(ExactStore::of(plan).full_at(most)),
            StoreKind::Unmatched => Box::new(UnmatchedStore::of(plan)),
            StoreKind::Hosted(stores) => return stores.empty(plan),
        })
    }

    fn saved(self) -> Option<SavedRun> {
        match self {
            StoreKind::Hosted(stores) => stores.saved(),
            _ => None,
        }
    }
}

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other
/// searches.
///
/// If `store` has a saved run, that goes on; then it must be of this plan.
pub fn generate(plan: Plan, settings: Settings, store: StoreKind<'_>, watch: &Watch<'_>) -> Corpus {
    let plan = with_int_ranges(plan, settings, watch);
    watch.report(Event::Begin);
    let runner = watch.runner();
    let mut watcher = RunWatcher(watch);
    let new_store = |plan: &Plan| store.empty(plan);
    let mut corpus = match store.saved() {
        Some(saved) => resume_watched_on(runner, saved, &new_store, plan, settings, &mut watcher),
        None => generate_watched_on(runner, &new_store, plan, settings, &mut watcher),
    };
    watch.end_search();
    // Calls that workers make are not for this process.
    if !watch.has_workers() {
        let Corpus { plan, report, .. } = &mut corpus;
        tell_unreproduced(plan, &mut report.findings);
    }
    corpus
}

/// The watch over a run of calls.
pub(crate) struct RunWatcher<'w>(pub(crate) &'w Watch<'w>);

impl Watcher for RunWatcher<'_> {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.0.check(progress)
    }

    fn is_save_due(&mut self, is_between_levels: bool) -> bool {
        self.0.is_save_due(is_between_levels)
    }

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        self.0.look(interim);
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.0.wait(interim);
    }
}
