use super::*;
use crate::testing::{Form, Search, assert_counts};

fn heap(keys: impl IntoIterator<Item = i32>) -> FibHeap {
    let mut heap = FibHeap::new();
    keys.into_iter().for_each(|key| heap.insert(key));
    heap
}

fn write(form: &mut Form, heap: &FibHeap, link: Option<usize>) {
    if let Some(node) = form.link(link) {
        let node = &heap.arena[node];
        write(form, heap, node.child);
        form.size(node.degree);
        form.value(node.key);
        write(form, heap, node.left);
        form.value(node.mark);
        write(form, heap, node.parent);
        write(form, heap, node.right);
    }
}

fn form(heap: &FibHeap) -> Form {
    let mut form = Form::default();
    write(&mut form, heap, heap.min);
    form.size(heap.n);
    form
}

fn builders(k: i32, slack: i32) -> Search<FibHeap> {
    Search::with_literals((k + slack) as usize, 0..k)
        .starts(FibHeap::new)
        .call_1(FibHeap::insert)
        .call(FibHeap::remove_min)
}

/// Extends the builders' search: it also lowers and deletes every node.
fn all_mutators(k: i32, slack: i32) -> Search<FibHeap> {
    let mut search = builders(k, slack);
    for nth in 0..(k + slack) as usize {
        search = search.call(move |heap| heap.delete(nth_node(heap, nth)?));
        for key in 0..k {
            search = search.call(move |heap| heap.decrease_key(nth_node(heap, nth)?, key));
        }
    }
    search
}

fn nth_node(heap: &FibHeap, nth: usize) -> Result<NodeId, Misuse> {
    heap.handles().get(nth).copied().ok_or(Misuse::MissingNode)
}

fn keys_by_removal(heap: &mut FibHeap) -> Vec<i32> {
    let mut keys = Vec::new();
    while let Ok(key) = heap.min() {
        keys.push(key);
        heap.remove_min();
    }
    keys
}

#[test]
fn the_builders_reach_the_published_numbers() {
    let expected = [(2, 7), (6, 22), (48, 199), (335, 1683), (4381, 26297)];
    assert_counts(&expected, |k| builders(k, 0).run(form).counts());
}

/// The published slack table: `k`, slack, heaps within the scope proper.
#[test]
fn slack_reaches_the_heaps_that_need_larger_ones() {
    for (k, slack, within) in [(2, 1, 9), (2, 2, 9), (3, 1, 48), (3, 2, 54), (4, 1, 450)] {
        let found = builders(k, slack).run(form);
        let n_within = found.structures.iter().filter(|heap| heap.size() <= k as usize).count();
        assert_eq!(n_within, within, "k = {k}, slack {slack}");
    }
}

/// The published counts of unmarked heaps when the search also lowers and deletes nodes.
#[test]
fn all_mutators_reach_other_shapes() {
    for (k, slack, unmarked) in [(2, 0, 6), (2, 1, 9), (3, 0, 53), (3, 1, 54), (3, 2, 64)] {
        let found = all_mutators(k, slack).run(form);
        let is_reported =
            |heap: &&FibHeap| heap.size() <= k as usize && heap.arena.iter().all(|node| !node.mark);
        let n_unmarked = found.structures.iter().filter(is_reported).count();
        assert_eq!(n_unmarked, unmarked, "k = {k}, slack {slack}");
    }
}

#[test]
fn keys_come_out_in_order_and_take_their_nodes_along() {
    let mut heap = heap((0..50).map(|i| i * 7 % 50));
    assert_eq!((heap.size(), heap.min()), (50, Ok(0)));
    assert_eq!(keys_by_removal(&mut heap), (0..50).collect::<Vec<_>>());
    assert!(heap.is_empty() && heap.arena.is_empty());
}

#[test]
fn an_empty_heap_has_nothing_to_remove() {
    let mut heap = FibHeap::new();
    heap.remove_min();
    assert_eq!((heap.size(), heap.min()), (0, Err(Misuse::Empty)));
}

#[test]
fn a_lowered_key_is_cut_off_and_its_parent_marked() {
    let mut heap = heap([5, 6, 7, 8, 0]);
    heap.remove_min();
    let inner = heap.arena.iter().position(|node| node.parent.is_some() && node.degree == 1);
    let inner = inner.expect("a tree of degree 2 has an inner child");
    let leaf = NodeId(heap.arena[inner].child.unwrap());
    heap.decrease_key(leaf, 1).unwrap();
    assert!(heap.arena[inner].mark);
    assert_eq!(keys_by_removal(&mut heap)[0], 1);
}

#[test]
fn a_key_cannot_be_raised() {
    let mut heap = heap([1]);
    let node = heap.handles()[0];
    assert!(matches!(heap.decrease_key(node, 2), Err(Misuse::Argument(_))));
    assert_eq!(heap.decrease_key(NodeId(9), 0), Err(Misuse::MissingNode));
    assert_eq!(heap.delete(NodeId(9)), Err(Misuse::MissingNode));
}

#[test]
fn deleting_removes_the_node_even_below_key_0() {
    let mut heap = heap([-3, 4, -1]);
    let node = heap.handles().into_iter().find(|&NodeId(node)| heap.arena[node].key == 4);
    heap.delete(node.unwrap()).unwrap();
    assert_eq!(keys_by_removal(&mut heap), [-3, -1]);
}

#[test]
fn a_clone_is_independent_of_its_original() {
    let original = heap([1, 2]);
    let mut clone = original.clone();
    clone.clear();
    clone.insert(3);
    assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [3]");
}
