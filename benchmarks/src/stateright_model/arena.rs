//! The list as an arena of nodes that refer to each other by index.
//!
//! Two arenas can hold the same list under different numberings, so the arena is renumbered after
//! every call. Writing that by hand is the price of giving a heap to a model checker. The constant
//! fields of the list are left out. Nodes are plain bytes because the derived hash of an optional
//! byte costs twice that of a byte.

use super::ListState;
use crate::outcome::MAX_SCOPE;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    value: u8,
    next: u8,
    previous: u8,
}

const NULL: u8 = u8::MAX;
const HEADER: u8 = 0;
const MAXIMUM_CACHE_SIZE: u8 = 20;

/// A result just out of scope has one node more than the scope.
const MAX_NODES: usize = MAX_SCOPE as usize + 1;

/// Invariant between calls: the header is node 0, the ring follows in order of `next`, then the
/// cache in order of `next`, and there are no other nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct List {
    nodes: Vec<Node>,
    size: u8,
    first_cached: u8,
    cache_size: u8,
}

impl Default for List {
    fn default() -> Self {
        let header = Node { value: NULL, next: HEADER, previous: HEADER };
        Self { nodes: vec![header], size: 0, first_cached: NULL, cache_size: 0 }
    }
}

impl ListState for List {
    fn add_last(&self, value: u8) -> Self {
        let mut list = self.copy_with_room_for_one_more();
        list.push_back(value);
        list.renumber();
        list
    }

    fn remove_index(&self, _index: u8) -> Option<Self> {
        if self.node(HEADER).next == HEADER {
            return None;
        }
        let mut list = self.clone();
        list.pop_front();
        list.renumber();
        Some(list)
    }

    fn n_nodes(&self) -> u64 {
        self.nodes.len() as u64
    }
}

impl List {
    /// A clone would be allocated exactly full, and allocated again by the next new node.
    fn copy_with_room_for_one_more(&self) -> Self {
        let mut nodes = Vec::with_capacity(self.nodes.len() + 1);
        nodes.extend_from_slice(&self.nodes);
        Self { nodes, ..*self }
    }

    fn node(&self, id: u8) -> &Node {
        &self.nodes[usize::from(id)]
    }

    fn node_mut(&mut self, id: u8) -> &mut Node {
        &mut self.nodes[usize::from(id)]
    }

    fn push_back(&mut self, value: u8) {
        let last = self.node(HEADER).previous;
        let id = self.obtain_node();
        *self.node_mut(id) = Node { value, next: HEADER, previous: last };
        self.node_mut(last).next = id;
        self.node_mut(HEADER).previous = id;
        self.size += 1;
    }

    fn obtain_node(&mut self) -> u8 {
        if self.first_cached != NULL {
            let id = self.first_cached;
            self.first_cached = self.node(id).next;
            self.cache_size -= 1;
            return id;
        }
        self.nodes.push(Node { value: NULL, next: NULL, previous: NULL });
        (self.nodes.len() - 1) as u8
    }

    fn pop_front(&mut self) {
        let first = self.node(HEADER).next;
        let second = self.node(first).next;
        self.node_mut(HEADER).next = second;
        self.node_mut(second).previous = HEADER;
        self.size -= 1;
        if self.cache_size <= MAXIMUM_CACHE_SIZE {
            *self.node_mut(first) = Node { value: NULL, next: self.first_cached, previous: NULL };
            self.first_cached = first;
            self.cache_size += 1;
        }
    }

    /// Restores the invariant of the numbering; nodes no longer reachable disappear.
    fn renumber(&mut self) {
        let mut new_ids = [NULL; MAX_NODES];
        let mut moved = [Node { value: NULL, next: NULL, previous: NULL }; MAX_NODES];
        let mut n_moved = 0;
        for (start, end) in [(HEADER, HEADER), (self.first_cached, NULL)] {
            let mut id = start;
            // The ring ends where it starts, so its end is looked for after the first step only.
            while id != NULL && (id != end || n_moved == 0) {
                new_ids[usize::from(id)] = n_moved as u8;
                moved[n_moved] = *self.node(id);
                n_moved += 1;
                id = self.node(id).next;
            }
        }
        let renamed = |id: u8| new_ids.get(usize::from(id)).copied().unwrap_or(NULL);
        self.nodes.clear();
        self.nodes.extend(moved[..n_moved].iter().map(|node| Node {
            value: node.value,
            next: renamed(node.next),
            previous: renamed(node.previous),
        }));
        self.first_cached = renamed(self.first_cached);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_list_reached_in_two_ways_is_one_state() {
        let direct = List::default().add_last(1).add_last(2).remove_index(0);
        let emptied = List::default().add_last(0).add_last(3).remove_index(0);
        let emptied = emptied.and_then(|list| list.remove_index(0)).expect("two elements");
        assert_eq!(direct, Some(emptied.add_last(2)));
    }

    #[test]
    fn renumbering_follows_the_ring_and_then_the_cache() {
        let mut list = List::default();
        for value in [5, 6, 7] {
            list.push_back(value);
        }
        list.pop_front();
        list.renumber();
        let values: Vec<u8> = list.nodes.iter().map(|node| node.value).collect();
        assert_eq!((values, list.first_cached), (vec![NULL, 6, 7, NULL], 3));
        let links: Vec<_> = list.nodes.iter().map(|node| (node.next, node.previous)).collect();
        assert_eq!(links, [(1, 2), (2, 0), (0, 1), (NULL, NULL)]);
    }
}
