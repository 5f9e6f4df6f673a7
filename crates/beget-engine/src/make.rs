//! Making a structure again: by decoding its form, or by running its recipe.
//!
//! Which of the two, and how each call then gets its own copy, is chosen per type before the run ([`Ways`]). All ways
//! give the same set, witnesses and order; they differ in speed and in what they ask of the type.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use beget_guard::guarded;
use beget_heap::Decoder;
use beget_scope::Plan;
use beget_suite::{Call, Frame, Literal, Outcome, Slot, Type, TypeIdx};

use crate::calls::{CallTable, literals_of};
use crate::store::{Store, StructureId};

/// How a structure is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// From its canonical form.
    Decode,
    /// By its recipe.
    Replay,
}

/// How each call gets a copy of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copying {
    /// The structure lives in a memory region whose bytes are put back after each call.
    Region,
    /// By the type's `Clone`.
    Clone,
    /// It is made again for each call.
    Remake,
}

/// The ways of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// How it is made.
    pub making: Making,
    /// How it is copied.
    pub copying: Copying,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let making = match self.making {
            Making::Decode => "decode",
            Making::Replay => "replay",
        };
        match self.copying {
            Copying::Region => write!(f, "{making} once, then region image"),
            Copying::Clone => write!(f, "{making} once, then clone"),
            Copying::Remake => write!(f, "{making} for each call"),
        }
    }
}

/// What the caller wants of the ways; the default takes the fastest that works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Never decode.
    pub no_decode: bool,
    /// Never use the region image.
    pub no_region: bool,
    /// Never clone.
    pub no_clone: bool,
}

/// The ways of all types of a plan. Some can be lost during the run, for all threads at once.
#[derive(Debug)]
pub(crate) struct Ways {
    by_type: Vec<Way>,
    region_lost: AtomicBool,
    clone_lost: AtomicBool,
    has_clone: bool,
}

/// The way a type's structures are made and copied, chosen from what the type can do.
pub fn choose_way(ty: &Type, plan: &Plan, wishes: Wishes) -> Way {
    let mut schema = beget_heap::Schema::default();
    (ty.describe)(&mut schema);
    let can_decode = schema.undecodable().is_empty() && !plan.layout.has_omitted();
    let making = if can_decode && !wishes.no_decode { Making::Decode } else { Making::Replay };
    let copying = if !wishes.no_region && beget_alloc::is_installed() {
        Copying::Region
    } else if !wishes.no_clone && ty.clone.is_some() {
        Copying::Clone
    } else {
        Copying::Remake
    };
    Way { making, copying }
}

impl Ways {
    pub(crate) fn new(plan: &Plan, wishes: Wishes) -> Self {
        let by_type = plan.suite.types.iter().map(|ty| choose_way(ty, plan, wishes)).collect();
        let has_clone = !wishes.no_clone && plan.suite.types.iter().all(|ty| ty.clone.is_some());
        Ways {
            by_type,
            region_lost: AtomicBool::new(false),
            clone_lost: AtomicBool::new(false),
            has_clone,
        }
    }

    pub(crate) fn making(&self, ty: TypeIdx) -> Making {
        self.by_type[ty.0].making
    }

    /// How a frame with structures of `types` is copied: the slowest way of them.
    pub(crate) fn copying(&self, types: &[TypeIdx]) -> Copying {
        let all_region = types.iter().all(|ty| self.by_type[ty.0].copying == Copying::Region);
        if all_region && !self.region_lost.load(Ordering::Relaxed) {
            return Copying::Region;
        }
        let wants_clone = types.iter().all(|ty| self.by_type[ty.0].copying != Copying::Remake);
        if wants_clone && self.has_clone && !self.clone_lost.load(Ordering::Relaxed) {
            return Copying::Clone;
        }
        Copying::Remake
    }

    /// Returns whether it was not lost before.
    pub(crate) fn lose_region(&self) -> bool {
        !self.region_lost.swap(true, Ordering::Relaxed)
    }

    /// Returns whether it was not lost before.
    pub(crate) fn lose_clone(&self) -> bool {
        !self.clone_lost.swap(true, Ordering::Relaxed)
    }
}

/// Why a structure could not be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotMade {
    /// Its recipe panicked, or did not give a structure this time.
    ReplayFailed,
}

/// Makes structures again.
pub(crate) struct Maker<'e> {
    pub(crate) plan: &'e Plan,
    pub(crate) calls: &'e CallTable,
    pub(crate) store: &'e dyn Store,
    pub(crate) ways: &'e Ways,
    pub(crate) tag_bits: u32,
}

impl Maker<'_> {
    /// Makes structure `id` of type `ty`, whose form `decoder` has begun to read.
    pub(crate) fn make(
        &self,
        ty: TypeIdx,
        id: StructureId,
        decoder: &mut Decoder<'_>,
    ) -> Result<Box<dyn Any>, NotMade> {
        if self.ways.making(ty) == Making::Decode {
            // A value that its type cannot decode (a cycle of strong pointers) is replayed.
            if let Ok(Ok(value)) = guarded(|| (self.plan.suite.types[ty.0].decode)(decoder)) {
                return Ok(value);
            }
        }
        self.replay(id)
    }

    /// Makes structure `id` by its recipe.
    pub(crate) fn replay(&self, id: StructureId) -> Result<Box<dyn Any>, NotMade> {
        self.replay_beside(id, &mut drop)
    }

    /// Makes structure `id` by its recipe. What else its calls took and left is given to `others`.
    pub(crate) fn replay_beside(
        &self,
        id: StructureId,
        others: &mut dyn FnMut(Frame),
    ) -> Result<Box<dyn Any>, NotMade> {
        let origin = self.store.origin(id);
        let parts = self.calls.parts(origin.call);
        let arguments =
            origin.arguments.iter().map(|&argument| self.replay_beside(argument, others).map(Some));
        let mut frame =
            Frame { arguments: arguments.collect::<Result<_, _>>()?, results: Vec::new() };
        let literals = literals_of(self.plan, parts);
        let method = &self.plan.suite.methods[self.plan.methods[parts.planned].method];
        let returned = guarded(|| (method.call)(&mut Call::new(&mut frame, &literals)));
        let n_arguments = frame.arguments.len();
        let slot: &mut Slot = if parts.output < n_arguments {
            &mut frame.arguments[parts.output]
        } else {
            frame.results.get_mut(parts.output - n_arguments).ok_or(NotMade::ReplayFailed)?
        };
        let value = slot.take();
        others(frame);
        match returned {
            Ok(_) => value.ok_or(NotMade::ReplayFailed),
            Err(_) => Err(NotMade::ReplayFailed),
        }
    }

    /// The type that a form's tag tells.
    pub(crate) fn type_of(&self, form: &[u8]) -> TypeIdx {
        TypeIdx(Decoder::tag(form, self.tag_bits) as usize)
    }
}

/// Makes one call on `frame`, catching its panic.
#[inline]
pub(crate) fn call_guarded(
    call: fn(&mut Call<'_>) -> Outcome,
    frame: &mut Frame,
    literals: &[&Literal],
) -> Result<Outcome, beget_guard::Panicked> {
    guarded(|| call(&mut Call::new(frame, literals)))
}
