//! The state of a run, or of its strategy, as bytes.

use crate::data::origin::StoreError;
use crate::data::wire::Wire;

/// The state from bytes that [`Wire::pack`] has written.
pub(crate) fn state_from<T: Wire>(mut bytes: &[u8]) -> Result<T, StoreError> {
    let damaged = || StoreError::Failed("no state of a run: the bytes are damaged".to_owned());
    T::unpack(&mut bytes).ok_or_else(damaged)
}
