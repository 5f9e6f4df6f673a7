//! The space of a search: all structures of the full API at the identification scope, explored
//! once.

use std::sync::OnceLock;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{Closure, Effect, Explorer, Observer};
use beget_heap::FormRef;
use beget_plan::finding::StopReason;
use beget_plan::scope::PlannedIdx;
use beget_suite::TypeIdx;
use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::builders::extensions::Extensions;
use crate::builders::methods::MethodSet;
use crate::builders::reach::{EffectRecorder, Transitions};
use crate::extensions::{Extension, field_extensions};

/// The structures that have to be built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Those of every type of the suite.
    #[default]
    Everything,
    /// Those of the main type; others only if they help.
    MainType,
}

/// A method that never changes an argument nor returns a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObserverMethod {
    /// The method.
    pub method: PlannedIdx,
    /// The calls that show this: every call on every structure of the scope.
    pub calls: u64,
    /// The number of them that returned. If none did, the scope has no valid use of the method, and
    /// nothing is known about it.
    pub returned: u64,
}

/// The extent of the structures that a set of methods builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltExtent {
    /// The structures that the [`Goal`] counts.
    pub structures: u64,
    /// The order-free digest of their canonical forms. For [`Goal::Everything`] it is that of the
    /// engine's reports; otherwise that of the forms without zeros at the end, because a store does
    /// not know a form's length.
    pub digest: u128,
}

impl BuiltExtent {
    /// The extent of a store's structures.
    ///
    /// # Errors
    /// If the store cannot read it.
    pub fn of(
        store: &dyn Store,
        goal: Goal,
        tag_of: impl Fn(FormRef<'_>) -> TypeIdx,
    ) -> Result<Self, StoreError> {
        if goal == Goal::Everything {
            return Ok(BuiltExtent { structures: store.len(), digest: store.totals().digest });
        }
        let mut extent = BuiltExtent { structures: 0, digest: 0 };
        store.scan(0..store.len(), &mut |_, form| {
            if tag_of(form) == TypeIdx::new(0) {
                extent.structures += 1;
                extent.digest = extent.digest.wrapping_add(form.unpadded().digest());
            }
        })?;
        Ok(extent)
    }
}

/// The structures of a [`Space`] that a set of methods builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltSet {
    known: FixedBitSet,
    n_counted: u64,
}

impl BuiltSet {
    /// The number of structures that count for the goal.
    pub fn n_structures(&self) -> u64 {
        self.n_counted
    }

    /// Returns whether a structure is among them, by its number in the space.
    pub fn contains(&self, id: StructureId) -> bool {
        self.known.contains(id.index())
    }
}

/// All structures of the full API, and the effect of each call on them.
#[derive(Debug)]
pub struct Space<'e, 'p> {
    explorer: &'e Explorer<'p>,
    closure: Closure<'e, 'p>,
    transitions: Transitions,
    observers: Vec<ObserverMethod>,
    /// The structures that count; `None` if all do.
    counted: Option<FixedBitSet>,
    goal: Goal,
    extent: BuiltExtent,
    n_counted: u64,
    extensions: OnceLock<Extensions>,
}

impl<'e, 'p> Space<'e, 'p> {
    /// Explores the full API.
    ///
    /// # Errors
    ///
    /// If `watcher` or the plan's budget stops it: without the whole space there is no answer.
    pub fn explore(
        explorer: &'e Explorer<'p>,
        goal: Goal,
        watcher: &mut dyn Observer,
    ) -> Result<Self, StopReason> {
        let n_methods = explorer.plan().methods.len();
        let all: Vec<PlannedIdx> = explorer.plan().planned_idxs().collect();
        let mut closure = explorer.empty();
        let mut recorder = EffectRecorder::default();
        let mut builds = vec![false; n_methods];
        let mut watch = |effect: Effect<'_>| {
            builds[effect.method.index()] |= !effect.is_unchanged();
            recorder.note(effect);
        };
        let stopped = closure.extend_watched(&all, &mut watch, watcher);
        if stopped != StopReason::Exhausted {
            return Err(stopped);
        }
        let transitions = recorder.finish(closure.store().len() as usize);
        let counted = (goal == Goal::MainType).then(|| of_main_type(&closure)).transpose()?;
        let n_all = closure.store().len();
        let extent = BuiltExtent::of(closure.store(), goal, |form| closure.type_of_form(form))?;
        Ok(Space {
            explorer,
            observers: observers(&closure, &builds),
            n_counted: counted.as_ref().map_or(n_all, |counted| counted.count_ones(..) as u64),
            closure,
            transitions,
            counted,
            goal,
            extent,
            extensions: OnceLock::new(),
        })
    }

    /// The structures, with the recorded effects of calls.
    pub fn closure(&self) -> &Closure<'e, 'p> {
        &self.closure
    }

    /// The explorer whose threads do the work.
    pub fn explorer(&self) -> &'e Explorer<'p> {
        self.explorer
    }

    /// The structures that have to be built.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The extent of the full API.
    pub fn extent(&self) -> BuiltExtent {
        self.extent
    }

    /// The methods that only observe, in suite order.
    pub fn observers(&self) -> &[ObserverMethod] {
        &self.observers
    }

    /// The number of methods of the plan.
    pub fn n_methods(&self) -> usize {
        self.explorer.plan().methods.len()
    }

    /// All other methods: the candidates for a set of builders.
    pub fn candidates(&self) -> MethodSet {
        let observes =
            |method: &PlannedIdx| self.observers.iter().any(|observer| observer.method == *method);
        let others = self.explorer.plan().planned_idxs().filter(|method| !observes(method));
        MethodSet::of(self.n_methods(), others)
    }

    /// The structures that `methods` build.
    pub fn reach(&self, methods: &MethodSet) -> BuiltSet {
        self.reached(self.transitions.extend(&self.transitions.nothing(), methods, methods))
    }

    /// The structures that `methods` build together with the methods `added`, if `reached` is what
    /// they build alone.
    pub fn extend(
        &self,
        reached: &BuiltSet,
        methods: &MethodSet,
        added: &[PlannedIdx],
    ) -> BuiltSet {
        let new = MethodSet::of(self.n_methods(), added.iter().copied());
        self.reached(self.transitions.extend(&reached.known, &methods.with(added), &new))
    }

    fn reached(&self, known: FixedBitSet) -> BuiltSet {
        let n_counted = match &self.counted {
            Some(counted) => known.intersection_count(counted),
            None => known.count_ones(..),
        };
        BuiltSet { known, n_counted: n_counted as u64 }
    }

    /// Returns whether everything that counts is built.
    pub fn is_everything(&self, reached: &BuiltSet) -> bool {
        reached.n_counted == self.n_counted
    }

    /// The number of distinct field extensions of these structures.
    pub fn n_extensions(&self, reached: &BuiltSet) -> usize {
        self.all_extensions().count(&reached.known)
    }

    /// The distinct field extensions of these structures.
    pub fn field_extensions(&self, reached: &BuiltSet) -> Vec<&Extension> {
        self.all_extensions().of(&reached.known)
    }

    fn all_extensions(&self) -> &Extensions {
        self.extensions.get_or_init(|| {
            let n = self.closure.store().len();
            let of_one = |id: u64| {
                let graph =
                    self.closure.graph(StructureId::new(id)).expect("the store is in memory");
                graph.map(|graph| field_extensions(&graph)).unwrap_or_default()
            };
            Extensions::new(self.explorer.install(|| (0..n).into_par_iter().map(of_one).collect()))
        })
    }

    /// Removes unneeded methods from a sufficient set one after another, the least simple and last
    /// first. Returns the removed ones.
    pub(crate) fn shrink(
        &self,
        set: &MethodSet,
        costs: &crate::builders::methods::Costs,
    ) -> (MethodSet, Vec<PlannedIdx>) {
        let n_structures = self.reach(set).n_counted;
        let mut methods: Vec<PlannedIdx> = set.iter().collect();
        methods.sort_by(|&left, &right| {
            let by_weight = costs.weight([right]).total_cmp(&costs.weight([left]));
            by_weight.then_with(|| right.cmp(&left))
        });
        let mut shrunk = set.clone();
        let mut dropped = Vec::new();
        for method in methods {
            let smaller = shrunk.without(method);
            if self.reach(&smaller).n_counted == n_structures {
                shrunk = smaller;
                dropped.push(method);
            }
        }
        (shrunk, dropped)
    }
}

fn of_main_type(closure: &Closure<'_, '_>) -> Result<FixedBitSet, StoreError> {
    let n = closure.store().len();
    let mut of_main_type = FixedBitSet::with_capacity(n as usize);
    closure.store().scan(0..n, &mut |id, form| {
        if closure.type_of_form(form) == TypeIdx::new(0) {
            of_main_type.insert(id.index());
        }
    })?;
    Ok(of_main_type)
}

/// The methods without effects. A call that leaves a structure beyond the scope has changed or
/// returned something, because its arguments were within.
fn observers(closure: &Closure<'_, '_>, builds: &[bool]) -> Vec<ObserverMethod> {
    let observer = |method: PlannedIdx| {
        let counters = closure.counters(method);
        ObserverMethod {
            method,
            calls: counters.explored(),
            returned: counters.kept + counters.matched,
        }
    };
    let methods = closure.plan().planned_idxs();
    methods
        .filter(|&method| !builds[method.index()] && closure.counters(method).out_of_scope == 0)
        .map(observer)
        .collect()
}
