//! Plain values that all other folders use: numbers, recipes, blocks, counters, sightings.
//!
//! A folder of this crate imports only itself and those before it in this order: `data`, `store`,
//! `rebuild`, `worker`, `strategy`, `run`, `read`.

pub(crate) mod after_call;
pub(crate) mod after_panic;
pub(crate) mod block;
pub(crate) mod call_audit;
pub(crate) mod calls;
pub(crate) mod counted;
pub(crate) mod ids;
pub(crate) mod in_progress;
pub(crate) mod ledger;
pub(crate) mod merged;
pub(crate) mod origin;
pub(crate) mod parallel;
pub(crate) mod report;
pub(crate) mod sightings;
pub(crate) mod state_bytes;
pub mod varint;
pub(crate) mod wire;
