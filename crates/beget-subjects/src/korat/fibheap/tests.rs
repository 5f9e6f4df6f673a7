use super::*;
use crate::testing::{self, Builder, Form, Found};

fn heap(keys: impl IntoIterator<Item = i32>) -> FibonacciHeap {
    let mut heap = FibonacciHeap::new();
    keys.into_iter().for_each(|key| heap.insert(key));
    heap
}

fn write(heap: &FibonacciHeap, form: &mut Form) {
    write_node(heap, heap.min, form);
    form.count(heap.n);
}

fn write_node(heap: &FibonacciHeap, slot: Option<usize>, form: &mut Form) {
    let Some(slot) = slot else { return form.null() };
    if form.enter(slot) {
        let node = &heap.nodes[slot];
        write_node(heap, node.child, form);
        form.count(node.degree);
        form.value(node.key);
        write_node(heap, Some(node.left), form);
        form.value(node.mark);
        write_node(heap, node.parent, form);
        write_node(heap, Some(node.right), form);
    }
}

fn builders(k: usize) -> Vec<Builder<FibonacciHeap>> {
    let mut builders = testing::unary(0..k as i32, |heap: &mut FibonacciHeap, key| {
        heap.insert(key);
        Ok(())
    });
    builders.push(testing::nullary(FibonacciHeap::remove_min));
    builders
}

fn explore(n_nodes: usize, builders: &[Builder<FibonacciHeap>]) -> Found<FibonacciHeap> {
    testing::explore(n_nodes, &testing::constructor(FibonacciHeap::new), builders, write)
}

/// The node at this position of the walk over the heap.
fn node(heap: &FibonacciHeap, position: usize) -> Result<NodeHandle, Misuse> {
    heap.nodes().get(position).copied().ok_or(Misuse::Empty)
}

fn node_with_key(heap: &FibonacciHeap, key: i32) -> NodeHandle {
    let has_key = |&node: &NodeHandle| heap.key(node) == Ok(key);
    heap.nodes().into_iter().find(has_key).expect("a node with the key")
}

/// How many of the heaps have at most `n_nodes` nodes, and how many of these are unmarked.
fn in_scope(found: &Found<FibonacciHeap>, n_nodes: usize) -> (usize, usize) {
    let is_unmarked = |heap: &&&FibonacciHeap| !heap.nodes().iter().any(|at| heap.nodes[at.0].mark);
    let heaps: Vec<_> = found.structures.iter().filter(|heap| heap.n <= n_nodes).collect();
    (heaps.len(), heaps.iter().filter(is_unmarked).count())
}

#[test]
fn keys_come_out_in_order() {
    let mut heap = heap((0..500).map(|i| i * 37 % 500));
    for least in 0..500 {
        assert_eq!((heap.min(), heap.size()), (Ok(least), 500 - least as usize));
        heap.remove_min();
    }
    assert!(heap.is_empty() && heap.nodes().is_empty());
}

#[test]
fn a_new_key_stands_to_the_left_of_the_minimum() {
    assert_eq!(format!("{:?}", heap([1, 2, 3])), "[1, 2, 3]");
    assert_eq!(format!("{:?}", heap([1, 2, 0, 0])), "[0, 1, 2, 0]");
}

#[test]
fn an_empty_heap_has_no_minimum_and_removal_leaves_it() {
    let mut heap = heap([]);
    assert_eq!((heap.min(), heap.min_node()), (Err(Misuse::Empty), None));
    heap.remove_min();
    assert_eq!(heap.size(), 0);
}

#[test]
fn clearing_removes_all_keys() {
    let mut heap = heap([1, 2]);
    heap.clear();
    assert_eq!((heap.is_empty(), heap.size()), (true, 0));
}

#[test]
fn decreasing_a_key_may_change_the_minimum() {
    let mut heap = heap([5, 6, 7, 8, 9]);
    heap.remove_min();
    assert_eq!(heap.decrease_key(node_with_key(&heap, 9), 1), Ok(()));
    assert_eq!(heap.min_node().map(|min| heap.key(min)), Some(Ok(1)));
    assert_eq!(heap.size(), 4);
}

#[test]
fn a_larger_key_is_misuse() {
    let mut heap = heap([5]);
    let node = node_with_key(&heap, 5);
    assert!(heap.decrease_key(node, 6).is_err());
    assert_eq!(heap.decrease_key(node, 5), Ok(()));
    assert_eq!(heap.min(), Ok(5));
}

#[test]
fn a_removed_node_is_not_in_the_heap() {
    let mut heap = heap([5, 6]);
    let node = node_with_key(&heap, 5);
    heap.remove_min();
    let misuse = Err(Misuse::Argument("the node must be in the heap"));
    assert_eq!(heap.decrease_key(node, 1), misuse);
    assert_eq!(heap.delete(node), misuse);
    assert_eq!(heap.delete(NodeHandle(7)), misuse);
}

#[test]
fn the_deleted_node_goes_even_if_zero_is_not_the_least_key() {
    let mut heap = heap([-3, -2, 4, 7]);
    assert_eq!(heap.delete(node_with_key(&heap, 7)), Ok(()));
    let mut keys: Vec<_> = heap.nodes().iter().map(|node| heap.nodes[node.0].key).collect();
    keys.sort_unstable();
    assert_eq!((keys, heap.min()), (vec![-3, -2, 4], Ok(-3)));
}

#[test]
fn slots_are_used_again() {
    let mut heap = heap([1]);
    for key in 0..100 {
        heap.insert(key);
        heap.remove_min();
    }
    assert_eq!((heap.nodes.len(), heap.free.len()), (2, 1));
}

#[test]
fn a_clone_is_independent_of_its_original() {
    let mut original = heap([1, 2, 3]);
    let copy = original.clone();
    original.remove_min();
    assert_eq!(format!("{copy:?}"), "[1, 2, 3]");
    assert_eq!(original.size(), 2);
}

#[test]
fn the_published_counts_are_reached() {
    let published = [(2, 7), (6, 22), (48, 199), (335, 1683), (4381, 26297)];
    for (k, counts) in (1..).zip(published) {
        assert_eq!(explore(k, &builders(k)).counts(), counts, "scope {k}");
    }
}

#[test]
fn the_published_counts_with_slack_are_reached() {
    let published = [(2, 1, 9), (3, 1, 48), (3, 2, 54), (4, 1, 450)];
    for (k, slack, n_heaps) in published {
        let found = explore(k + slack, &builders(k));
        assert_eq!(in_scope(&found, k).0, n_heaps, "scope {k}, slack {slack}");
    }
}

#[test]
fn the_published_counts_with_delete_are_reached() {
    for (slack, counts) in (0..).zip([(48, 48), (54, 54), (307, 64)]) {
        let mut methods = builders(3);
        methods.extend(testing::unary(0..3 + slack, |heap: &mut FibonacciHeap, position| {
            heap.delete(node(heap, position)?)
        }));
        assert_eq!(in_scope(&explore(3 + slack, &methods), 3), counts, "slack {slack}");
    }
}

#[test]
fn the_published_counts_with_decrease_key_are_reached() {
    for (slack, counts) in (0..).zip([(53, 53), (54, 54), (358, 64)]) {
        let mut methods = builders(3);
        let arguments = (0..3 + slack).flat_map(|position| (0..3).map(move |key| (position, key)));
        methods.extend(testing::unary(arguments, |heap: &mut FibonacciHeap, (position, key)| {
            heap.decrease_key(node(heap, position)?, key)
        }));
        assert_eq!(in_scope(&explore(3 + slack, &methods), 3), counts, "slack {slack}");
    }
}
