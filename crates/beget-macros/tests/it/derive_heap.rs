//! Derived heaps: laws, equal forms for equal shapes, different forms for the smallest differences.
#![deny(missing_docs, warnings)]

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

use beget::Heap;
use beget_heap::{
    Bounds, CanonicalForm, HeapGraph, Layout, Schema, canonical_form, decode_form, laws,
};

fn form<T: Heap>(value: &T) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).unwrap()
}

/// All values are lawful and no two have the same form.
#[track_caller]
fn check_distinct<T: Heap>(values: &[T]) {
    for value in values {
        laws::check(value).unwrap();
    }
    for (index, value) in values.iter().enumerate() {
        for other in &values[..index] {
            assert_ne!(form(value), form(other));
        }
    }
}

#[derive(Heap, Clone, Debug, PartialEq)]
struct Named {
    zeta: u8,
    alpha: Option<Box<Named>>,
    name: String,
}

#[derive(Heap)]
struct Tuple(u8, Vec<bool>, [i32; 2]);

#[derive(Heap)]
struct Unit;

#[derive(Heap, Clone, Debug, PartialEq)]
enum Shape {
    Empty,
    Dot(u8, u8),
    Box { width: u8, height: u8 },
    Pair(Box<Shape>, Box<Shape>),
}

#[derive(Heap)]
struct Tree<K, V = ()>
where
    K: Ord,
{
    root: Option<Box<TreeNode<K, V>>>,
    size: usize,
    marker: PhantomData<fn(K) -> V>,
}

#[derive(Heap)]
struct TreeNode<K: Ord, V> {
    key: K,
    value: V,
    left: Option<Box<TreeNode<K, V>>>,
    right: Option<Box<TreeNode<K, V>>>,
}

fn leaf(key: u8) -> Option<Box<TreeNode<u8, ()>>> {
    node(key, None, None)
}

#[allow(clippy::unnecessary_wraps)]
fn node(
    key: u8,
    left: Option<Box<TreeNode<u8, ()>>>,
    right: Option<Box<TreeNode<u8, ()>>>,
) -> Option<Box<TreeNode<u8, ()>>> {
    Some(Box::new(TreeNode { key, value: (), left, right }))
}

fn tree(root: Option<Box<TreeNode<u8, ()>>>, size: usize) -> Tree<u8> {
    Tree { root, size, marker: PhantomData }
}

#[test]
fn structs_and_enums_keep_the_laws_and_differ_where_they_differ() {
    let inner = Named { zeta: 0, alpha: None, name: "a".into() };
    let outer = |zeta| Named { zeta, alpha: Some(Box::new(inner.clone())), name: String::new() };
    check_distinct(&[inner.clone(), outer(0), outer(1)]);
    check_distinct(&[
        Tuple(1, vec![], [0, 0]),
        Tuple(1, vec![false], [0, 0]),
        Tuple(1, vec![], [0, 1]),
    ]);
    laws::check(&Unit).unwrap();
    let dot = || Box::new(Shape::Dot(0, 0));
    check_distinct(&[
        Shape::Empty,
        Shape::Dot(0, 1),
        Shape::Dot(1, 0),
        Shape::Box { width: 0, height: 1 },
        Shape::Pair(dot(), Box::new(Shape::Empty)),
        Shape::Pair(Box::new(Shape::Empty), dot()),
    ]);
}

#[test]
fn generic_trees_keep_the_laws_and_left_differs_from_right() {
    check_distinct(&[
        tree(None, 0),
        tree(leaf(1), 1),
        tree(node(1, leaf(0), None), 2),
        tree(node(1, None, leaf(0)), 2),
    ]);
}

#[test]
fn a_clone_walks_to_the_same_form_and_shares_nothing() {
    let named = Named { zeta: 0, alpha: None, name: "a".into() };
    laws::check_clone(&named, |clone| clone.zeta = 1).unwrap();
}

#[test]
fn fields_are_described_in_walking_order_with_variants_named() {
    let names = |schema: Schema| -> Vec<_> {
        schema.classes()[0].fields.iter().map(|field| (field.name, field.ty)).collect()
    };
    assert_eq!(
        names(Schema::of::<Named>()),
        [("alpha", "Option<Box<Named>>"), ("name", "String"), ("zeta", "u8")]
    );
    assert_eq!(
        names(Schema::of::<Shape>()),
        [
            ("Dot.0", "u8"),
            ("Dot.1", "u8"),
            ("Box.height", "u8"),
            ("Box.width", "u8"),
            ("Pair.0", "Box<Shape>"),
            ("Pair.1", "Box<Shape>"),
        ]
    );
}

#[test]
fn the_graph_names_fields_and_variants() {
    let tree = tree(node(1, leaf(0), None), 2);
    assert_eq!(
        HeapGraph::of(&tree).to_text(),
        "Tree#0 { root: #1, size: 2 }\n\
         TreeNode#1 { key: 1, left: #2, right: null }\n\
         TreeNode#2 { key: 0, left: null, right: null }\n"
    );
}

#[test]
fn an_omitted_field_is_left_out_and_cannot_be_decoded() {
    let omitted = [("Named".to_owned(), "zeta".to_owned())].into();
    let bounds = Bounds { omitted, ..Bounds::unlimited() };
    let value = |zeta| Named { zeta, alpha: None, name: String::new() };
    let form = canonical_form(&value(1), &bounds).unwrap();
    assert_eq!(form, canonical_form(&value(2), &bounds).unwrap());
    let layout = Layout::new(&Schema::of::<Named>(), &bounds);
    let error = decode_form::<Named>(&layout, &form).unwrap_err();
    assert_eq!(error.to_string(), "a field of Named is omitted");
}

#[derive(Heap)]
struct Ring {
    head: Option<Rc<RingNode>>,
}

#[derive(Heap)]
struct RingNode {
    value: Cell<u8>,
    next: RefCell<Option<Rc<RingNode>>>,
    previous: RefCell<Weak<RingNode>>,
}

/// A doubly linked list; `order` says in which order its nodes are allocated.
fn doubly_linked(order: &[usize]) -> Ring {
    let mut nodes: Vec<_> = order
        .iter()
        .map(|&position| {
            (
                position,
                Rc::new(RingNode {
                    value: Cell::new(position as u8),
                    next: RefCell::new(None),
                    previous: RefCell::new(Weak::new()),
                }),
            )
        })
        .collect();
    nodes.sort_by_key(|(position, _)| *position);
    for pair in nodes.windows(2) {
        *pair[0].1.next.borrow_mut() = Some(pair[1].1.clone());
        *pair[1].1.previous.borrow_mut() = Rc::downgrade(&pair[0].1);
    }
    Ring { head: nodes.first().map(|(_, node)| node.clone()) }
}

#[test]
fn weak_back_pointers_have_one_form_for_every_allocation_order() {
    let expected = form(&doubly_linked(&[0, 1, 2]));
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let list = doubly_linked(&order);
        laws::check(&list).unwrap();
        assert_eq!(form(&list), expected);
    }
    let broken = doubly_linked(&[0, 1, 2]);
    let second = broken.head.as_ref().unwrap().next.borrow().clone().unwrap();
    *second.previous.borrow_mut() = Rc::downgrade(&second);
    assert_ne!(form(&broken), expected);
}

#[derive(Heap)]
struct RawList {
    #[heap(unsafe(pointer))]
    head: *mut RawNode,
    #[heap(unsafe(pointer))]
    tail: Option<NonNull<RawNode>>,
}

#[derive(Heap)]
struct RawNode {
    value: u8,
    #[heap(unsafe(pointer))]
    next: *mut RawNode,
    #[heap(unsafe(pointer))]
    previous: *const RawNode,
}

impl RawList {
    fn new() -> Self {
        RawList { head: std::ptr::null_mut(), tail: None }
    }

    fn push(&mut self, value: u8) {
        let previous = self.tail.map_or(std::ptr::null_mut(), NonNull::as_ptr);
        let node = RawNode { value, next: std::ptr::null_mut(), previous };
        let node = Box::into_raw(Box::new(node));
        match self.tail.replace(NonNull::new(node).unwrap()) {
            None => self.head = node,
            // SAFETY: the tail is a live node of this list.
            #[allow(unsafe_code)]
            Some(tail) => unsafe { (*tail.as_ptr()).next = node },
        }
    }
}

impl Drop for RawList {
    fn drop(&mut self) {
        while !self.head.is_null() {
            // SAFETY: every node was made by `push` or by the decoder, both through `Box`.
            #[allow(unsafe_code)]
            let node = unsafe { Box::from_raw(self.head) };
            self.head = node.next;
        }
    }
}

fn raw_list(values: &[u8]) -> RawList {
    let mut list = RawList::new();
    values.iter().for_each(|&value| list.push(value));
    list
}

#[test]
fn raw_pointer_lists_keep_the_laws_and_cycles_are_seen() {
    check_distinct(&[raw_list(&[]), raw_list(&[1]), raw_list(&[1, 2]), raw_list(&[1, 2, 3])]);
    let broken = raw_list(&[1, 2]);
    // SAFETY: the head is live.
    #[allow(unsafe_code)]
    unsafe {
        (*(*broken.head).next).previous = (*broken.head).next;
    }
    assert_ne!(form(&broken), form(&raw_list(&[1, 2])));
}

const NIL: u32 = u32::MAX;

#[derive(Heap)]
struct ArenaList {
    #[heap(arena(any_order))]
    nodes: Vec<Slot>,
    #[heap(link = Slot, null = NIL)]
    first: u32,
    len: usize,
}

#[derive(Heap)]
struct Slot {
    value: u8,
    #[heap(link = Self)]
    next: Option<usize>,
}

fn arena_list(slots: &[usize], values: &[u8]) -> ArenaList {
    let n_slots = slots.iter().max().map_or(0, |slot| slot + 1);
    let mut nodes: Vec<_> = (0..n_slots).map(|_| Slot { value: 99, next: None }).collect();
    for (position, &slot) in slots.iter().enumerate() {
        nodes[slot] = Slot { value: values[position], next: slots.get(position + 1).copied() };
    }
    let first = slots.first().map_or(NIL, |&slot| slot as u32);
    ArenaList { nodes, first, len: slots.len() }
}

#[test]
fn arena_lists_have_one_form_for_every_choice_of_slots() {
    let expected = form(&arena_list(&[0, 1, 2], &[7, 8, 9]));
    for slots in [[0, 2, 1], [2, 1, 0], [5, 0, 3]] {
        let list = arena_list(&slots, &[7, 8, 9]);
        laws::check(&list).unwrap();
        assert_eq!(form(&list), expected);
    }
    check_distinct(&[
        arena_list(&[], &[]),
        arena_list(&[0], &[7]),
        arena_list(&[0, 1], &[7, 8]),
        arena_list(&[0, 1], &[8, 7]),
    ]);
    let mut cyclic = arena_list(&[0, 1], &[7, 7]);
    cyclic.nodes[1].next = Some(1);
    let mut other = arena_list(&[0, 1], &[7, 7]);
    other.nodes[1].next = Some(0);
    check_distinct(&[cyclic, other]);
}

#[derive(Heap)]
#[heap(name = "graph")]
enum TwoArenas {
    Nothing,
    Graph {
        #[heap(arena(any_order))]
        vertices: Vec<Vertex>,
        #[heap(arena(any_order))]
        edges: Vec<Edge>,
        #[heap(link = Vertex)]
        start: u8,
    },
}

#[derive(Heap)]
struct Vertex {
    #[heap(link = Edge)]
    out: Option<u8>,
}

#[derive(Heap)]
struct Edge {
    #[heap(link = Vertex)]
    to: u8,
}

#[test]
fn two_arenas_of_a_variant_link_into_each_other() {
    let graph = |to| TwoArenas::Graph {
        vertices: vec![Vertex { out: Some(0) }, Vertex { out: None }],
        edges: vec![Edge { to }],
        start: 0,
    };
    check_distinct(&[TwoArenas::Nothing, graph(0), graph(1)]);
    assert_eq!(TwoArenas::class().name, "graph");
}

/// Tells which of several published classes a structure is.
trait Published: 'static {
    const NAME: &'static str;
}

#[derive(Heap)]
struct Oak;

impl Published for Oak {
    const NAME: &'static str = "OakTree";
}

#[derive(Heap)]
#[heap(name = P::NAME)]
struct Planted<P: Published> {
    height: u8,
    species: PhantomData<P>,
}

#[test]
fn a_generic_class_may_be_named_by_its_parameter() {
    assert_eq!(Planted::<Oak>::class().name, "OakTree");
    laws::check(&Planted::<Oak> { height: 1, species: PhantomData }).unwrap();
}

fn five() -> u8 {
    5
}

#[derive(Heap)]
struct Attributes {
    #[heap(skip)]
    cache: Option<Box<dyn Fn() -> u8>>,
    #[heap(skip = five())]
    made: u8,
    #[heap(plain)]
    shared: Rc<u8>,
    #[heap(plain)]
    again: Rc<u8>,
}

#[test]
fn skipped_fields_are_made_again_and_plain_ones_have_no_identity() {
    let one = Rc::new(1);
    let sharing = Attributes { cache: None, made: 1, shared: one.clone(), again: one };
    let apart =
        Attributes { cache: Some(Box::new(five)), made: 2, shared: Rc::new(1), again: Rc::new(1) };
    laws::check(&sharing).unwrap();
    assert_eq!(form(&sharing), form(&apart));
    let layout = Layout::new(&Schema::of::<Attributes>(), &Bounds::unlimited());
    let decoded: Attributes = decode_form(&layout, &form(&apart)).unwrap();
    assert_eq!((decoded.made, decoded.cache.is_some()), (5, false));
    assert!(Schema::of::<Attributes>().classes()[0].fields[1].skipped);
    let omitted = [("Attributes".to_owned(), "cache".to_owned())].into();
    let bounds = Bounds { omitted, ..Bounds::unlimited() };
    assert!(!Layout::new(&Schema::of::<Attributes>(), &bounds).has_omitted());
}

#[derive(Heap)]
struct Seen {
    #[heap(with = |path: &std::path::PathBuf| path.display().to_string())]
    path: std::path::PathBuf,
    #[heap(with = boxed)]
    first: f32,
    #[heap(with = boxed)]
    second: f32,
    owner: Rc<u8>,
}

fn boxed(value: &f32) -> Box<u8> {
    Box::new(*value as u8)
}

#[derive(Heap)]
struct Summary {
    n: u8,
    sum: u8,
}

#[derive(Heap)]
struct Summed {
    #[heap(with = |values: &Vec<u8>| Summary { n: values.len() as u8, sum: values.iter().sum() })]
    values: Vec<u8>,
}

#[test]
fn what_a_field_is_seen_as_has_all_its_fields() {
    let of = |values: &[u8]| form(&Summed { values: values.to_vec() });
    assert_eq!(of(&[1, 3]), of(&[2, 2]));
    assert_ne!(of(&[1, 3]), of(&[1, 2]));
    assert_ne!(of(&[1, 3]), of(&[4]));
}

#[test]
fn fields_seen_through_functions_have_no_identity_of_their_own() {
    let seen = |second| Seen { path: "a/b".into(), first: 1.0, second, owner: Rc::new(0) };
    laws::check(&seen(1.0)).unwrap();
    assert_ne!(form(&seen(1.0)), form(&seen(2.0)));
    assert!(!Schema::of::<Seen>().undecodable.is_empty());
    let layout = Layout::new(&Schema::of::<Seen>(), &Bounds::unlimited());
    assert!(decode_form::<Seen>(&layout, &form(&seen(1.0))).is_err());
}

/// What tells two of them apart is their text only.
trait Rule: std::fmt::Debug {}

#[derive(Debug)]
#[allow(dead_code, reason = "its text has it")]
struct AtMost(u8);

#[derive(Debug)]
struct Even;

impl Rule for AtMost {}
impl Rule for Even {}

#[derive(Heap)]
struct Rules {
    #[heap(debug)]
    all: Vec<Box<dyn Rule>>,
    #[heap(debug)]
    first: Option<Box<dyn Rule>>,
}

#[test]
fn fields_shown_by_debug_differ_where_their_texts_do_however_long_they_are() {
    let one = |rule: Box<dyn Rule>| Rules { all: vec![rule], first: None };
    check_distinct(&[
        Rules { all: vec![], first: None },
        Rules { all: vec![], first: Some(Box::new(Even)) },
        one(Box::new(Even)),
        one(Box::new(AtMost(1))),
        one(Box::new(AtMost(12))),
        Rules { all: vec![Box::new(AtMost(1)), Box::new(Even)], first: None },
        Rules { all: vec![Box::new(Even), Box::new(AtMost(1))], first: None },
    ]);
    assert_eq!(form(&one(Box::new(AtMost(1)))), form(&one(Box::new(AtMost(1)))));
    // Lists have their bound; texts none, because no text is in the value.
    let bounds = |arrays| Bounds { arrays, text: 0, ..Bounds::unlimited() };
    assert!(canonical_form(&one(Box::new(AtMost(200))), &bounds(1)).is_ok());
    assert!(canonical_form(&one(Box::new(Even)), &bounds(0)).is_err());
}

#[derive(Heap)]
#[heap(unsafe(pointers))]
struct VouchedList {
    first: *mut VouchedNode,
    last: Option<NonNull<VouchedNode>>,
}

#[derive(Heap)]
#[heap(unsafe(pointers))]
struct VouchedNode {
    value: u8,
    next: *mut VouchedNode,
    #[heap(skip)]
    _cache: *mut VouchedNode,
}

/// The same as with a promise for each field; a field's own option goes before it.
#[test]
fn a_type_can_vouch_for_all_its_raw_pointers() {
    let null = std::ptr::null_mut();
    let mut second = VouchedNode { value: 2, next: null, _cache: null };
    let mut first = VouchedNode { value: 1, next: &raw mut second, _cache: null };
    let list = VouchedList { first: &raw mut first, last: NonNull::new(&raw mut second) };
    laws::check(&list).unwrap();
    let graph = HeapGraph::of(&list);
    let text = "VouchedList#0 { first: #1, last: #2 }\nVouchedNode#1 { next: #2, value: 1 }\nVouchedNode#2 { next: null, value: 2 }\n";
    assert_eq!(graph.to_text(), text);
}

#[derive(Heap)]
struct NumberedList {
    #[heap(arena)]
    nodes: Vec<Slot>,
    #[heap(link = Slot)]
    first: Option<u32>,
}

#[test]
fn slots_of_an_arena_show_their_numbers_unless_they_make_no_difference() {
    let list = |slots: &[usize], n_slots: usize| {
        let mut nodes: Vec<_> = (0..n_slots).map(|_| Slot { value: 99, next: None }).collect();
        for (position, &slot) in slots.iter().enumerate() {
            nodes[slot] = Slot { value: 7, next: slots.get(position + 1).copied() };
        }
        NumberedList { nodes, first: slots.first().map(|&slot| slot as u32) }
    };
    // The same list in other slots, and in an arena with one more that nothing leads to.
    check_distinct(&[list(&[0, 1], 2), list(&[1, 0], 2), list(&[0, 1], 3), list(&[1, 0], 3)]);
    let mut other = list(&[0, 1], 3);
    other.nodes[2].value = 1;
    assert_eq!(form(&other), form(&list(&[0, 1], 3)));
    assert!(!Schema::of::<NumberedList>().undecodable.is_empty());
    let text = HeapGraph::of(&list(&[1, 0], 2)).to_text();
    assert_eq!(
        text,
        "NumberedList#0 { first: #1, nodes: #3 }\n\
         Slot#1 { next: #2, slot: 1, value: 7 }\n\
         Slot#2 { next: null, slot: 0, value: 7 }\n\
         Vec<it::derive_heap::Slot>#3 { length: 2 }\n"
    );
}

/// Arenas whose slots can be empty: `N` is what the links name.
macro_rules! lists_with_empty_slots {
    ($($module:ident, $order:ident $(($any:ident))?, $target:ty);+ $(;)?) => {$(
        mod $module {
            use super::Heap;

            #[derive(Heap)]
            pub(super) struct List {
                #[heap($order $(($any))?)]
                pub(super) nodes: Vec<Option<Item>>,
                #[heap(link = $target, null = usize::MAX)]
                pub(super) first: usize,
            }

            #[derive(Heap)]
            pub(super) struct Item {
                pub(super) value: u8,
                #[heap(link = $target)]
                pub(super) next: Option<u32>,
            }

            pub(super) fn list(slots: &[usize], n_slots: usize) -> List {
                let mut nodes: Vec<_> = (0..n_slots).map(|_| None).collect();
                for (position, &slot) in slots.iter().enumerate() {
                    let next = slots.get(position + 1).map(|&slot| slot as u32);
                    nodes[slot] = Some(Item { value: 7, next });
                }
                List { nodes, first: slots.first().copied().unwrap_or(usize::MAX) }
            }
        }
    )+};
}

lists_with_empty_slots! {
    numbered, arena, Item;
    numbered_by_option, arena, Option<Item>;
    in_any_order, arena(any_order), Item;
    in_any_order_by_option, arena(any_order), Option<Item>;
}

#[test]
fn a_link_into_an_arena_of_options_may_name_what_is_in_them() {
    for (slots, n_slots) in [(&[][..], 0), (&[0], 1), (&[1, 0], 2), (&[0, 2, 1], 4)] {
        let list = numbered::list(slots, n_slots);
        laws::check(&list).unwrap();
        let twin = numbered_by_option::list(slots, n_slots);
        let text = HeapGraph::of(&twin).to_text().replace("numbered_by_option", "numbered");
        assert_eq!(HeapGraph::of(&list).to_text(), text);
        let list = in_any_order::list(slots, n_slots);
        laws::check(&list).unwrap();
        let twin = in_any_order_by_option::list(slots, n_slots);
        laws::check(&twin).unwrap();
        assert_eq!(HeapGraph::of(&list).to_text(), HeapGraph::of(&twin).to_text());
        assert!(Schema::of::<in_any_order::List>().undecodable.is_empty());
    }
    assert_eq!(form(&in_any_order::list(&[1, 0], 2)), form(&in_any_order::list(&[0, 3], 4)));
    assert_ne!(form(&numbered::list(&[1, 0], 2)), form(&numbered::list(&[0, 1], 2)));
}

/// Pointers to several elements, of all spellings.
#[derive(Heap)]
struct Buffers {
    #[heap(unsafe(buffer = len))]
    data: *mut u8,
    len: u8,
    #[heap(unsafe(buffer = 2))]
    pair: Option<std::ptr::NonNull<std::mem::MaybeUninit<u16>>>,
}

#[test]
fn a_buffer_shows_as_many_elements_as_its_length_says() {
    let (mut data, mut pair) = ([1, 2, 3], [4, 5].map(std::mem::MaybeUninit::new));
    let mut buffers = |len, last| {
        data[2] = last;
        Buffers { data: data.as_mut_ptr(), len, pair: std::ptr::NonNull::new(pair.as_mut_ptr()) }
    };
    assert_eq!(
        HeapGraph::of(&buffers(2, 3)).to_text(),
        "Buffers#0 { data: #1, len: 2, pair: #2 }\n\
         Buffer<u8>#1 { 0: 1, 1: 2, length: 2 }\n\
         Buffer<u16>#2 { 0: 4, 1: 5, length: 2 }\n"
    );
    // What lies behind the elements is not looked at.
    assert_eq!(form(&buffers(2, 3)), form(&buffers(2, 9)));
    assert_ne!(form(&buffers(3, 3)), form(&buffers(3, 9)));
    let nothing = Buffers { data: std::ptr::null_mut(), len: 0, ..buffers(0, 0) };
    assert_ne!(form(&nothing), form(&buffers(1, 0)));
    assert!(!Schema::of::<Buffers>().is_regular());
}

/// A ring whose elements go on at the front of its buffer, by pointer and in place.
#[derive(Heap)]
struct RingByPointer<T: 'static> {
    #[heap(unsafe(buffer = len, start = head, capacity = cap))]
    slots: std::ptr::NonNull<T>,
    cap: usize,
    head: u8,
    len: usize,
}

#[derive(Heap)]
struct Straight {
    #[heap(unsafe(buffer = len))]
    data: *mut u8,
    len: u8,
}

#[derive(Heap)]
struct RingInPlace<T, const N: usize> {
    #[heap(unsafe(buffer = len, start = head))]
    slots: [std::mem::MaybeUninit<T>; N],
    head: usize,
    len: usize,
}

#[derive(Heap)]
struct RingInBox {
    #[heap(unsafe(buffer = len, start = head))]
    slots: Box<[std::mem::MaybeUninit<u8>]>,
    head: usize,
    len: usize,
}

#[derive(Heap)]
struct RingInVec {
    #[heap(unsafe(buffer = len, start = head))]
    slots: Vec<std::mem::MaybeUninit<u8>>,
    head: usize,
    len: usize,
}

#[test]
fn a_ring_shows_the_elements_from_its_start_on() {
    // The naive twin: a buffer that begins at its first slot.
    let straight = |elements: &[u8]| {
        let mut elements = elements.to_vec();
        let (data, len) = (elements.as_mut_ptr(), elements.len() as u8);
        let graph = HeapGraph::of(&Straight { data, len }).to_text();
        graph.lines().find(|line| line.starts_with("Buffer<u8>")).unwrap().to_owned()
    };
    let buffer_of =
        |text: String| text.lines().find(|line| line.starts_with("Buffer<u8>")).unwrap().to_owned();
    let mut data = [10, 11, 12, 13];
    for head in 0..4 {
        for len in 0..=4 {
            let expected: Vec<u8> = data.iter().cycle().skip(head).take(len).copied().collect();
            let in_place = data.map(std::mem::MaybeUninit::new);
            let in_vec = RingInVec { slots: in_place.to_vec(), head, len };
            let boxed = RingInBox { slots: Box::new(in_place), head, len };
            let in_place = RingInPlace { slots: in_place, head, len };
            let by_pointer = RingByPointer {
                slots: std::ptr::NonNull::new(data.as_mut_ptr()).unwrap(),
                cap: 4,
                head: head as u8,
                len,
            };
            for text in [
                HeapGraph::of(&in_place).to_text(),
                HeapGraph::of(&by_pointer).to_text(),
                HeapGraph::of(&boxed).to_text(),
                HeapGraph::of(&in_vec).to_text(),
            ] {
                assert_eq!(buffer_of(text), straight(&expected));
            }
            laws::check(&by_pointer).unwrap();
            laws::check(&in_place).unwrap();
        }
    }
}

/// A ring with two counters, which its methods change behind a shared reference.
#[derive(Heap)]
struct CountingRing {
    #[heap(unsafe(buffer = tail - head))]
    slots: [std::mem::MaybeUninit<u8>; 4],
    head: std::cell::Cell<usize>,
    tail: std::sync::atomic::AtomicUsize,
}

#[test]
fn a_ring_with_two_counters_shows_the_elements_between_them() {
    let shown = |head: usize, tail: usize| {
        let slots = [10, 11, 12, 13].map(std::mem::MaybeUninit::new);
        let ring = CountingRing { slots, head: head.into(), tail: tail.into() };
        let text = HeapGraph::of(&ring).to_text();
        text.lines().find(|line| line.starts_with("Buffer<u8>")).unwrap().to_owned()
    };
    assert_eq!(shown(0, 0), "Buffer<u8>#1 { length: 0 }");
    assert_eq!(shown(1, 3), "Buffer<u8>#1 { 0: 11, 1: 12, length: 2 }");
    // The counters go on, or start again at the capacity.
    assert_eq!(shown(7, 9), "Buffer<u8>#1 { 0: 13, 1: 10, length: 2 }");
    assert_eq!(shown(3, 1), "Buffer<u8>#1 { 0: 13, 1: 10, length: 2 }");
    assert_eq!(shown(4, 8), "Buffer<u8>#1 { 0: 10, 1: 11, 2: 12, 3: 13, length: 4 }");
    assert_eq!(shown(usize::MAX, 1), "Buffer<u8>#1 { 0: 13, 1: 10, length: 2 }");
}

/// The same with counters of eight bits.
#[derive(Heap)]
struct NarrowRing {
    #[heap(unsafe(buffer = tail - head))]
    slots: [std::mem::MaybeUninit<u8>; 4],
    head: u8,
    tail: u8,
}

#[test]
fn a_counter_of_a_ring_wraps_around_at_the_end_of_its_type() {
    let slots = [10, 11, 12, 13].map(std::mem::MaybeUninit::new);
    let text = HeapGraph::of(&NarrowRing { slots, head: 255, tail: 1 }).to_text();
    assert!(text.contains("Buffer<u8>#1 { 0: 13, 1: 10, length: 2 }"), "{text}");
}

#[test]
#[should_panic(expected = "a buffer with room for 2 elements has 3")]
fn a_ring_with_more_elements_than_slots_is_refused() {
    form(&RingInBox { slots: Box::new([std::mem::MaybeUninit::new(1); 2]), head: 0, len: 3 });
}
