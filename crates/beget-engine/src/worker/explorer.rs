//! The calls of a plan, ready to be made, shared by all searches over the plan.

use std::any::Any;
use std::sync::Arc;

use beget_heap::{Decoder, FormRef, HeapGraph};
use beget_plan::scope::{CallAudits, Plan, PlanDraft, PlannedIdx, PlannedMethod};
use beget_process::guard::{CallInProgress, CurrentCall, guarded, tell_ends};
use beget_suite::{Literal, TypeIdx};
use xxhash_rust::xxh3::xxh3_64;

use crate::data::block::{Block, ReportRule};
use crate::data::calls::{CallGroup, CallTable, groups};
use crate::data::counted::{counted_class, most_objects};
use crate::data::ids::GroupIdx;
use crate::data::in_progress::{calls_of, culprit_of, run_number};
use crate::data::parallel::Pool;
use crate::rebuild::reconstruct::{CopyOptions, CopyStrategies, Reconstructor};
use crate::rebuild::stored_graph::as_stored;
use crate::store::{Recipes, Store, StoreError, StructureId};
use crate::worker::{BlockResult, RunContext, Worker};

/// Settings that do not change the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// The allowed copy strategies.
    pub copy_options: CopyOptions,
}

/// A plan with numbered and grouped calls, the strategies for its types, and threads.
pub struct Explorer<'p> {
    plan: &'p Plan,
    calls: CallTable,
    copy_strategies: CopyStrategies,
    groups: Vec<CallGroup>,
    /// The number of groups that are signatures; the others hold one method each.
    n_signatures: usize,
    tuples: Vec<Vec<Vec<&'p Literal>>>,
    pool: Pool,
    fingerprint: u64,
}

impl std::fmt::Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("suite", &self.plan.suite.name).finish_non_exhaustive()
    }
}

impl<'p> Explorer<'p> {
    /// Prepares the calls of `plan`.
    ///
    /// # Panics
    /// If the thread pool cannot be started.
    pub fn new(plan: &'p Plan, settings: Settings) -> Self {
        Explorer::with_copy_strategies(
            plan,
            settings,
            CopyStrategies::new(plan, settings.copy_options),
        )
    }

    /// Like [`Explorer::new`], with clones that are only compared, not used.
    pub(crate) fn doubting_clones(plan: &'p Plan, settings: Settings) -> Self {
        Explorer::with_copy_strategies(
            plan,
            settings,
            CopyStrategies::doubting_clones(plan, settings.copy_options),
        )
    }

    fn with_copy_strategies(
        plan: &'p Plan,
        settings: Settings,
        copy_strategies: CopyStrategies,
    ) -> Self {
        let tuples_of = |planned: &'p PlannedMethod| {
            (0..planned.n_tuples()).map(|index| planned.tuple(index)).collect()
        };
        let (groups, n_signatures) = groups(plan);
        Explorer {
            plan,
            calls: CallTable::new(plan),
            copy_strategies,
            groups,
            n_signatures,
            tuples: plan.methods.iter().map(tuples_of).collect(),
            pool: Pool::new(settings.threads),
            fingerprint: fingerprint(plan),
        }
    }

    pub(crate) fn copy_strategies(&self) -> &CopyStrategies {
        &self.copy_strategies
    }

    /// Makes the calls of `blocks` on the explorer's threads. `wait` is called now and then
    /// meanwhile.
    pub(crate) fn run_blocks(
        &self,
        blocks: &[Block],
        recipes: &dyn Recipes,
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        self.pool.run_all(blocks, |block| self.run_block(block, recipes), wait)
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// The numbering of its calls.
    pub fn calls(&self) -> &CallTable {
        &self.calls
    }

    /// Runs `work` on the explorer's threads, so that parallel iterators in it use them.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// The methods by the types of their structures, in the order of their first method.
    pub fn signatures(&self) -> impl Iterator<Item = (GroupIdx, &CallGroup)> + '_ {
        (0..).map(GroupIdx).zip(&self.groups[..self.n_signatures])
    }

    /// The group of one method alone.
    pub fn alone(&self, method: PlannedIdx) -> (GroupIdx, &CallGroup) {
        let index = self.n_signatures + method.index();
        (GroupIdx(index as u32), &self.groups[index])
    }

    /// The number of structures that a method takes.
    pub(crate) fn arity(&self, method: PlannedIdx) -> usize {
        self.alone(method).1.types.len()
    }

    /// The number of calls of a group's methods on one tuple of structures.
    pub fn n_calls(&self, group: &CallGroup) -> u64 {
        group.methods.iter().map(|&method| self.tuples[method.index()].len() as u64).sum()
    }

    /// The numbering of its calls, by value.
    pub(crate) fn into_calls(self) -> CallTable {
        self.calls
    }

    /// The type of the structure with this form.
    #[inline]
    pub fn type_of(&self, form: FormRef<'_>) -> TypeIdx {
        self.plan.type_of(form)
    }

    /// Distinguishes plans whose messages must not be mixed up.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The calls of this run that are being made.
    pub fn calls_in_progress(&self) -> Vec<CallInProgress> {
        calls_of(self.plan)
    }

    /// The current work of a call, in words, to blame for its end or standstill.
    pub fn culprit(&self, call: &CallInProgress) -> String {
        culprit_of(self.plan, call)
    }

    /// Marks the process ends noted by calls of this run as reported: their threads stop for ever.
    pub fn tell_ends(&self) {
        tell_ends(run_number(self.plan));
    }

    /// A note for calls of this run that another process makes and this thread waits for.
    pub fn note_elsewhere(&self) -> Arc<CurrentCall> {
        CurrentCall::on_this_thread(run_number(self.plan))
    }

    /// Returns whether structures of this type are made by their recipes.
    pub(crate) fn replays(&self, ty: TypeIdx) -> bool {
        self.copy_strategies.replays(ty)
    }

    /// The number of tuples of literals of a method.
    pub(crate) fn n_tuples(&self, method: PlannedIdx) -> u32 {
        self.tuples[method.index()].len() as u32
    }

    /// A group by its number.
    pub(crate) fn group(&self, group: GroupIdx) -> &CallGroup {
        &self.groups[group.0 as usize]
    }

    /// Makes the calls of a block. `recipes` has the origins of its structures.
    pub fn run_block(&self, block: &Block, recipes: &dyn Recipes) -> BlockResult {
        self.run_block_of(block, recipes, self.plan.follows_panics, self.plan.audits)
    }

    /// Like [`Explorer::run_block`], for a run that `follows_panics` or does not, with these
    /// `audits`.
    pub(crate) fn run_block_of(
        &self,
        block: &Block,
        recipes: &dyn Recipes,
        follows_panics: bool,
        audits: CallAudits,
    ) -> BlockResult {
        let has_invariants = !self.plan.suite.invariants.is_empty();
        let tells_unchanged = self.plan.probe > 0;
        let shared = RunContext {
            reconstructor: self.reconstructor(recipes),
            groups: &self.groups,
            tuples: &self.tuples,
            counted_class: counted_class(self.plan),
            reencodes: self.plan.schema().is_regular()
                && !has_invariants
                && !tells_unchanged
                // Otherwise each call leaves a structure of its own, even a known one.
                && block.reported == ReportRule::Once,
            patches: self.plan.schema().is_regular(),
            has_invariants,
            tells_unchanged,
            leaves_out_unchanged: block.reported == ReportRule::Changed && !tells_unchanged,
            follows_panics,
            audits,
            most_objects: most_objects(self.plan),
        };
        Worker::new(&shared, block.newest).run(block)
    }

    /// Reconstructs a structure of a store; `None` if it cannot be, because the subject is not
    /// deterministic.
    pub(crate) fn reconstruct<S: Store>(
        &self,
        store: &S,
        id: StructureId,
    ) -> Result<Option<Box<dyn Any>>, StoreError> {
        self.reconstruct_form(store, id, store.form(id)?.as_ref())
    }

    fn reconstruct_form(
        &self,
        recipes: &dyn Recipes,
        id: StructureId,
        form: FormRef<'_>,
    ) -> Result<Option<Box<dyn Any>>, StoreError> {
        let mut decoder = Decoder::new(self.plan.coding(), most_objects(self.plan));
        decoder.begin(form);
        self.reconstructor(recipes).reconstruct_or_fail(self.type_of(form), id, &mut decoder)
    }

    /// The heap of a structure of a store as a graph; `None` if it cannot be reconstructed.
    pub(crate) fn graph<S: Store>(
        &self,
        store: &S,
        id: StructureId,
    ) -> Result<Option<HeapGraph>, StoreError> {
        self.graph_of(store, id, store.form(id)?.as_ref())
    }

    /// Like [`Explorer::graph`], for a structure with this recipe and this form.
    pub(crate) fn graph_of(
        &self,
        recipes: &dyn Recipes,
        id: StructureId,
        form: FormRef<'_>,
    ) -> Result<Option<HeapGraph>, StoreError> {
        let Some(value) = self.reconstruct_form(recipes, id, form)? else { return Ok(None) };
        let ty = self.type_of(form);
        let graph = self.plan.suite.types[ty.index()].graph;
        // Walks and destructors are the subject's code, which may panic.
        let seen = guarded(|| graph(&*value, self.plan.schema(), self.plan.layout())).ok();
        let _ = guarded(|| drop(value));
        Ok(seen.map(|seen| as_stored(seen, form, self.plan)))
    }

    fn reconstructor<'m>(&'m self, recipes: &'m dyn Recipes) -> Reconstructor<'m> {
        Reconstructor {
            plan: self.plan,
            calls: &self.calls,
            recipes,
            copy_strategies: &self.copy_strategies,
        }
    }
}

fn fingerprint(plan: &Plan) -> u64 {
    let PlanDraft { suite, k, methods, bounds, .. } = &**plan;
    let mut text = format!("{} {k} {bounds:?}", suite.name);
    for planned in methods {
        text += suite.method(planned.method).signature;
        let literals = planned.domains.iter().flatten();
        literals.for_each(|literal| text += &format!(" {}", literal.source));
    }
    xxh3_64(text.as_bytes())
}
