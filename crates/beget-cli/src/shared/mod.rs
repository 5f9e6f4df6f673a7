//! Code that several case studies share.

pub(crate) mod avl;
pub mod binomial;
pub(crate) mod caching_list;
pub mod circular;
pub mod redblack;
pub(crate) mod ring;
pub(crate) mod search_tree;
pub(crate) mod tree_view;
mod version;

pub(crate) use version::Version;

/// Names a node of a structure that keeps its nodes in a vector.
///
/// A name is valid until the structure next removes a node, which moves the last node of the vector
/// into the gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub(crate) usize);
