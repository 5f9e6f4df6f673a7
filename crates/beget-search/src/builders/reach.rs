//! Reachability: the structures that a set of methods builds, computed from the recorded calls of
//! the full API.
//!
//! A method has the same effect on a structure as when all methods were explored, so the structures
//! that a subset builds are those that its recorded effects reach from nothing. No call is
//! repeated: a set of methods is evaluated by a walk over numbers, which makes it possible to try
//! thousands of sets.
//!
//! This relies on the engine's assumption that calls are deterministic. Certificates do not: they
//! are made by new runs.

use beget_engine::Effect;
use beget_engine::store::StructureId;
use beget_plan::scope::PlannedIdx;
use fixedbitset::FixedBitSet;

use crate::builders::methods::MethodSet;

/// An effect of a method on one structure, without the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct EffectStep {
    /// The method's position in the plan.
    method: u16,
    target: u32,
}

impl EffectStep {
    fn method(self) -> PlannedIdx {
        PlannedIdx::new(self.method.into())
    }
}

/// An effect of a method on two different structures, without one of them.
#[derive(Clone, Copy, Debug)]
struct Pair {
    step: EffectStep,
    other: u32,
}

/// An effect of a method on more than two different structures.
#[derive(Clone, Debug)]
struct Join {
    step: EffectStep,
    structures: Box<[u32]>,
}

/// Collects effects; those that leave only their arguments are dropped.
#[derive(Debug, Default)]
pub(crate) struct EffectRecorder {
    starts: Vec<EffectStep>,
    steps: Vec<(u32, EffectStep)>,
    pairs: Vec<(u32, Pair)>,
    joins: Vec<Join>,
    distinct: Vec<u32>,
    /// The number of steps at which duplicates are dropped.
    tidy_at: usize,
}

impl EffectRecorder {
    pub(crate) fn note(&mut self, effect: Effect<'_>) {
        if effect.arguments.contains(&effect.target) {
            return;
        }
        // The store is in memory, so numbers fit.
        let number = |id: StructureId| id.number() as u32;
        let step =
            EffectStep { method: effect.method.index() as u16, target: number(effect.target) };
        self.distinct.clear();
        self.distinct.extend(effect.arguments.iter().map(|&id| number(id)));
        self.distinct.sort_unstable();
        self.distinct.dedup();
        match self.distinct[..] {
            [] => self.starts.push(step),
            [source] => self.note_step(source, step),
            [first, other] => self.note_pair(first, Pair { step, other }),
            _ => self.joins.push(Join { step, structures: self.distinct[..].into() }),
        }
    }

    fn note_step(&mut self, source: u32, step: EffectStep) {
        if self.steps.len() >= self.tidy_at.max(1 << 20) {
            self.tidy();
            self.tidy_at = 2 * self.steps.len();
        }
        self.steps.push((source, step));
    }

    fn tidy(&mut self) {
        self.steps.sort_unstable();
        self.steps.dedup();
    }

    /// Calls on the same structures come one after another, so most duplicates are among the last.
    fn note_pair(&mut self, first: u32, pair: Pair) {
        let of_same_structures = self.pairs.iter().rev().take_while(|(known, last)| {
            *known == first && last.other == pair.other && last.step.method == pair.step.method
        });
        if of_same_structures.into_iter().all(|(_, last)| last.step != pair.step) {
            self.pairs.push((first, pair));
        }
    }

    pub(crate) fn finish(mut self, n_structures: usize) -> Transitions {
        self.tidy();
        let mirrored = self.pairs.iter().flat_map(|&(first, pair)| {
            [(first, pair), (pair.other, Pair { other: first, ..pair })]
        });
        let joins = self.joins.iter().zip(0_u32..);
        let uses =
            joins.flat_map(|(join, index)| join.structures.iter().map(move |&id| (id, index)));
        Transitions {
            n_structures,
            steps: ItemsByStructure::new(n_structures, self.steps.iter().copied()),
            pairs: ItemsByStructure::new(n_structures, mirrored),
            uses: ItemsByStructure::new(n_structures, uses),
            starts: self.starts,
            joins: self.joins,
        }
    }
}

/// Items grouped by structure.
#[derive(Debug)]
struct ItemsByStructure<T> {
    items: Vec<T>,
    /// Those of structure `s` are `items[starts[s]..starts[s + 1]]`.
    starts: Vec<usize>,
}

impl<T: Copy> ItemsByStructure<T> {
    fn new(n_structures: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; n_structures + 1];
        items.clone().for_each(|(structure, _)| starts[structure as usize + 1] += 1);
        for structure in 0..n_structures {
            starts[structure + 1] += starts[structure];
        }
        let mut next = starts.clone();
        let first = items.clone().next().map(|(_, item)| item);
        let mut grouped: Vec<T> =
            first.map_or_else(Vec::new, |first| vec![first; starts[n_structures]]);
        for (structure, item) in items {
            grouped[next[structure as usize]] = item;
            next[structure as usize] += 1;
        }
        ItemsByStructure { items: grouped, starts }
    }

    fn of(&self, structure: u32) -> &[T] {
        let structure = structure as usize;
        &self.items[self.starts[structure]..self.starts[structure + 1]]
    }
}

/// The effects of all calls of the full API.
#[derive(Debug)]
pub(crate) struct Transitions {
    n_structures: usize,
    starts: Vec<EffectStep>,
    steps: ItemsByStructure<EffectStep>,
    /// Each pair is stored with both of its structures.
    pairs: ItemsByStructure<Pair>,
    joins: Vec<Join>,
    /// The joins that a structure takes part in.
    uses: ItemsByStructure<u32>,
}

impl Transitions {
    /// The empty set, which needs no method.
    pub(crate) fn nothing(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.n_structures)
    }

    /// The structures that `methods` build, if `known` is what they build without the `added` ones.
    pub(crate) fn extend(
        &self,
        known: &FixedBitSet,
        methods: &MethodSet,
        added: &MethodSet,
    ) -> FixedBitSet {
        let n_missing = self.n_structures - known.count_ones(..);
        let mut walk =
            ReachWalk { known: known.clone(), n_missing, alone: Vec::new(), together: Vec::new() };
        self.starts.iter().filter(|step| added.contains(step.method())).for_each(|step| {
            walk.reach(step.target);
        });
        for structure in known.ones() {
            self.leave(structure as u32, added, &mut walk);
        }
        self.finish(methods, &mut walk);
        for structure in known.ones() {
            self.leave_together(structure as u32, added, &mut walk);
            self.finish(methods, &mut walk);
        }
        while let Some(structure) = walk.together.pop() {
            self.leave_together(structure, methods, &mut walk);
            self.finish(methods, &mut walk);
        }
        walk.known
    }

    /// Follows the effects on single structures, until there are no new ones.
    fn finish(&self, methods: &MethodSet, walk: &mut ReachWalk) {
        while let Some(structure) = walk.alone.pop() {
            self.leave(structure, methods, walk);
        }
    }

    /// Follows the effects of `methods` on one structure.
    fn leave(&self, structure: u32, methods: &MethodSet, walk: &mut ReachWalk) {
        for step in self.steps.of(structure) {
            if methods.contains(step.method()) {
                walk.reach(step.target);
            }
        }
    }

    /// Follows the effects of `methods` on one structure together with other known ones. There may
    /// be many, so these come last, and are skipped once everything is known.
    fn leave_together(&self, structure: u32, methods: &MethodSet, walk: &mut ReachWalk) {
        if walk.n_missing == 0 {
            return;
        }
        for &Pair { step, other } in self.pairs.of(structure) {
            if !walk.knows(step.target) && walk.knows(other) && methods.contains(step.method()) {
                walk.reach(step.target);
            }
        }
        for &join in self.uses.of(structure) {
            let Join { step, structures } = &self.joins[join as usize];
            if methods.contains(step.method()) && structures.iter().all(|&id| walk.knows(id)) {
                walk.reach(step.target);
            }
        }
    }
}

struct ReachWalk {
    known: FixedBitSet,
    n_missing: usize,
    /// Structures whose own effects are still to be followed.
    alone: Vec<u32>,
    /// Structures whose effects together with others are still to be followed.
    together: Vec<u32>,
}

impl ReachWalk {
    fn knows(&self, structure: u32) -> bool {
        self.known.contains(structure as usize)
    }

    fn reach(&mut self, target: u32) {
        if !self.known.put(target as usize) {
            self.n_missing -= 1;
            self.alone.push(target);
            self.together.push(target);
        }
    }
}
