//! The repOK of the search tree without a size. No flaw is known.

use beget::heap::view::RepOk;

use super::{BinaryNodeView, BinarySearchTree};
use crate::shared::tree_view::{below, is_ordered, tree_node_view};

/// The published repOK. If the keys are in order, no node is met twice.
pub const REP_OKS: [RepOk<BinarySearchTree>; 1] =
    [RepOk::<BinarySearchTree>::new("published", |tree| {
        below(tree.root(), |root| is_ordered(root, None, None))
    })];

tree_node_view!(BinaryNodeView, element);
