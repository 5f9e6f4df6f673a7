//! No case study keeps memory: what was removed or dropped is freed.
//!
//! A binary of its own: it installs an allocator that counts.
#![allow(unsafe_code)] // Counting allocations takes an allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use beget_subjects::{apache, fajita, kiasan, korat, roops};

/// The system's allocator, with a count of live allocations per thread.
struct Counting;

thread_local! {
    static N_LIVE: Cell<i64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on as it is; counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_LIVE.set(N_LIVE.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        N_LIVE.set(N_LIVE.get() - 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many allocations more are live after the action than before.
fn n_kept<R>(action: impl FnOnce() -> R) -> i64 {
    let before = N_LIVE.get();
    drop(black_box(action()));
    N_LIVE.get() - before
}

/// Uses a structure, clones it in a used state, uses the clone; then drops both.
#[track_caller]
fn assert_frees_all<T: Clone>(new: fn() -> T, fill: fn(&mut T, i32), drain: fn(&mut T, i32)) {
    let n_kept = n_kept(|| {
        let mut structure = new();
        (0..24).for_each(|x| fill(&mut structure, x * 7 % 24));
        (0..12).for_each(|x| drain(&mut structure, x * 5 % 12));
        let mut clone = structure.clone();
        (0..8).for_each(|x| fill(&mut clone, x));
        (0..24).for_each(|x| drain(&mut clone, x));
    });
    assert_eq!(n_kept, 0, "allocations outlive the structure");
}

/// Checks that emptying leaves as many allocations as a new structure has.
#[track_caller]
fn assert_emptying_frees<T>(new: fn() -> T, fill: fn(&mut T, i32), drain: fn(&mut T, i32)) {
    let before = N_LIVE.get();
    let mut structure = new();
    let n_fresh = N_LIVE.get() - before;
    (0..10).for_each(|x| fill(&mut structure, x));
    (0..10).for_each(|x| drain(&mut structure, x));
    assert_eq!(N_LIVE.get() - before, n_fresh, "removed nodes are still allocated");
}

#[test]
fn the_trees_free_all() {
    assert_frees_all(
        roops::avl::AvlTree::new,
        roops::avl::AvlTree::insert,
        roops::avl::AvlTree::remove,
    );
    assert_frees_all(fajita::avl::AvlTree::new, fajita::avl::AvlTree::insert, |tree, x| {
        if x == 5 {
            tree.make_empty();
        }
    });
    assert_frees_all(fajita::bintree::BinTree::new, fajita::bintree::BinTree::add, |_, _| ());
    assert_frees_all(
        kiasan::bst::BinarySearchTree::new,
        kiasan::bst::BinarySearchTree::insert,
        kiasan::bst::BinarySearchTree::remove,
    );
    assert_frees_all(roops::bintree::BinTree::new, roops::bintree::BinTree::add, remove_key);
}

fn remove_key(tree: &mut roops::bintree::BinTree, key: i32) {
    if let Some(node) = tree.node(key) {
        tree.remove(&node).expect("the node is in the tree");
    }
}

#[test]
fn the_red_black_trees_free_all() {
    use kiasan::treemap::TreeMap;
    use korat::rbt::RedBlackTree;

    assert_frees_all(
        RedBlackTree::new,
        |set, x| {
            set.add(x);
        },
        |set, x| {
            set.remove(x);
        },
    );
    assert_frees_all(
        TreeMap::new,
        |map, x| {
            map.put(x, x);
        },
        |map, x| {
            map.remove(x);
        },
    );
}

#[test]
fn the_heaps_free_all() {
    assert_frees_all(
        roops::binheap::BinomialHeap::new,
        roops::binheap::BinomialHeap::insert,
        |heap, _| {
            heap.extract_min().ok();
        },
    );
    assert_frees_all(
        fajita::binheap::BinomialHeap::new,
        fajita::binheap::BinomialHeap::insert,
        fajita::binheap::BinomialHeap::delete,
    );
    assert_frees_all(
        korat::binheap::BinomialHeap::new,
        korat::binheap::BinomialHeap::insert,
        korat::binheap::BinomialHeap::delete,
    );
    assert_frees_all(roops::fibheap::FibHeap::new, roops::fibheap::FibHeap::insert, |heap, _| {
        heap.remove_min();
    });
    assert_frees_all(
        || kiasan::binaryheap::BinaryHeap::with_capacity(40),
        |heap, x| heap.insert(x).expect("there is room"),
        |heap, _| {
            heap.delete_min();
        },
    );
}

#[test]
fn the_lists_free_all() {
    use fajita::cdlist::LinkedList;
    use fajita::ncl::NodeCachingLinkedList;
    use fajita::slist::SinglyLinkedList;
    use kiasan::dllist::DoubleLinkedList;
    use kiasan::stack::StackLi;

    assert_frees_all(LinkedList::new, fill_cdlist, |list, x| {
        list.remove(x);
    });
    assert_frees_all(NodeCachingLinkedList::new, fill_ncl, |list, x| {
        list.remove(x);
    });
    assert_frees_all(apache::ncl::NodeCachingLinkedList::new, fill_apache_ncl, |list, x| {
        list.remove(x);
    });
    assert_frees_all(DoubleLinkedList::new, DoubleLinkedList::add_first, |list, x| {
        list.remove(x);
    });
    assert_frees_all(SinglyLinkedList::new, SinglyLinkedList::insert_back, |list, x| {
        list.remove(x % 3).ok();
    });
    assert_frees_all(StackLi::new, StackLi::push, |stack, _| {
        stack.pop().ok();
    });
    assert_frees_all(
        korat::sortedlist::SortedList::new,
        korat::sortedlist::SortedList::add,
        |_, _| (),
    );
}

fn fill_cdlist(list: &mut fajita::cdlist::LinkedList, x: i32) {
    list.add_last(x);
}

fn fill_apache_ncl(list: &mut apache::ncl::NodeCachingLinkedList, x: i32) {
    list.add_first(x);
}

fn fill_ncl(list: &mut fajita::ncl::NodeCachingLinkedList, x: i32) {
    list.add_last(x);
}

#[test]
fn removed_nodes_are_freed_at_once() {
    use kiasan::dllist::DoubleLinkedList;

    assert_emptying_frees(
        roops::avl::AvlTree::new,
        roops::avl::AvlTree::insert,
        roops::avl::AvlTree::remove,
    );
    assert_emptying_frees(roops::bintree::BinTree::new, roops::bintree::BinTree::add, remove_key);
    assert_emptying_frees(fajita::cdlist::LinkedList::new, fill_cdlist, |list, x| {
        list.remove(x);
    });
    assert_emptying_frees(DoubleLinkedList::new, DoubleLinkedList::add_last, |list, x| {
        if x == 9 {
            list.clear();
        }
    });
}

#[test]
fn a_caching_list_keeps_twenty_nodes_and_frees_the_others() {
    let before = N_LIVE.get();
    let mut list = fajita::ncl::NodeCachingLinkedList::new();
    (0..25).for_each(|x| fill_ncl(&mut list, x));
    (0..25).for_each(|x| assert!(list.remove(x)));
    assert_eq!(N_LIVE.get() - before, 1 + 20, "the header and the kept nodes");
}
