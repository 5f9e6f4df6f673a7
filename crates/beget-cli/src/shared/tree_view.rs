//! Clauses that the repOKs of binary trees share.

use beget::heap::view::{BrokenClause, NodeSet, NodeView, Verdict, Worklist, clause};

/// The view of a node of a binary tree.
pub(crate) trait TreeNodeView<'h>: NodeView<'h> + PartialEq {
    /// Returns the left child.
    fn left(self) -> Option<Self>;
    /// Returns the right child.
    fn right(self) -> Option<Self>;
    /// Returns the key that orders the tree.
    fn key(self) -> i64;
}

/// Counts the nodes if no node is met twice. Breadth-first, the left child before the right one.
pub(crate) fn count_acyclic<'h, N: TreeNodeView<'h>>(root: N) -> Result<i64, BrokenClause> {
    count_checked(root, |_, _| Ok(()))
}

/// Like [`count_acyclic`], but also calls `is_child_ok` with each node and its child, once the
/// child is known to be new.
pub(crate) fn count_checked<'h, N: TreeNodeView<'h>>(
    root: N,
    is_child_ok: impl Fn(N, N) -> Verdict,
) -> Result<i64, BrokenClause> {
    let (mut seen, mut pending) = (NodeSet::new(), Worklist::new());
    seen.insert(root);
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        if let Some(left) = node.left() {
            clause(MET_TWICE, seen.insert(left))?;
            is_child_ok(node, left)?;
            pending.push(left);
        }
        if let Some(right) = node.right() {
            clause(MET_TWICE, seen.insert(right))?;
            is_child_ok(node, right)?;
            pending.push(right);
        }
    }
    Ok(seen.len() as i64)
}

const MET_TWICE: &str = "no node is met twice";

/// Applies `check` to the nodes of a tree, breadth-first.
pub(crate) fn try_each<'h, N: TreeNodeView<'h>>(root: N, check: impl Fn(N) -> Verdict) -> Verdict {
    let mut pending = Worklist::new();
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        check(node)?;
        [node.left(), node.right()].into_iter().flatten().for_each(|child| pending.push(child));
    }
    Ok(())
}

/// Applies `check` to a child, if there is one.
pub(crate) fn below<N>(child: Option<N>, check: impl FnOnce(N) -> Verdict) -> Verdict {
    child.map_or(Ok(()), check)
}

/// Checks that the keys increase from left to right and lie between the bounds.
pub(crate) fn is_ordered<'h, N: TreeNodeView<'h>>(
    node: N,
    low: Option<i64>,
    high: Option<i64>,
) -> Verdict {
    is_ordered_checked(node, low, high, |_| Ok(()))
}

/// Like [`is_ordered`] without bounds, but rejects the key -1: the originals write -1 for "no
/// bound", so they reject it too.
pub(crate) fn is_ordered_without_minus_one<'h>(root: impl TreeNodeView<'h>) -> Verdict {
    is_ordered_checked(root, None, None, |key| clause("no key is -1", key != -1))
}

fn is_ordered_checked<'h, N: TreeNodeView<'h>>(
    node: N,
    low: Option<i64>,
    high: Option<i64>,
    is_key_ok: impl Fn(i64) -> Verdict + Copy,
) -> Verdict {
    let key = node.key();
    is_key_ok(key)?;
    let is_between = low.is_none_or(|low| key > low) && high.is_none_or(|high| key < high);
    clause("keys are in order", is_between)?;
    below(node.left(), |left| is_ordered_checked(left, low, Some(key), is_key_ok))?;
    below(node.right(), |right| is_ordered_checked(right, Some(key), high, is_key_ok))
}

/// Checks that the node is one higher than its higher child, and that the heights of its children
/// differ by at most one. An absent child has `height_of_none`.
pub(crate) fn is_balanced<'h, N: TreeNodeView<'h>>(
    node: N,
    height: fn(N) -> i64,
    height_of_none: i64,
) -> Verdict {
    let left = node.left().map_or(height_of_none, height);
    let right = node.right().map_or(height_of_none, height);
    clause("the heights of children differ by at most 1", left.abs_diff(right) <= 1)?;
    clause("the height is above the higher child", height(node) == 1 + left.max(right))
}

/// Returns the key of the node reached by following `next` as far as possible.
pub(crate) fn last_key<'h, N: TreeNodeView<'h>>(root: N, next: fn(N) -> Option<N>) -> i64 {
    std::iter::successors(Some(root), |&node| next(node)).last().unwrap_or(root).key()
}

// An accessor takes a load or two, and searches call it billions of times. Without inlining, the
// calls would take a quarter of the time.
/// Implements [`TreeNodeView`] with the accessors of a derived view. If the red color is given,
/// also implements [`RedBlackView`](crate::shared::redblack::clauses::RedBlackView).
macro_rules! tree_node_view {
    ($view:ident, $key:ident $(, red: $red:expr)?) => {
        impl<'h> $crate::shared::tree_view::TreeNodeView<'h> for $view<'h> {
            #[inline(always)]
            fn left(self) -> Option<Self> {
                self.left()
            }

            #[inline(always)]
            fn right(self) -> Option<Self> {
                self.right()
            }

            #[inline(always)]
            fn key(self) -> i64 {
                self.$key()
            }
        }

        $(impl<'h> $crate::shared::redblack::clauses::RedBlackView<'h> for $view<'h> {
            #[inline(always)]
            fn parent(self) -> Option<Self> {
                self.parent()
            }

            #[inline(always)]
            fn is_red(self) -> bool {
                self.color() == $red
            }
        })?
    };
}
pub(crate) use tree_node_view;
