//! Closures: the structures that a part of a plan's methods can build, grown method by method.
//!
//! A [`Closure`] knows for each method in use on how many of its structures the method has been tried. Taking
//! further methods into use costs only the calls that are still missing: the new methods on every tuple of known
//! structures, then, semi-naively, all methods in use on tuples with at least one new member, until nothing is
//! new. The set is that of [`crate::generate`] with the same methods. The order is not: structures are numbered
//! by round, method and tuple, so their recipes are correct but not shortest.
//!
//! Whoever wants to know what led where watches the calls' [`Effect`]s.

mod rounds;
mod watch;

use std::any::Any;

use beget_heap::HeapGraph;
use beget_suite::{Recipe, TypeIdx};

use crate::calls::recipe_of;
use crate::executor::{Executor, Progress};
use crate::explorer::Explorer;
use crate::report::{Counters, Finding, StopReason};
use crate::store::{ExactStore, Store, StructureId};

use rounds::{Growth, Rounds};
pub use watch::Effect;
use watch::Watcher;

/// The structures that some methods of a plan build, and what is needed to go on with more of them.
#[derive(Clone, Debug)]
pub struct Closure<'e, 'p> {
    executor: Executor<'e, 'p, ExactStore>,
    rounds: Rounds,
}

impl<'p> Explorer<'p> {
    /// The closure under no method: nothing. Known structures are always matched, whatever the plan says.
    pub fn empty(&self) -> Closure<'_, 'p> {
        let store = ExactStore::new(self.calls().arities(), self.tag_bits());
        Closure {
            executor: Executor::new(self, store),
            rounds: Rounds::new(self.plan().methods.len()),
        }
    }
}

impl<'e, 'p> Closure<'e, 'p> {
    /// Takes `methods` into use and makes every call that this adds, on everything that it builds.
    pub fn extend(
        &mut self,
        methods: &[usize],
        control: &mut dyn FnMut(Progress) -> Option<StopReason>,
    ) -> StopReason {
        self.grow(methods, None, control)
    }

    /// As [`Closure::extend`], and shows `watch` what each call left, in a fixed order. Calls that leave a
    /// structure beyond the scope are not shown; they are counted.
    pub fn extend_watched(
        &mut self,
        methods: &[usize],
        watch: &mut dyn FnMut(Effect<'_>),
        control: &mut dyn FnMut(Progress) -> Option<StopReason>,
    ) -> StopReason {
        let watcher = Watcher::new(self.store(), watch);
        self.grow(methods, Some(watcher), control)
    }

    fn grow(
        &mut self,
        methods: &[usize],
        watcher: Option<Watcher<'_>>,
        control: &mut dyn FnMut(Progress) -> Option<StopReason>,
    ) -> StopReason {
        let mut growth = Growth::new(&mut self.rounds, methods, watcher);
        self.executor.run(&mut growth, control)
    }

    /// The number of methods of the plan, in use or not.
    pub fn n_methods(&self) -> usize {
        self.rounds.counters.len()
    }

    /// The structures.
    pub fn store(&self) -> &ExactStore {
        self.executor.store()
    }

    /// The outcomes of a method's calls.
    pub fn counters(&self, method: usize) -> Counters {
        self.rounds.counters[method]
    }

    /// The outcomes of all calls.
    pub fn total_counters(&self) -> Counters {
        self.executor.counters()
    }

    /// The first findings, in order.
    pub fn findings(&self) -> &[Finding] {
        self.executor.findings()
    }

    /// How fresh copies were made in the end, and why not otherwise.
    pub fn notes(&self) -> &[String] {
        self.executor.notes()
    }

    /// The type of a structure.
    pub fn type_of(&self, id: StructureId) -> TypeIdx {
        self.type_of_form(&self.store().form(id))
    }

    /// The type of the structure with this form.
    pub fn type_of_form(&self, form: &[u8]) -> TypeIdx {
        self.executor.explorer().type_of(form)
    }

    /// A recipe of a structure, not necessarily a shortest one.
    pub fn recipe(&self, id: StructureId) -> Recipe {
        let explorer = self.executor.explorer();
        recipe_of(explorer.plan(), explorer.calls(), self.store(), id)
    }

    /// Reconstructs a structure; `None` if it cannot be, because the subject is not deterministic.
    pub fn remake(&self, id: StructureId) -> Option<Box<dyn Any>> {
        self.executor.explorer().remake(self.store(), id)
    }

    /// A structure's heap as a graph; `None` if it cannot be reconstructed.
    pub fn graph(&self, id: StructureId) -> Option<HeapGraph> {
        self.executor.explorer().graph(self.store(), id)
    }
}
