use std::collections::HashSet;

use super::*;
use crate::testing::Form;

fn heap(keys: impl IntoIterator<Item = i32>) -> SkewHeap {
    let mut heap = SkewHeap::new();
    keys.into_iter().for_each(|key| heap.insert(key));
    heap
}

fn form(heap: &SkewHeap) -> Vec<i64> {
    let mut form = Form::default();
    form.size(heap.len);
    write(&mut form, &heap.root);
    form.into_tokens()
}

fn write(form: &mut Form, tree: &Tree) {
    if let Some(node) = form.reference(tree.as_deref()) {
        form.value(node.key);
        write(form, &node.left);
        write(form, &node.right);
    }
}

/// Asserts that keys are in heap order, no right child lacks a left sibling, and `len` is right.
#[track_caller]
fn assert_is_skew_heap(heap: &SkewHeap) {
    for node in heap.nodes() {
        let below = [&node.left, &node.right];
        assert!(below.into_iter().flatten().all(|child| child.key >= node.key), "{heap:?}");
        assert!(node.left.is_some() || node.right.is_none(), "{heap:?}");
    }
    assert_eq!(heap.nodes().count(), heap.len());
}

/// Counts the trees of `n` nodes in heap order with keys from `least` up to `k`, in which every
/// right child has a left sibling.
fn n_trees(n: usize, least: usize, k: usize) -> usize {
    if n == 0 {
        return 1;
    }
    let below = |key, left| n_trees(left, key, k) * n_trees(n - 1 - left, key, k);
    let with_root = |key| if n == 1 { 1 } else { (1..n).map(|left| below(key, left)).sum() };
    (least..k).map(with_root).sum()
}

/// Returns all heaps with at most `k` nodes that merging builds from single keys.
fn merged(k: usize) -> Vec<SkewHeap> {
    let mut known = vec![SkewHeap::new()];
    known.extend((0..k as i32).map(|key| heap([key])));
    let mut seen: HashSet<_> = known.iter().map(form).collect();
    let mut next = 0;
    while next < known.len() {
        for other in 0..=next {
            for (first, second) in [(next, other), (other, next)] {
                if known[first].len() + known[second].len() <= k {
                    let mut heap = known[first].clone();
                    heap.merge(known[second].clone());
                    if seen.insert(form(&heap)) {
                        known.push(heap);
                    }
                }
            }
        }
        next += 1;
    }
    known
}

#[test]
fn keys_come_out_in_order() {
    let mut heap = heap((0..500).map(|i| i * 37 % 500));
    for least in 0..500 {
        assert_eq!((heap.peek_min(), heap.len()), (Some(least), 500 - least as usize));
        assert_eq!(heap.pop_min(), Some(least));
        assert_is_skew_heap(&heap);
    }
    assert_eq!((heap.pop_min(), heap.peek_min(), heap.is_empty()), (None, None, true));
}

#[test]
fn merging_adds_all_keys() {
    let (mut heap, other) = (heap([3, 1]), heap([2, 1]));
    heap.merge(other);
    assert_eq!(heap.len(), 4);
    let sorted: Vec<_> = std::iter::from_fn(|| heap.pop_min()).collect();
    assert_eq!(sorted, [1, 1, 2, 3]);
}

#[test]
fn splitting_cuts_the_right_subtree_off() {
    let (kept, cut) = heap([1, 2, 3]).split();
    assert_eq!(format!("{kept:?} {cut:?}"), "[1, 3] [2]");
    assert_eq!((kept.len(), cut.len()), (2, 1));
    let (kept, cut) = heap([1, 2]).split();
    assert_eq!((kept.len(), cut.len()), (2, 0));
    assert!(heap([]).split().1.is_empty());
}

#[test]
fn clearing_removes_all_keys() {
    let mut heap = heap([1, 2]);
    heap.clear();
    assert_eq!((heap.is_empty(), heap.len()), (true, 0));
}

#[test]
fn a_clone_is_independent_of_its_original() {
    let mut original = heap([2, 1, 3]);
    let copy = original.clone();
    assert_eq!(form(&original), form(&copy));
    assert_eq!(original.pop_min(), Some(1));
    drop(original);
    assert_eq!(copy.len(), 3);
    assert_is_skew_heap(&copy);
}

#[test]
fn deep_heaps_are_cloned_and_dropped_without_recursion() {
    let deep = heap((0..200_000).rev());
    let copy = deep.clone();
    drop(deep);
    let (kept, cut) = copy.split();
    assert_eq!(kept.len() + cut.len(), 200_000);
}

#[test]
fn merging_builds_exactly_the_trees_without_a_lonely_right_child() {
    for (k, n_heaps) in (1..).zip([2, 6, 34, 280, 3205]) {
        let found = merged(k);
        found.iter().for_each(assert_is_skew_heap);
        let n_valid: usize = (0..=k).map(|n| n_trees(n, 0, k)).sum();
        assert_eq!((found.len(), n_valid), (n_heaps, n_heaps), "scope {k}");
    }
}

#[test]
fn removal_and_splitting_stay_within_these_trees() {
    let known: HashSet<_> = merged(4).iter().map(form).collect();
    for mut heap in merged(4) {
        let (kept, cut) = heap.clone().split();
        heap.pop_min();
        for result in [heap, kept, cut] {
            assert!(known.contains(&form(&result)), "{result:?}");
        }
    }
}
