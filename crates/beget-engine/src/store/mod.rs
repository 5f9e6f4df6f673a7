//! Stores: the structures found so far, in the order of their discovery.
//!
//! A store decides which of a batch's candidates are new, keeps them, and gives them numbers. What
//! it must guarantee, whatever it is made of:
//!
//! - a candidate is new exactly when its form was not stored before, nor came earlier in the batch;
//! - new structures are numbered in the order of the candidates, block by block, whatever the number of threads;
//! - nothing is forgotten.

mod arena;
mod candidates;
mod chunked;
mod exact;
mod order;
mod shard;

pub use candidates::{Candidate, Candidates, N_SHARDS};
pub(crate) use candidates::{CandidatesMark, hasher, trimmed_words};
pub use exact::ExactStore;

/// The number of a structure: its position in discovery order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructureId(pub u32);

/// What a committed batch brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// How many structures were new.
    pub new: u64,
    /// How many calls brought at least one of them.
    pub calls_with_new: u64,
}

/// How a structure was made: a call in the plan's numbering, and its structure arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The call, by its number in the [`crate::CallTable`].
    pub call: u32,
    /// The structures passed, in order.
    pub arguments: Vec<StructureId>,
}

/// Totals over all stored structures, kept while they are inserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Structures by type.
    pub by_type: Vec<u64>,
    /// Structures of the main type by number of objects of the counted class.
    pub by_objects: Vec<u64>,
    /// The order-free digest: the sum of the 128-bit hashes of all forms.
    pub digest: u128,
}

/// What a form adds to [`Totals::digest`].
pub fn digest_of(form: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(form)
}

/// Keeps structures. See the module for what it guarantees.
pub trait Store: Sync {
    /// Matches the candidates of some blocks against everything stored and keeps what is new.
    fn commit(&mut self, blocks: &mut [Candidates]) -> Committed;

    /// Calls `visit` with each structure of `ids` and its form, in order. The form is a lent buffer; zeros may
    /// follow it, which a decoder never reads.
    fn scan(&self, ids: std::ops::Range<u32>, visit: &mut dyn FnMut(StructureId, &[u8]));

    /// How a structure was made.
    fn origin(&self, id: StructureId) -> Origin;

    /// Totals over everything stored.
    fn totals(&self) -> Totals;

    /// The number of structures.
    fn len(&self) -> u32;

    /// Whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held, allocated but unused ones included.
    fn bytes(&self) -> u64;

    /// The form of one structure. Zeros may follow it, as in [`Store::scan`].
    fn form(&self, id: StructureId) -> Vec<u8> {
        let mut form = Vec::new();
        self.scan(id.0..id.0 + 1, &mut |_, bytes| form = bytes.to_vec());
        form
    }
}
