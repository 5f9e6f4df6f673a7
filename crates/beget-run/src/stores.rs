//! The kinds of stores, and one run into a store.

use std::fmt;

use beget_engine::store::{ExactStore, StoreError, UnmatchedStore};
use beget_engine::{BlockRunner, Corpus, NewStore, Run, RunSpec, SavedRun, Settings};
use beget_plan::scope::Plan;

use crate::{Event, Watch};

/// Stores that the host of a run makes.
pub trait Stores: fmt::Debug + Sync {
    /// An empty store.
    ///
    /// # Errors
    /// If it cannot be made.
    fn empty(&self, plan: &Plan) -> NewStore;

    /// The run of this plan that another process has saved, if it should be continued. Called once,
    /// first.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    /// If it cannot be read.
    fn saved(&self, plan: &Plan) -> Result<Option<SavedRun>, StoreError>;
}

/// The kind of store of a run.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum StoreKind<'s> {
    /// In memory, each once.
    #[default]
    Exact,
    /// Like [`StoreKind::Exact`], but full when one of its parts holds this many, for testing full
    /// stores.
    Small(u32),
    /// In memory, each as long as a call may lead to it: for plans that [need no
    /// forms](beget_engine::NeedsForms) beyond that.
    Dropping,
    /// In memory, without state matching, only to measure its benefit.
    Unmatched,
    /// The host's stores.
    Hosted(&'s dyn Stores),
}

impl StoreKind<'_> {
    fn empty(self, plan: &Plan) -> NewStore {
        Ok(match self {
            StoreKind::Exact => Box::new(ExactStore::of(plan)),
            StoreKind::Small(most) => Box::new(ExactStore::of(plan).full_at(most)),
            StoreKind::Dropping => Box::new(ExactStore::of(plan).that_drops()),
            StoreKind::Unmatched => Box::new(UnmatchedStore::of(plan)),
            StoreKind::Hosted(stores) => return stores.empty(plan),
        })
    }

    fn saved(self, plan: &Plan) -> Result<Option<SavedRun>, StoreError> {
        match self {
            StoreKind::Hosted(stores) => stores.saved(plan),
            _ => Ok(None),
        }
    }

    /// An empty store for a part of the structures, whose recipes are kept elsewhere.
    fn empty_part(self, plan: &Plan) -> NewStore {
        let exact = || ExactStore::new(1, plan.tag_bits());
        Ok(match self {
            StoreKind::Exact | StoreKind::Dropping => Box::new(exact()),
            StoreKind::Small(most) => Box::new(exact().full_at(most)),
            StoreKind::Unmatched => Box::new(UnmatchedStore::of(plan)),
            StoreKind::Hosted(_) => {
                let reason = "the part of one process is kept in memory";
                return Err(StoreError::Failed(reason.to_owned()));
            }
        })
    }
}

/// Makes one run of `plan` by `runner`.
pub(crate) fn generate_on(
    runner: &dyn BlockRunner,
    plan: Plan,
    settings: Settings,
    store: StoreKind<'_>,
    watch: &Watch<'_>,
) -> Corpus {
    watch.report(Event::Begin);
    let new_store = |plan: &Plan| match watch.machines() {
        None => store.empty(plan),
        Some(machines) => machines.new_store(plan, store.empty_part(plan)?),
    };
    let saved = match watch.machines() {
        None => store.saved(&plan),
        Some(machines) => Ok(machines.saved()),
    };
    let mut observer = watch;
    let run = Run::new(RunSpec { plan, settings }).backend(runner).observe(&mut observer);
    match saved {
        Ok(Some(saved)) => run.store(&new_store).resume(saved).go(),
        Ok(None) => run.store(&new_store).go(),
        Err(error) => run.store(&|_| Err(error.clone())).go(),
    }
}
