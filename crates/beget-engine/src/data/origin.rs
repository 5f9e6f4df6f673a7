//! The origins of structures, and the errors of stores.

use std::fmt;

use beget_plan::finding::StopReason;

use crate::data::ids::{CallIdx, StructureId};
use crate::data::wire::{Wire, packs_fields};

/// The origin of a structure: a call in the plan's numbering, and its structure arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The call.
    pub call: CallIdx,
    /// The structures passed, in order.
    pub arguments: Vec<StructureId>,
}

packs_fields! { Origin { call, arguments } }

/// A source of origins: a store, or a message with recipes.
pub trait Recipes: Sync {
    /// The origin of a structure.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError>;
}

/// The reason why a store could not do its work.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no room for a batch. The run ends with what is stored.
    Full,
    /// The form may have been dropped (`Store::dropped`).
    FormDropped,
    /// An interrupt has ended what the store was writing. What it had saved before is as it was.
    CutShort,
    /// The store does not work: what its files, or whatever it is made of, say.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full => f.write_str("the store is full"),
            StoreError::FormDropped => f.write_str("the store has dropped forms"),
            StoreError::CutShort => f.write_str("the interrupt has cut saving short"),
            StoreError::Failed(reason) => write!(f, "the store failed: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl Wire for StoreError {
    fn pack(&self, bytes: &mut Vec<u8>) {
        match self {
            StoreError::Full => bytes.push(0),
            StoreError::FormDropped => bytes.push(1),
            StoreError::CutShort => bytes.push(2),
            StoreError::Failed(reason) => {
                bytes.push(3);
                reason.pack(bytes);
            }
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u32::unpack(bytes)? {
            0 => StoreError::Full,
            1 => StoreError::FormDropped,
            2 => StoreError::CutShort,
            3 => StoreError::Failed(String::unpack(bytes)?),
            _ => return None,
        })
    }
}

/// The stop reason of a run whose store cannot go on.
impl From<StoreError> for StopReason {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => StopReason::StoreFull,
            StoreError::FormDropped => StopReason::FormDropped,
            StoreError::CutShort => StopReason::Interrupted,
            StoreError::Failed(_) => StopReason::StoreFailed,
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        StoreError::Failed(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_stores_come_out_as_they_went_in() {
        let failed = StoreError::Failed("no room on the disk".to_owned());
        for error in [StoreError::Full, StoreError::FormDropped, StoreError::CutShort, failed] {
            let mut bytes = Vec::new();
            error.pack(&mut bytes);
            let mut rest = &bytes[..];
            assert_eq!(StoreError::unpack(&mut rest), Some(error));
            assert!(rest.is_empty());
        }
        assert_eq!(StoreError::unpack(&mut &[4][..]), None);
    }
}
