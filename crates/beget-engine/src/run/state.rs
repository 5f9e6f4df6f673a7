//! The state of a run besides its structures, as bytes, so that another process can continue it.
//!
//! A [`Store`](crate::store::Store) that [lasts](crate::store::Store::lasts) writes it beside the
//! structures. Only the same version of beget, with the same plan, can read it.

use crate::data::ledger::Ledger;
use crate::data::wire::packs_fields;
use crate::rebuild::reconstruct::Distrust;

/// The memory of an executor and its strategy between two batches.
#[derive(Clone, Debug)]
pub(crate) struct RunState {
    pub(crate) ledger: Ledger,
    pub(crate) distrust: Distrust,
    pub(crate) strategy: Vec<u8>,
}

packs_fields! { RunState { ledger, distrust, strategy } }
