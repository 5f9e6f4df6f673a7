//! Blocks and results as bytes, for runners elsewhere.
//!
//! Both sides have the suite and the same plan; a message names the plan, and the reader rejects
//! another one. A block comes with the recipes of those structures that are replayed, always or for
//! comparison, and with the copies not to be used. Any other recipe is needed only if something is
//! wrong; the runner can [request](BlockMessage::run) it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use beget_plan::scope::CallAudits;

use crate::data::block::{Block, Member};
use crate::data::wire::{Wire, packs_fields};
use crate::rebuild::reconstruct::Distrust;
use crate::store::{Origin, Recipes, StoreError, StructureId};
use crate::worker::explorer::Explorer;
use crate::worker::{BlockResult, is_sampled};

/// The version of the messages; raised whenever their bytes change.
pub const MESSAGE_VERSION: u16 = 10;

/// The reason why bytes are no message for this plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// The other side has another version of beget.
    Version {
        /// The version of the message.
        found: u16,
    },
    /// The other side has another suite, scope or k.
    Plan,
    /// The bytes are damaged or were never a message.
    Bytes,
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Version { found } => write!(
                f,
                "the message has version {found}, this is version {MESSAGE_VERSION}: run the same beget on both sides"
            ),
            MessageError::Plan => f.write_str(
                "the message is for another plan: run the same suite and scope on both sides",
            ),
            MessageError::Bytes => f.write_str("no message: the bytes are damaged"),
        }
    }
}

impl std::error::Error for MessageError {}

/// The header of every message.
struct MessageHeader {
    version: u16,
    plan: u64,
}

packs_fields! {
    MessageHeader { version, plan }
    PackedRecipes { 0 }
}

/// A block on its way, with the recipes of its structures that are replayed, always or for
/// comparison, and of their arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMessage<'b> {
    block: Cow<'b, Block>,
    distrust: Distrust,
    follows_panics: bool,
    audits: CallAudits,
    recipes: PackedRecipes,
}

impl Wire for BlockMessage<'_> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.block.pack(bytes);
        self.distrust.pack(bytes);
        self.follows_panics.pack(bytes);
        self.audits.pack(bytes);
        self.recipes.pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(BlockMessage {
            block: Cow::Owned(Wire::unpack(bytes)?),
            distrust: Wire::unpack(bytes)?,
            follows_panics: Wire::unpack(bytes)?,
            audits: Wire::unpack(bytes)?,
            recipes: Wire::unpack(bytes)?,
        })
    }
}

impl<'b> BlockMessage<'b> {
    /// Packs a block.
    ///
    /// # Errors
    ///
    /// If the store cannot read a recipe.
    pub fn new(
        block: &'b Block,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
    ) -> Result<Self, StoreError> {
        let recipes = PackedRecipes::of(made_by_recipes(block, explorer), recipes)?;
        let distrust = explorer.copy_strategies().distrust();
        let (follows_panics, audits) = (explorer.plan().follows_panics, explorer.plan().audits);
        let block = Cow::Borrowed(block);
        Ok(BlockMessage { block, distrust, follows_panics, audits, recipes })
    }

    /// The message as bytes.
    pub fn to_bytes(&self, explorer: &Explorer<'_>) -> Vec<u8> {
        to_bytes(explorer, self)
    }

    /// Writes the message as bytes, replacing the content of `bytes`.
    pub fn write_to(&self, explorer: &Explorer<'_>, bytes: &mut Vec<u8>) {
        write_to(explorer, self, bytes);
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If it is not one for this plan.
    pub fn from_bytes(
        explorer: &Explorer<'_>,
        bytes: &[u8],
    ) -> Result<BlockMessage<'static>, MessageError> {
        from_bytes(explorer, bytes)
    }

    /// Makes the block's calls. Missing recipes are requested from `others`.
    pub fn run(&self, explorer: &Explorer<'_>, others: &dyn Recipes) -> BlockResult {
        explorer.copy_strategies().adopt(self.distrust);
        let recipes = AllRecipes { own: &self.recipes, others };
        explorer.run_block_of(&self.block, &recipes, self.follows_panics, self.audits)
    }
}

/// The structures of a block that are made by their recipes, always or to be compared.
fn made_by_recipes(block: &Block, explorer: &Explorer<'_>) -> Vec<StructureId> {
    let all = (0..block.n_structures()).map(|index| block.structure(Member(index)));
    let made =
        all.filter(|(id, form)| is_sampled(*id) || explorer.replays(explorer.type_of(*form)));
    made.map(|(id, _)| id).collect()
}

/// Some structures' recipes, and those of their arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedRecipes(BTreeMap<StructureId, Origin>);

impl PackedRecipes {
    /// Packs the recipes of some structures.
    ///
    /// # Errors
    ///
    /// If one cannot be read.
    pub fn of(mut missing: Vec<StructureId>, recipes: &dyn Recipes) -> Result<Self, StoreError> {
        let mut origins = BTreeMap::new();
        while let Some(id) = missing.pop() {
            if origins.contains_key(&id) {
                continue;
            }
            let origin = recipes.origin_of(id)?;
            missing.extend(&origin.arguments);
            origins.insert(id, origin);
        }
        Ok(PackedRecipes(origins))
    }

    /// The recipes as bytes.
    pub fn to_bytes(&self, explorer: &Explorer<'_>) -> Vec<u8> {
        to_bytes(explorer, self)
    }

    /// Reads recipes.
    ///
    /// # Errors
    /// If they are not of this plan.
    pub fn from_bytes(explorer: &Explorer<'_>, bytes: &[u8]) -> Result<Self, MessageError> {
        from_bytes(explorer, bytes)
    }

    /// Adds others.
    pub fn extend(&mut self, others: PackedRecipes) {
        self.0.extend(others.0);
    }

    /// The origin of a structure, if it is among them.
    pub fn get(&self, id: StructureId) -> Option<&Origin> {
        self.0.get(&id)
    }
}

/// The recipes that came with a block, and the source of the others.
struct AllRecipes<'m> {
    own: &'m PackedRecipes,
    others: &'m dyn Recipes,
}

impl Recipes for AllRecipes<'_> {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        match self.own.get(id) {
            Some(origin) => Ok(origin.clone()),
            None => self.others.origin_of(id),
        }
    }
}

impl BlockResult {
    /// The result as bytes.
    pub fn to_bytes(&self, explorer: &Explorer<'_>) -> Vec<u8> {
        to_bytes(explorer, self)
    }

    /// Writes the result as bytes, replacing the content of `bytes`.
    pub fn write_to(&self, explorer: &Explorer<'_>, bytes: &mut Vec<u8>) {
        write_to(explorer, self, bytes);
    }

    /// Reads a result.
    ///
    /// # Errors
    /// If it is not one for this plan.
    pub fn from_bytes(explorer: &Explorer<'_>, bytes: &[u8]) -> Result<Self, MessageError> {
        from_bytes(explorer, bytes)
    }
}

fn to_bytes(explorer: &Explorer<'_>, message: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(explorer, message, &mut bytes);
    bytes
}

fn write_to(explorer: &Explorer<'_>, message: &impl Wire, bytes: &mut Vec<u8>) {
    bytes.clear();
    MessageHeader { version: MESSAGE_VERSION, plan: explorer.fingerprint() }.pack(bytes);
    message.pack(bytes);
}

fn from_bytes<M: Wire>(explorer: &Explorer<'_>, mut bytes: &[u8]) -> Result<M, MessageError> {
    let header = MessageHeader::unpack(&mut bytes).ok_or(MessageError::Bytes)?;
    if header.version != MESSAGE_VERSION {
        return Err(MessageError::Version { found: header.version });
    }
    if header.plan != explorer.fingerprint() {
        return Err(MessageError::Plan);
    }
    M::unpack(&mut bytes).ok_or(MessageError::Bytes)
}
