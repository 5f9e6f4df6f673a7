//! `derive(HeapView)`: what accessors give, and that a table walks as the value that it stands for.
#![allow(clippy::disallowed_types, reason = "the map is a subject's")]
#![allow(missing_docs)]

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

use beget::{Heap, HeapView};
use beget_heap::view::{
    ArrayView, NodeSet, NodeView, Shapes, Table, Viewed, Viewer, Worklist, walk,
};
use beget_heap::{Bounds, ClassKey, Encoder, HeapGraph, Identity, Layout, Primitive, Schema};

/// Writes every event of a walk down, addresses as numbers in the order of first visit.
#[derive(Default)]
struct Recorder {
    events: Vec<String>,
    known: HashMap<(usize, std::any::TypeId), usize>,
}

impl Recorder {
    fn is_new(&mut self, class: ClassKey, address: usize) -> bool {
        let next = self.known.len();
        *self.known.entry((address, class.id)).or_insert(next) == next
    }
}

impl beget::heap::Walker for Recorder {
    fn primitive(&mut self, value: Primitive<'_>) {
        // The short form means the same as its two parts.
        if let Primitive::PresentSigned(value) = value {
            self.primitive(Primitive::Present(true));
            return self.primitive(Primitive::Signed(value));
        }
        self.events.push(format!("{value:?}"));
    }

    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        let (kind, is_new, number) = match identity {
            Identity::Unique => ("unique", true, usize::MAX),
            Identity::Owned(at) => ("owned", self.is_new(class, at), self.known[&(at, class.id)]),
            Identity::Shared(at) => ("shared", self.is_new(class, at), self.known[&(at, class.id)]),
        };
        self.events.push(format!("enter {} {kind} {number}", class.shown().name));
        is_new
    }

    fn leave(&mut self) {
        self.events.push("leave".into());
    }

    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.events.push(format!("field {} {index}", class.name));
        true
    }

    fn begin_record(&mut self, class: ClassKey) {
        self.events.push(format!("record {}", class.name));
    }

    fn end_record(&mut self) {
        self.events.push("end".into());
    }

    fn element(&mut self, index: usize) {
        self.events.push(format!("element {index}"));
    }
}

/// The table of `value` walks with the same events, to the same bytes and the same graph.
#[track_caller]
fn assert_walks_alike<T: Heap + Viewed>(value: &T) {
    let schema = Schema::of::<T>();
    let layout = Layout::new(&schema, &Bounds::uniform(3));
    let layout = if Encoder::new(&layout).encode(value).is_ok() {
        layout
    } else {
        Layout::new(&schema, &Bounds::unlimited())
    };
    let (mut viewer, shapes) = (Viewer::<T>::new(&layout), Shapes::of::<T>());
    let table = viewer.value(value).expect("the value has a table");

    let (mut live, mut shown) = (Recorder::default(), Recorder::default());
    value.walk(&mut live);
    walk(&shapes, table, &mut shown).unwrap();
    assert_eq!(live.events, shown.events);

    let form = Encoder::new(&layout).encode(value).unwrap().to_canonical();
    let mut encoder = Encoder::new(&layout);
    encoder.begin(0);
    walk(&shapes, table, &mut encoder).unwrap();
    assert_eq!(form, encoder.finish().unwrap().to_canonical());

    let graph = HeapGraph::of_walk(&schema, &layout, T::class().shown().name, |walker| {
        walk(&shapes, table, walker).unwrap();
    });
    assert_eq!(graph.to_text(), HeapGraph::under(value, &schema, &layout).to_text());
}

fn with_view<T: Heap + Viewed>(value: &T, look: impl FnOnce(T::View<'_>)) {
    let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
    look(T::view(Viewer::<T>::new(&layout).value(value).unwrap().root()));
}

#[derive(Clone, Copy, Debug, PartialEq, Heap, HeapView)]
enum Color {
    Red,
    Black,
}

#[derive(Default, Heap, HeapView)]
struct Pair {
    left: i8,
    right: u64,
}

#[derive(Heap, HeapView)]
struct Values {
    flag: bool,
    maybe_flag: Option<bool>,
    color: Color,
    maybe_color: Option<Color>,
    number: i32,
    maybe_number: Option<i32>,
    twice: Option<Option<u8>>,
    letter: char,
    real: f64,
    maybe_real: Option<f32>,
    text: String,
    pair: Pair,
    maybe_pair: Option<Pair>,
    three: [i32; 3],
    cell: Cell<u8>,
    r#type: u8,
    nothing: (),
    #[heap(skip)]
    _unseen: u8,
}

fn values(there: bool) -> Values {
    Values {
        flag: there,
        maybe_flag: there.then_some(false),
        color: Color::Black,
        maybe_color: there.then_some(Color::Red),
        number: -7,
        maybe_number: there.then_some(-1),
        twice: Some(there.then_some(0)),
        letter: 'ß',
        real: -0.5,
        maybe_real: there.then_some(2.5),
        text: "text".into(),
        pair: Pair { left: -128, right: u64::MAX },
        maybe_pair: there.then_some(Pair { left: 1, right: 2 }),
        three: [4, 5, 6],
        cell: Cell::new(9),
        r#type: 3,
        nothing: (),
        _unseen: 1,
    }
}

#[test]
fn values_of_every_kind_walk_alike() {
    assert_walks_alike(&values(true));
    assert_walks_alike(&values(false));
}

#[test]
fn accessors_give_the_values_of_their_fields() {
    with_view(&values(true), |view| {
        assert_eq!((view.flag(), view.maybe_flag()), (true, Some(false)));
        assert_eq!((view.color(), view.maybe_color()), (Color::Black, Some(Color::Red)));
        assert_eq!((view.number(), view.maybe_number()), (-7, Some(-1)));
        assert_eq!((view.twice(), view.letter(), view.real()), (Some(Some(0)), 'ß', -0.5));
        assert_eq!((view.maybe_real(), view.text()), (Some(2.5), "text"));
        assert_eq!((view.pair().left(), view.pair().right() as u64), (-128, u64::MAX));
        assert_eq!(view.maybe_pair().map(|pair| (pair.left(), pair.right())), Some((1, 2)));
        assert_eq!(view.three().iter().collect::<Vec<_>>(), [4, 5, 6]);
        assert_eq!((view.cell(), view.r#type()), (9, 3));
    });
    with_view(&values(false), |view| {
        assert_eq!(
            (view.maybe_flag(), view.maybe_color(), view.maybe_number()),
            (None, None, None)
        );
        assert_eq!((view.twice(), view.maybe_real()), (Some(None), None));
        assert!(view.maybe_pair().is_none());
    });
}

#[derive(Heap, HeapView)]
struct Tree<V> {
    root: Option<Box<Node<V>>>,
}

#[derive(Heap, HeapView)]
#[view(name = Knot)]
struct Node<V> {
    children: Vec<Node<V>>,
    other: Option<Box<Node<V>>>,
    value: V,
}

fn tree() -> Tree<Option<u8>> {
    let leaf = |value| Node { children: vec![], other: None, value };
    let inner = Node {
        children: vec![leaf(Some(1)), leaf(None)],
        other: Some(Box::new(leaf(Some(2)))),
        value: Some(0),
    };
    Tree { root: Some(Box::new(inner)) }
}

#[test]
fn generic_trees_and_sequences_walk_alike() {
    assert_walks_alike(&tree());
    assert_walks_alike(&Tree::<u8> { root: None });
    assert_walks_alike(&vec![VecDeque::from([1_u8, 2]), VecDeque::new()]);
    assert_walks_alike(&Some(Box::new(vec![Box::new(()), Box::new(())])));
}

#[test]
fn a_view_named_by_attribute_shows_elements_in_place() {
    with_view(&tree(), |tree| {
        let root: Knot<'_, Option<u8>> = tree.root().unwrap();
        let children: ArrayView<'_, Node<Option<u8>>> = root.children();
        assert_eq!(children.len(), 2);
        assert_eq!((children.at(0).value(), children.at(1).value()), (Some(1), None));
        assert_eq!(root.other().unwrap().value(), Some(2));
        assert!(children.get(2).is_none());
    });
}

#[derive(Heap, HeapView)]
struct Graph {
    first: Rc<RefCell<Vertex>>,
    boxed: Box<u8>,
    #[heap(unsafe(pointer))]
    into_box: NonNull<u8>,
    #[heap(unsafe(pointer))]
    none: *const Vertex,
}

#[derive(Heap, HeapView)]
struct Vertex {
    next: Option<Rc<RefCell<Vertex>>>,
    back: Weak<RefCell<Vertex>>,
}

fn graph() -> Graph {
    let new = || Rc::new(RefCell::new(Vertex { next: None, back: Weak::new() }));
    let (first, second) = (new(), new());
    second.borrow_mut().back = Rc::downgrade(&first);
    first.borrow_mut().back = Rc::downgrade(&first);
    first.borrow_mut().next = Some(second);
    let boxed = Box::new(5);
    let into_box = NonNull::from(&*boxed);
    Graph { first, boxed, into_box, none: std::ptr::null() }
}

#[test]
fn sharing_and_cycles_walk_alike() {
    assert_walks_alike(&graph());
    let shared = Rc::new(RefCell::new(1_u8));
    assert_walks_alike(&vec![shared.clone(), shared, Rc::default()]);
}

#[test]
fn nodes_are_equal_by_identity() {
    with_view(&graph(), |graph| {
        let first = graph.first().unwrap();
        let second = first.next().unwrap();
        assert_eq!((first.back(), second.back()), (Some(first), Some(first)));
        assert!(second != first && second.next().is_none() && graph.none().is_none());
        assert_eq!((graph.boxed(), graph.into_box()), (Some(5), Some(5)));

        let (mut seen, mut work) = (NodeSet::new(), Worklist::new());
        assert!(seen.insert(first) && seen.insert(second) && !seen.insert(second.back().unwrap()));
        assert!(seen.contains(first) && seen.len() == 2);
        work.push(first);
        work.push(second);
        assert_eq!(work.len(), 2);
        assert_eq!(
            (work.pop_first(), work.pop_last(), work.pop_last()),
            (Some(first), Some(second), None)
        );
    });
}

#[derive(Heap, HeapView)]
struct Chain {
    value: u8,
    next: Option<Box<Chain>>,
}

#[test]
fn objects_far_apart_are_told_apart() {
    let longer = |next: Option<Box<Chain>>, value: u8| Some(Box::new(Chain { value, next }));
    let chain = (0..200).chain(0..200).fold(None, longer).unwrap();
    with_view(&*chain, |chain| {
        let (mut seen, mut work) = (NodeSet::new(), Worklist::new());
        let mut next = Some(chain);
        while let Some(node) = next {
            assert!(!seen.contains(node) && seen.insert(node) && !seen.insert(node));
            work.push(node);
            next = node.next();
        }
        assert_eq!((seen.len(), work.len()), (400, 400));
        let last = std::iter::from_fn(|| work.pop_last()).last();
        assert_eq!(last.map(|node| node.value()), Some(199));
    });
}

#[test]
fn a_broken_clause_is_shown_by_its_name() {
    assert_eq!(beget::heap::view::BrokenClause("the size is 3").to_string(), "the size is 3");
}

#[derive(Heap, HeapView)]
struct Ring {
    #[heap(arena(any_order))]
    slots: Vec<Slot>,
    #[heap(link = Slot, null = usize::MAX)]
    entry: usize,
    #[heap(link = Slot)]
    spare: Option<u32>,
}

#[derive(Heap, HeapView)]
struct Slot {
    #[heap(link = Slot)]
    next: usize,
    key: u8,
}

#[test]
fn links_are_pointers() {
    let slots = || vec![Slot { next: 1, key: 8 }, Slot { next: 0, key: 9 }];
    let ring = Ring { slots: slots(), entry: 1, spare: None };
    assert_walks_alike(&ring);
    assert_walks_alike(&Ring { slots: slots(), entry: usize::MAX, spare: Some(0) });
    with_view(&ring, |ring| {
        let entry = ring.entry().unwrap();
        assert_eq!((entry.key(), entry.next().unwrap().key()), (9, 8));
        assert_eq!(entry.next().unwrap().next(), Some(entry));
        assert!(ring.spare().is_none());
    });
}

#[test]
fn fields_are_noted_in_the_order_of_their_first_reads() {
    let layout = Layout::new(&Schema::of::<Pair>(), &Bounds::unlimited());
    let mut viewer = Viewer::<Pair>::new(&layout);
    let table = viewer.value(&Pair::default()).unwrap();
    let pair = Pair::view(table.root());
    table.record(100, |_| false);
    let _ = (pair.right(), pair.left(), pair.right());
    let order: Vec<_> = (0..table.n_read()).map(|index| table.read_at(index)).collect();
    assert_eq!(order, [Table::ROOT + 1, Table::ROOT]);
    table.forget_last();
    assert!(!table.is_noted(pair.place().cell()));
}
