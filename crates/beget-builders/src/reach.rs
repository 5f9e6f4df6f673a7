//! Reachability: what a set of methods builds, read off the calls that the full API has made.
//!
//! A method does on a structure what it did when all methods were explored, so the structures that a subset of them builds are
//! those that its recorded effects reach from nothing. No call is made a second time: a set of methods
//! is evaluated by a walk over numbers. This is what lets thousands of sets be tried.
//!
//! It rests on the engine's assumption that calls are deterministic. Certificates do not: they are made of new runs.

use beget_engine::Effect;
use fixedbitset::FixedBitSet;

use crate::methods::MethodSet;

/// An effect of a method on one structure, apart from the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    method: u16,
    target: u32,
}

/// An effect of a method on several different structures.
#[derive(Clone, Copy, Debug)]
struct Join {
    step: Step,
    /// The structures are `arguments[start..start + n]`.
    start: u32,
    n: u8,
}

/// Collects effects; those that leave only what was passed are dropped.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    starts: Vec<Step>,
    steps: Vec<(u32, Step)>,
    joins: Vec<Join>,
    arguments: Vec<u32>,
    distinct: Vec<u32>,
    /// At this many steps, double ones are dropped.
    tidy_at: usize,
}

impl Recorder {
    pub(crate) fn note(&mut self, effect: Effect<'_>) {
        if effect.arguments.contains(&effect.target) {
            return;
        }
        let step = Step { method: effect.method as u16, target: effect.target.0 };
        self.distinct.clear();
        self.distinct.extend(effect.arguments.iter().map(|id| id.0));
        self.distinct.sort_unstable();
        self.distinct.dedup();
        match self.distinct[..] {
            [] => self.starts.push(step),
            [source] => self.note_step(source, step),
            _ => self.note_join(step),
        }
    }

    fn note_step(&mut self, source: u32, step: Step) {
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

    /// Calls on the same structures come one after another, so most doubles are found among the last.
    fn note_join(&mut self, step: Step) {
        let n = self.distinct.len();
        for join in self.joins.iter().rev() {
            let start = join.start as usize;
            if join.step.method != step.method || self.arguments[start..] != self.distinct[..] {
                break;
            }
            if join.step == step {
                return;
            }
        }
        if !self.arguments.ends_with(&self.distinct) {
            self.arguments.extend_from_slice(&self.distinct);
        }
        let start = (self.arguments.len() - n) as u32;
        self.joins.push(Join { step, start, n: n as u8 });
    }

    pub(crate) fn finish(mut self, n_structures: usize) -> Transitions {
        self.tidy();
        let steps_from = starts_of(n_structures, self.steps.iter().map(|&(source, _)| source));
        let mut uses: Vec<(u32, u32)> = Vec::new();
        for (index, join) in self.joins.iter().enumerate() {
            let arguments = &self.arguments[join.start as usize..][..usize::from(join.n)];
            uses.extend(arguments.iter().map(|&argument| (argument, index as u32)));
        }
        uses.sort_unstable();
        let uses_from = starts_of(n_structures, uses.iter().map(|&(argument, _)| argument));
        Transitions {
            n_structures,
            starts: self.starts,
            steps: self.steps.into_iter().map(|(_, step)| step).collect(),
            steps_from,
            joins: self.joins,
            arguments: self.arguments,
            uses: uses.into_iter().map(|(_, join)| join).collect(),
            uses_from,
        }
    }
}

/// Where the items of each key begin, for items sorted by key.
fn starts_of(n_keys: usize, keys: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut starts = vec![0; n_keys + 1];
    keys.for_each(|key| starts[key as usize + 1] += 1);
    for key in 0..n_keys {
        starts[key + 1] += starts[key];
    }
    starts
}

/// What every call of the full API led to.
#[derive(Debug)]
pub(crate) struct Transitions {
    n_structures: usize,
    starts: Vec<Step>,
    steps: Vec<Step>,
    steps_from: Vec<usize>,
    joins: Vec<Join>,
    arguments: Vec<u32>,
    uses: Vec<u32>,
    uses_from: Vec<usize>,
}

impl Transitions {
    /// What no method builds: nothing.
    pub(crate) fn nothing(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.n_structures)
    }

    /// What `methods` build, given that `known` is what they build without those that are `added`.
    pub(crate) fn extend(
        &self,
        known: &FixedBitSet,
        methods: &MethodSet,
        added: &MethodSet,
    ) -> FixedBitSet {
        let mut walk = Walk { known: known.clone(), queue: Vec::new() };
        self.starts.iter().filter(|step| added.contains(step.method.into())).for_each(|step| {
            walk.reach(step.target);
        });
        for source in known.ones() {
            self.leave(source, added, &mut walk);
        }
        while let Some(source) = walk.queue.pop() {
            self.leave(source as usize, methods, &mut walk);
        }
        walk.known
    }

    /// Follows the effects of `methods` on `source`, alone or together with what is known.
    fn leave(&self, source: usize, methods: &MethodSet, walk: &mut Walk) {
        for step in &self.steps[self.steps_from[source]..self.steps_from[source + 1]] {
            if methods.contains(step.method.into()) {
                walk.reach(step.target);
            }
        }
        for &join in &self.uses[self.uses_from[source]..self.uses_from[source + 1]] {
            let Join { step, start, n } = self.joins[join as usize];
            let mut arguments = self.arguments[start as usize..][..usize::from(n)].iter();
            if methods.contains(step.method.into())
                && arguments.all(|&argument| walk.known.contains(argument as usize))
            {
                walk.reach(step.target);
            }
        }
    }
}

struct Walk {
    known: FixedBitSet,
    queue: Vec<u32>,
}

impl Walk {
    fn reach(&mut self, target: u32) {
        if !self.known.put(target as usize) {
            self.queue.push(target);
        }
    }
}
