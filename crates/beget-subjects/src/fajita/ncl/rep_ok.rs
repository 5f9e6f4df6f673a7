//! The repOK of the caching list.
//!
//! The published one asks for values of the header and of cached nodes, which never have one, so that it rejects each
//! list of the class. The correction is that of the ROOPS list: exactly the elements have values.

use beget::heap::view::{NodeSet, OrBroken, RepOk, Verdict, clause};

use super::{NodeCachingLinkedList, NodeCachingLinkedListView, NodeView};
use crate::shared::Version::{self, Corrected, Published};

/// The published repOK, and the one in which exactly the elements have values.
pub const REP_OKS: [RepOk<NodeCachingLinkedList>; 2] = [
    RepOk::<NodeCachingLinkedList>::new("published", |list| rep_ok(list, Published)),
    RepOk::<NodeCachingLinkedList>::new("corrected", |list| rep_ok(list, Corrected)),
];

fn rep_ok(list: NodeCachingLinkedListView<'_>, version: Version) -> Verdict {
    let header = list.header().or_broken("the header is there")?;
    header.next().or_broken("the header has a next node")?;
    if version == Corrected {
        clause("the header has no value", header.value().is_none())?;
    }
    header.previous().or_broken("the header has a previous node")?;
    let is_within = list.cache_size() <= list.maximum_cache_size();
    clause("the cache size is at most the maximum", is_within)?;
    clause("the default maximum is 20", list.default_maximum_cache_size() == 20)?;
    clause("the size is not negative", list.size() >= 0)?;
    is_ring_ok(list, header, version)?;
    is_cache_ok(list, version)
}

fn is_ring_ok(
    list: NodeCachingLinkedListView<'_>,
    header: NodeView<'_>,
    version: Version,
) -> Verdict {
    let (mut node, mut n_nodes) = (header, 0);
    loop {
        n_nodes += 1;
        if version == Published {
            clause("ring nodes have a value", node.value().is_some())?;
        }
        let previous = node.previous().or_broken("ring nodes have a previous node")?;
        clause("next leads back from previous", previous.next() == Some(node))?;
        let next = node.next().or_broken("ring nodes have a next node")?;
        clause("previous leads back from next", next.previous() == Some(node))?;
        if version == Corrected && node != header {
            clause("elements are not null", node.value().is_some())?;
        }
        node = next;
        if node == header {
            break;
        }
    }
    clause("the size is the number of elements", list.size() == n_nodes - 1)
}

fn is_cache_ok(list: NodeCachingLinkedListView<'_>, version: Version) -> Verdict {
    let (mut next, mut seen) = (list.first_cached_node(), NodeSet::new());
    while let Some(node) = next {
        clause("the cache is acyclic", seen.insert(node))?;
        clause("cached nodes have no previous node", node.previous().is_none())?;
        if version == Corrected {
            clause("cached nodes have no value", node.value().is_none())?;
        } else {
            clause("cached nodes have a value", node.value().is_some())?;
        }
        next = node.next();
    }
    clause("the cache size is the number of cached nodes", list.cache_size() == seen.len() as i64)
}
