//! Entries that tie, and what is shown beside them.
#![allow(clippy::disallowed_types, reason = "maps are subjects of the test")]

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use beget_heap::arena::{LinkField, NumberedArena, WithArenas};
use beget_heap::{Bounds, CanonicalForm, Encoder, Heap, HeapGraph, Layout, Schema, Walker};

use crate::shapes::{ByForm, ById};

fn form_within<T: Heap>(value: &T, bounds: &Bounds) -> CanonicalForm {
    beget_heap::canonical_form(value, bounds).expect("in scope")
}

fn form<T: Heap>(value: &T) -> CanonicalForm {
    form_within(value, &Bounds::unlimited())
}

/// The order of a hash set or map is another one each time; the form is not.
fn check_form<T: Heap>(make: impl Fn() -> T, bounds: &Bounds) {
    let first = form_within(&make(), bounds);
    (0..20).for_each(|_| assert_eq!(form_within(&make(), bounds), first));
}

fn set<const N: usize>(values: [u8; N]) -> ByForm<ById<u8>> {
    ByForm(values.map(|value| ById(Rc::new(value))).into())
}

record! {
    Inner { one: u8, other: u8 }
}

record! {
    /// Fields of all kinds behind a set.
    Beside {
        set: ByForm<(ById<u8>, [u8; 2])>,
        inner: Inner,
        places: [u8; 2],
        wide: u128,
        list: Vec<Inner>,
        map: BTreeMap<u8, u8>,
        last: u8,
    }
}

fn beside(values: [u8; 2]) -> Beside {
    Beside {
        set: ByForm(values.map(|value| (ById(Rc::new(value)), [5, 6])).into()),
        inner: Inner { one: 1, other: 2 },
        places: [3, 4],
        wide: 1 << 64,
        list: vec![Inner { one: 3, other: 4 }, Inner { one: 5, other: 6 }],
        map: BTreeMap::from([(1, 2), (3, 4)]),
        last: 7,
    }
}

#[test]
fn a_graph_shows_all_parts_at_the_same_places_with_ties_and_without() {
    let text = |values| HeapGraph::of(&beside(values)).to_text();
    assert_eq!(text([7, 7]), text([7, 8]).replace("self: 8", "self: 7"));
}

#[test]
fn wide_integers_beside_ties_are_told_apart() {
    let of = |wide| form(&Beside { wide, ..beside([7, 7]) });
    assert_ne!(of(1), of(2));
}

record! {
    /// A list of sets.
    Root { set: ByForm<ById<u8>>, next: Option<Box<Root>> }
}

#[test]
fn a_root_counts_once_with_ties_and_without() {
    let one = Bounds { objects: [("Root".to_owned(), 1)].into(), ..Bounds::unlimited() };
    for values in [[1, 2], [1, 1]] {
        let root = |next| Root { set: set(values), next };
        let is_in_scope = |root: &Root| beget_heap::canonical_form(root, &one).is_ok();
        assert!(is_in_scope(&root(None)), "{values:?}");
        assert!(!is_in_scope(&root(Some(Box::new(root(None))))), "{values:?}");
    }
}

record! {
    /// Equal elements, one of them, and a field with a rule.
    Ruled { set: ByForm<ById<u8>>, chosen: Rc<u8>, ruled: i32 }
}

#[test]
fn ties_are_broken_where_fields_have_rules() {
    let field_ints = [(("Ruled".to_owned(), "ruled".to_owned()), vec![0..=3])].into();
    let make = || {
        let elements = [7; 3].map(Rc::new);
        let chosen = Rc::clone(&elements[0]);
        Ruled { set: ByForm(elements.map(ById).into()), chosen, ruled: 1 }
    };
    check_form(make, &Bounds { field_ints, ..Bounds::unlimited() });
}

/// A slot of an arena that shows its number, beside ties.
struct Slot {
    nodes: Vec<u8>,
    chosen: usize,
    set: ByForm<ById<u8>>,
}

impl Heap for Slot {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<u8>(schema);
        schema.part::<ByForm<ById<u8>>>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (NumberedArena(&self.nodes),));
        LinkField::walk::<u8, _>(&self.chosen, None, "Slot.chosen", walker);
        Heap::walk(&self.set, walker);
    }
}

#[test]
fn slots_beside_ties_are_told_apart_by_their_numbers() {
    let of = |chosen| form(&Slot { nodes: vec![5, 5], chosen, set: set([7, 7]) });
    assert_ne!(of(0), of(1));
}

/// Slots of an arena, by keys that look the same.
struct SlotsByKey {
    nodes: Vec<u8>,
    slots: HashMap<ById<u8>, usize>,
    set: ByForm<ById<u8>>,
}

impl Heap for SlotsByKey {
    fn describe(schema: &mut Schema) {
        <HashMap<ById<u8>, usize> as LinkField>::describe::<u8>(schema);
        schema.part::<ByForm<ById<u8>>>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (NumberedArena(&self.nodes),));
        LinkField::walk::<u8, _>(&self.slots, None, "SlotsByKey.slots", walker);
        Heap::walk(&self.set, walker);
    }
}

#[test]
fn keys_that_look_the_same_are_in_the_order_of_their_slots() {
    let make = || {
        let slots = (0..3).map(|slot| (ById(Rc::new(7)), slot)).collect();
        SlotsByKey { nodes: vec![5; 3], slots, set: set([1, 1]) }
    };
    check_form(make, &Bounds::unlimited());
}

/// A key whose order leaves out its number.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ByRank {
    rank: u8,
    number: u8,
}

impl PartialOrd for ByRank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByRank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl Heap for ByRank {
    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, walker: &mut W) {
        Heap::walk(&self.number, walker);
    }
}

fn ranked(keys: &[(u8, u8)]) -> HashMap<ByRank, u8> {
    keys.iter().map(|&(rank, number)| (ByRank { rank, number }, 0)).collect()
}

#[test]
fn keys_that_their_order_calls_equal_have_one_order_behind_those_before_them() {
    let make = || ranked(&[(2, 0), (1, 1), (1, 2), (1, 3), (0, 4)]);
    check_form(make, &Bounds::unlimited());
    let graph = HeapGraph::of(&make());
    let numbers = graph.objects().iter().flat_map(|object| &object.values);
    let numbers = numbers.filter(|(path, _)| path.ends_with("key"));
    let numbers: Vec<String> = numbers.map(|(_, value)| value.to_string()).collect();
    assert_eq!(numbers, ["4", "1", "2", "3", "0"]);
}

/// One form holds several values only if nothing in them ties.
#[test]
fn keys_with_an_order_of_their_own_do_not_tie() {
    type Map = HashMap<ByRank, u8>;
    let layout = Layout::new(&Schema::of::<Map>(), &Bounds::unlimited());
    let mut encoder = Encoder::new(&layout);
    for (keys, is_decided) in [([(1, 1), (2, 1)], true), ([(1, 1), (1, 2)], false)] {
        encoder.begin(0);
        (0..2).for_each(|_| encoder.walk(&ranked(&keys)));
        assert_eq!(encoder.finish().is_ok(), is_decided, "{keys:?}");
    }
}
