//! Values from stored forms and recipes.

pub(crate) mod rebuilder;
pub(crate) mod reconstruct;
pub(crate) mod stored_graph;
