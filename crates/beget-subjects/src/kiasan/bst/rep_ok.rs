//! The repOK of the search tree without a size. No flaw is known.

use beget::heap::view::RepOk;

use super::{BinaryNodeView, BinarySearchTree};
use crate::kiasan::trees::{below, is_ordered, node_view};

/// The published repOK. Where keys are in order, no node is met twice.
pub const REP_OKS: [RepOk<BinarySearchTree>; 1] =
    [RepOk::<BinarySearchTree>::new("published", |tree| {
        below(tree.root(), |root| is_ordered(root, None, None))
    })];

node_view!(BinaryNodeView { key: element });
