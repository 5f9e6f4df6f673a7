//! Clauses that the repOKs of two caching lists share. The two lists have fields of the same names.
//! Their published repOKs differ in the values that they require.

use beget::heap::view::{BrokenClause, NodeSet, NodeView, OrBroken, clause};

/// The view of a node of a caching list.
pub(crate) trait CachingNodeView<'h>: NodeView<'h> + PartialEq {
    /// Returns the next node of the ring or of the cache.
    fn next(self) -> Option<Self>;
    /// Returns the previous node.
    fn previous(self) -> Option<Self>;
    /// Returns whether the node has a value.
    fn has_value(self) -> bool;
}

/// The nodes that must have a value, and those that must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// The values are not checked.
    Ignored,
    /// All nodes have a value, even the header and cached nodes.
    Everywhere,
    /// The elements have a value, and no other node has.
    OfElements,
}

/// Returns the header if it is on a ring.
pub(crate) fn header_on_ring<'h, N: CachingNodeView<'h>>(
    header: Option<N>,
    values: Values,
) -> Result<N, BrokenClause> {
    let header = header.or_broken("the header is there")?;
    header.next().or_broken("the header has a next node")?;
    if values == Values::OfElements {
        clause("the header has no value", !header.has_value())?;
    }
    header.previous().or_broken("the header has a previous node")?;
    Ok(header)
}

/// Counts the elements on the ring if its links agree in both directions.
pub(crate) fn count_elements<'h, N: CachingNodeView<'h>>(
    header: N,
    values: Values,
) -> Result<i64, BrokenClause> {
    let (mut node, mut n_nodes) = (header, 0);
    loop {
        n_nodes += 1;
        if values == Values::Everywhere {
            clause("ring nodes have a value", node.has_value())?;
        }
        let previous = node.previous().or_broken("ring nodes have a previous node")?;
        clause("next leads back from previous", previous.next() == Some(node))?;
        let next = node.next().or_broken("ring nodes have a next node")?;
        clause("previous leads back from next", next.previous() == Some(node))?;
        if values == Values::OfElements && node != header {
            clause("elements are not null", node.has_value())?;
        }
        node = next;
        if node == header {
            return Ok(n_nodes - 1);
        }
    }
}

/// Counts the cached nodes if only `next` links them.
pub(crate) fn count_cached<'h, N: CachingNodeView<'h>>(
    first: Option<N>,
    values: Values,
) -> Result<i64, BrokenClause> {
    let (mut next, mut seen) = (first, NodeSet::new());
    while let Some(node) = next {
        clause("the cache is acyclic", seen.insert(node))?;
        clause("cached nodes have no previous node", node.previous().is_none())?;
        match values {
            Values::Ignored => {}
            Values::Everywhere => clause("cached nodes have a value", node.has_value())?,
            Values::OfElements => clause("cached nodes have no value", !node.has_value())?,
        }
        next = node.next();
    }
    Ok(seen.len() as i64)
}

// Inlined for the reason given at `tree_node_view`.
/// Implements [`CachingNodeView`] with the accessors of a derived view.
macro_rules! caching_node_view {
    ($view:ident) => {
        impl<'h> $crate::shared::caching_list::CachingNodeView<'h> for $view<'h> {
            #[inline(always)]
            fn next(self) -> Option<Self> {
                self.next()
            }

            #[inline(always)]
            fn previous(self) -> Option<Self> {
                self.previous()
            }

            #[inline(always)]
            fn has_value(self) -> bool {
                self.value().is_some()
            }
        }
    };
}
pub(crate) use caching_node_view;
