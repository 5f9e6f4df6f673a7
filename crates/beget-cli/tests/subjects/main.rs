//! The case studies: counts, repOKs, and the ways of running them.

pub mod agreement;
pub mod apache;
pub mod checks;
mod common;
pub mod contracts;
pub mod counts;
pub mod flaws;
pub mod generated_fibheap;
pub mod generated_ncl;
pub mod generated_skewheap;
pub mod generated_treeset;
pub mod random;
pub mod real;
pub mod rep_oks;
pub mod rep_oks_korat_kiasan;
pub mod rep_oks_roops_fajita;
pub mod scopes;
pub mod skewheap;
pub mod slack;
