use std::collections::BTreeSet;

use super::*;
use crate::testing::{Form, Search, SearchResult, assert_counts};

fn set(keys: impl IntoIterator<Item = i32>) -> TreeSet {
    let mut set = TreeSet::new();
    keys.into_iter().for_each(|key| assert!(!set.add(key)));
    set
}

fn form(set: &TreeSet) -> Form {
    let mut form = Form::default();
    write(&mut form, &set.root);
    form.size(set.size);
    form
}

fn write(form: &mut Form, node: &Link) {
    let id = node.as_ref().map(|node| Rc::as_ptr(node).addr());
    if let (Some(_), Some(node)) = (form.link(id), node) {
        let node = node.borrow();
        form.value(node.color == Black);
        form.value(node.key);
        write(form, &node.left);
        write(form, &node.parent.upgrade());
        write(form, &node.right);
    }
}

/// Explores the sets that adding and removing build, up to `k` entries with keys below `k`.
fn explored(k: i32) -> SearchResult<TreeSet> {
    let search = Search::new(k).starts(TreeSet::new);
    search.call_1(TreeSet::add).call_1(TreeSet::remove).run(form)
}

fn keys(set: &TreeSet) -> Vec<i32> {
    let mut keys = Vec::new();
    collect_keys(&set.root, &mut keys);
    keys
}

/// Asserts that the set is a red-black tree with correct parent links and size.
#[track_caller]
fn assert_is_red_black(set: &TreeSet) {
    let keys = keys(set);
    assert!(keys.is_sorted_by(|a, b| a < b), "keys out of order: {set:?}");
    assert_eq!(set.size, keys.len());
    assert_eq!(color(&set.root), Black);
    assert!(set.root.as_ref().is_none_or(|root| parent(root).is_none()));
    black_height(&set.root);
}

#[track_caller]
fn black_height(node: &Link) -> usize {
    let Some(node) = node else { return 0 };
    let below = [Left, Right].map(|side| child(node, side));
    for child in below.iter().flatten() {
        assert!(parent(child).is_some_and(|above| Rc::ptr_eq(&above, node)));
    }
    let is_red = node.borrow().color == Red;
    assert!(!is_red || below.iter().all(|child| color(child) == Black), "red below red");
    let heights = below.each_ref().map(black_height);
    assert_eq!(heights[0], heights[1], "black heights below {:?}", node.borrow());
    heights[0] + usize::from(!is_red)
}

#[test]
fn add_says_whether_the_key_was_there() {
    let mut set = TreeSet::new();
    assert!(!set.add(2));
    assert!(!set.add(1));
    assert!(set.add(2));
    assert_eq!((format!("{set:?}").as_str(), set.size, set.mod_count), ("{1, 2}", 2, 2));
}

#[test]
fn remove_says_whether_the_key_was_there() {
    let mut set = set(0..4);
    assert!(set.remove(1));
    assert!(!set.remove(1));
    assert_eq!((format!("{set:?}").as_str(), set.size, set.mod_count), ("{0, 2, 3}", 3, 5));
}

#[test]
fn only_keys_are_contained() {
    let set = set([3, 1]);
    assert!(set.contains(3) && set.contains(1) && !set.contains(2));
}

#[test]
fn a_tree_from_an_entry_has_a_red_root() {
    let set = TreeSet::from_entry(TreeSetEntry::new(5));
    assert_eq!((color(&set.root), set.size), (Red, 1));
    assert!(set.contains(5));
}

#[test]
fn a_clone_is_independent_of_its_original() {
    let mut original = set(0..8);
    let copy = original.clone();
    (0..8).for_each(|key| assert!(original.remove(key)));
    assert_eq!(format!("{original:?} {copy:?}"), "{} {0, 1, 2, 3, 4, 5, 6, 7}");
    assert_is_red_black(&copy);
}

#[test]
fn removed_nodes_are_freed() {
    let mut set = set([2, 1, 3]);
    let root = Rc::downgrade(set.root.as_ref().expect("a root"));
    let leaf = Rc::downgrade(&child_of(&set.root, Right).expect("a right child"));
    assert!(set.remove(2), "the root takes the key of its successor, whose node goes");
    assert_eq!((root.strong_count(), leaf.strong_count()), (1, 0));
    drop(set);
    assert_eq!(root.strong_count(), 0);
}

#[test]
fn the_set_agrees_with_the_standard_one_after_every_call() {
    let (mut set, mut model) = (TreeSet::new(), BTreeSet::new());
    let mut seed = 1_u32;
    for _ in 0..4_000 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let key = (seed >> 16) as i32 % 64;
        if seed >> 31 == 0 {
            assert_eq!(set.add(key), !model.insert(key));
        } else {
            assert_eq!(set.remove(key), model.remove(&key));
        }
        assert_is_red_black(&set);
        assert!(keys(&set).iter().eq(&model));
    }
}

#[test]
fn the_builders_reach_the_published_numbers() {
    let published = [(2, 7), (5, 24), (11, 71), (29, 239), (72, 727), (197, 2376), (561, 7866)];
    assert_counts(&published, |k| {
        let found = explored(k);
        found.structures.iter().for_each(assert_is_red_black);
        found.counts()
    });
}

#[test]
fn slack_adds_the_trees_that_come_from_larger_ones() {
    let valid = [(1, 0, 2), (2, 0, 5), (3, 1, 12), (4, 0, 29), (5, 3, 74), (6, 2, 201)];
    for (k, slack, n_valid) in valid {
        let in_scope = |set: &&TreeSet| keys(set).iter().all(|&key| key < k);
        let found = explored(k + slack);
        assert_eq!(found.structures.iter().filter(in_scope).count(), n_valid, "scope {k}");
    }
}
