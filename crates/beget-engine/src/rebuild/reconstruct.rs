//! Reconstructing a structure: by decoding its form, or by running its recipe.
//!
//! The choice between the two, and the way in which each call gets its own copy, is made per type
//! before the run ([`CopyStrategies`]). All strategies give the same set, witnesses and order. They
//! differ in speed and in their requirements for the type.
//!
//! # Strategies, and why none is trusted
//!
//! A structure is **reconstructed** by *decoding* its form or by *replaying* its recipe, once for
//! all calls on it. Each call gets its **copy** by the *region image*, by *clone*, or by
//! *reconstructing* the structure. The copy strategy is chosen per type, by what the type allows.
//! `beget list SCOPE` shows it:
//!
//! | | needs | falls back to |
//! | --- | --- | --- |
//! | decode | every class in the type can be decoded, no field omitted by the scope | replay |
//! | region image | 64-bit Linux, the allocator installed | clone |
//! | clone | the type's `Clone`, no counted pointer in its schema | reconstructing for each call |
//!
//! A form must hold everything that calls can observe, otherwise findings would concern structures
//! that no call builds. So the slots of an arena show their numbers, and such a value, whose other
//! slots are in no form, is replayed. If the author vouches for any order (`arena(any_order)`), it
//! is decoded, with slots in the order of the walk. Whatever copies led to a finding, its calls are
//! repeated before it is reported (`tell_unreproduced` in `crates/beget-run/src/failure_test.rs`),
//! and it says if they do not show it.
//!
//! No strategy is trusted:
//!
//! - for the first 128 structures and every 1024th after them, the decoded value is walked and
//!   compared with the form, and the recipe is replayed and compared too; replayed values are
//!   always compared. A difference is a finding (`decode_differs`, `nondeterministic`);
//! - the form of a structure's first clone is compared with its original's, and after the calls on
//!   clones the original is walked; if it has changed, the clones share state: a finding, and
//!   clones are not used from there on. If not, the last call is made on the original. If calls are
//!   compared, all are made on clones. If a form holds everything about a value, a call that does
//!   not change its clone passes it on to the next call
//!   (`crates/beget-engine/src/worker/clones.rs`): SearchTree 11 takes 2.18 s instead of 3.54, and
//!   0.69 with the region; NCL 7 0.5 s as before, and 0.17 with the region. The rest is the
//!   allocator: `malloc`, `free`, `Clone` and `Drop` are half the time on both, and glibc's cache
//!   of seven blocks of a size is too small for them (before that change,
//!   `GLIBC_TUNABLES=glibc.malloc.tcache_count=127` made it 2.84 s instead of 3.60 on SearchTree
//!   11);
//! - **calls on copies are compared with calls on rebuilt structures**
//!   (`crates/beget-engine/src/worker/compare.rs`): outcomes and forms, for the same sample, the
//!   first 8 structures of each level (or round of a closure), and constructors. If they differ and
//!   rebuilt ones agree among themselves, earlier results may be wrong. Clones: `generate` starts
//!   again without them, and compares them still, so that the finding has a witness in the new
//!   store; a closure ends. Region: `generate` starts again with replayed structures for each call,
//!   and keeps the finding; the calls are made once more with checked memory, which may name the
//!   cause. A run that cannot start again ends with `CopiesDiffer`, never complete;
//! - types with raw pointers that are followed are decoded by a promise (`is_promised` in
//!   `crates/beget-engine/src/rebuild/reconstruct.rs`): their compared calls are made on *replayed*
//!   structures, with any copies. If calls on decoded ones differ from these, the run ends with
//!   `CopiesDiffer` and a finding `decode_differs` that names the raw pointers;
//! - the compared calls run under a `MemoryWatch` (below) if the region is in use: memory that
//!   outlives them, twice or where no scan looks, rules out the region;
//! - a destructor that panics after a compared call rules out the region, where the others do not
//!   run, and one that panics after a call on a clone rules out clones, of which some pass on. So
//!   each way that shows such a panic shows them all. If there are structures whose calls are not
//!   compared, `generate` starts again without the region; a closure ends.
//!
//! Copy strategies change only between batches (`crates/beget-engine/src/worker/trust.rs`), so
//! losses do not depend on threads. If the region is lost in a batch, the whole batch is repeated:
//! another thread may have read, through a static, data stored by the thread that noticed. Every
//! drop of a subject's value goes through the guard, one value at a time, because two panics in one
//! unwinding abort.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use beget_heap::Decoder;
use beget_plan::scope::Plan;
use beget_process::guard::{CaughtPanic, PanicReport, guarded, last_panic};
use beget_suite::{Call, Frame, Literal, Method, Outcome, Slot, Type, TypeIdx};

use crate::data::calls::{CallTable, literals_of};
use crate::data::wire::packs_fields;
use crate::store::{Recipes, StoreError, StructureId};

/// The ways to reconstruct a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconstruction {
    /// From its canonical form.
    Decode,
    /// By its recipe.
    Replay,
}

/// The ways in which each call gets a copy of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyPolicy {
    /// The structure lives in a memory region restored from a snapshot after each call.
    Region,
    /// By the type's `Clone`.
    Clone,
    /// It is reconstructed for each call.
    Reconstruct,
}

/// The strategy for structures of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyStrategy {
    /// Its reconstruction.
    pub reconstruction: Reconstruction,
    /// Its copies.
    pub copy_policy: CopyPolicy,
}

impl fmt::Display for CopyStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reconstruction = match self.reconstruction {
            Reconstruction::Decode => "decode",
            Reconstruction::Replay => "replay",
        };
        match self.copy_policy {
            CopyPolicy::Region => write!(f, "{reconstruction} once, then region image"),
            CopyPolicy::Clone => write!(f, "{reconstruction} once, then clone"),
            CopyPolicy::Reconstruct => write!(f, "{reconstruction} for each call"),
        }
    }
}

/// The strategies that the caller allows; the default chooses the fastest that works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyOptions {
    /// Never decode.
    pub no_decode: bool,
    /// Never use the region image.
    pub no_region: bool,
    /// Never clone.
    pub no_clone: bool,
}

impl CopyOptions {
    /// Structures are replayed for each call: nothing is trusted.
    pub(crate) const REPLAY: CopyOptions =
        CopyOptions { no_decode: true, no_region: true, no_clone: true };

    /// Returns whether structures are reconstructed for each call.
    pub(crate) fn no_copies(self) -> bool {
        self.no_region && self.no_clone
    }
}

/// The strategies of all types of a plan. Policies can be lost during the run, for all threads at
/// once, between two batches.
#[derive(Debug)]
pub(crate) struct CopyStrategies {
    by_type: Vec<CopyStrategy>,
    can_clone: Vec<bool>,
    /// The types whose decoding relies on a promise: that raw pointers lead to objects of their
    /// own.
    promised: Vec<bool>,
    region_lost: AtomicBool,
    clone_lost: AtomicBool,
    /// True if nothing is decoded.
    replays: AtomicBool,
    /// True if clones have given wrong results. They are not used, only compared, for the finding.
    doubts_clones: AtomicBool,
    /// True if destructors panicked that no earlier call has run.
    missed_drops: AtomicBool,
}

/// The copy policies that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Losses {
    pub(crate) region: bool,
    pub(crate) clone: bool,
    /// Calls on copies differ from calls on rebuilt structures.
    pub(crate) trust: bool,
    /// A destructor panicked where a sample of them runs.
    pub(crate) drops: bool,
}

/// The copies that a run no longer uses, or does not trust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Distrust {
    region_lost: bool,
    clone_lost: bool,
    doubts_clones: bool,
    replays: bool,
}

packs_fields! {
    Losses { region, clone, trust, drops }
    Distrust { region_lost, clone_lost, doubts_clones, replays }
}

impl std::ops::BitOrAssign for Losses {
    fn bitor_assign(&mut self, other: Losses) {
        self.region |= other.region;
        self.clone |= other.clone;
        self.trust |= other.trust;
        self.drops |= other.drops;
    }
}

/// Restricts the options for states by memory. A copy does not have the memory that calls leave,
/// and the region does not track memory block by block.
fn for_state(plan: &Plan, copy_options: CopyOptions) -> CopyOptions {
    match plan.state().is_repeatable() {
        true => copy_options,
        false => CopyOptions { no_decode: true, no_region: true, no_clone: true },
    }
}

/// Returns whether values can be made in the region, including calls without structures, which have
/// no type to check.
fn has_region(copy_options: CopyOptions) -> bool {
    !copy_options.no_region && beget_process::alloc::is_installed()
}

/// The strategy for a type's structures, chosen by the abilities of the type.
pub fn choose_copy_strategy(ty: &Type, plan: &Plan, copy_options: CopyOptions) -> CopyStrategy {
    let schema = schema_of(ty);
    let copy_options = for_state(plan, copy_options);
    let reconstruction = if tells_all(&schema, plan) && !copy_options.no_decode {
        Reconstruction::Decode
    } else {
        Reconstruction::Replay
    };
    let copy_policy = if has_region(copy_options) {
        CopyPolicy::Region
    } else if can_clone(ty, &schema, copy_options) {
        CopyPolicy::Clone
    } else {
        CopyPolicy::Reconstruct
    };
    CopyStrategy { reconstruction, copy_policy }
}

/// Returns whether a form holds everything about a value of the type.
fn tells_all(schema: &beget_heap::Schema, plan: &Plan) -> bool {
    schema.undecodable.is_empty() && !plan.layout().has_omitted()
}

/// Returns whether values of the type may differ although their forms are equal.
pub(crate) fn merges_values(ty: &Type, plan: &Plan) -> bool {
    !tells_all(&schema_of(ty), plan)
}

pub(crate) fn schema_of(ty: &Type) -> beget_heap::Schema {
    let mut schema = beget_heap::Schema::default();
    ty.describe_in(&mut schema);
    schema
}

/// Returns whether the type can be cloned. A clone that shares counted pointers is no fresh copy,
/// even if no call on it changes the original: `Rc::get_mut`, `Rc::try_unwrap` and
/// `Rc::strong_count` can detect it.
fn can_clone(ty: &Type, schema: &beget_heap::Schema, copy_options: CopyOptions) -> bool {
    !copy_options.no_clone && ty.clone.is_some() && !schema.has_counted
}

/// Returns whether the type is decoded, and has raw pointers that are followed.
fn is_promised(ty: &Type, plan: &Plan, copy_options: CopyOptions) -> bool {
    let strategy = choose_copy_strategy(ty, plan, copy_options);
    strategy.reconstruction == Reconstruction::Decode && schema_of(ty).has_raw_pointers
}

impl CopyStrategies {
    pub(crate) fn new(plan: &Plan, copy_options: CopyOptions) -> Self {
        let types = &plan.suite.types;
        let copy_options = for_state(plan, copy_options);
        CopyStrategies {
            by_type: types.iter().map(|ty| choose_copy_strategy(ty, plan, copy_options)).collect(),
            can_clone: types.iter().map(|ty| can_clone(ty, &schema_of(ty), copy_options)).collect(),
            promised: types.iter().map(|ty| is_promised(ty, plan, copy_options)).collect(),
            region_lost: AtomicBool::new(!has_region(copy_options)),
            clone_lost: AtomicBool::new(copy_options.no_clone),
            replays: AtomicBool::new(copy_options.no_decode),
            doubts_clones: AtomicBool::new(false),
            missed_drops: AtomicBool::new(false),
        }
    }

    /// Like [`CopyStrategies::new`], with clones that are only compared, not used.
    pub(crate) fn doubting_clones(plan: &Plan, copy_options: CopyOptions) -> Self {
        let doubts_clones = AtomicBool::new(true);
        CopyStrategies { doubts_clones, ..CopyStrategies::new(plan, copy_options) }
    }

    pub(crate) fn reconstruction(&self, ty: TypeIdx) -> Reconstruction {
        match self.replays.load(Ordering::Relaxed) {
            true => Reconstruction::Replay,
            false => self.by_type[ty.index()].reconstruction,
        }
    }

    /// The way to copy a frame with structures of `types`, for a block that has itself `lost` some
    /// policies. One that has lost the region makes no more calls.
    pub(crate) fn copy_policy(&self, types: &[TypeIdx], lost: Losses) -> CopyPolicy {
        if !self.region_lost.load(Ordering::Relaxed) {
            return CopyPolicy::Region;
        }
        let can_clone = types.iter().all(|ty| self.can_clone[ty.index()]);
        let has_lost_clones = lost.clone || self.clone_lost.load(Ordering::Relaxed);
        if can_clone && !has_lost_clones && !self.doubts_clones.load(Ordering::Relaxed) {
            return CopyPolicy::Clone;
        }
        CopyPolicy::Reconstruct
    }

    /// Returns whether clones have given wrong results.
    pub(crate) fn has_doubted_clones(&self) -> bool {
        self.doubts_clones.load(Ordering::Relaxed)
    }

    /// Returns whether frames of `types` are cloned only for comparison.
    pub(crate) fn doubts_clones(&self, types: &[TypeIdx]) -> bool {
        self.doubts_clones.load(Ordering::Relaxed)
            && types.iter().all(|ty| self.can_clone[ty.index()])
    }

    /// Notes that earlier calls may have left values whose destructors panic.
    pub(crate) fn miss_drops(&self) {
        self.missed_drops.store(true, Ordering::Relaxed);
    }

    /// Returns whether earlier calls may have left values whose destructors panic.
    pub(crate) fn has_missed_drops(&self) -> bool {
        self.missed_drops.load(Ordering::Relaxed)
    }

    pub(crate) fn lose(&self, lost: Losses) {
        self.region_lost.fetch_or(lost.region, Ordering::Relaxed);
        self.clone_lost.fetch_or(lost.clone, Ordering::Relaxed);
    }

    /// The strategies no longer in use, for a runner with its own strategies.
    pub(crate) fn distrust(&self) -> Distrust {
        Distrust {
            region_lost: self.region_lost.load(Ordering::Relaxed),
            clone_lost: self.clone_lost.load(Ordering::Relaxed),
            doubts_clones: self.doubts_clones.load(Ordering::Relaxed),
            replays: self.replays.load(Ordering::Relaxed),
        }
    }

    /// Adopts the sender's distrust.
    pub(crate) fn adopt(&self, distrust: Distrust) {
        let Distrust { region_lost, clone_lost, doubts_clones, replays } = distrust;
        self.replays.store(replays, Ordering::Relaxed);
        self.region_lost.store(region_lost, Ordering::Relaxed);
        self.clone_lost.store(clone_lost, Ordering::Relaxed);
        self.doubts_clones.store(doubts_clones, Ordering::Relaxed);
    }

    /// Returns whether calls on decoded structures of `types` are compared with those on replayed
    /// ones.
    pub(crate) fn doubts_decoding(&self, types: &[TypeIdx]) -> bool {
        types.iter().any(|ty| self.promised[ty.index()])
    }

    /// Returns whether structures of this type are made by their recipes.
    pub(crate) fn replays(&self, ty: TypeIdx) -> bool {
        self.reconstruction(ty) == Reconstruction::Replay
    }
}

/// The reason why a structure could not be reconstructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReconstructionError {
    /// Its recipe panicked, or did not build a structure this time.
    ReplayFailed,
    /// The store cannot read its recipe.
    Unreadable,
}

/// Reconstructs structures.
pub(crate) struct Reconstructor<'e> {
    pub(crate) plan: &'e Plan,
    pub(crate) calls: &'e CallTable,
    pub(crate) recipes: &'e dyn Recipes,
    pub(crate) copy_strategies: &'e CopyStrategies,
}

impl Reconstructor<'_> {
    /// Reconstructs structure `id` of type `ty`, whose form `decoder` has begun to read.
    pub(crate) fn reconstruct(
        &self,
        ty: TypeIdx,
        id: StructureId,
        decoder: &mut Decoder<'_>,
    ) -> Result<Box<dyn Any>, ReconstructionError> {
        if self.copy_strategies.reconstruction(ty) == Reconstruction::Decode {
            // A value that its type cannot decode (a cycle of strong pointers) is replayed.
            if let Ok(Ok(value)) = guarded(|| self.plan.suite.types[ty.index()].decode(decoder)) {
                return Ok(value);
            }
        }
        self.replay(id)
    }

    /// Like [`Reconstructor::reconstruct`]; `None` if it cannot be, because the subject is not
    /// deterministic.
    pub(crate) fn reconstruct_or_fail(
        &self,
        ty: TypeIdx,
        id: StructureId,
        decoder: &mut Decoder<'_>,
    ) -> Result<Option<Box<dyn Any>>, StoreError> {
        match self.reconstruct(ty, id, decoder) {
            Ok(made) => Ok(Some(made)),
            Err(ReconstructionError::ReplayFailed) => Ok(None),
            Err(ReconstructionError::Unreadable) => self.read_recipe(id).map(|()| None),
        }
    }

    /// Reads the whole recipe of structure `id`, to check that the store can read it.
    pub(crate) fn read_recipe(&self, id: StructureId) -> Result<(), StoreError> {
        let arguments = self.recipes.origin_of(id)?.arguments;
        arguments.into_iter().try_for_each(|argument| self.read_recipe(argument))
    }

    /// Reconstructs structure `id` by its recipe.
    pub(crate) fn replay(&self, id: StructureId) -> Result<Box<dyn Any>, ReconstructionError> {
        self.replay_beside(id, &mut |frame| drop(drop_frame(frame)))
    }

    /// Reconstructs structure `id` by its recipe. What else its calls took and left is given to
    /// `others`.
    pub(crate) fn replay_beside(
        &self,
        id: StructureId,
        others: &mut dyn FnMut(Frame),
    ) -> Result<Box<dyn Any>, ReconstructionError> {
        let origin = self.recipes.origin_of(id).map_err(|_| ReconstructionError::Unreadable)?;
        let parts = self.calls.parts(origin.call);
        let mut frame = Frame::default();
        for &argument in &origin.arguments {
            match self.replay_beside(argument, others) {
                Ok(value) => frame.arguments.push(Some(value)),
                Err(not_made) => {
                    drop_frame(frame);
                    return Err(not_made);
                }
            }
        }
        let literals = literals_of(self.plan, parts);
        let method = self.plan.method(parts.planned);
        let returned = call_guarded(method, &mut frame, &literals);
        let n_arguments = frame.arguments.len();
        let slot = match parts.output.checked_sub(n_arguments) {
            None => Some(&mut frame.arguments[parts.output]),
            Some(result) => frame.results.get_mut(result),
        };
        let is_as_before = match returned {
            Ok(outcome) => !parts.panics && outcome.leaves_structures(),
            Err(CaughtPanic) => parts.panics,
        };
        let value = slot.and_then(Slot::take).filter(|_| is_as_before);
        others(frame);
        value.ok_or(ReconstructionError::ReplayFailed)
    }
}

/// Drops a subject's value. Catches a panic in its destructor and returns its report.
pub(crate) fn drop_guarded<T>(value: T) -> Option<PanicReport> {
    guarded(|| drop(value)).is_err().then(last_panic)
}

/// Drops the structures of a frame, each separately: two panicking destructors in one unwinding
/// would abort. Returns the first report.
pub(crate) fn drop_frame(mut frame: Frame) -> Option<PanicReport> {
    empty_frame(&mut frame)
}

/// Like [`drop_frame`], but keeps the frame's allocation for the next structures.
pub(crate) fn empty_frame(frame: &mut Frame) -> Option<PanicReport> {
    let Frame { arguments, results } = frame;
    arguments.drain(..).chain(results.drain(..)).fold(None, |first, slot| {
        let report = drop_guarded(slot);
        first.or(report)
    })
}

/// Makes one call on `frame`, catching its panic.
#[inline]
pub(crate) fn call_guarded(
    method: &Method,
    frame: &mut Frame,
    literals: &[&Literal],
) -> Result<Outcome, CaughtPanic> {
    let call = &mut Call::new(frame, literals);
    guarded(|| method.make(call))
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use beget_heap::{ClassKey, Field, Heap, Schema, Undecodable, Walker, raw};
    use beget_suite::{Suite, type_of};

    use super::*;
    use crate::common::{plan, suite};

    #[test]
    fn losses_add_up_one_by_one() {
        let none = Losses::default();
        let each = [
            Losses { region: true, ..none },
            Losses { clone: true, ..none },
            Losses { trust: true, ..none },
            Losses { drops: true, ..none },
        ];
        for one in each {
            for (first, second) in [(none, one), (one, none), (one, one)] {
                let mut lost = first;
                lost |= second;
                assert_eq!(lost, one);
            }
        }
        let mut all = none;
        each.into_iter().for_each(|one| all |= one);
        assert_eq!(all, Losses { region: true, clone: true, trust: true, drops: true });
    }

    #[test]
    fn what_a_run_learns_of_its_copies_is_kept() {
        let plan = plan(suite(), &["new"], 1);
        let copies = CopyStrategies::new(&plan, CopyOptions::default());
        assert!(!copies.has_doubted_clones() && !copies.has_missed_drops());
        copies.miss_drops();
        assert!(copies.has_missed_drops());
        let doubting = CopyStrategies::doubting_clones(&plan, CopyOptions::default());
        assert!(doubting.has_doubted_clones());
        assert!(doubting.doubts_clones(&[TypeIdx::new(0)]));
    }

    /// A type with a pointer that is followed. None is made here: only its description counts.
    struct OneByPointer {
        _target: NonNull<u8>,
    }

    const FIELDS: &[Field] = &[Field { name: "target", ty: "NonNull<u8>", skipped: false }];

    impl Heap for OneByPointer {
        fn class() -> ClassKey {
            ClassKey::new::<Self>("OneByPointer")
        }

        fn describe(schema: &mut Schema) {
            if schema.class(Self::class(), FIELDS) {
                raw::describe::<NonNull<u8>>(schema);
            }
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            walker.begin_record(Self::class());
            walker.end_record();
        }

        fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
            raw::decode(decoder).map(|_target| OneByPointer { _target })
        }
    }

    /// The promise is that the pointer leads to an object of its own. Nothing relies on it unless
    /// the structure is decoded.
    #[test]
    fn decoding_by_a_promise_is_doubted() {
        let types =
            || vec![type_of::<OneByPointer>("OneByPointer", None), suite().types[0].clone()];
        let plan = plan(Suite { types: types(), methods: Vec::new(), ..suite() }, &[], 1);
        let doubts = |no_decode, types: &[usize]| {
            let copy_options = CopyOptions { no_decode, ..CopyOptions::default() };
            let types: Vec<TypeIdx> = types.iter().map(|&ty| TypeIdx::new(ty)).collect();
            CopyStrategies::new(&plan, copy_options).doubts_decoding(&types)
        };
        assert!(doubts(false, &[0]) && doubts(false, &[1, 0]));
        assert!(!doubts(false, &[1]) && !doubts(false, &[]));
        assert!(!doubts(true, &[0]) && !doubts(true, &[1]));
    }
}
