//! The floor: NodeCachingLinkedList written by hand as one machine word.
//!
//! A cached node carries neither value nor predecessor, so a list in scope is determined by its
//! values in order and the length of its cache. Both fit into a word, and a call is a few bit
//! operations. What remains is enumerating, hashing and probing: no engine for ordinary objects
//! can be faster than this over the same store.
//!
//! All `2k` calls are made on every structure, although `removeIndex` ignores its argument:
//! knowing that is not the enumerator's business.

use beget_engine::CallIdx;
use beget_engine::store::{Candidate, Candidates, ExactStore, Form, Store, StructureId, TagBits};

use crate::outcome::{MAX_SCOPE, Outcome};

/// Parents of one block, and blocks of one batch: as the engine cuts its work.
const BLOCK: u64 = 2048;
const BATCH: usize = 16;

const ROOM: &str = "the store has room for the scope";

/// Enumerates scope `k` over beget's own store, in blocks as its engine does: the floor for the
/// engine.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run(k: u8) -> Outcome {
    assert!((1..=MAX_SCOPE).contains(&k), "scope {k} is not in 1..={MAX_SCOPE}");
    // Call 0 is the constructor; then come the calls on one structure.
    let mut store = ExactStore::new(1 + 2 * u32::from(k), TagBits::default());
    let mut first = Candidates::default();
    push(&mut first, List::default(), &[], 0);
    store.commit(&[first]).expect(ROOM);
    let (mut explored, mut rounds) = (1, 1);
    let mut frontier = 0..store.len();
    while !frontier.is_empty() {
        rounds += 1;
        // The constructor of each further round, as the papers count.
        explored += 1 + (frontier.end - frontier.start) * 2 * u64::from(k);
        let mut next = frontier.start;
        while next < frontier.end {
            let ends = (next..frontier.end).step_by(BLOCK as usize).take(BATCH);
            let blocks: Vec<Candidates> = ends
                .map(|start| extend_block(&store, start..frontier.end.min(start + BLOCK), k))
                .collect();
            next = frontier.end.min(next + BLOCK * blocks.len() as u64);
            store.commit(&blocks).expect(ROOM);
        }
        frontier = frontier.end..store.len();
    }
    Outcome { generated: store.len(), explored, rounds }
}

/// Makes every call on the structures of one block.
fn extend_block(store: &ExactStore, parents: std::ops::Range<u64>, k: u8) -> Candidates {
    let mut candidates = Candidates::default();
    let scanned = store.scan(parents, &mut |id, form| {
        let mut word = [0; 8];
        let bytes = form.as_bytes();
        word[..bytes.len()].copy_from_slice(bytes);
        let list = List(u64::from_le_bytes(word));
        for literal in 0..k {
            let longer = list.add_last(literal);
            if longer.n_nodes() <= u64::from(k) {
                push(&mut candidates, longer, &[id], 1 + u32::from(literal));
            }
        }
        for ignored in 0..k {
            if let Some(shorter) = list.remove_first() {
                push(&mut candidates, shorter, &[id], 1 + u32::from(k + ignored));
            }
        }
    });
    scanned.expect("the store is in memory");
    candidates
}

fn push(candidates: &mut Candidates, list: List, arguments: &[StructureId], call: u32) {
    let len = (64 - list.0.leading_zeros()).div_ceil(8).max(1) as usize;
    let objects = list.n_nodes() as u16;
    candidates.push(Candidate {
        form: Form { words: &[list.0], len },
        call: CallIdx::new(call),
        arguments,
        objects,
        continues_call: false,
    });
}

/// Bits 0 to 3: size; bits 4 to 7: length of the cache; then four bits per element, first to last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct List(u64);

const ONE_ELEMENT: u64 = 1;
const ONE_CACHED: u64 = 1 << 4;

impl List {
    fn size(self) -> u64 {
        self.0 & 15
    }

    fn cache_size(self) -> u64 {
        self.0 >> 4 & 15
    }

    /// All nodes reachable, the header included.
    pub(crate) fn n_nodes(self) -> u64 {
        1 + self.size() + self.cache_size()
    }

    pub(crate) fn add_last(self, value: u8) -> Self {
        let from_cache = if self.cache_size() > 0 { ONE_CACHED } else { 0 };
        let value = u64::from(value) << (8 + 4 * self.size());
        Self((self.0 + ONE_ELEMENT - from_cache) | value)
    }

    /// Moves the first node to the cache; `None` is the exception on an empty list. The cache is
    /// never full: its maximum, 20 nodes, is above every scope.
    pub(crate) fn remove_first(self) -> Option<Self> {
        let lengths = (self.0 & 0xFF).checked_sub(ONE_ELEMENT).filter(|_| self.size() > 0)?;
        Some(Self((lengths + ONE_CACHED) | self.0 >> 12 << 8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removal_moves_the_first_node_to_the_cache_and_addition_takes_it_back() {
        let list = List::default().add_last(5).add_last(7).add_last(9);
        let shorter = list.remove_first().expect("three elements");
        assert_eq!((list.0, shorter.0), (0x9_7503, 0x9712));
        assert_eq!(shorter.add_last(1).0, 0x1_9703);
    }

    #[test]
    fn removal_from_an_empty_list_is_dropped() {
        assert!(List::default().remove_first().is_none());
        let emptied = List::default().add_last(1).remove_first().expect("one element");
        assert!(emptied.remove_first().is_none());
    }
}
