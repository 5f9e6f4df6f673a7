//! What a run lends and asks from outside: oracles on structures, and coverage.

use std::any::Any;
use std::sync::Arc;

use beget_heap::CanonicalForm;
use beget_suite::{TypeIdx, Variable};

use crate::Fragment;

/// A structure that a run has met for the first time.
pub struct NewStructure<'s> {
    /// Its number: that of the distinct structures before it.
    pub id: u64,
    /// Its type.
    pub ty: TypeIdx,
    /// Its canonical form, in the coding of the plan.
    pub form: &'s CanonicalForm,
    /// Makes its value again; `None` if the calls do not give it again.
    pub make: &'s mut dyn FnMut() -> Option<Box<dyn Any>>,
    /// The calls that lead to it, and the variable that holds it.
    pub origin: &'s dyn Fn() -> (Arc<Fragment>, Variable),
}

impl std::fmt::Debug for NewStructure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewStructure")
            .field("id", &self.id)
            .field("ty", &self.ty)
            .finish_non_exhaustive()
    }
}

/// Is asked about every structure when it is met for the first time: contracts, repOKs.
pub trait Judge {
    /// Asks about a structure. One that is not `Sound` is not extended.
    fn judge(&mut self, structure: &mut NewStructure<'_>) -> Soundness;
}

/// What a [`Judge`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Soundness {
    /// Nothing is wrong.
    Sound,
    /// Something is: the judge keeps what.
    Unsound,
}

impl Judge for () {
    fn judge(&mut self, _: &mut NewStructure<'_>) -> Soundness {
        Soundness::Sound
    }
}

impl<J: Judge + ?Sized, K: Judge + ?Sized> Judge for (&mut J, &mut K) {
    fn judge(&mut self, structure: &mut NewStructure<'_>) -> Soundness {
        match (self.0.judge(structure), self.1.judge(structure)) {
            (Soundness::Sound, Soundness::Sound) => Soundness::Sound,
            _ => Soundness::Unsound,
        }
    }
}

/// What calls cover: marks in a subject, counters of the compiler.
pub trait Coverage {
    /// How many points the calls since the last time were the first to cover.
    fn gained(&mut self) -> u64;
}

/// Nothing is covered.
impl Coverage for () {
    fn gained(&mut self) -> u64 {
        0
    }
}
