//! Every structure of a plan.

use beget_engine::store::{ExactStore, Store, UnmatchedStore};
use beget_engine::{BlockRunner, Corpus, Interim, Settings, Watcher, generate_watched_on};
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

    /// An empty store for a part of the structures, whose recipes are kept elsewhere.
    fn empty_part(self, plan: &Plan) -> Box<dyn Store> {
        let exact = || ExactStore::new(1, plan.tag_bits());
        match self {
            StoreKind::Exact => Box::new(exact()),
            StoreKind::Small(most) => Box::new(exact().full_at(most)),
            StoreKind::Unmatched => Box::new(UnmatchedStore::of(plan)),
        }
    }
}

/// Makes every structure of `plan` within the limits of `watch`, which may have seen other
/// searches.
pub fn generate(plan: Plan, settings: Settings, store: StoreKind, watch: &Watch<'_>) -> Corpus {
    let plan = with_int_ranges(plan, settings, watch);
    watch.report(Event::Begin);
    let new_store = |plan: &Plan| match watch.machines() {
        None => store.empty(plan),
        Some(machines) => machines.new_store(plan, store.empty_part(plan)),
    };
    let runner: &dyn BlockRunner = match watch.machines() {
        None => watch.runner(),
        Some(machines) => machines,
    };
    let mut watcher = RunWatcher(watch);
    let mut corpus = generate_watched_on(runner, &new_store, plan, settings, &mut watcher);
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
        let own = self.0.check(progress);
        match self.0.machines() {
            None => own,
            Some(machines) => machines.agree(own),
        }
    }

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        self.aside(&mut || self.0.look(interim));
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.aside(&mut || self.0.wait(interim));
    }
}

impl RunWatcher<'_> {
    /// Looks at the run at a time of this process's own.
    fn aside(&self, look: &mut dyn FnMut()) {
        match self.0.machines() {
            None => look(),
            Some(machines) => machines.aside(look),
        }
    }
}
