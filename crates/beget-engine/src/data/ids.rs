//! The numbers of structures, calls and groups of methods.

use std::fmt;

use crate::data::wire::packs_fields;

/// The number of a structure: its position in discovery order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructureId(u64);

impl StructureId {
    /// The structure with this number, which need not exist.
    #[inline]
    pub const fn new(number: u64) -> Self {
        StructureId(number)
    }

    /// The number.
    #[inline]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The number as a position, for tables with an entry for each structure.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a call: its position in a [`CallTable`](crate::CallTable).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallIdx(u32);

impl CallIdx {
    /// The call with this number, which need not exist.
    #[inline]
    pub const fn new(number: u32) -> Self {
        CallIdx(number)
    }

    /// The number, for stores that encode it themselves.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for CallIdx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A group of methods: its position among the groups of an [`Explorer`](crate::Explorer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupIdx(pub(crate) u32);

packs_fields! {
    StructureId { 0 }
    CallIdx { 0 }
    GroupIdx { 0 }
}
