use beget::HasSuite;

use super::*;

fn list(values: impl IntoIterator<Item = i32>) -> NodeCachingLinkedList {
    values.into_iter().collect()
}

#[track_caller]
fn assert_list(list: &NodeCachingLinkedList, values: &[i32], cache_size: usize) {
    assert_eq!(list.to_array(), values);
    assert_eq!((list.size, list.cache_size), (values.len(), cache_size));
    assert_eq!(list.cached().count(), cache_size);
}

#[test]
fn the_methods_stand_where_the_paper_numbers_them() {
    let suite = NodeCachingLinkedList::suite();
    let names: Vec<&str> = suite.methods.iter().map(|method| method.name).collect();
    assert_eq!(names.len(), 34);
    assert_eq!([names[0], names[7], names[25]], ["new", "add_first", "remove_first"]);
}

#[test]
fn values_are_inserted_where_asked() {
    let mut list = list([2]);
    assert!(list.add_first(1) && list.add(4) && list.add_last(5));
    assert_eq!(list.add_at(2, 3), Ok(()));
    assert_eq!(list.add_at(5, 6), Ok(()));
    assert_eq!(list.add_at(7, 9), Err(Misuse::OutOfRange { index: 7, len: 6 }));
    assert_list(&list, &[1, 2, 3, 4, 5, 6], 0);
}

#[test]
fn lists_are_inserted_where_asked() {
    let (mut all, more) = (list([1, 2]), list([7, 8]));
    assert!(all.add_all(&more));
    assert_eq!(all.add_all_at(1, &more), Ok(true));
    assert_eq!(all.add_all_at(7, &more), Err(Misuse::OutOfRange { index: 7, len: 6 }));
    assert_list(&all, &[1, 7, 8, 2, 7, 8], 0);
    assert_list(&NodeCachingLinkedList::from_collection(&more), &[7, 8], 0);
}

#[test]
fn removing_returns_what_was_there_and_keeps_the_node() {
    let mut list = list([4, 5, 6, 5, 7]);
    assert_eq!((list.remove_first(), list.remove_last()), (Ok(4), Ok(7)));
    assert!(list.remove(5) && !list.remove(9));
    assert_eq!(list.remove_at(1), Ok(5));
    assert_eq!(list.remove_at(1), Err(Misuse::OutOfRange { index: 1, len: 1 }));
    assert_list(&list, &[6], 4);
    list.clear();
    assert_list(&list, &[], 5);
    assert_eq!(list.remove_first(), Err(Misuse::Empty));
    assert_eq!(list.remove_last(), Err(Misuse::Empty));
}

#[test]
fn removing_many_keeps_their_nodes() {
    let mut list = list([1, 2, 3, 2, 1]);
    let some: NodeCachingLinkedList = [1, 3, 9].into_iter().collect();
    assert!(list.remove_all(&some) && !list.remove_all(&some));
    assert_list(&list, &[2, 2], 3);
    assert!(list.add(3) && list.retain_all(&some) && !list.retain_all(&some));
    assert_list(&list, &[3], 4);
}

#[test]
fn a_kept_node_is_used_again() {
    let mut list = list([4, 5]);
    assert!(list.remove(4));
    let kept = list.first_cached_node;
    assert!(list.add_first(6));
    assert_eq!(list.nodes().next(), kept);
    assert_list(&list, &[6, 5], 0);
}

#[test]
fn no_more_nodes_are_kept_than_the_maximum() {
    let mut small = NodeCachingLinkedList::with_maximum_cache_size(2);
    (0..5).for_each(|value| assert!(small.add(value)));
    small.clear();
    assert_list(&small, &[], 2);
    let mut large = list(0..25);
    large.clear();
    assert_list(&large, &[], NodeCachingLinkedList::DEFAULT_MAXIMUM_CACHE_SIZE);
}

#[test]
fn observers_see_the_values() {
    let mut list = list([4, 5, 4]);
    assert_eq!(list.set(1, 6), Ok(5));
    assert_eq!(list.set(3, 6), Err(Misuse::OutOfRange { index: 3, len: 3 }));
    assert_eq!((list.get(1), list.get_first(), list.get_last()), (Ok(6), Ok(4), Ok(4)));
    assert_eq!(list.get(3), Err(Misuse::OutOfRange { index: 3, len: 3 }));
    assert_eq!((list.index_of(4), list.last_index_of(4)), (Some(0), Some(2)));
    assert!(list.contains(6) && !list.contains(5) && !list.is_empty() && list.size() == 3);
    assert_eq!(list.list_iterator(1).unwrap().collect::<Vec<_>>(), [6, 4]);
    assert_eq!(list.list_iterator(3).unwrap().count(), 0);
    assert!(list.list_iterator(4).is_err());
    assert_eq!((list.to_array(), list.to_array_in(vec![9; 7])), (vec![4, 6, 4], vec![4, 6, 4]));
    assert_eq!(list.to_text(), "[4, 6, 4]");
    let empty = NodeCachingLinkedList::new();
    assert_eq!((empty.get_first(), empty.get_last()), (Err(Misuse::Empty), Err(Misuse::Empty)));
}

#[test]
fn lists_are_compared_by_their_values() {
    let (left, mut right) = (list([1, 2]), list([1, 2, 3]));
    assert!(!left.equals(&right) && right.contains_all(&left) && !left.contains_all(&right));
    assert_eq!(right.remove_last(), Ok(3));
    assert!(left.equals(&right), "the cache does not count");
    // 31 * (31 * 1 + 1) + 2, as documented for `List.hashCode`.
    assert_eq!((left.hash_code(), right.hash_code()), (994, 994));
}

#[test]
fn a_part_of_a_list_is_a_list_of_its_own() {
    let list = list([1, 2, 3]);
    assert_list(&list.sub_list(1, 3).unwrap(), &[2, 3], 0);
    assert_list(&list.sub_list(3, 3).unwrap(), &[], 0);
    assert_eq!(list.sub_list(0, 4), Err(Misuse::OutOfRange { index: 4, len: 3 }));
    assert!(matches!(list.sub_list(2, 1), Err(Misuse::Argument(_))));
}

#[test]
fn a_clone_stands_alone() {
    let mut original = list([1, 2, 3]);
    original.remove(2);
    let mut clone = original.clone();
    assert_list(&clone, &[1, 3], 1);
    assert!(clone.add(4) && clone.remove(1));
    assert_list(&original, &[1, 3], 1);
    assert_list(&clone, &[3, 4], 1);
}
