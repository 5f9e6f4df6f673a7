//! Canonical forms and rules for the tests of all red-black case studies.

use super::{Color, Node, Side, Tree};
use crate::testing::Form;

/// The published tables, the same for every red-black set: generated and explored.
pub(crate) const SET_COUNTS: [(usize, usize); 7] =
    [(2, 7), (5, 24), (11, 71), (29, 239), (72, 727), (197, 2376), (561, 7866)];

/// Returns the canonical form of a tree; `write_value` writes the data beside a key.
pub(crate) fn form<N: Node>(tree: &Tree<N>, write_value: fn(&mut Form, &N::Value)) -> Form {
    let mut form = Form::default();
    write(&mut form, tree, tree.root, write_value);
    form.size(tree.size);
    form
}

fn write<N: Node>(
    form: &mut Form,
    tree: &Tree<N>,
    link: Option<usize>,
    write_value: fn(&mut Form, &N::Value),
) {
    if let Some(node) = form.link(link) {
        let value = tree.arena[node].value();
        let node = tree.at(node);
        form.value(node.color == N::Color::BLACK);
        form.value(node.key);
        write(form, tree, node.left, write_value);
        write(form, tree, node.parent, write_value);
        write(form, tree, node.right, write_value);
        write_value(form, value);
    }
}

/// Fails unless the tree obeys all rules of a red-black tree.
#[track_caller]
pub(crate) fn assert_sound<N: Node>(tree: &Tree<N>) {
    assert!(tree.is_black(tree.root), "the root is red");
    assert_eq!(tree.size, tree.arena.len(), "nodes and size differ");
    assert_eq!(tree.entries().count(), tree.size, "not all nodes are in the tree");
    assert!(tree.entries().map(|(key, _)| key).is_sorted_by(|a, b| a < b), "keys out of order");
    black_height(tree, tree.root, None);
}

#[track_caller]
fn black_height<N: Node>(tree: &Tree<N>, link: Option<usize>, parent: Option<usize>) -> usize {
    let Some(node) = link else { return 0 };
    assert_eq!(tree.at(node).parent, parent, "wrong parent");
    let is_red = tree.at(node).color == N::Color::RED;
    assert!(!is_red || tree.has_black_children(node), "red below red");
    let [left, right] = [Side::Left, Side::Right]
        .map(|side| black_height(tree, tree.child(node, side), Some(node)));
    assert_eq!(left, right, "black heights differ");
    left + usize::from(!is_red)
}

/// Removing keys in another order than their insertion empties the tree; it stays sound.
#[test]
fn long_runs_of_insertions_and_removals_keep_the_rules() {
    let mut tree: Tree<crate::kiasan::treemap::Entry> = Tree::default();
    let key = |i: i32| i * 37 % 101;
    for i in 0..101 {
        assert_eq!(tree.insert(key(i), i), None);
        assert_sound(&tree);
    }
    for i in 0..101 {
        let position = i * 64 % 101;
        assert_eq!(tree.take(key(position)), Some(position));
        assert_sound(&tree);
    }
    assert_eq!((tree.len(), tree.mod_count), (0, 202));
}
