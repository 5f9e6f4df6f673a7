//! Closures: the structures that a part of a plan's methods can build, grown method by method.
//!
//! A [`Closure`] knows for each method in use on how many of its structures the method has been tried. Taking further methods into
//! use costs only the calls that are still missing: the new methods on every tuple of known structures, then, semi-naively, all methods in use
//! on tuples with at least one new member, until nothing is new. The set is that of [`crate::generate`] with the same methods.
//! The order is not: structures are numbered by round, method and tuple, so their recipes are
//! correct but not shortest.
//!
//! Whoever wants to know what led where watches the calls' [`Effect`]s.

mod tuples;
mod watch;

use std::any::Any;
use std::ops::Range;

use beget_finding::{Control, Finding, LevelProgress, Progress, StopReason};
use beget_guard::guarded;
use beget_heap::{Decoder, HeapGraph};
use beget_scope::Plan;
use beget_suite::{Literal, Recipe, TypeIdx};
use rayon::prelude::*;

use crate::calls::{CallTable, Signature, recipe_of};
use crate::engine::{
    BATCH_BLOCKS, BLOCK_CALLS, Member, Settings, allowed_calls, counted_class, most_objects,
    tag_bits, take_findings,
};
use crate::make::{Maker, Ways};
use crate::report::{Counters, Sighting};
use crate::store::{ExactStore, Store, StructureId};
use crate::worker::{BlockResult, Shared, Worker};

use tuples::Tuples;
pub use watch::Effect;
use watch::Watcher;

/// The calls of a plan, ready to be made; what all closures over the plan share.
pub struct Explorer<'p> {
    plan: &'p Plan,
    calls: CallTable,
    ways: Ways,
    /// One for each method: a block of calls is of one method, so that its counters are the method's.
    signatures: Vec<Signature>,
    tuples: Vec<Vec<Vec<&'p Literal>>>,
    pool: rayon::ThreadPool,
}

impl std::fmt::Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("suite", &self.plan.suite.name).finish_non_exhaustive()
    }
}

impl<'p> Explorer<'p> {
    /// Prepares the calls of `plan`. Known structures are always matched, whatever the plan says.
    ///
    /// # Panics
    /// If the thread pool cannot be started.
    pub fn new(plan: &'p Plan, settings: Settings) -> Self {
        let tuples_of = |planned: &'p beget_scope::PlannedMethod| {
            (0..planned.n_tuples()).map(|index| planned.tuple(index)).collect()
        };
        let signature = |(index, planned): (usize, &beget_scope::PlannedMethod)| Signature {
            types: planned.structures.clone(),
            methods: vec![index],
        };
        Explorer {
            plan,
            calls: CallTable::new(plan),
            ways: Ways::new(plan, settings.wishes),
            signatures: plan.methods.iter().enumerate().map(signature).collect(),
            tuples: plan.methods.iter().map(tuples_of).collect(),
            pool: rayon::ThreadPoolBuilder::new()
                .num_threads(settings.threads)
                .stack_size(64 << 20)
                .build()
                .expect("a thread pool can be started"),
        }
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Runs `work` on the explorer's threads, so that parallel iterators in it use them.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// The closure under no method: nothing.
    pub fn empty(&self) -> Closure<'_, 'p> {
        Closure {
            explorer: self,
            store: ExactStore::new(self.calls.arities(), tag_bits(self.plan)),
            tried: vec![None; self.plan.methods.len()],
            counters: vec![Counters::default(); self.plan.methods.len()],
            findings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// How many structures a method takes.
    fn arity(&self, method: usize) -> usize {
        self.signatures[method].types.len()
    }
}

/// The structures that some methods of a plan build, and what is needed to go on with more of them.
#[derive(Clone, Debug)]
pub struct Closure<'e, 'p> {
    explorer: &'e Explorer<'p>,
    store: ExactStore,
    /// For each method in use, the number of structures all of whose tuples have been tried; at least
    /// 1 for a constructor that was called.
    tried: Vec<Option<u32>>,
    counters: Vec<Counters>,
    findings: Vec<Sighting>,
    notes: Vec<String>,
}

/// The calls of one method on some tuples.
#[derive(Clone, Debug)]
struct Block {
    method: usize,
    /// The first structures of the tuples; empty for constructors.
    first: Range<u32>,
    /// Tuples of structures below this have been tried.
    old: u32,
    n_calls: u64,
}

impl<'e, 'p> Closure<'e, 'p> {
    /// Takes `methods` into use and makes every call that this adds, on everything that it builds.
    pub fn extend(&mut self, methods: &[usize], control: &mut Control<'_>) -> StopReason {
        self.grow(methods, None, control)
    }

    /// As [`Closure::extend`], and shows `watch` what each call left, in a fixed order. Calls that
    /// leave a structure beyond the scope are not shown; they are counted.
    pub fn extend_watched(
        &mut self,
        methods: &[usize],
        watch: &mut dyn FnMut(Effect<'_>),
        control: &mut Control<'_>,
    ) -> StopReason {
        let watcher = Watcher::new(&self.store, watch);
        self.grow(methods, Some(watcher), control)
    }

    /// The number of methods of the plan, in use or not.
    pub fn n_methods(&self) -> usize {
        self.tried.len()
    }

    /// The structures.
    pub fn store(&self) -> &ExactStore {
        &self.store
    }

    /// The outcomes of a method's calls.
    pub fn counters(&self, method: usize) -> Counters {
        self.counters[method]
    }

    /// The outcomes of all calls.
    pub fn total_counters(&self) -> Counters {
        let mut total = Counters::default();
        self.counters.iter().for_each(|&counters| total += counters);
        total
    }

    /// The first findings, in order.
    pub fn findings(&self) -> Vec<Finding> {
        let Explorer { plan, calls, .. } = self.explorer;
        let found = |sighting: &Sighting| sighting.clone().into_finding(plan, calls, &self.store);
        self.findings.iter().map(found).collect()
    }

    /// How fresh copies were made in the end, and why not otherwise.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The type of a structure.
    pub fn type_of(&self, id: StructureId) -> TypeIdx {
        self.maker().type_of(&self.store.form(id))
    }

    /// The type of the structure with this form.
    pub fn type_of_form(&self, form: &[u8]) -> TypeIdx {
        self.maker().type_of(form)
    }

    /// A recipe of a structure, not necessarily a shortest one.
    pub fn recipe(&self, id: StructureId) -> Recipe {
        recipe_of(self.explorer.plan, &self.explorer.calls, &self.store, id)
    }

    /// Makes a structure again; `None` if it cannot be, because the subject is not deterministic.
    pub fn remake(&self, id: StructureId) -> Option<Box<dyn Any>> {
        let plan = self.explorer.plan;
        let form = self.store.form(id);
        let mut decoder = Decoder::new(&plan.layout, most_objects(plan));
        decoder.begin(&form, tag_bits(plan));
        let maker = self.maker();
        maker.make(maker.type_of(&form), id, &mut decoder).ok()
    }

    /// A structure's heap as a graph; `None` if it cannot be made again.
    pub fn graph(&self, id: StructureId) -> Option<HeapGraph> {
        let value = self.remake(id)?;
        let plan = self.explorer.plan;
        let graph = plan.suite.types[self.type_of(id).0].graph;
        // Walks and destructors are a subject's code, which may panic.
        let seen = guarded(|| graph(&*value, &plan.schema, &plan.layout)).ok();
        let _ = guarded(|| drop(value));
        seen
    }

    fn maker(&self) -> Maker<'_> {
        Maker {
            plan: self.explorer.plan,
            calls: &self.explorer.calls,
            store: &self.store,
            ways: &self.explorer.ways,
            tag_bits: tag_bits(self.explorer.plan),
        }
    }

    fn grow(
        &mut self,
        methods: &[usize],
        mut watcher: Option<Watcher<'_>>,
        control: &mut Control<'_>,
    ) -> StopReason {
        for &method in methods {
            self.tried[method].get_or_insert(0);
        }
        let mut round = 1;
        loop {
            let n_known = self.store.len();
            let blocks = self.blocks(n_known);
            if blocks.is_empty() {
                return StopReason::Exhausted;
            }
            if let Err(reason) = self.round(round, &blocks, &mut watcher, control) {
                return reason;
            }
            for (method, tried) in self.tried.iter_mut().enumerate() {
                let is_constructor = self.explorer.arity(method) == 0;
                *tried = tried.map(|_| if is_constructor { 1 } else { n_known });
            }
            round += 1;
        }
    }

    /// What is still to be tried on the first `n_known` structures.
    fn blocks(&self, n_known: u32) -> Vec<Block> {
        let in_use = self.tried.iter().enumerate();
        in_use
            .filter_map(|(method, &tried)| tried.map(|tried| (method, tried)))
            .flat_map(|(method, tried)| self.blocks_of(method, tried, n_known))
            .collect()
    }

    fn blocks_of(&self, method: usize, old: u32, n_known: u32) -> Vec<Block> {
        let n_literals = self.explorer.tuples[method].len() as u64;
        let (first, rest) = match self.explorer.arity(method) {
            0 if old > 0 => return Vec::new(),
            0 => return vec![Block { method, first: 0..0, old, n_calls: n_literals }],
            _ if old == n_known => return Vec::new(),
            1 => (old..n_known, 1),
            arity => (0..n_known, u64::from(n_known).saturating_pow(arity as u32 - 1)),
        };
        let per_parent = n_literals.saturating_mul(rest).max(1);
        let size = (BLOCK_CALLS / per_parent).clamp(1, 2048) as u32;
        let starts = first.clone().step_by(size as usize);
        starts
            .map(|start| {
                let end = first.end.min(start + size);
                let n_calls = u64::from(end - start).saturating_mul(per_parent);
                Block { method, first: start..end, old, n_calls }
            })
            .collect()
    }

    fn round(
        &mut self,
        round: u32,
        blocks: &[Block],
        watcher: &mut Option<Watcher<'_>>,
        control: &mut Control<'_>,
    ) -> Result<(), StopReason> {
        let members = self.members(blocks);
        let budget = &self.explorer.plan.budget;
        let mut next = 0;
        while next < blocks.len() {
            let explored = self.total_counters().explored();
            let allowed = allowed_calls(budget, explored, self.store.len().into())?;
            let batch = &blocks[next..next + n_affordable(&blocks[next..], allowed)];
            let results = self.call_all(batch, &members, watcher.is_none());
            for (block, result) in batch.iter().zip(results) {
                self.take(block.method, result, watcher);
            }
            next += batch.len();
            let progress = Progress {
                explored: self.total_counters().explored(),
                structures: self.store.len().into(),
                store_bytes: self.store.bytes(),
                level: Some(LevelProgress {
                    number: round,
                    done: (next * 1000 / blocks.len()) as u32,
                }),
            };
            if let Some(reason) = control(progress) {
                return Err(reason);
            }
        }
        Ok(())
    }

    /// The known structures by type, if a method of the round takes several.
    fn members(&self, blocks: &[Block]) -> Vec<Vec<Member>> {
        let mut by_type: Vec<Vec<Member>> = Vec::new();
        by_type.resize_with(self.explorer.plan.suite.types.len(), Vec::new);
        if blocks.iter().any(|block| self.explorer.arity(block.method) > 1) {
            let maker = self.maker();
            self.store.scan(0..self.store.len(), &mut |id, form| {
                let ty = maker.type_of(form);
                by_type[ty.0].push(Member { id, ty, form: form.to_vec() });
            });
        }
        by_type
    }

    /// With `may_spare`, calls that leave what the one before left may not be told.
    fn call_all(
        &self,
        blocks: &[Block],
        members: &[Vec<Member>],
        may_spare: bool,
    ) -> Vec<BlockResult> {
        let plan = self.explorer.plan;
        let shared = Shared {
            maker: self.maker(),
            signatures: &self.explorer.signatures,
            tuples: &self.explorer.tuples,
            counted_class: counted_class(plan),
            most_objects: most_objects(plan),
            sweeps: may_spare && plan.schema.is_regular(),
        };
        let run = |block: &Block| {
            let signature = &shared.signatures[block.method];
            let tuples = Tuples { shared: &shared, signature, members, old: block.old };
            Worker::new(&shared).run(|visit| tuples.starting_in(&block.first, visit))
        };
        self.explorer.install(|| match blocks {
            [block] => vec![run(block)],
            blocks => blocks.par_iter().map(run).collect(),
        })
    }

    fn take(&mut self, method: usize, result: BlockResult, watcher: &mut Option<Watcher<'_>>) {
        let BlockResult { mut candidates, mut counters, findings, notes } = result;
        if let Some(watcher) = watcher {
            let arity = self.explorer.arity(method);
            watcher.see(method, arity, &self.explorer.calls, &candidates);
        }
        let block = std::slice::from_mut(&mut candidates);
        let committed = self.explorer.pool.install(|| self.store.commit(block));
        if let Some(watcher) = watcher {
            watcher.check(&self.store);
        }
        // Until now `kept` held all calls in scope.
        counters.matched += counters.kept - committed.calls_with_new;
        counters.kept = committed.calls_with_new;
        self.counters[method] += counters;
        take_findings(&mut self.findings, findings);
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// How many of the next blocks `allowed` calls pay for: at least one, at most a batch.
fn n_affordable(blocks: &[Block], allowed: u64) -> usize {
    let mut left = allowed;
    let affordable = blocks.iter().take(BATCH_BLOCKS).take_while(|block| {
        let is_affordable = block.n_calls <= left;
        left = left.saturating_sub(block.n_calls);
        is_affordable
    });
    affordable.count().max(1)
}
