//! Closures: the structures that a part of a plan's methods can build, grown method by method.
//!
//! A [`Closure`] knows for each method in use on how many of its structures the method has been
//! tried. Taking further methods into use costs only the calls that are still missing: the new
//! methods on every tuple of known structures, then, semi-naively, all methods in use on tuples
//! with at least one new member, until nothing is new. The set is that of [`crate::generate`] with
//! the same methods. The order is not: structures are numbered by round, method and tuple, so their
//! recipes are correct but not shortest.
//!
//! Whoever wants to know what led where watches the calls' [`Effect`]s.

use std::any::Any;

use beget_heap::{FormRef, HeapGraph};
use beget_plan::finding::{Finding, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Recipe, TypeIdx};

use crate::data::calls::recipe_of;
use crate::data::ledger::{Counters, Passed};
use crate::run::executor::{Executor, Threads};
use crate::run::interim::Watcher;
use crate::store::{ExactStore, Store, StoreError, StructureId};
use crate::worker::explorer::Explorer;

use crate::strategy::effects::{Effect, EffectWatcher};
use crate::strategy::rounds::{Growth, Rounds};

/// The structures that some methods of a plan build, and what is needed to go on with more of them.
#[derive(Clone, Debug)]
pub struct Closure<'e, 'p, S = ExactStore> {
    executor: Executor<'e, 'p, S>,
    rounds: Rounds,
}

impl<'p> Explorer<'p> {
    /// The closure under no method: nothing. It will be kept in an [`ExactStore`].
    pub fn empty(&self) -> Closure<'_, 'p> {
        self.empty_in(ExactStore::of(self.plan()))
    }

    /// The closure under no method, to be kept in `store`, which is empty and matches forms.
    ///
    /// # Panics
    /// If it does not: a closure would never end.
    pub fn empty_in<S: Store>(&self, store: S) -> Closure<'_, 'p, S> {
        assert!(store.matches() && store.is_empty(), "an empty store that matches forms");
        Closure {
            executor: Executor::new(self, store),
            rounds: Rounds::new(self.plan().methods.len()),
        }
    }
}

impl<'e, 'p, S: Store> Closure<'e, 'p, S> {
    /// Takes `methods` into use and makes every call that this adds, on everything that it builds.
    pub fn extend(&mut self, methods: &[PlannedIdx], watcher: &mut dyn Watcher) -> StopReason {
        self.grow(methods, None, watcher)
    }

    /// Like [`Closure::extend`], and shows `watch` what each call left, in a fixed order. Calls
    /// that leave a structure beyond the scope are not shown; they are counted.
    pub fn extend_watched(
        &mut self,
        methods: &[PlannedIdx],
        watch: &mut dyn FnMut(Effect<'_>),
        watcher: &mut dyn Watcher,
    ) -> StopReason {
        match EffectWatcher::new(self.store(), watch) {
            Ok(effects) => self.grow(methods, Some(effects), watcher),
            Err(error) => self.executor.stopped_by(error),
        }
    }

    fn grow(
        &mut self,
        methods: &[PlannedIdx],
        effects: Option<EffectWatcher<'_>>,
        watcher: &mut dyn Watcher,
    ) -> StopReason {
        let mut growth = Growth::new(&mut self.rounds, methods, effects);
        self.executor.run_watched(&Threads, &mut growth, watcher)
    }

    /// The plan, whose methods need not all be in use.
    pub fn plan(&self) -> &'p Plan {
        self.executor.explorer().plan()
    }

    /// The structures.
    pub fn store(&self) -> &S {
        self.executor.store()
    }

    /// The outcomes of a method's calls.
    pub fn counters(&self, method: PlannedIdx) -> Counters {
        self.rounds.counters[method.index()]
    }

    /// The outcomes of all calls.
    pub fn total_counters(&self) -> Counters {
        self.executor.ledger().counters
    }

    /// The calls out of scope by the bound that they passed.
    pub fn passed(&self) -> &[Passed] {
        &self.executor.ledger().passed
    }

    /// The first findings, in order.
    pub fn findings(&self) -> Vec<Finding> {
        self.executor.findings()
    }

    /// How fresh copies were made in the end, and why not otherwise.
    pub fn notes(&self) -> &[String] {
        &self.executor.ledger().notes
    }

    /// The type of a structure.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn type_of(&self, id: StructureId) -> Result<TypeIdx, StoreError> {
        Ok(self.type_of_form(self.store().form(id)?.as_ref()))
    }

    /// The type of the structure with this form.
    pub fn type_of_form(&self, form: FormRef<'_>) -> TypeIdx {
        self.executor.explorer().type_of(form)
    }

    /// A recipe of a structure, not necessarily a shortest one.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn recipe(&self, id: StructureId) -> Result<Recipe, StoreError> {
        let explorer = self.executor.explorer();
        recipe_of(explorer.plan(), explorer.calls(), self.store(), id)
    }

    /// Reconstructs a structure; `None` if it cannot be, because the subject is not deterministic.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn reconstruct(&self, id: StructureId) -> Result<Option<Box<dyn Any>>, StoreError> {
        self.executor.explorer().reconstruct(self.store(), id)
    }

    /// A structure's heap as a graph; `None` if it cannot be reconstructed.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn graph(&self, id: StructureId) -> Result<Option<HeapGraph>, StoreError> {
        self.executor.explorer().graph(self.store(), id)
    }
}
