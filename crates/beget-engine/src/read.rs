//! Reading what a run left.

pub(crate) mod dropping;
pub(crate) mod reader;
