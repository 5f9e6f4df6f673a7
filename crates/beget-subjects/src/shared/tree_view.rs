//! What repOKs of binary trees have in common.

use beget::heap::view::{Broken, NodeSet, NodeView, Verdict, Worklist, clause};

/// The view of a node of a binary tree.
pub(crate) trait TreeNodeView<'h>: NodeView<'h> + PartialEq {
    /// The left child.
    fn left(self) -> Option<Self>;
    /// The right child.
    fn right(self) -> Option<Self>;
    /// What the tree is ordered by.
    fn key(self) -> i64;
}

/// The number of nodes, if none is met twice. Breadth-first, the left child before the right one.
pub(crate) fn count_acyclic<'h, N: TreeNodeView<'h>>(root: N) -> Result<i64, Broken> {
    count_checked(root, |_, _| Ok(()))
}

/// As [`count_acyclic`], asking `is_child_ok` of each node and its child once it knows that the child is new.
pub(crate) fn count_checked<'h, N: TreeNodeView<'h>>(
    root: N,
    is_child_ok: impl Fn(N, N) -> Verdict,
) -> Result<i64, Broken> {
    let (mut seen, mut pending) = (NodeSet::new(), Worklist::new());
    seen.insert(root);
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        for child in [N::left, N::right] {
            if let Some(child) = child(node) {
                clause("no node is met twice", seen.insert(child))?;
                is_child_ok(node, child)?;
                pending.push(child);
            }
        }
    }
    Ok(seen.len() as i64)
}

/// What `check` says of the nodes of a tree, breadth-first.
pub(crate) fn try_each<'h, N: TreeNodeView<'h>>(root: N, check: impl Fn(N) -> Verdict) -> Verdict {
    let mut pending = Worklist::new();
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        check(node)?;
        [node.left(), node.right()].into_iter().flatten().for_each(|child| pending.push(child));
    }
    Ok(())
}

/// Whether the keys increase from left to right and lie between the bounds.
pub(crate) fn is_ordered<'h, N: TreeNodeView<'h>>(
    node: N,
    low: Option<i64>,
    high: Option<i64>,
) -> Verdict {
    let key = node.key();
    let is_between = low.is_none_or(|low| key > low) && high.is_none_or(|high| key < high);
    clause("keys are in order", is_between)?;
    if let Some(left) = node.left() {
        is_ordered(left, low, Some(key))?;
    }
    match node.right() {
        Some(right) => is_ordered(right, Some(key), high),
        None => Ok(()),
    }
}

/// The key of the node that is reached by going to the left, or to the right, as far as possible.
pub(crate) fn last_key<'h, N: TreeNodeView<'h>>(root: N, next: fn(N) -> Option<N>) -> i64 {
    std::iter::successors(Some(root), |&node| next(node)).last().unwrap_or(root).key()
}

/// Implements [`TreeNodeView`] by the accessors of a view that derive made.
macro_rules! tree_node_view {
    ($view:ident, $key:ident) => {
        impl<'h> $crate::shared::tree_view::TreeNodeView<'h> for $view<'h> {
            fn left(self) -> Option<Self> {
                self.left()
            }

            fn right(self) -> Option<Self> {
                self.right()
            }

            fn key(self) -> i64 {
                self.$key()
            }
        }
    };
}
pub(crate) use tree_node_view;
