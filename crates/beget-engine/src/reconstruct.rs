//! Reconstructing a structure: by decoding its form, or by running its recipe.
//!
//! Which of the two, and how each call then gets its own copy, is chosen per type before the run
//! ([`CopyStrategies`]). All strategies give the same set, witnesses and order. They differ in
//! speed and in what they ask of the type.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use beget_heap::Decoder;
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, Panicked, guarded, last_panic};
use beget_suite::{Call, Frame, Literal, Method, Outcome, Slot, StateKind, Type, TypeIdx};

use crate::calls::{CallTable, literals_of};
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

/// Whether values can be made in the region: calls without structures too, which ask no type.
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

/// Whether a form holds all that a value of the type is.
fn tells_all(schema: &beget_heap::Schema, plan: &Plan) -> bool {
    schema.undecodable().is_empty() && !plan.layout.has_omitted()
}

/// Whether values of the type may differ though their forms are equal.
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

/// Whether the type is decoded, and has raw pointers that are followed.
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

    /// As [`CopyStrategies::new`], with clones that are compared but not used.
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

    /// Whether clones have given wrong results.
    pub(crate) fn has_doubted_clones(&self) -> bool {
        self.doubts_clones.load(Ordering::Relaxed)
    }

    /// Whether frames of `types` are cloned only to compare the clones.
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

    /// Whether calls on decoded structures of `types` are compared with those on replayed ones.
    pub(crate) fn doubts_decoding(&self, types: &[TypeIdx]) -> bool {
        types.iter().any(|ty| self.promised[ty.0])
    }

    /// Whether structures of this type are made by their recipes.
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

    /// As [`Reconstructor::reconstruct`]; `None` if it cannot be, because the subject is not
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

/// As [`drop_frame`], and keeps the frame's room for the next structures.
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
