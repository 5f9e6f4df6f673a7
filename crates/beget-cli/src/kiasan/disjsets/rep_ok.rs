//! The repOK of the plain disjoint sets. The repOK has no flaw. The operations have flaws and build
//! structures that it rejects.

use beget::heap::view::RepOk;

use super::{DisjSets, ROOT};
use crate::kiasan::disjsets_fast::rep_ok::is_forest;

/// The published repOK.
pub const REP_OKS: [RepOk<DisjSets>; 1] =
    [RepOk::<DisjSets>::new("published", |sets| is_forest(sets.s(), |_| ROOT.into()))];
