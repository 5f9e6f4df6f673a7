//! Plain data as bytes, for the state of a run.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data::origin::StoreError;

/// Plain data as bytes.
pub(crate) fn to_bytes(data: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(data, Vec::new()).expect("plain data can be written to memory")
}

/// Plain data of bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    let data = postcard::from_bytes(bytes);
    data.map_err(|error| StoreError::Failed(format!("no state of a run: {error}")))
}
