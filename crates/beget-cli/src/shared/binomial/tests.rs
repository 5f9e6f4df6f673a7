//! Canonical forms, searches and rules for the tests of all binomial heaps.

use super::{BinomialHeap, Merge, Variant};
use crate::Misuse;
use crate::fajita::binheap::Fajita;
use crate::korat::binheap::Korat;
use crate::roops::binheap::Roops;
use crate::shared::NodeId;
use crate::testing::{Form, Search, assert_counts};

/// The published table, the same for all three classes: generated and explored.
const COUNTS: [(usize, usize); 6] =
    [(2, 7), (6, 22), (28, 117), (120, 606), (936, 5623), (7602, 53222)];

pub(crate) fn form<T>(heap: &BinomialHeap<T>) -> Form {
    let mut form = Form::default();
    write(&mut form, heap, heap.nodes);
    form.size(heap.size);
    form
}

fn write<T>(form: &mut Form, heap: &BinomialHeap<T>, link: Option<usize>) {
    if let Some(node) = form.link(link) {
        let node = &heap.arena[node];
        write(form, heap, node.child);
        form.size(node.degree);
        form.value(node.key);
        write(form, heap, node.parent);
        write(form, heap, node.sibling);
    }
}

pub(crate) fn builders<T: Variant + 'static>(k: i32) -> Search<BinomialHeap<T>> {
    Search::new(k)
        .starts(BinomialHeap::new)
        .call(BinomialHeap::extract_min)
        .call_1(BinomialHeap::insert)
}

/// Lowers the key of the node at this position among the handles.
pub(crate) fn decrease_nth<T: Variant>(
    heap: &mut BinomialHeap<T>,
    nth: i32,
    key: i32,
) -> Result<(), Misuse> {
    let node = heap.handles().nth(nth as usize).ok_or(Misuse::MissingNode)?;
    heap.decrease_key_node(Some(node), key)
}

pub(crate) fn heap<T: Variant>(keys: impl IntoIterator<Item = i32>) -> BinomialHeap<T> {
    let mut heap = BinomialHeap::new();
    keys.into_iter().for_each(|key| heap.insert(key));
    heap
}

pub(crate) fn sorted_keys<T: Variant>(heap: &BinomialHeap<T>) -> Vec<i32> {
    let mut keys: Vec<i32> = heap.handles().map(|NodeId(node)| heap.arena[node].key).collect();
    keys.sort_unstable();
    keys
}

/// Returns whether no key is smaller than its parent's.
pub(crate) fn is_ordered<T: Variant>(heap: &BinomialHeap<T>) -> bool {
    heap.handles().all(|NodeId(node)| {
        let parent = heap.arena[node].parent;
        parent.is_none_or(|parent| heap.arena[parent].key <= heap.arena[node].key)
    })
}

/// Extracts the smallest key of 13. It is the root of the tree of degree 2, between roots of
/// degrees 0 and 3, and its children of degrees 0 and 1 are merged with these.
fn keys_after_merging_into_a_gap<T: Variant>() -> Vec<i32> {
    let mut heap: BinomialHeap<T> = heap([20, 21, 22, 23, 24, 25, 26, 27, 1, 2, 3, 4, 30]);
    let degrees: Vec<usize> = heap.list(heap.nodes).map(|root| heap.arena[root].degree).collect();
    assert_eq!(degrees, [0, 2, 3]);
    assert_eq!(heap.extract_min(), Ok(1));
    assert_eq!(heap.size, 12);
    sorted_keys(&heap)
}

/// Checks what all published heaps have in common.
fn check_common<T: Variant + 'static>() {
    assert_counts(&COUNTS, |k| builders::<T>(k).run(form).counts());
    let original: BinomialHeap<T> = heap([1, 2]);
    let mut clone = original.clone();
    clone.extract_min().unwrap();
    assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [2]");
    let mut empty = BinomialHeap::<T>::new();
    empty.delete(1);
    assert_eq!(empty.extract_min(), Err(Misuse::Empty));
    assert_eq!(empty.find_minimum(), Err(Misuse::Empty));
    let mut three: BinomialHeap<T> = heap([1, 2, 3]);
    three.delete(2);
    three.delete(7);
    assert_eq!(sorted_keys(&three), [1, 3], "a key below a root is deleted");
}

#[test]
fn the_builders_reach_the_published_numbers_and_what_is_empty_or_cloned_is_so() {
    check_common::<Roops>();
    check_common::<Korat>();
    check_common::<Fajita>();
}

/// Returns a heap of four keys after lowering the key of the deepest node, and another one after
/// deleting that key.
fn lower_and_delete_the_deepest<T: Variant>() -> (BinomialHeap<T>, BinomialHeap<T>) {
    let mut lowered: BinomialHeap<T> = heap([1, 2, 3, 4]);
    let deepest = lowered.handles().nth(2);
    lowered.decrease_key_node(deepest, 0).unwrap();
    let mut deleted: BinomialHeap<T> = heap([1, 2, 3, 4]);
    deleted.delete(4);
    (lowered, deleted)
}

#[test]
fn a_lowered_key_rises_to_its_place_or_by_one_level_only() {
    #[track_caller]
    fn check<T: Variant>(expected: &str, left: &[i32]) {
        let (lowered, deleted) = lower_and_delete_the_deepest::<T>();
        assert_eq!((format!("{lowered:?}"), &*sorted_keys(&deleted)), (expected.to_owned(), left));
    }
    check::<Roops>("[0, 1, 3, 2]", &[1, 2, 3]);
    // Deleting removes another key and leaves an artificial one.
    check::<Korat>("[1, 0, 3, 2]", &[0, 2, 3]);
    check::<Fajita>("[1, 0, 3, 2]", &[0, 2, 3]);
}

#[test]
fn merging_into_a_gap_loses_a_tree_where_it_goes_on_behind_the_inserted_one() {
    let all = [2, 3, 4, 20, 21, 22, 23, 24, 25, 26, 27, 30];
    assert_eq!(keys_after_merging_into_a_gap::<Roops>(), all);
    assert_eq!(keys_after_merging_into_a_gap::<Fajita>(), all);
    let without_a_tree = [2, 20, 21, 22, 23, 24, 25, 26, 27, 30];
    assert_eq!(keys_after_merging_into_a_gap::<Korat>(), without_a_tree);
}

struct Sound;

impl Variant for Sound {
    const MERGE: Merge = Merge::FromInserted;
    const CLIMB: super::Climb = super::Climb::ToItsPlace;
}

#[test]
fn keys_come_out_in_order() {
    let mut heap: BinomialHeap<Sound> = heap((0..50).map(|i| i * 7 % 50));
    for key in 0..50 {
        assert!(is_ordered(&heap));
        assert_eq!(heap.find_minimum(), Ok(key));
        assert_eq!(heap.extract_min(), Ok(key));
    }
    assert!(heap.arena.is_empty());
}

#[test]
fn a_handle_that_leads_nowhere_is_refused_and_no_handle_is_ignored() {
    let mut heap: BinomialHeap<Sound> = heap([1]);
    assert_eq!(heap.decrease_key_node(Some(NodeId(1)), 0), Err(Misuse::MissingNode));
    assert_eq!(heap.decrease_key_node(None, 0), Ok(()));
    assert_eq!(heap.find_minimum(), Ok(1));
}
