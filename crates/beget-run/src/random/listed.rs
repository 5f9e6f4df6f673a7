//! The literals that a domain lists.

use beget_suite::{Extent, Literal, LiteralDomain, Pools};

/// How `None` is written.
pub(crate) const NONE: &str = "None";

/// The literals of a domain, if they are not too many.
pub(crate) fn listed(domain: &LiteralDomain, pools: &Pools) -> Vec<Literal> {
    let is_listable = (domain.extent)(pools).is_ok_and(Extent::is_listable);
    match is_listable {
        true => (domain.literals)(pools).unwrap_or_default(),
        false => Vec::new(),
    }
}
