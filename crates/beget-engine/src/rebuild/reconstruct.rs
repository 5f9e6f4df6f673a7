//! Reconstructing a structure: by decoding its form, or by running its recipe.
//!
//! Which of the two, and how each call then gets its own copy, is chosen per type before the run
//! ([`CopyStrategies`]). All strategies give the same set, witnesses and order. They differ in
//! speed and in what they ask of the type.
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
//! A form must tell all that calls can tell apart, or findings are of structures that no call
//! builds. So the slots of an arena show their numbers, and such a value, whose other slots no form
//! knows, is replayed; where the author vouches for any order (`arena(any_order)`), it is decoded,
//! with slots in the order of the walk. Whatever copies a finding was made on, its calls are made
//! again before it is told (`tell_unreproduced` in `crates/beget-run/src/failure_test.rs`), and it
//! says if they do not show it.
//!
//! No strategy is trusted:
//!
//! - of the first 128 structures and every 1024th after them, the decoded value is walked and
//!   compared with the form, and the recipe is replayed and compared too; replayed values are
//!   always compared. A difference is a finding (`decode_differs`, `nondeterministic`);
//! - the form of a structure's first clone is compared with its original's, and after the calls on
//!   clones the original is walked; if it has changed, the clones share state: a finding, and
//!   clones are not used from there on. If not, the last call is made on the original. Where calls
//!   are compared, all are made on clones. A call that leaves its clone with the form that it had
//!   leaves it to the next call, where a form tells all that a value is
//!   (`crates/beget-engine/src/worker/clones.rs`): SearchTree 11 takes 2.18 s in place of 3.54, and
//!   0.69 with the region; NCL 7 0.5 s as before, and 0.17 with the region. What is left is the
//!   allocator: `malloc`, `free`, `Clone` and `Drop` are half the time on both, and glibc's cache
//!   of seven blocks of a size is too small for them (before that change,
//!   `GLIBC_TUNABLES=glibc.malloc.tcache_count=127` made it 2.84 s in place of 3.60 on SearchTree
//!   11);
//! - **calls on copies are compared with calls on rebuilt structures**
//!   (`crates/beget-engine/src/worker/compare.rs`): outcomes and forms, for the same sample, the
//!   first 8 structures of each level (or round of a closure), and constructors. If they differ and
//!   rebuilt ones agree among themselves, earlier results may be wrong. Clones: `generate` starts
//!   again without them, and compares them still, so that the finding has a witness in the new
//!   store; a closure ends. Region: the run ends with `CopiesDiffer`, never complete;
//! - types with raw pointers that are followed are decoded by a promise (`is_promised` in
//!   `crates/beget-engine/src/rebuild/reconstruct.rs`): their compared calls are made on *replayed*
//!   structures, with any copies. If calls on decoded ones differ from these, the run ends with
//!   `CopiesDiffer` and a finding `decode_differs` that names the raw pointers;
//! - the compared calls run under a `MemoryWatch` (below) if the region is in use: what outlives
//!   them, twice or where no scan looks, keeps the region from being used.
//!
//! Copy strategies change between batches only (`crates/beget-engine/src/worker/trust.rs`), so what
//! is lost where does not depend on threads. If the region is lost in a batch, the whole batch is
//! repeated: another thread may have read through a static what the one that noticed had put there.
//! Every drop of a subject's value goes through the guard, one value at a time, since two panics in
//! one unwinding abort.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use beget_heap::Decoder;
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, Panicked, guarded, last_panic};
use beget_suite::{Call, Frame, Literal, Method, Outcome, Slot, StateKind, Type, TypeIdx};

use crate::data::calls::{CallTable, literals_of};
use crate::store::{Recipes, StoreError, StructureId};

/// How a structure is reconstructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconstruction {
    /// From its canonical form.
    Decode,
    /// By its recipe.
    Replay,
}

/// How each call gets a copy of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyPolicy {
    /// The structure lives in a memory region restored from a snapshot after each call.
    Region,
    /// By the type's `Clone`.
    Clone,
    /// It is reconstructed for each call.
    Reconstruct,
}

/// How structures of one type are reconstructed and copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyStrategy {
    /// How it is reconstructed.
    pub reconstruction: Reconstruction,
    /// How it is copied.
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

/// Which strategies the caller allows; the default takes the fastest that works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyOptions {
    /// Never decode.
    pub no_decode: bool,
    /// Never use the region image.
    pub no_region: bool,
    /// Never clone.
    pub no_clone: bool,
}

/// The strategies of all types of a plan. Policies can be lost during the run, for all threads at
/// once, between two batches.
#[derive(Debug)]
pub(crate) struct CopyStrategies {
    by_type: Vec<CopyStrategy>,
    can_clone: Vec<bool>,
    /// The types that are decoded though what they are rests on a promise: that raw pointers lead
    /// to objects of their own.
    promised: Vec<bool>,
    region_lost: AtomicBool,
    clone_lost: AtomicBool,
    /// Clones have given wrong results. They are not used, only compared, so that the finding can
    /// be told.
    doubts_clones: AtomicBool,
}

/// The copy policies that have turned out not to work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Losses {
    pub(crate) region: bool,
    pub(crate) clone: bool,
    /// Calls on copies gave something else than calls on rebuilt structures.
    pub(crate) trust: bool,
}

/// What copies a run does not use any more, or does not trust.
#[cfg(feature = "messages")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Distrust {
    region_lost: bool,
    clone_lost: bool,
    doubts_clones: bool,
}

impl std::ops::BitOrAssign for Losses {
    fn bitor_assign(&mut self, other: Losses) {
        self.region |= other.region;
        self.clone |= other.clone;
        self.trust |= other.trust;
    }
}

/// What is left to choose. A copy has not the memory that calls leave, and neither is the region
/// where memory is known block by block.
fn for_state(plan: &Plan, copy_options: CopyOptions) -> CopyOptions {
    match plan.state() {
        StateKind::Bytes => CopyOptions { no_decode: true, no_region: true, no_clone: true },
        _ => copy_options,
    }
}

/// Returns whether values can be made in the region: calls without structures too, which ask no
/// type.
fn has_region(copy_options: CopyOptions) -> bool {
    !copy_options.no_region && beget_process::alloc::is_installed()
}

/// The strategy for a type's structures, chosen from what the type can do.
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

/// Returns whether a form holds all that a value of the type is.
fn tells_all(schema: &beget_heap::Schema, plan: &Plan) -> bool {
    schema.undecodable().is_empty() && !plan.layout.has_omitted()
}

/// Returns whether values of the type may differ though their forms are equal.
pub(crate) fn merges_values(ty: &Type, plan: &Plan) -> bool {
    !tells_all(&schema_of(ty), plan)
}

pub(crate) fn schema_of(ty: &Type) -> beget_heap::Schema {
    let mut schema = beget_heap::Schema::default();
    ty.describe_in(&mut schema);
    schema
}

/// A clone that shares what counted pointers lead to is no fresh copy, though no call on it may
/// change the original: `Rc::get_mut`, `Rc::try_unwrap` and `Rc::strong_count` tell it apart.
fn can_clone(ty: &Type, schema: &beget_heap::Schema, copy_options: CopyOptions) -> bool {
    !copy_options.no_clone && ty.clone.is_some() && !schema.has_counted()
}

/// Returns whether the type is decoded, and has raw pointers that are followed.
fn is_promised(ty: &Type, plan: &Plan, copy_options: CopyOptions) -> bool {
    let strategy = choose_copy_strategy(ty, plan, copy_options);
    strategy.reconstruction == Reconstruction::Decode && schema_of(ty).has_raw_pointers()
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
            clone_lost: AtomicBool::new(false),
            doubts_clones: AtomicBool::new(false),
        }
    }

    /// Like [`CopyStrategies::new`], with clones that are compared but not used.
    pub(crate) fn doubting_clones(plan: &Plan, copy_options: CopyOptions) -> Self {
        let doubts_clones = AtomicBool::new(true);
        CopyStrategies { doubts_clones, ..CopyStrategies::new(plan, copy_options) }
    }

    pub(crate) fn reconstruction(&self, ty: TypeIdx) -> Reconstruction {
        self.by_type[ty.0].reconstruction
    }

    /// How a frame with structures of `types` is copied by a block that has `lost` some policies
    /// itself. One that has lost the region makes no more calls.
    pub(crate) fn copy_policy(&self, types: &[TypeIdx], lost: Losses) -> CopyPolicy {
        if !self.region_lost.load(Ordering::Relaxed) {
            return CopyPolicy::Region;
        }
        let can_clone = types.iter().all(|ty| self.can_clone[ty.0]);
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

    /// Returns whether frames of `types` are cloned only to compare the clones.
    pub(crate) fn doubts_clones(&self, types: &[TypeIdx]) -> bool {
        self.doubts_clones.load(Ordering::Relaxed) && types.iter().all(|ty| self.can_clone[ty.0])
    }

    pub(crate) fn lose(&self, lost: Losses) {
        self.region_lost.fetch_or(lost.region, Ordering::Relaxed);
        self.clone_lost.fetch_or(lost.clone, Ordering::Relaxed);
    }

    /// What is not used any more, for whoever makes calls with strategies of his own.
    #[cfg(feature = "messages")]
    pub(crate) fn distrust(&self) -> Distrust {
        Distrust {
            region_lost: self.region_lost.load(Ordering::Relaxed),
            clone_lost: self.clone_lost.load(Ordering::Relaxed),
            doubts_clones: self.doubts_clones.load(Ordering::Relaxed),
        }
    }

    /// Uses what whoever sent this uses.
    #[cfg(feature = "messages")]
    pub(crate) fn adopt(&self, distrust: Distrust) {
        let Distrust { region_lost, clone_lost, doubts_clones } = distrust;
        self.region_lost.store(region_lost, Ordering::Relaxed);
        self.clone_lost.store(clone_lost, Ordering::Relaxed);
        self.doubts_clones.store(doubts_clones, Ordering::Relaxed);
    }

    /// Returns whether calls on decoded structures of `types` are compared with those on replayed
    /// ones.
    pub(crate) fn doubts_decoding(&self, types: &[TypeIdx]) -> bool {
        types.iter().any(|ty| self.promised[ty.0])
    }

    /// Returns whether structures of this type are made by their recipes.
    pub(crate) fn replays(&self, ty: TypeIdx) -> bool {
        self.reconstruction(ty) == Reconstruction::Replay
    }
}

/// Why a structure could not be reconstructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReconstructionError {
    /// Its recipe panicked, or did not give a structure this time.
    ReplayFailed,
    /// The store cannot tell its recipe.
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
            if let Ok(Ok(value)) = guarded(|| self.plan.suite.types[ty.0].decode(decoder)) {
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

    /// Reads the whole recipe of structure `id`, to see whether the store can tell it.
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
            Err(Panicked) => parts.panics,
        };
        let value = slot.and_then(Slot::take).filter(|_| is_as_before);
        others(frame);
        value.ok_or(ReconstructionError::ReplayFailed)
    }
}

/// Drops a subject's value. A panic in its destructor ends here; what is returned is its report.
pub(crate) fn drop_guarded<T>(value: T) -> Option<PanicReport> {
    guarded(|| drop(value)).is_err().then(last_panic)
}

/// Drops the structures of a frame, each by itself: two destructors that panic in one unwinding
/// would abort. What is returned is the first report.
pub(crate) fn drop_frame(mut frame: Frame) -> Option<PanicReport> {
    empty_frame(&mut frame)
}

/// Like [`drop_frame`], and keeps the frame's room for the next structures.
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
) -> Result<Outcome, Panicked> {
    let call = &mut Call::new(frame, literals);
    guarded(|| method.make(call))
}
