use super::*;
use crate::testing::{Form, Search, SearchResult, assert_counts};

fn heap(keys: impl IntoIterator<Item = i32>) -> FibonacciHeap {
    let mut heap = FibonacciHeap::new();
    keys.into_iter().for_each(|key| heap.insert(key));
    heap
}

fn form(heap: &FibonacciHeap) -> Form {
    let mut form = Form::default();
    write(&mut form, heap, heap.min);
    form.size(heap.n);
    form
}

fn write(form: &mut Form, heap: &FibonacciHeap, slot: Option<usize>) {
    if let Some(slot) = form.link(slot) {
        let node = &heap.nodes[slot];
        write(form, heap, node.child);
        form.size(node.degree);
        form.value(node.key);
        write(form, heap, Some(node.left));
        form.value(node.mark);
        write(form, heap, node.parent);
        write(form, heap, Some(node.right));
    }
}

/// Searches with the keys below `k`, in heaps of up to `k + slack` nodes.
fn builders(k: i32, slack: i32) -> Search<FibonacciHeap> {
    Search::with_literals((k + slack) as usize, 0..k)
        .starts(FibonacciHeap::new)
        .call_1(FibonacciHeap::insert)
        .call(FibonacciHeap::remove_min)
}

/// Returns the node at this position of a walk over the heap.
fn node(heap: &FibonacciHeap, position: usize) -> Result<NodeHandle, Misuse> {
    heap.nodes().get(position).copied().ok_or(Misuse::Empty)
}

fn node_with_key(heap: &FibonacciHeap, key: i32) -> NodeHandle {
    let has_key = |&node: &NodeHandle| heap.key(node) == Ok(key);
    heap.nodes().into_iter().find(has_key).expect("a node with the key")
}

/// Counts the heaps with at most `n_nodes` nodes, and the unmarked ones among them.
fn in_scope(found: &SearchResult<FibonacciHeap>, n_nodes: usize) -> (usize, usize) {
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
fn the_builders_reach_the_published_numbers() {
    let published = [(2, 7), (6, 22), (48, 199), (335, 1683), (4381, 26297)];
    assert_counts(&published, |k| builders(k, 0).run(form).counts());
}

#[test]
fn the_published_counts_with_slack_are_reached() {
    let published = [(2, 1, 9), (3, 1, 48), (3, 2, 54), (4, 1, 450)];
    for (k, slack, n_heaps) in published {
        let found = builders(k, slack).run(form);
        assert_eq!(in_scope(&found, k as usize).0, n_heaps, "scope {k}, slack {slack}");
    }
}

#[test]
fn the_published_counts_with_delete_are_reached() {
    for (slack, counts) in (0..).zip([(48, 48), (54, 54), (307, 64)]) {
        let search = (0..3 + slack as usize).fold(builders(3, slack), |search, position| {
            search.call(move |heap| heap.delete(node(heap, position)?))
        });
        assert_eq!(in_scope(&search.run(form), 3), counts, "slack {slack}");
    }
}

#[test]
fn the_published_counts_with_decrease_key_are_reached() {
    for (slack, counts) in (0..).zip([(53, 53), (54, 54), (358, 64)]) {
        let search = (0..3 + slack as usize).fold(builders(3, slack), |search, position| {
            search.call_1(move |heap, key| heap.decrease_key(node(heap, position)?, key))
        });
        assert_eq!(in_scope(&search.run(form), 3), counts, "slack {slack}");
    }
}
