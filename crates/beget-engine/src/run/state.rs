//! What a run is besides its structures, as bytes, so that another process can go on with it.
//!
//! A [`Store`](crate::store::Store) that [lasts](crate::store::Store::lasts) writes it beside the
//! structures. It is only read by the same version of beget, with the same plan.

use serde::{Deserialize, Serialize};

use crate::data::ledger::Ledger;
use crate::rebuild::reconstruct::Distrust;

/// What an executor and its strategy remember between two batches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunState {
    pub(crate) ledger: Ledger,
    pub(crate) distrust: Distrust,
    pub(crate) strategy: Vec<u8>,
}
