//! One thread's work: the calls of one block of parents.
//!
//! A worker makes each parent, makes every call on its own copy, and writes the results of each
//! call as candidates. It reads the store but never changes it; blocks are independent, so any
//! thread may take any of them.

mod attempts;
mod audits;
mod checks;
mod clones;
mod compare;
pub(crate) mod explorer;
mod invariants;
pub mod message;
mod outputs;
mod outside;
mod panics;
pub(crate) mod pieces;
mod reencode;
mod siblings;
mod trust;

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use beget_heap::{Decoder, Encoder, FormRef};
use beget_plan::finding::Problem;
use beget_plan::scope::{CallAudits, Plan, PlannedIdx};
use beget_process::alloc::{BuildError, Image, Region, RegionLoss};
use beget_process::guard::{CurrentCall, EndGuard};
use beget_suite::{Frame, Literal, Outcome, TypeIdx};

use crate::data::block::{Block, ReportRule};
use crate::data::calls::CallGroup;
use crate::data::in_progress::run_number;
use crate::data::ledger::{Counters, Ledger, LogMark};
use crate::data::sightings::{Sighting, add_all, drop_problem};
use crate::data::wire::packs_fields;
use crate::rebuild::reconstruct::{
    CopyPolicy, Losses, Reconstructor, call_guarded, drop_frame, empty_frame,
};
use crate::store::{Candidates, RecentForms, StoreError, StructureId};
use attempts::{Attempt, attempts, attempts_by_method};
use audits::CheckOfThread;
pub(crate) use checks::THOROUGH;
pub(crate) use checks::is_sampled;
pub use invariants::broken_invariant;
use panics::PanickedCalls;
use reencode::Reencoder;
use siblings::Siblings;
pub(crate) use trust::call_batch;

thread_local! {
    /// The region of this thread, opened at its first use and kept for the next blocks.
    static REGION: RefCell<Option<Region>> = const { RefCell::new(None) };
}

/// The results of the calls of one block.
#[derive(Debug, Default)]
pub struct BlockResult {
    /// The structures that the calls left, in order.
    pub candidates: Candidates,
    /// The results of the calls. The executor takes everything but the counters before a strategy
    /// learns the result.
    pub ledger: Ledger,
    /// The strategies that the block can do without, but later ones should not use any more. A
    /// block that loses the region or its trust ends early: the batch is not used.
    pub(crate) lost: Losses,
    /// The error of the store. Then nothing of the block counts.
    pub(crate) store_error: Option<StoreError>,
}

packs_fields! { BlockResult { candidates, ledger, lost, store_error } }

impl BlockResult {
    /// The result of a block that cannot be made: it ends the run, and nothing of the batch counts.
    pub fn failed(error: StoreError) -> Self {
        BlockResult { store_error: Some(error), ..BlockResult::default() }
    }

    /// The reason why it could not be made, if any.
    pub fn error(&self) -> Option<&StoreError> {
        self.store_error.as_ref()
    }
}

/// The data shared by all blocks of a run.
pub(crate) struct RunContext<'e> {
    pub(crate) reconstructor: Reconstructor<'e>,
    pub(crate) groups: &'e [CallGroup],
    /// For each method of the plan, its tuples of literals.
    pub(crate) tuples: &'e [Vec<Vec<&'e Literal>>],
    /// The schema position of the class whose objects are counted, if there is one.
    pub(crate) counted_class: Option<usize>,
    /// True if walks may be saved, see `reencode`.
    pub(crate) reencodes: bool,
    /// True if images may be patched when the next structure is a sibling.
    pub(crate) patches: bool,
    pub(crate) has_invariants: bool,
    /// Report results even when memory is unchanged, so that the output does not depend on the copy
    /// strategy.
    pub(crate) tells_unchanged: bool,
    /// Report no argument whose form is as before, so that the output does not depend on the copy
    /// strategy either.
    pub(crate) leaves_out_unchanged: bool,
    /// True if the values of a panic are followed.
    pub(crate) follows_panics: bool,
    /// The audits of repeated calls.
    pub(crate) audits: CallAudits,
    /// The number of objects to decode without allocating.
    pub(crate) most_objects: usize,
}

/// One structure that calls take, with its form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent<'b> {
    pub(crate) id: StructureId,
    pub(crate) ty: TypeIdx,
    pub(crate) form: FormRef<'b>,
}

/// The calls of a task: those of a group's methods with every tuple of literals, or with one of
/// them.
#[derive(Clone, Copy)]
struct Calls<'e> {
    group: &'e CallGroup,
    literals: Option<u32>,
}

/// A structure could not be made, or not in the region.
enum FrameError {
    Region(RegionLoss),
    Reconstruction,
}

pub(crate) struct Worker<'e> {
    shared: &'e RunContext<'e>,
    encoder: Encoder<'e>,
    /// One for each structure of a frame. They read the forms outside the region and allocate
    /// nothing inside.
    decoders: Vec<Decoder<'e>>,
    reencoder: Reencoder,
    siblings: Siblings,
    /// True if structures are made by their recipes, although they could be decoded.
    replays: bool,
    /// In calls on clones: whether the call has left its clone unchanged.
    leaves_intact: Option<bool>,
    /// Empty if every structure must be reported.
    recent: RecentForms,
    current: Arc<CurrentCall>,
    /// Stops this thread at a call that would end the process, if the run outlives that.
    _stop: Option<EndGuard>,
    /// The first of the newest structures, some of which are checked like the very first.
    newest: u64,
    /// The calls of this task that left a pair just out of scope.
    beyond: Vec<Attempt>,
    result: BlockResult,
    /// The sightings of the task's calls. They can be undone until the task is over.
    found: Vec<Sighting>,
    panicked: PanickedCalls,
    /// The methods whose panics are not followed in this block.
    unfollowed: Vec<PlannedIdx>,
    /// The methods whose calls are not audited in this block.
    unaudited: Vec<PlannedIdx>,
    check: CheckOfThread,
}

/// The most candidates of a block that have room from the start. A block has eight for each task,
/// as many as most structures leave, so that lists seldom grow.
const MOST_ROOM: usize = 1 << 12;

impl<'e> Worker<'e> {
    pub(crate) fn new(shared: &'e RunContext<'e>, newest: u64) -> Self {
        let coding = shared.reconstructor.plan.coding();
        let most_structures = shared.groups.iter().map(|group| group.types.len()).max();
        let decoders =
            (0..most_structures.unwrap_or(0)).map(|_| Decoder::new(coding, shared.most_objects));
        let current = CurrentCall::on_this_thread(run_number(shared.reconstructor.plan));
        Worker {
            shared,
            encoder: Encoder::new(coding),
            decoders: decoders.collect(),
            reencoder: Reencoder::new(shared.reconstructor.plan.methods.len()),
            siblings: Siblings::default(),
            replays: false,
            leaves_intact: None,
            recent: RecentForms::default(),
            _stop: current.stop_at_end(),
            current,
            newest,
            beyond: Vec::new(),
            result: BlockResult::default(),
            found: Vec::new(),
            panicked: PanickedCalls::default(),
            unfollowed: Vec::new(),
            unaudited: Vec::new(),
            check: CheckOfThread::default(),
        }
    }

    fn plan(&self) -> &'e Plan {
        self.shared.reconstructor.plan
    }

    /// Makes the calls of a block.
    pub(crate) fn run(mut self, block: &Block) -> BlockResult {
        let shared = self.shared;
        self.unfollowed.clone_from(&block.unfollowed);
        self.unaudited.clone_from(&block.unaudited);
        // Otherwise each structure is compared with that of another process.
        if block.reported == ReportRule::Once && self.plan().state().is_repeatable() {
            self.recent = RecentForms::of(4 * block.tasks.len());
        }
        let n_tasks = block.tasks.len();
        let room = (8 * n_tasks).min(MOST_ROOM);
        self.result.candidates = Candidates::with_room_for(room, n_tasks.min(MOST_ROOM));
        let mut parents: Vec<Parent<'_>> = Vec::new();
        for (index, task) in (0..).zip(&block.tasks) {
            self.current.set_task(index);
            let group = &shared.groups[task.group.0 as usize];
            parents.clear();
            let members = block.members_of(task, group.types.len()).iter().zip(&group.types);
            parents.extend(members.map(|(&member, &ty)| {
                let (id, form) = block.structure(member);
                Parent { id, ty, form }
            }));
            self.siblings.is_next = self.is_sibling_next(block, index, &parents);
            self.run_frame(Calls { group, literals: task.literals }, &parents);
            if !self.found.is_empty() {
                self.group_findings();
            }
        }
        // A pointer into the region may have been kept somewhere since the last scan.
        let checked = REGION.with_borrow_mut(|region| match region {
            Some(region) => region.check_escape(),
            None => Ok(()),
        });
        if let Err(lost) = checked {
            self.lose_region(lost);
        }
        let Ledger { passed, expected, .. } = &mut self.result.ledger;
        *passed = std::mem::take(passed).ordered();
        *expected = std::mem::take(expected).ordered();
        self.result
    }

    /// Groups the sightings of a finished task.
    #[cold]
    fn group_findings(&mut self) {
        let calls = self.shared.reconstructor.calls;
        let Ledger { sightings, notes, .. } = &mut self.result.ledger;
        add_all(sightings, self.found.drain(..), calls, notes);
    }

    /// Gives the region up, because of what was `seen`. The first observation of a thread depends
    /// on what others have left in statics, but not that the region is given up.
    fn lose_region(&mut self, seen: impl fmt::Display) {
        self.result.lost.region = true;
        self.result.ledger.notes.push(format!("the region is given up: {seen}"));
    }

    /// Makes the calls of a task on its tuple of structures.
    fn run_frame(&mut self, calls: Calls<'e>, parents: &[Parent<'_>]) {
        if self.result.lost.region || self.result.lost.trust {
            return;
        }
        self.current.set_arguments(parents.iter().map(|parent| parent.id.number()));
        let copy_strategies = self.shared.reconstructor.copy_strategies;
        let copy_policy = copy_strategies.copy_policy(&calls.group.types, self.result.lost);
        let has_copies = copy_policy != CopyPolicy::Reconstruct
            || copy_strategies.doubts_clones(&calls.group.types)
            || copy_strategies.doubts_decoding(&calls.group.types);
        if has_copies && self.is_compared(parents) {
            // Results are compared, known or not.
            let recent = std::mem::take(&mut self.recent);
            self.run_compared(copy_policy, calls, parents);
            self.recent = recent;
        } else {
            self.run_by(copy_policy, calls, parents);
        }
        if !self.beyond.is_empty() {
            self.compare_beyond(parents);
        }
        if self.panicked.n_pending() > 0 {
            self.follow_panicked(parents);
        }
        if !self.shared.audits.is_idle() {
            self.audit_calls(calls, parents);
        }
    }

    fn run_by(&mut self, copy_policy: CopyPolicy, calls: Calls<'e>, parents: &[Parent<'_>]) {
        let ran = match copy_policy {
            CopyPolicy::Region => self.run_in_region(calls, parents),
            CopyPolicy::Clone => self.run_on_clones(calls, parents),
            CopyPolicy::Reconstruct => self.run_reconstructed(calls, parents),
        };
        let ran = match ran {
            // The structure is too large: only this one is reconstructed for each call.
            Err(FrameError::Region(RegionLoss::Overflow)) => self.run_reconstructed(calls, parents),
            ran => ran,
        };
        match ran {
            Ok(()) => {}
            Err(FrameError::Region(lost)) => self.lose_region(lost),
            Err(FrameError::Reconstruction) => self.report_unmakeable(parents),
        }
    }

    fn report_unmakeable(&mut self, parents: &[Parent<'_>]) {
        // An unreadable recipe is no fault of the subject.
        let reconstructor = &self.shared.reconstructor;
        if let Err(error) =
            parents.iter().try_for_each(|parent| reconstructor.read_recipe(parent.id))
        {
            self.result.store_error.get_or_insert(error);
        } else if let Some(parent) = parents.first() {
            self.report(Problem::nondeterministic(), parent.id);
        }
    }

    /// Reports a problem of a call.
    fn report_call(&mut self, problem: Problem, attempt: Attempt, parents: &[Parent<'_>]) {
        let call = self.shared.reconstructor.calls.call(attempt.planned, 0, attempt.tuple);
        let arguments = parents.iter().map(|parent| parent.id).collect();
        self.found.push(Sighting::new(problem, call, arguments));
    }

    /// Reports a problem of a structure itself, shown by its own origin.
    fn report(&mut self, problem: Problem, id: StructureId) {
        match self.shared.reconstructor.recipes.origin_of(id) {
            Ok(origin) => {
                self.found.push(Sighting::new(problem, origin.call, origin.arguments));
            }
            Err(error) => {
                self.result.store_error.get_or_insert(error);
            }
        }
    }

    fn make_frame(&mut self, parents: &[Parent<'_>]) -> Result<Frame, FrameError> {
        self.current.set_making();
        let reconstructor = &self.shared.reconstructor;
        begin_all(&mut self.decoders, parents);
        make_frame(reconstructor, &mut self.decoders, parents, self.replays)
    }

    fn run_in_region(
        &mut self,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        REGION.with_borrow_mut(|region| {
            if region.is_none() {
                *region = Region::open();
            }
            let Some(region) = region else {
                return Err(FrameError::Region(RegionLoss::Exhausted));
            };
            let undo = self.mark();
            let ran = self.run_on_image(region, calls, parents);
            if matches!(ran, Err(FrameError::Region(_))) {
                self.undo(undo);
            }
            ran
        })
    }

    fn run_on_image(
        &mut self,
        region: &mut Region,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        let mut image = self.image(region, parents)?;
        let checks = self.must_check(parents);
        if checks {
            let checked = image.attempt(|_| (), |frame, (), _| self.check_made(frame, parents));
            checked.map_err(FrameError::Region)?;
        }
        self.make_calls(&mut image, calls, parents).map_err(FrameError::Region)
    }

    fn build_image<'r>(
        &mut self,
        region: &'r mut Region,
        parents: &[Parent<'_>],
    ) -> Result<Image<'r, Frame>, FrameError> {
        self.current.set_making();
        let reconstructor = &self.shared.reconstructor;
        let decoders = &mut self.decoders;
        begin_all(decoders, parents);
        let built =
            region.build(|| make_frame(reconstructor, decoders, parents, false).map_err(|_| ()));
        built.map_err(|error| match error {
            BuildError::Make(()) => FrameError::Reconstruction,
            BuildError::Region(lost) => FrameError::Region(lost),
        })
    }

    /// A separate function, so that its state between two calls stays in registers.
    #[inline(never)]
    fn make_calls(
        &mut self,
        image: &mut Image<'_, Frame>,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), RegionLoss> {
        let shared = self.shared;
        let tells_unchanged = shared.has_invariants || shared.tells_unchanged;
        let mut image = image.calls()?;
        // Counted separately, because most calls are unchanged.
        let mut n_unchanged = 0;
        let made = attempts_by_method(shared, calls).try_for_each(|attempts| {
            // Asked only until the block has such a call of the method.
            let is_reached = self.result.ledger.reach(attempts.planned).is_in_scope;
            let n_before = if is_reached { 0 } else { self.n_in_scope() + n_unchanged };
            let way = self.way_to_tell(attempts.planned, parents);
            let made = attempts.iter().try_for_each(|(attempt, literals)| {
                self.note(attempt);
                image.attempt(
                    self,
                    |frame| call_guarded(attempts.method, frame, literals),
                    |worker, frame, returned| {
                        let is_plain =
                            *returned == Ok(Outcome::Returned) && frame.results.is_empty();
                        if is_plain && !tells_unchanged {
                            n_unchanged += 1;
                        } else {
                            let changed = shared.tells_unchanged;
                            worker.inspect(attempt, parents, frame, *returned, changed);
                        }
                    },
                    |worker, frame, returned, after| {
                        worker.inspect_image(attempt, parents, way, frame, *returned, after);
                    },
                )
            });
            self.count_reencoded(attempts.planned);
            if !is_reached && self.n_in_scope() + n_unchanged > n_before {
                self.result.ledger.reach_mut(attempts.planned).is_in_scope = true;
            }
            made
        });
        self.result.ledger.counters.matched += n_unchanged;
        made
    }

    /// The calls that returned and left nothing out of scope.
    fn n_in_scope(&self) -> u64 {
        self.result.ledger.counters.kept + self.result.ledger.counters.matched
    }

    fn run_reconstructed(
        &mut self,
        calls: Calls<'e>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        if self.must_check(parents) {
            let made = self.make_frame(parents)?;
            self.check_made(&made, parents);
            drop_frame(made);
        }
        for attempt in attempts(self.shared, calls) {
            let mut frame = self.make_frame(parents)?;
            self.call(attempt, parents, &mut frame);
        }
        Ok(())
    }

    /// Makes a call on its own frame, and leaves it empty. Returns whether no destructor panicked.
    fn call(&mut self, attempt: Attempt, parents: &[Parent<'_>], frame: &mut Frame) -> bool {
        self.call_and_inspect(attempt, parents, frame);
        self.empty(frame, attempt, parents)
    }

    fn call_and_inspect(&mut self, attempt: Attempt, parents: &[Parent<'_>], frame: &mut Frame) {
        self.note(attempt);
        let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
        let n_before = self.n_in_scope();
        let returned = call_guarded(method, frame, literals);
        self.inspect(attempt, parents, frame, returned, true);
        if self.n_in_scope() > n_before {
            self.result.ledger.reach_mut(attempt.planned).is_in_scope = true;
        }
    }

    /// Drops the contents of a call's frame. The destructors are the subject's. Returns whether
    /// none panicked.
    fn empty(&mut self, frame: &mut Frame, attempt: Attempt, parents: &[Parent<'_>]) -> bool {
        self.note(attempt);
        let Some(report) = empty_frame(frame) else { return true };
        self.report_call(drop_problem(report), attempt, parents);
        false
    }

    /// Notes the call made next, in case it never returns.
    #[inline(always)]
    fn note(&self, attempt: Attempt) {
        self.current.set_call(attempt.planned.index() as u32, attempt.tuple);
    }

    fn mark(&mut self) -> Mark {
        Mark {
            candidates: self.result.candidates.mark(),
            counters: self.result.ledger.counters,
            passed: self.result.ledger.passed.mark(),
            expected: self.result.ledger.expected.mark(),
            n_findings: self.found.len(),
            n_panicked: self.panicked.n_pending(),
        }
    }

    fn undo(&mut self, mark: Mark) {
        self.result.candidates.undo(mark.candidates);
        self.result.ledger.counters = mark.counters;
        self.result.ledger.passed.undo(mark.passed);
        self.result.ledger.expected.undo(mark.expected);
        self.found.truncate(mark.n_findings);
        self.panicked.truncate(mark.n_panicked);
    }
}

/// A length of a block's results.
#[derive(Clone, Copy)]
struct Mark {
    candidates: crate::store::CandidatesMark,
    counters: Counters,
    passed: LogMark,
    expected: LogMark,
    n_findings: usize,
    n_panicked: usize,
}

fn begin_all(decoders: &mut [Decoder<'_>], parents: &[Parent<'_>]) {
    for (decoder, parent) in decoders.iter_mut().zip(parents) {
        decoder.begin(parent.form);
    }
}

fn make_frame(
    reconstructor: &Reconstructor<'_>,
    decoders: &mut [Decoder<'_>],
    parents: &[Parent<'_>],
    replays: bool,
) -> Result<Frame, FrameError> {
    let mut frame = Frame { arguments: Vec::with_capacity(parents.len()), results: Vec::new() };
    for (parent, decoder) in parents.iter().zip(decoders) {
        let made = match replays {
            true => reconstructor.replay(parent.id),
            false => reconstructor.reconstruct(parent.ty, parent.id, decoder),
        };
        match made {
            Ok(made) => frame.arguments.push(Some(made)),
            Err(_) => {
                drop_frame(frame);
                return Err(FrameError::Reconstruction);
            }
        }
    }
    Ok(frame)
}
