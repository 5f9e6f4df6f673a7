//! Derived heaps of generic types and of maps: bounds, keys without an order, links as values.
#![allow(missing_docs, clippy::disallowed_types, reason = "the maps are what is tested")]

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;

use beget::Heap;
use beget_heap::{Bounds, CanonicalForm, HeapGraph, canonical_form, laws};

fn form<T: Heap>(value: &T) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).unwrap()
}

/// Keys in a map, without a word on bounds.
#[derive(Heap)]
struct Cache<K, V, S = BuildHasherDefault<DefaultHasher>> {
    entries: HashMap<K, V, S>,
    order: BTreeMap<K, u8>,
    last: Cell<K>,
}

/// Parameters that are not walked need no heap.
#[allow(dead_code)]
#[derive(Heap)]
struct Tagged<T, U, W> {
    tag: PhantomData<T>,
    #[heap(skip)]
    skipped: Option<U>,
    #[heap(with = |_: &Vec<W>| 7_u8)]
    shown: Vec<W>,
}

/// Neither has a heap, nor anything else.
struct Nothing;

/// What the fields do not tell.
#[derive(Heap)]
#[heap(bound = "I: Iterator, I::Item: Heap")]
struct Peeked<I: Iterator> {
    next: Option<I::Item>,
    rest: I,
}

impl<K: Ord + std::hash::Hash + Copy, V: Clone> Cache<K, V> {
    fn of(entries: &[(K, V)], last: K) -> Self {
        Cache {
            entries: entries.iter().cloned().collect(),
            order: entries.iter().map(|(key, _)| (*key, 0)).collect(),
            last: Cell::new(last),
        }
    }
}

#[test]
fn bounds_are_what_the_fields_ask_for() {
    let one = Cache::of(&[(1_u8, 'a'), (2, 'b')], 1);
    laws::check(&one).unwrap();
    assert_eq!(form(&one), form(&Cache::of(&[(2_u8, 'b'), (1, 'a')], 1)));
    assert_ne!(form(&one), form(&Cache::of(&[(2_u8, 'a'), (1, 'b')], 1)));
}

#[test]
fn what_is_left_out_needs_no_heap() {
    let tagged =
        |skipped, shown| Tagged::<Nothing, Nothing, Nothing> { tag: PhantomData, skipped, shown };
    assert_eq!(form(&tagged(None, vec![])), form(&tagged(Some(Nothing), vec![Nothing])));
}

#[test]
fn bounds_can_be_added() {
    let peeked = |next| Peeked { next, rest: 0_u8..3 };
    laws::check(&peeked(Some(1))).unwrap();
    assert_ne!(form(&peeked(None)), form(&peeked(Some(1))));
}

/// A key that can be compared for equality alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Heap)]
enum Key {
    Name(String),
    Number(i8),
}

#[derive(Clone, Debug, PartialEq, Heap)]
struct Index {
    names: HashMap<Key, u8>,
    seen: HashSet<Key>,
}

#[test]
fn keys_without_an_order_are_shown_by_their_forms() {
    let keys: Vec<Key> = (-8..8).map(Key::Number).chain([Key::Name("a".into())]).collect();
    let index = |keys: &mut dyn Iterator<Item = &Key>| {
        let keys: Vec<_> = keys.cloned().collect();
        let names = keys.iter().cloned().map(|key| (key, 1)).collect();
        Index { names, seen: keys.into_iter().collect() }
    };
    let forwards = index(&mut keys.iter());
    // Each map has a hasher of its own, so its order of iteration is another.
    assert_eq!(form(&forwards), form(&index(&mut keys.iter().rev())));
    assert_ne!(form(&forwards), form(&index(&mut keys.iter().skip(1))));
    laws::check(&forwards).unwrap();
}

/// An arena with an index, as least-recently-used caches have it.
#[derive(Clone, Debug, Heap)]
struct Lru {
    #[heap(arena(any_order))]
    nodes: Vec<Node>,
    #[heap(link = Node)]
    index: HashMap<u8, usize>,
    #[heap(link = Node, null = usize::MAX)]
    ends: [usize; 2],
    #[heap(link = Node)]
    free: Vec<Option<u32>>,
}

#[derive(Clone, Debug, Heap)]
struct Node {
    key: u8,
    #[heap(link = Node, null = usize::MAX)]
    next: usize,
}

/// Nodes 5 -> 3 in the slots given, and nothing else in the arena of `size` slots.
fn lru(first: usize, second: usize, size: usize) -> Lru {
    let mut nodes = vec![Node { key: 0, next: usize::MAX }; size];
    nodes[first] = Node { key: 5, next: second };
    nodes[second] = Node { key: 3, next: usize::MAX };
    let index = [(5, first), (3, second)].into();
    Lru { nodes, index, ends: [first, usize::MAX], free: vec![] }
}

#[test]
fn values_of_a_map_are_links() {
    assert_eq!(form(&lru(0, 1, 2)), form(&lru(2, 0, 3)));
    laws::check(&lru(0, 1, 2)).unwrap();
    let mut crossed = lru(0, 1, 2);
    crossed.index = [(5, 1), (3, 0)].into();
    assert_ne!(form(&lru(0, 1, 2)), form(&crossed));
    // A slot that only the list of free ones leads to is reachable by it.
    let mut with_free = lru(0, 1, 3);
    with_free.free = vec![Some(2), None];
    laws::check(&with_free).unwrap();
    assert_ne!(form(&with_free), form(&lru(0, 1, 3)));
    // The cache, its index, the list of free slots, three nodes.
    assert_eq!(HeapGraph::of(&with_free).objects().len(), 6);
}
