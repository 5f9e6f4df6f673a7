//! How structures were made, and why a store could not say it.

use std::fmt;

use beget_plan::finding::StopReason;

use crate::data::ids::{CallIdx, StructureId};

/// How a structure was made: a call in the plan's numbering, and its structure arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Origin {
    /// The call.
    pub call: CallIdx,
    /// The structures passed, in order.
    pub arguments: Vec<StructureId>,
}

/// Tells how structures were made: a store, or a message that holds their recipes.
pub trait Recipes: Sync {
    /// How a structure was made.
    ///
    /// # Errors
    /// If it cannot be read.
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError>;
}

/// Why a store could not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StoreError {
    /// There is no room for a batch. The run ends with what is stored.
    Full,
    /// A form is asked for that the store has [dropped](Store::dropped), or may have.
    FormDropped,
    /// The store does not work: what its files, or whatever it is made of, say.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full => f.write_str("the store is full"),
            StoreError::FormDropped => f.write_str("the store has dropped forms"),
            StoreError::Failed(reason) => write!(f, "the store failed: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why a run ends whose store cannot go on.
impl From<StoreError> for StopReason {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => StopReason::StoreFull,
            StoreError::FormDropped => StopReason::FormDropped,
            StoreError::Failed(_) => StopReason::StoreFailed,
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        StoreError::Failed(error.to_string())
    }
}
