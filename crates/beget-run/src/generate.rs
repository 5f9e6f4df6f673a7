//! Every structure of a plan.

use beget_engine::store::{ExactStore, Store, UnmatchedStore};
use beget_engine::{Corpus, Interim, Settings, Watcher, generate_watched_on};
use beget_finding::{Progress, StopReason};
use beget_scope::Plan;

use crate::failure_test::tell_unreproduced;
use crate::integers::with_int_ranges;
use crate::{Event, Watch};

/// Where a run keeps its structures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreKind {
    /// In memory, each once.
    #[default]
    Exact,
    /// As [`StoreKind::Exact`], but full when one of its parts holds so many: to see what becomes
    /// of a full store.
    Small(u32),
    /// In memory, without state matching: only to measure what that is worth.
    Unmatched,
}

impl StoreKind {
    fn empty(self, plan: &Plan) -> Box<dyn Store> {
        match self {
            StoreKind::Exact => Box::new(ExactStore::of(plan)),
            StoreKind::Small(most) => Box::new(ExactStore::of(plan).full_at(most)),
            StoreKind::Unmatched => Box::new(UnmatchedStore::of(plan)),
        }
    }
}

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other
/// searches.
pub fn generate(plan: Plan, settings: Settings, store: StoreKind, watch: &Watch<'_>) -> Corpus {
    let plan = with_int_ranges(plan, settings, watch);
    watch.report(Event::Begin);
    let (runner, new_store) = (watch.runner(), |plan: &Plan| store.empty(plan));
    let mut corpus =
        generate_watched_on(runner, &new_store, plan, settings, &mut RunWatcher(watch));
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

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        self.0.look(interim);
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.0.wait(interim);
    }
}
