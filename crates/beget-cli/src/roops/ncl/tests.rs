use super::*;
use crate::testing::{Form, Search, assert_counts};

type Ncl = NodeCachingLinkedList;

fn list(values: impl IntoIterator<Item = i32>) -> Ncl {
    let mut list = Ncl::new();
    values.into_iter().for_each(|value| assert!(list.add_last(value)));
    list
}

fn form(list: &Ncl) -> Form {
    let mut form = Form::default();
    form.size(list.cache_size);
    write(&mut form, list.first_cached_node);
    write(&mut form, list.header.as_ptr());
    form.size(list.maximum_cache_size);
    form.size(list.size);
    form
}

fn write(form: &mut Form, node: *mut Node) {
    // SAFETY: the list that holds the node is borrowed during the walk.
    if let Some(node) = form.reference(unsafe { node.as_ref() }) {
        write(form, node.next);
        write(form, node.previous);
        form.optional(node.value);
    }
}

fn builders(k: i32) -> Search<Ncl> {
    let search = Search::new(k).starts(Ncl::new).call_1(Ncl::add_last);
    search.call_1(|list, index| list.remove_index(index as usize))
}

#[test]
fn elements_keep_the_order_of_their_insertion() {
    assert_eq!(format!("{:?}", list([3, 1, 2])), "[3, 1, 2]");
}

#[test]
fn removal_ignores_its_index() {
    let mut list = list([3, 1, 2]);
    assert_eq!(list.remove_index(2), Ok(Some(3)));
    assert_eq!(list.remove_index(99), Ok(Some(1)));
    assert_eq!(format!("{list:?}"), "[2]");
}

#[test]
fn removal_from_an_empty_list_is_misuse() {
    assert_eq!(list([]).remove_index(0), Err(Misuse::Empty));
}

#[test]
fn only_elements_are_contained() {
    let mut list = list([3, 1]);
    assert!(list.contains(3) && list.contains(1) && !list.contains(2));
    assert_eq!(list.remove_index(0), Ok(Some(3)));
    assert!(!list.contains(3));
}

#[test]
fn a_removed_node_is_used_again() {
    let mut list = list([3]);
    assert_eq!(list.remove_index(0), Ok(Some(3)));
    let cached = list.first_cached_node;
    assert_eq!(list.cache_size, 1);
    list.add_last(4);
    assert_eq!((list.cache_size, list.first_cached_node), (0, ptr::null_mut()));
    // SAFETY: the header is live.
    assert_eq!(unsafe { list.header.as_ref() }.next, cached);
}

#[test]
fn the_cache_holds_one_node_more_than_its_maximum() {
    let mut list = list(0..5);
    list.set_maximum_cache_size(1);
    (0..5).for_each(|_| assert!(list.remove_index(0).is_ok()));
    assert_eq!((list.cache_size, list.maximum_cache_size), (2, 1));
}

#[test]
fn a_smaller_maximum_empties_the_cache() {
    let mut list = list(0..5);
    (0..5).for_each(|_| assert!(list.remove_index(0).is_ok()));
    assert_eq!(list.cache_size, 5);
    list.set_maximum_cache_size(2);
    assert_eq!(list.cache_size, 2);
}

#[test]
fn a_clone_has_its_own_ring_and_cache() {
    let mut original = list(0..30);
    original.set_maximum_cache_size(25);
    (0..27).for_each(|_| assert!(original.remove_index(0).is_ok()));
    let copy = original.clone();
    assert_eq!((copy.cache_size, copy.maximum_cache_size, copy.mod_count), (26, 25, 57));
    original.add_last(7);
    original.set_maximum_cache_size(0);
    assert_eq!(format!("{copy:?} {}", copy.cache_size), "[27, 28, 29] 26");
    drop(original);
    assert_eq!(format!("{:?}", copy.clone()), "[27, 28, 29]");
}

#[test]
fn large_lists_are_dropped_without_recursion() {
    drop(list(0..200_000));
}

#[test]
fn the_builders_reach_the_published_numbers() {
    let published = [(1, 4), (4, 20), (18, 114), (112, 904), (975, 9760)];
    assert_counts(&published, |k| builders(k).run(form).counts());
}

#[test]
fn all_methods_reach_the_published_numbers() {
    let published = [(2, 11), (12, 101), (71, 859), (553, 8857)];
    assert_counts(&published, |k| {
        let search = builders(k)
            .call_1(|list, maximum| list.set_maximum_cache_size(maximum as usize))
            .call_1(|list, value| list.contains(value));
        search.run(form).counts()
    });
}
