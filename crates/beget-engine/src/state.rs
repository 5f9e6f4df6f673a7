//! What a run is besides its structures, as bytes, so that another process can go on with it.
//!
//! A [`Store`](crate::store::Store) that [lasts](crate::store::Store::lasts) writes it beside the
//! structures. It is only read by the same version of beget, with the same plan.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ledger::Ledger;
use crate::reconstruct::Distrust;
use crate::store::StoreError;

/// What an executor and its strategy remember between two batches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunState {
    pub(crate) ledger: Ledger,
    pub(crate) distrust: Distrust,
    pub(crate) strategy: Vec<u8>,
}

/// Plain data as bytes.
pub(crate) fn to_bytes(data: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(data, Vec::new()).expect("plain data can be written to memory")
}

/// Plain data of bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    let data = postcard::from_bytes(bytes);
    data.map_err(|error| StoreError::Failed(format!("no state of a run: {error}")))
}
