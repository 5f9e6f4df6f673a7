//! NodeCachingLinkedList as a model for the model checker stateright.
//!
//! A state is an arena of nodes that refer to each other by index. Two arenas can hold the same
//! list under different numberings, and the checker compares states by a 64-bit hash of what they
//! hold, so the model renumbers its arena after every call; writing that by hand is the price of
//! using the checker for this. The constant fields of the list are left out of the state.

use std::sync::atomic::{AtomicU64, Ordering};

use stateright::{Checker, Model, Property};

use crate::outcome::{MAX_SCOPE, Outcome};

/// Enumerates scope `k` with the breadth-first checker on `n_threads` threads.
///
/// The checker knows no rounds. The `2k` of the closed form are reported, and with them as many
/// constructor calls as the other rivals make, so that the counts compare; the builder calls are
/// counted as they happen.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run(k: u8, n_threads: usize) -> Outcome {
    assert!((1..=MAX_SCOPE).contains(&k), "scope {k} is not in 1..={MAX_SCOPE}");
    let checker = CachingList::new(k).checker().threads(n_threads).spawn_bfs().join();
    let rounds = 2 * u64::from(k);
    Outcome {
        generated: checker.unique_state_count() as u64,
        explored: checker.model().n_calls.load(Ordering::Relaxed) + rounds,
        rounds,
    }
}

struct CachingList {
    k: u8,
    n_calls: AtomicU64,
}

#[derive(Clone, Debug, PartialEq)]
enum Call {
    AddLast(u8),
    RemoveIndex(u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    value: Option<u8>,
    next: Option<u8>,
    previous: Option<u8>,
}

const HEADER: u8 = 0;
const MAXIMUM_CACHE_SIZE: u8 = 20;

/// Invariant between calls: the header is node 0, the ring follows in order of `next`, then the
/// cache in order of `next`, and there are no other nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct List {
    nodes: Vec<Node>,
    size: u8,
    first_cached: Option<u8>,
    cache_size: u8,
}

impl CachingList {
    fn new(k: u8) -> Self {
        Self { k, n_calls: AtomicU64::new(0) }
    }
}

impl Model for CachingList {
    type State = List;
    type Action = Call;

    fn init_states(&self) -> Vec<List> {
        vec![List::new()]
    }

    fn actions(&self, _list: &List, actions: &mut Vec<Call>) {
        actions.extend((0..self.k).map(Call::AddLast));
        actions.extend((0..self.k).map(Call::RemoveIndex));
        self.n_calls.fetch_add(2 * u64::from(self.k), Ordering::Relaxed);
    }

    fn next_state(&self, list: &List, call: Call) -> Option<List> {
        let mut list = list.clone();
        match call {
            Call::AddLast(value) => list.add_last(value),
            Call::RemoveIndex(index) => list.remove_index(index)?,
        }
        list.renumber();
        Some(list)
    }

    /// The checker stops at once when there is nothing left to check.
    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(
            "nodes are the header, the elements and the cache",
            |_, list: &List| {
                list.nodes.len() == 1 + usize::from(list.size) + usize::from(list.cache_size)
            },
        )]
    }

    fn within_boundary(&self, list: &List) -> bool {
        list.nodes.len() <= usize::from(self.k)
    }
}

impl List {
    fn new() -> Self {
        let header = Node { value: None, next: Some(HEADER), previous: Some(HEADER) };
        Self { nodes: vec![header], size: 0, first_cached: None, cache_size: 0 }
    }

    fn node(&mut self, id: u8) -> &mut Node {
        &mut self.nodes[usize::from(id)]
    }

    fn next(&self, id: u8) -> u8 {
        self.nodes[usize::from(id)].next.expect("nodes of the ring have a next one")
    }

    fn previous(&self, id: u8) -> u8 {
        self.nodes[usize::from(id)].previous.expect("nodes of the ring have a previous one")
    }

    fn add_last(&mut self, value: u8) {
        let last = self.previous(HEADER);
        let id = self.obtain_node();
        *self.node(id) = Node { value: Some(value), next: Some(HEADER), previous: Some(last) };
        self.node(last).next = Some(id);
        self.node(HEADER).previous = Some(id);
        self.size += 1;
    }

    fn obtain_node(&mut self) -> u8 {
        if let Some(id) = self.first_cached {
            self.first_cached = self.node(id).next;
            self.cache_size -= 1;
            return id;
        }
        self.nodes.push(Node { value: None, next: None, previous: None });
        (self.nodes.len() - 1) as u8
    }

    /// Acts on the first element whatever the index; `None` is the exception on an empty list.
    fn remove_index(&mut self, _index: u8) -> Option<()> {
        let first = self.next(HEADER);
        if first == HEADER {
            return None;
        }
        let second = self.next(first);
        self.node(HEADER).next = Some(second);
        self.node(second).previous = Some(HEADER);
        self.size -= 1;
        if self.cache_size <= MAXIMUM_CACHE_SIZE {
            *self.node(first) = Node { value: None, next: self.first_cached, previous: None };
            self.first_cached = Some(first);
            self.cache_size += 1;
        }
        Some(())
    }

    /// Restores the invariant of the numbering.
    fn renumber(&mut self) {
        let mut new_ids = [0; MAX_SCOPE as usize + 1];
        let mut old_ids = Vec::with_capacity(self.nodes.len());
        let ring = std::iter::successors(Some(HEADER), |id| {
            Some(self.next(*id)).filter(|next| *next != HEADER)
        });
        let cache =
            std::iter::successors(self.first_cached, |id| self.nodes[usize::from(*id)].next);
        for old_id in ring.chain(cache) {
            new_ids[usize::from(old_id)] = old_ids.len() as u8;
            old_ids.push(old_id);
        }
        let renamed = |id: Option<u8>| id.map(|id| new_ids[usize::from(id)]);
        let moved = |old_id: &u8| {
            let Node { value, next, previous } = self.nodes[usize::from(*old_id)];
            Node { value, next: renamed(next), previous: renamed(previous) }
        };
        self.nodes = old_ids.iter().map(moved).collect();
        self.first_cached = renamed(self.first_cached);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_list_reached_in_two_ways_is_one_state() {
        let mut direct = List::new();
        direct.add_last(1);
        direct.add_last(2);
        let mut detour = List::new();
        for value in [0, 1] {
            detour.add_last(value);
        }
        detour.remove_index(0).expect("two elements");
        detour.add_last(2);
        assert_ne!(direct, detour);
        detour.renumber();
        direct.renumber();
        assert_eq!(direct, detour);
    }

    /// With one thread the search is breadth-first and its depth counts states on a path, so the
    /// rounds of the other rivals are one more.
    #[test]
    fn depth_of_the_checker_confirms_the_reported_rounds() {
        for k in 1..=4 {
            let checker = CachingList::new(k).checker().threads(1).spawn_bfs().join();
            assert_eq!(checker.max_depth() as u64 + 1, run(k, 1).rounds, "k = {k}");
        }
    }

    #[test]
    fn property_holds_in_every_state() {
        let checker = CachingList::new(4).checker().threads(1).spawn_bfs().join();
        assert!(checker.discoveries().is_empty());
    }
}
