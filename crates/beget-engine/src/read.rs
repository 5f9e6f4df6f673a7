//! Reading the results of a run.

pub(crate) mod dropping;
pub(crate) mod reader;
