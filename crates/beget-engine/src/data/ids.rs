//! The numbers of structures, calls and groups of methods.

use std::fmt;

/// The number of a structure: its position in discovery order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct StructureId(pub u32);

/// The number of a call: its position in a [`CallTable`](crate::CallTable).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct CallIdx(u32);

impl CallIdx {
    /// The call with this number, whether there is one or not.
    #[inline]
    pub const fn new(number: u32) -> Self {
        CallIdx(number)
    }

    /// The number, for stores that keep it in a form of their own.
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
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupIdx(pub(crate) u32);
