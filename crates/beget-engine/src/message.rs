//! Blocks and results as bytes, for whoever makes calls somewhere else.
//!
//! Both sides have the suite and the same plan; a message says which, and whoever reads it refuses
//! another one. With a block go the recipes of its structures, since those that cannot be decoded
//! are replayed.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::explorer::Explorer;
use crate::store::{Origin, Recipes, Store, StoreError, StructureId};
use crate::worker::BlockResult;

/// The version of the messages; raised whenever their bytes change.
pub const MESSAGE_VERSION: u16 = 3;

/// Why bytes are no message for this plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// The other side has another version of beget.
    #[error(
        "the message has version {found}, this is version {MESSAGE_VERSION}: run the same beget on both sides"
    )]
    Version {
        /// The version of the message.
        found: u16,
    },
    /// The other side has another suite, scope or k.
    #[error("the message is for another plan: run the same suite and scope on both sides")]
    Plan,
    /// The bytes are torn or were never a message.
    #[error("no message: {0}")]
    Bytes(String),
}

impl From<postcard::Error> for MessageError {
    fn from(error: postcard::Error) -> Self {
        MessageError::Bytes(error.to_string())
    }
}

/// What goes before every message.
#[derive(Serialize, Deserialize)]
struct MessageHeader {
    version: u16,
    plan: u64,
}

/// A block on its way, with the recipes of its structures and of all that these are made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMessage {
    block: Block,
    origins: BTreeMap<StructureId, Origin>,
}

impl BlockMessage {
    /// Packs a block.
    ///
    /// # Errors
    /// If the store cannot tell a recipe.
    pub fn new<S: Store>(block: Block, store: &S) -> Result<Self, StoreError> {
        let mut origins = BTreeMap::new();
        let mut missing: Vec<StructureId> = block.structures().collect();
        while let Some(id) = missing.pop() {
            if origins.contains_key(&id) {
                continue;
            }
            let origin = store.origin(id)?;
            missing.extend(&origin.arguments);
            origins.insert(id, origin);
        }
        Ok(BlockMessage { block, origins })
    }

    /// The message as bytes.
    pub fn to_bytes(&self, explorer: &Explorer<'_>) -> Vec<u8> {
        to_bytes(explorer, self)
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If it is not one for this plan.
    pub fn from_bytes(explorer: &Explorer<'_>, bytes: &[u8]) -> Result<Self, MessageError> {
        from_bytes(explorer, bytes)
    }

    /// Makes the block's calls.
    pub fn run(&self, explorer: &Explorer<'_>) -> BlockResult {
        explorer.run_block(&self.block, &PackedRecipes(&self.origins))
    }
}

/// The recipes that came with a block.
struct PackedRecipes<'m>(&'m BTreeMap<StructureId, Origin>);

impl Recipes for PackedRecipes<'_> {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        let missing = || StoreError::Failed(format!("the message lacks the recipe of {id:?}"));
        self.0.get(&id).cloned().ok_or_else(missing)
    }
}

impl BlockResult {
    /// The result as bytes.
    pub fn to_bytes(&self, explorer: &Explorer<'_>) -> Vec<u8> {
        to_bytes(explorer, self)
    }

    /// Reads a result.
    ///
    /// # Errors
    /// If it is not one for this plan.
    pub fn from_bytes(explorer: &Explorer<'_>, bytes: &[u8]) -> Result<Self, MessageError> {
        from_bytes(explorer, bytes)
    }
}

fn to_bytes(explorer: &Explorer<'_>, message: &impl Serialize) -> Vec<u8> {
    let header = MessageHeader { version: MESSAGE_VERSION, plan: explorer.fingerprint() };
    postcard::to_allocvec(&(header, message)).expect("plain data can be written to memory")
}

fn from_bytes<M: DeserializeOwned>(
    explorer: &Explorer<'_>,
    bytes: &[u8],
) -> Result<M, MessageError> {
    let (header, rest) = postcard::take_from_bytes::<MessageHeader>(bytes)?;
    if header.version != MESSAGE_VERSION {
        return Err(MessageError::Version { found: header.version });
    }
    if header.plan != explorer.fingerprint() {
        return Err(MessageError::Plan);
    }
    Ok(postcard::from_bytes(rest)?)
}
