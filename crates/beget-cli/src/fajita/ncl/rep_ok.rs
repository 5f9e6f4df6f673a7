//! The repOK of the caching list.
//!
//! The published repOK requires values in the header and in cached nodes, which never have one. It
//! therefore rejects every list of the class. The correction is the same as for the ROOPS list:
//! exactly the elements have values.

use beget::heap::view::{RepOk, Verdict, clause};

use super::{NodeCachingLinkedList, NodeCachingLinkedListView, NodeView};
use crate::shared::caching_list::{self, Values, caching_node_view};

/// The published repOK, and the version in which exactly the elements have values.
pub const REP_OKS: [RepOk<NodeCachingLinkedList>; 2] = [
    RepOk::<NodeCachingLinkedList>::new("published", |list| rep_ok(list, Values::Everywhere)),
    RepOk::<NodeCachingLinkedList>::new("corrected", |list| rep_ok(list, Values::OfElements)),
];

caching_node_view!(NodeView);

fn rep_ok(list: NodeCachingLinkedListView<'_>, values: Values) -> Verdict {
    let header = caching_list::header_on_ring(list.header(), values)?;
    let is_within = list.cache_size() <= list.maximum_cache_size();
    clause("the cache size is at most the maximum", is_within)?;
    clause("the default maximum is 20", list.default_maximum_cache_size() == 20)?;
    clause("the size is not negative", list.size() >= 0)?;
    let n_elements = caching_list::count_elements(header, values)?;
    clause("the size is the number of elements", list.size() == n_elements)?;
    let n_cached = caching_list::count_cached(list.first_cached_node(), values)?;
    clause("the cache size is the number of cached nodes", list.cache_size() == n_cached)
}
