//! The canonical form against petgraph: equal exactly when the rooted heaps are isomorphic.
//!
//! Random small graphs with sharing and cycles are built as arena lists, as raw-pointer nodes and
//! as counted pointers, in shuffled allocation orders. Graphs are small on purpose, so that
//! isomorphic pairs are common.

use std::cell::RefCell;
use std::rc::Rc;

use beget::Heap;
use beget_heap::graph::{Object, Reference};
use beget_heap::{Bounds, CanonicalForm, HeapGraph, canonical_form, laws};
use petgraph::graph::{DiGraph, NodeIndex};

/// A fixed generator: the test must fail the same way everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for index in (1..n).rev() {
            order.swap(index, self.below(index + 1));
        }
        order
    }
}

/// A graph to build: node 0 is what the root points at; two edges and a value each.
#[derive(Clone, Debug)]
struct Shape {
    nodes: Vec<(u8, Option<usize>, Option<usize>)>,
}

impl Shape {
    fn random(random: &mut Random) -> Self {
        let n = 1 + random.below(4);
        let edge = |random: &mut Random| (random.below(3) > 0).then(|| random.below(n));
        let nodes = (0..n).map(|_| (random.below(2) as u8, edge(random), edge(random)));
        Shape { nodes: nodes.collect() }
    }

    /// The same shape, one with one change, or another one.
    fn relative(&self, random: &mut Random) -> Self {
        let mut relative = self.clone();
        let n = relative.nodes.len();
        let node = random.below(n);
        match random.below(4) {
            0 => {}
            1 => relative.nodes[node].0 ^= 1,
            2 => relative.nodes[node].1 = Some(random.below(n)),
            _ => relative = Shape::random(random),
        }
        relative
    }
}

#[derive(Heap)]
struct Arena {
    #[heap(link = Slot)]
    root: u32,
    #[heap(arena(any_order))]
    slots: Vec<Slot>,
}

#[derive(Clone, Heap)]
struct Slot {
    value: u8,
    #[heap(link = Slot)]
    left: Option<u32>,
    #[heap(link = Slot)]
    right: Option<u32>,
}

fn in_arena(shape: &Shape, order: &[usize]) -> Arena {
    let blank = Slot { value: 0, left: None, right: None };
    let mut slots = vec![blank; shape.nodes.len()];
    let slot = |node: usize| order[node] as u32;
    for (node, &(value, left, right)) in shape.nodes.iter().enumerate() {
        slots[order[node]] = Slot { value, left: left.map(slot), right: right.map(slot) };
    }
    Arena { root: slot(0), slots }
}

#[derive(Heap)]
#[allow(clippy::vec_box, reason = "the nodes must not move")]
struct Raw {
    #[heap(unsafe(pointer))]
    root: *mut RawNode,
    /// Keeps the nodes alive.
    #[heap(skip)]
    _owned: Vec<Box<RawNode>>,
}

#[derive(Heap)]
struct RawNode {
    value: u8,
    #[heap(unsafe(pointer))]
    left: *mut RawNode,
    #[heap(unsafe(pointer))]
    right: *mut RawNode,
}

#[allow(clippy::vec_box, reason = "the nodes must not move")]
fn in_raw_nodes(shape: &Shape, order: &[usize]) -> Raw {
    let null = std::ptr::null_mut;
    let mut owned: Vec<Box<RawNode>> = shape
        .nodes
        .iter()
        .map(|_| Box::new(RawNode { value: 0, left: null(), right: null() }))
        .collect();
    let addresses: Vec<*mut RawNode> = owned.iter_mut().map(|node| &raw mut **node).collect();
    let at = |node: Option<usize>| node.map_or(null(), |node| addresses[order[node]]);
    for (node, &(value, left, right)) in shape.nodes.iter().enumerate() {
        *owned[order[node]] = RawNode { value, left: at(left), right: at(right) };
    }
    Raw { root: at(Some(0)), _owned: owned }
}

#[derive(Heap)]
struct Counted {
    root: Rc<RefCell<CountedNode>>,
    /// Breaks the cycles in the end.
    #[heap(skip)]
    all: Vec<Rc<RefCell<CountedNode>>>,
}

#[derive(Default, Heap)]
struct CountedNode {
    value: u8,
    left: Option<Rc<RefCell<CountedNode>>>,
    right: Option<Rc<RefCell<CountedNode>>>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        for node in &self.all {
            node.take();
        }
    }
}

fn in_counted_nodes(shape: &Shape, order: &[usize]) -> Counted {
    let all: Vec<Rc<RefCell<CountedNode>>> = shape.nodes.iter().map(|_| Rc::default()).collect();
    let at = |node: Option<usize>| node.map(|node| all[order[node]].clone());
    for (node, &(value, left, right)) in shape.nodes.iter().enumerate() {
        *all[order[node]].borrow_mut() = CountedNode { value, left: at(left), right: at(right) };
    }
    Counted { root: all[order[0]].clone(), all }
}

fn form(value: &impl Heap) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).expect("nothing is out of scope")
}

/// Returns whether both graphs are the same rooted heap under another numbering.
fn are_isomorphic(one: &HeapGraph, other: &HeapGraph) -> bool {
    let (one, other) = (with_marked_root(one), with_marked_root(other));
    petgraph::algo::is_isomorphic_matching(&one, &other, |a, b| a == b, |a, b| a == b)
}

fn with_marked_root(heap: &HeapGraph) -> DiGraph<(bool, &Object), &str> {
    let mut graph = DiGraph::new();
    for (number, object) in heap.objects().iter().enumerate() {
        graph.add_node((number == 0, object));
    }
    for Reference { from, to, path } in heap.links() {
        graph.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), path.as_str());
    }
    graph
}

#[test]
fn heaps_are_isomorphic_only_from_the_same_root() {
    // Two objects that refer to each other: as graphs without roots they are the same.
    #[derive(Clone)]
    struct Both(Rc<RefCell<u8>>, Rc<RefCell<u8>>);
    let (one, two) = (Rc::new(RefCell::new(1)), Rc::new(RefCell::new(2)));
    let graph = |both: Both| HeapGraph::of(&(both.0, both.1));
    let left = graph(Both(one.clone(), two.clone()));
    assert!(are_isomorphic(&left, &graph(Both(one.clone(), two.clone()))));
    assert!(!are_isomorphic(&left, &graph(Both(two, one))));
    // A ring of three where the root is another one.
    assert!(!are_isomorphic(&nested(1, 1), &nested(2, 0)));
    assert!(are_isomorphic(&nested(2, 0), &nested(2, 0)));
}

/// A list in a list, with a number of elements for each.
fn nested(outside: usize, inside: usize) -> HeapGraph {
    HeapGraph::of(&vec![vec![vec![0_u8; 0]; inside]; outside])
}

#[test]
fn forms_are_equal_exactly_for_isomorphic_graphs() {
    let mut random = Random(7);
    let mut n_isomorphic = 0;
    for _ in 0..6000 {
        let one = Shape::random(&mut random);
        let two = one.relative(&mut random);
        let orders = (random.shuffled(one.nodes.len()), random.shuffled(two.nodes.len()));
        let (one, two) = (in_arena(&one, &orders.0), in_arena(&two, &orders.1));
        let isomorphic = are_isomorphic(&HeapGraph::of(&one), &HeapGraph::of(&two));
        assert_eq!(
            form(&one) == form(&two),
            isomorphic,
            "{} {}",
            HeapGraph::of(&one).to_text(),
            HeapGraph::of(&two).to_text()
        );
        n_isomorphic += usize::from(isomorphic);
    }
    assert!(
        (1000..5000).contains(&n_isomorphic),
        "{n_isomorphic} pairs were isomorphic: the test is one-sided"
    );
}

#[test]
fn the_order_of_allocation_does_not_show() {
    let mut random = Random(11);
    for _ in 0..1000 {
        let shape = Shape::random(&mut random);
        let n = shape.nodes.len();
        let (one, two) = (random.shuffled(n), random.shuffled(n));
        assert_eq!(form(&in_arena(&shape, &one)), form(&in_arena(&shape, &two)), "{shape:?}");
        assert_eq!(
            form(&in_raw_nodes(&shape, &one)),
            form(&in_raw_nodes(&shape, &two)),
            "{shape:?}"
        );
        assert_eq!(
            form(&in_counted_nodes(&shape, &one)),
            form(&in_counted_nodes(&shape, &two)),
            "{shape:?}"
        );
    }
}

#[test]
fn the_same_graph_is_isomorphic_whatever_the_pointers() {
    let mut random = Random(13);
    for _ in 0..1000 {
        let (one, two) = (Shape::random(&mut random), Shape::random(&mut random));
        let straight = |shape: &Shape| (0..shape.nodes.len()).collect::<Vec<_>>();
        let raw = |shape: &Shape| form(&in_raw_nodes(shape, &straight(shape)));
        let counted = |shape: &Shape| form(&in_counted_nodes(shape, &straight(shape)));
        let arena = |shape: &Shape| form(&in_arena(shape, &straight(shape)));
        assert_eq!(raw(&one) == raw(&two), arena(&one) == arena(&two), "{one:?} {two:?}");
        assert_eq!(counted(&one) == counted(&two), arena(&one) == arena(&two), "{one:?} {two:?}");
    }
}

#[test]
fn decodable_heaps_decode_to_themselves() {
    let mut random = Random(17);
    for _ in 0..1000 {
        let shape = Shape::random(&mut random);
        let order = random.shuffled(shape.nodes.len());
        laws::check(&in_arena(&shape, &order)).unwrap();
    }
}
