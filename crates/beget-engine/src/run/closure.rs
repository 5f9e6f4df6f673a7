//! Closures: the structures that a part of a plan's methods can build, grown method by method.
//!
//! A [`Closure`] knows for each method in use on how many of its structures the method has been
//! tried. Taking further methods into use costs only the calls that are still missing: the new
//! methods on every tuple of known structures, then, semi-naively, all methods in use on tuples
//! with at least one new member, until nothing is new. The set is that of a [run](crate::Run) with
//! the same methods. The order is not: structures are numbered by round, method and tuple, so their
//! recipes are correct but not shortest.
//!
//! The [`Effect`]s of the calls show how each structure was built.

use std::any::Any;

use beget_heap::{FormRef, HeapGraph};
use beget_plan::finding::{Finding, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Recipe, TypeIdx};

use crate::data::calls::recipe_of;
use crate::data::ledger::{BoundCount, Counters};
use crate::run::executor::{Executor, Threads};
use crate::run::interim::Observer;
use crate::store::{ExactStore, Store, StoreError, StructureId};
use crate::worker::explorer::Explorer;

use crate::strategy::effects::{Effect, EffectLog};
use crate::strategy::rounds::{Growth, Rounds};

/// The structures that some methods of a plan build, with the state needed to add more of them.
#[derive(Clone, Debug)]
pub struct Closure<'e, 'p, S = ExactStore> {
    executor: Executor<'e, 'p, S>,
    rounds: Rounds,
}

impl<'p> Explorer<'p> {
    /// The closure under no method, which is empty. It is kept in an [`ExactStore`].
    pub fn empty(&self) -> Closure<'_, 'p> {
        self.empty_in(ExactStore::of(self.plan()))
    }

    /// The closure under no method, kept in `store`, which is empty and matches forms.
    ///
    /// # Panics
    ///
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
    pub fn extend(&mut self, methods: &[PlannedIdx], watcher: &mut dyn Observer) -> StopReason {
        self.grow(methods, None, watcher)
    }

    /// Like [`Closure::extend`], and shows `watch` the effects of each call, in a fixed order.
    /// Calls that leave a structure beyond the scope are not shown, only counted. Calls that leave
    /// their arguments unchanged need not be shown: it depends on the copy strategy.
    pub fn extend_watched(
        &mut self,
        methods: &[PlannedIdx],
        watch: &mut dyn FnMut(Effect<'_>),
        watcher: &mut dyn Observer,
    ) -> StopReason {
        match EffectLog::new(self.store(), watch) {
            Ok(effects) => self.grow(methods, Some(effects), watcher),
            Err(error) => self.executor.stopped_by(error),
        }
    }

    fn grow(
        &mut self,
        methods: &[PlannedIdx],
        effects: Option<EffectLog<'_>>,
        watcher: &mut dyn Observer,
    ) -> StopReason {
        let mut growth = Growth::new(&mut self.rounds, methods, effects);
        self.executor.run(&mut growth, &Threads, watcher)
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
    pub fn passed(&self) -> &[BoundCount] {
        &self.executor.ledger().passed
    }

    /// The first findings, in order.
    pub fn findings(&self) -> Vec<Finding> {
        self.executor.findings()
    }

    /// The final copy strategies, and the reasons why faster ones were given up.
    pub fn notes(&self) -> &[String] {
        &self.executor.ledger().notes
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{Tree, plan, suite};
    use crate::store::delayed::DelayedStore;
    use crate::worker::explorer::Settings;

    fn methods() -> [PlannedIdx; 3] {
        [0, 1, 2].map(PlannedIdx::new)
    }

    /// A round learns what the last one has found.
    #[test]
    fn a_closure_in_a_store_that_decides_later_has_everything() {
        let plan = plan(suite(), &["new", "insert", "split"], 3);
        let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
        let mut closure = explorer.empty();
        let mut later = explorer.empty_in(DelayedStore::of(&plan));
        assert_eq!(closure.extend(&methods(), &mut |_| None), StopReason::Exhausted);
        assert_eq!(later.extend(&methods(), &mut |_| None), StopReason::Exhausted);
        assert_eq!(later.store().len(), 15);
        assert_eq!(later.store().totals(), closure.store().totals());
        assert_eq!(later.total_counters(), closure.total_counters());
    }

    /// All calls lead back to the empty tree, which is known by its number.
    #[test]
    fn a_closure_is_watched_from_what_it_has() {
        let mut suite = suite();
        suite.methods[3].call = |call| {
            *call.structure::<Tree>(0) = Tree::new();
            call.give(Tree::new());
            call.give(Tree::new());
            beget_suite::Outcome::Returned
        };
        let plan = plan(suite, &["new", "insert", "split"], 3);
        let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
        let mut closure = explorer.empty();
        closure.extend(&methods()[..2], &mut |_| None);
        assert_eq!(closure.store().len(), 15);
        let mut targets = Vec::new();
        let mut watch = |effect: Effect<'_>| targets.push(effect.target.number());
        let stopped = closure.extend_watched(&methods()[2..], &mut watch, &mut |_| None);
        assert_eq!((stopped, closure.store().len()), (StopReason::Exhausted, 15));
        // The argument and two results of each.
        assert_eq!(targets, [0; 15 * 3]);
    }
}
