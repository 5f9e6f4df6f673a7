//! The engine: levels of calls, breadth first.
//!
//! Level *n* makes every call whose structure arguments cost *n - 1* calls together. A tuple of arguments is tried at that
//! level only, so every tuple is tried exactly once and the first recipe found for a structure is a shortest one. Within
//! a level, tuples come in the order of their first structure, then signature, then the other structures; on a tuple, methods come in suite
//! order and literals in the scope's order. Of several shortest recipes the first in this order is kept.
//!
//! A level is cut into blocks of parents. Blocks run in parallel, and the store takes their candidates in block
//! order: which thread ran what cannot be seen in the result.
//!
//! Source: Politano et al. (FASE 2023), Figure 4. Departures: constructors are called once, not in every
//! round; levels count calls, not rounds, so that recipes of methods on several structures are shortest too; a structure is remade, not its sequence rerun.

use std::ops::Range;

use beget_finding::{Control, Finding, Kind, LevelProgress, Progress, StopReason};
use beget_heap::Bounds;
use beget_scope::{Budget, Plan};
use beget_suite::{Literal, TypeIdx};

use crate::calls::{CallTable, Signature, signatures};
use crate::corpus::Corpus;
use crate::interim::{Interim, Patient, Watcher, run_all};
use crate::make::{Maker, Ways, Wishes};
use crate::report::{Counters, Level, Report, Sighting};
use crate::store::{ExactStore, Store, StructureId};
use crate::worker::{BlockResult, Parent, Shared, Worker};

/// Calls of one block, about; small enough to balance threads, large enough to be worth a task.
pub(crate) const BLOCK_CALLS: u64 = 1 << 15;

/// Blocks of one batch: what is held at once between calling and storing.
pub(crate) const BATCH_BLOCKS: usize = 16;

/// How to run, as opposed to what: nothing here changes the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Which ways of copying may be used.
    pub wishes: Wishes,
}

/// Makes every structure of the plan. `control` is told the progress after each batch and may stop the run.
pub fn generate(plan: Plan, settings: Settings, control: &mut Control<'_>) -> Corpus {
    generate_watched(plan, settings, &mut Patient(control))
}

/// As [`generate`], with a watcher that looks on while calls are made.
pub fn generate_watched(plan: Plan, settings: Settings, watcher: &mut dyn Watcher) -> Corpus {
    let calls = CallTable::new(&plan);
    let tag_bits = tag_bits(&plan);
    let store = if plan.state_matching {
        ExactStore::new(calls.arities(), tag_bits)
    } else {
        ExactStore::without_matching(calls.arities(), tag_bits)
    };
    generate_watched_into(store, plan, settings, watcher)
}

/// As [`generate`], into a given empty store.
///
/// # Panics
/// If the thread pool cannot be started.
pub fn generate_into<S: Store + Send>(
    store: S,
    plan: Plan,
    settings: Settings,
    control: &mut Control<'_>,
) -> Corpus<S> {
    generate_watched_into(store, plan, settings, &mut Patient(control))
}

fn generate_watched_into<S: Store + Send>(
    mut store: S,
    plan: Plan,
    settings: Settings,
    watcher: &mut dyn Watcher,
) -> Corpus<S> {
    let calls = CallTable::new(&plan);
    let ways = Ways::new(&plan, settings.wishes);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .stack_size(64 << 20)
        .build()
        .expect("a thread pool can be started");
    let report = {
        let mut run = Run::new(&plan, &calls, &ways, &mut store, &pool);
        let stop_reason = run.levels(watcher);
        run.into_report(stop_reason)
    };
    Corpus { plan, calls, store, report }
}

/// Bits at the start of a form that tell the types of a plan's suite apart.
pub fn tag_bits(plan: &Plan) -> u32 {
    plan.suite.types.len().next_power_of_two().trailing_zeros()
}

/// The class whose objects `generated_by_objects` counts: the one with the smallest bound above 1, or else the first that
/// pointers lead to.
pub fn counted_class(plan: &Plan) -> Option<usize> {
    let bound_of = |bounds: &Bounds, name: &str| {
        bounds.objects.get(name).copied().unwrap_or(bounds.other_objects)
    };
    let classes = plan.schema.classes().iter().enumerate();
    classes
        .filter(|(_, class)| class.is_object)
        .min_by_key(|(index, class)| {
            let bound = bound_of(&plan.bounds, class.key.name);
            (class.is_array, bound <= 1, bound, *index)
        })
        .map(|(index, _)| index)
}

/// A part of a level's work.
#[derive(Clone, Debug)]
struct Block {
    /// The first structures of the block's tuples; empty for constructors.
    parents: Range<u32>,
    /// What their recipes cost; 0 for constructors.
    cost: u32,
}

struct Run<'e, S> {
    plan: &'e Plan,
    calls: &'e CallTable,
    ways: &'e Ways,
    store: &'e mut S,
    pool: &'e rayon::ThreadPool,
    signatures: Vec<Signature>,
    tuples: Vec<Vec<Vec<&'e Literal>>>,
    /// The structures of each cost: `by_cost[c]` holds those of cost `c`. Costs start at 1.
    by_cost: Vec<Range<u32>>,
    counters: Counters,
    levels: Vec<Level>,
    findings: Vec<Sighting>,
    notes: Vec<String>,
}

impl<'e, S: Store + Send> Run<'e, S> {
    fn new(
        plan: &'e Plan,
        calls: &'e CallTable,
        ways: &'e Ways,
        store: &'e mut S,
        pool: &'e rayon::ThreadPool,
    ) -> Self {
        let tuples_of = |planned: &'e beget_scope::PlannedMethod| {
            (0..planned.n_tuples()).map(|index| planned.tuple(index)).collect()
        };
        Run {
            plan,
            calls,
            ways,
            store,
            pool,
            signatures: signatures(plan),
            tuples: plan.methods.iter().map(tuples_of).collect(),
            by_cost: std::iter::once(0..0).collect(),
            counters: Counters::default(),
            levels: Vec::new(),
            findings: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn into_report(self, stop_reason: StopReason) -> Report {
        Report {
            stop_reason,
            findings: self.findings_of(&self.findings),
            counters: self.counters,
            levels: self.levels,
            notes: self.notes,
        }
    }

    /// The most structures that a method takes.
    fn most_arguments(&self) -> u32 {
        self.signatures.iter().map(|signature| signature.types.len() as u32).max().unwrap_or(0)
    }

    fn levels(&mut self, watcher: &mut dyn Watcher) -> StopReason {
        let mut level = 1;
        let mut most_cost = 0;
        while level == 1 || level - 1 <= self.most_arguments() * most_cost {
            if let Some(most) = self.plan.budget.max_levels.filter(|&most| level > most) {
                return StopReason::MaxLevels(most);
            }
            let before = self.store.len();
            let explored_before = self.counters.explored();
            let stopped = self.level(level, watcher);
            let new = self.store.len() - before;
            let explored = self.counters.explored() - explored_before;
            self.by_cost.push(before..self.store.len());
            if new > 0 {
                most_cost = level;
            }
            if explored > 0 {
                self.levels.push(Level { calls: level, new: new.into(), explored });
            }
            if let Some(reason) = stopped {
                return reason;
            }
            level += 1;
        }
        StopReason::Exhausted
    }

    /// The parents whose tuples can cost `level - 1` in all, in order.
    fn parents_of(&self, level: u32) -> Vec<(Range<u32>, u32)> {
        if level == 1 {
            return vec![(0..0, 0)];
        }
        let has_several = self.most_arguments() > 1;
        (1..level)
            .filter(|&cost| has_several || cost == level - 1)
            .map(|cost| (self.by_cost[cost as usize].clone(), cost))
            .filter(|(parents, _)| !parents.is_empty())
            .collect()
    }

    /// Calls on one parent of cost `cost` at `level`, at most.
    fn calls_per_parent(&self, level: u32, cost: u32) -> u64 {
        let per_signature = |signature: &Signature| {
            let calls: usize =
                signature.methods.iter().map(|&method| self.tuples[method].len()).sum();
            calls as u64 * self.n_rests(signature.types.len(), level, cost)
        };
        self.signatures.iter().map(per_signature).sum::<u64>().max(1)
    }

    /// How many tuples of further structures go with a parent of cost `cost` at `level`.
    fn n_rests(&self, arity: usize, level: u32, cost: u32) -> u64 {
        match (arity, level - 1 - cost) {
            (0, rest) => u64::from(level == 1 && rest == 0),
            (1, rest) => u64::from(level > 1 && rest == 0),
            (_, rest) if level > 1 => self.n_tuples(arity - 1, rest),
            _ => 0,
        }
    }

    /// The number of tuples of `n` structures that cost `cost` in all, of any types.
    fn n_tuples(&self, n: usize, cost: u32) -> u64 {
        if n == 0 {
            return u64::from(cost == 0);
        }
        let first = |own: u32| {
            let count = self.by_cost.get(own as usize).map_or(0, |ids| ids.len() as u64);
            if count == 0 { 0 } else { count * self.n_tuples(n - 1, cost - own) }
        };
        (1..=cost).map(first).sum()
    }

    fn level(&mut self, level: u32, watcher: &mut dyn Watcher) -> Option<StopReason> {
        let parents = self.parents_of(level);
        let total: u64 = parents.iter().map(|(ids, _)| ids.len() as u64).sum();
        let mut done = 0;
        for (ids, cost) in parents {
            let mut next = ids.start;
            loop {
                let allowed = match self.allowed_calls() {
                    Ok(allowed) => allowed,
                    Err(reason) => return Some(reason),
                };
                let batch = self.batch(level, cost, next..ids.end, allowed);
                let end = batch.last().map_or(ids.end, |block| block.parents.end);
                done += u64::from(end - next);
                self.run_batch(level, &batch, watcher);
                next = end;
                if let Some(reason) = watcher.check(self.progress(level, done, total)) {
                    return Some(reason);
                }
                if next >= ids.end {
                    break;
                }
            }
        }
        None
    }

    fn progress(&self, level: u32, done: u64, total: u64) -> Progress {
        Progress {
            explored: self.counters.explored(),
            structures: self.store.len().into(),
            store_bytes: self.store.bytes(),
            level: Some(LevelProgress { number: level, done: (done * 1000 / total.max(1)) as u32 }),
        }
    }

    fn allowed_calls(&self) -> Result<u64, StopReason> {
        allowed_calls(&self.plan.budget, self.counters.explored(), self.store.len().into())
    }

    /// The next blocks, of at most `allowed` calls together but at least one parent.
    fn batch(&self, level: u32, cost: u32, parents: Range<u32>, allowed: u64) -> Vec<Block> {
        if level == 1 {
            return vec![Block { parents: 0..0, cost: 0 }];
        }
        let per_parent = self.calls_per_parent(level, cost);
        let affordable = (allowed / per_parent).clamp(1, u32::MAX.into()) as u32;
        let end = parents.end.min(parents.start.saturating_add(affordable));
        let size = (BLOCK_CALLS / per_parent).clamp(1, 2048) as u32;
        let blocks = (parents.start..end).step_by(size as usize);
        blocks
            .take(BATCH_BLOCKS)
            .map(|start| Block { parents: start..end.min(start + size), cost })
            .collect()
    }

    fn run_batch(&mut self, level: u32, blocks: &[Block], watcher: &mut dyn Watcher) {
        let results = self.call_all(level, blocks, watcher);
        let mut candidates = Vec::with_capacity(results.len());
        let mut counters = Counters::default();
        for result in results {
            counters += result.counters;
            candidates.push(result.candidates);
            self.take_findings(result.findings);
            self.take_notes(result.notes);
        }
        let committed = self.pool.install(|| self.store.commit(&mut candidates));
        // Until now `kept` held all calls in scope.
        counters.matched += counters.kept - committed.calls_with_new;
        counters.kept = committed.calls_with_new;
        self.counters += counters;
    }

    fn call_all(
        &self,
        level: u32,
        blocks: &[Block],
        watcher: &mut dyn Watcher,
    ) -> Vec<BlockResult> {
        let store: &S = self.store;
        let tag_bits = tag_bits(self.plan);
        let shared = Shared {
            maker: Maker { plan: self.plan, calls: self.calls, store, ways: self.ways, tag_bits },
            signatures: &self.signatures,
            tuples: &self.tuples,
            counted_class: counted_class(self.plan),
            sweeps: self.plan.schema.is_regular() && self.plan.state_matching,
            most_objects: most_objects(self.plan),
        };
        let run = |block: &Block| {
            let tuples = Tuples { shared: &shared, by_cost: &self.by_cost, level };
            Worker::new(&shared).run(|visit| tuples.of_block(block, visit))
        };
        run_all(self.pool, blocks, run, &mut || watcher.wait(&self.interim(level)))
    }

    /// What the run has at `level`, before the batch in progress.
    fn interim(&self, level: u32) -> Interim<'_> {
        let mut levels = self.levels.clone();
        let begun = Level {
            calls: level,
            new: u64::from(self.store.len()) - levels.iter().map(|level| level.new).sum::<u64>(),
            explored: self.counters.explored()
                - levels.iter().map(|level| level.explored).sum::<u64>(),
        };
        levels.extend((begun.explored > 0).then_some(begun));
        let report = Report {
            stop_reason: StopReason::Interrupted,
            counters: self.counters,
            levels,
            findings: self.findings_of(&self.findings),
            notes: self.notes.clone(),
        };
        Interim { plan: self.plan, calls: self.calls, store: &*self.store, report }
    }

    fn findings_of(&self, sightings: &[Sighting]) -> Vec<Finding> {
        let (plan, calls, store): (_, _, &S) = (self.plan, self.calls, self.store);
        let sightings = sightings.iter().cloned();
        sightings.map(|sighting| sighting.into_finding(plan, calls, store)).collect()
    }

    fn take_findings(&mut self, findings: Vec<Sighting>) {
        take_findings(&mut self.findings, findings);
    }

    fn take_notes(&mut self, notes: Vec<String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// How many calls the budgets still allow at once: the calls themselves, and structures, of which
/// each call may bring some.
pub(crate) fn allowed_calls(
    budget: &Budget,
    explored: u64,
    n_structures: u64,
) -> Result<u64, StopReason> {
    let mut allowed = u64::MAX;
    if let Some(most) = budget.max_calls {
        allowed = most.saturating_sub(explored);
        if allowed == 0 {
            return Err(StopReason::MaxCalls(most));
        }
    }
    if let Some(most) = budget.max_structures {
        let left = most.saturating_sub(n_structures);
        if left == 0 {
            return Err(StopReason::MaxStructures(most));
        }
        allowed = allowed.min(left);
    }
    Ok(allowed)
}

/// Panics are kept each; of the other problems one witness is enough, they would show at most structures.
pub(crate) fn take_findings(known: &mut Vec<Sighting>, findings: Vec<Sighting>) {
    for finding in findings {
        let is_panic = finding.problem.kind == Kind::PANIC;
        let is_known = known.iter().any(|known| known.problem == finding.problem);
        if known.len() < Report::MOST_FINDINGS && (is_panic || !is_known) {
            known.push(finding);
        }
    }
}

/// Room for the objects of any structure in scope.
pub(crate) fn most_objects(plan: &Plan) -> usize {
    let classes = plan.schema.classes().iter().filter(|class| class.is_object);
    let bounds = classes.map(|class| {
        let name = class.key.name;
        plan.bounds.objects.get(name).copied().unwrap_or(plan.bounds.other_objects)
    });
    // Unbounded classes end up in small structures all the same; decoders fall back if not.
    (bounds.map(|bound| bound.min(1 << 12) as usize).sum::<usize>() + 8).min(1 << 14)
}

/// Lists the tuples of structures of a block, in order.
struct Tuples<'t, 'e> {
    shared: &'t Shared<'e>,
    by_cost: &'t [Range<u32>],
    level: u32,
}

/// A structure with its form, owned: the second and later members of tuples.
pub(crate) struct Member {
    pub(crate) id: StructureId,
    pub(crate) ty: TypeIdx,
    pub(crate) form: Vec<u8>,
}

impl<'t> Tuples<'t, '_> {
    fn of_block(&self, block: &Block, visit: &mut dyn FnMut(&'t Signature, &[Parent<'_>])) {
        if self.level == 1 {
            for signature in self.shared.signatures.iter().filter(|s| s.types.is_empty()) {
                visit(signature, &[]);
            }
            return;
        }
        let rest = self.level - 1 - block.cost;
        self.shared.maker.store.scan(block.parents.clone(), &mut |id, form| {
            let first = Parent { id, ty: self.shared.maker.type_of(form), form };
            for signature in self.shared.signatures.iter() {
                if signature.types.first() == Some(&first.ty) {
                    self.complete(signature, &mut vec![first], rest, visit);
                }
            }
        });
    }

    /// Completes a tuple by structures that cost `rest` in all.
    fn complete(
        &self,
        signature: &'t Signature,
        tuple: &mut Vec<Parent<'_>>,
        rest: u32,
        visit: &mut dyn FnMut(&'t Signature, &[Parent<'_>]),
    ) {
        if tuple.len() == signature.types.len() {
            if rest == 0 {
                visit(signature, tuple);
            }
            return;
        }
        let ty = signature.types[tuple.len()];
        for cost in 1..=rest {
            let Some(ids) = self.by_cost.get(cost as usize) else { break };
            for member in self.members(ids.clone(), ty) {
                let mut longer = tuple.clone();
                longer.push(Parent { id: member.id, ty: member.ty, form: &member.form });
                self.complete(signature, &mut longer, rest - cost, visit);
            }
        }
    }

    fn members(&self, ids: Range<u32>, ty: TypeIdx) -> Vec<Member> {
        let mut members = Vec::new();
        self.shared.maker.store.scan(ids, &mut |id, form| {
            let own = self.shared.maker.type_of(form);
            if own == ty {
                members.push(Member { id, ty: own, form: form.to_vec() });
            }
        });
        members
    }
}
