//! The floor: NodeCachingLinkedList written by hand as one machine word.
//!
//! A cached node carries neither value nor predecessor, so a list in scope is determined by its
//! values in order and the length of its cache. Both fit into a word, and a call is a few bit
//! operations. What remains is enumerating, hashing and probing: no engine for ordinary objects
//! can be faster than this over the same store.
//!
//! All `2k` calls are made on every structure, although `removeIndex` ignores its argument:
//! knowing that is not the enumerator's business.

use crate::key_set::{ArenaSet, KeySet};
use crate::outcome::{MAX_SCOPE, Outcome};

/// Enumerates scope `k` over the store of this crate.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run(k: u8) -> Outcome {
    run_with::<ArenaSet>(k)
}

/// Enumerates scope `k` over any store.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run_with<S: KeySet>(k: u8) -> Outcome {
    assert!((1..=MAX_SCOPE).contains(&k), "scope {k} is not in 1..={MAX_SCOPE}");
    let mut known = S::with_key_bytes(key_bytes(k));
    let (mut explored, mut rounds) = (0, 0);
    let mut frontier = 0..0;
    loop {
        rounds += 1;
        explored += 1;
        known.insert(List::default().0);
        for index in frontier.clone() {
            explored += extend(List(known.key(index)), k, &mut known);
        }
        if known.n_keys() == frontier.end {
            return Outcome { generated: known.n_keys() as u64, explored, rounds };
        }
        frontier = frontier.end..known.n_keys();
    }
}

/// Makes every call on one structure; returns how many were made.
fn extend<S: KeySet>(list: List, k: u8, known: &mut S) -> u64 {
    let mut n_calls = 0;
    for literal in 0..k {
        n_calls += 1;
        let longer = list.add_last(literal);
        if longer.n_nodes() <= u64::from(k) {
            known.insert(longer.0);
        }
    }
    for _ignored in 0..k {
        n_calls += 1;
        if let Some(shorter) = list.remove_first() {
            known.insert(shorter.0);
        }
    }
    n_calls
}

/// One byte for the two lengths, half a byte for each of at most `k - 1` elements.
fn key_bytes(k: u8) -> usize {
    1 + usize::from(k - 1).div_ceil(2)
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
