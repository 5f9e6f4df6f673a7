//! Rounds in which a process may say that it has failed, so that all end together.

use beget_engine::store::StoreError;

use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::saving::reason_of;

/// The last byte of a message: the process goes on, ...
const GOES_ON: u8 = 0;
/// ... it has no room, ...
const FULL: u8 = 1;
/// ... an interrupt has ended its work, ...
const CUT_SHORT: u8 = 2;
/// ... or it failed, for the reason in the message.
const FAILED: u8 = 3;

/// Makes a round with the messages of this process, or with the reason why it has none.
///
/// # Errors
/// If one of the processes has none.
pub(crate) fn exchange_checked(
    link: &ProcessLink,
    (step, detail): (RoundStep, u64),
    own: Result<Messages, StoreError>,
) -> Result<Messages, StoreError> {
    let (messages, failed) = match own {
        Ok(mut messages) => {
            messages.iter_mut().for_each(|message| message.push(GOES_ON));
            (messages, None)
        }
        Err(error) => (vec![to_bytes(&error); link.n()], Some(error)),
    };
    let mut arrived = link.exchange(step, detail, messages)?;
    if let Some(error) = failed {
        return Err(error);
    }
    for (from, message) in arrived.iter_mut().enumerate() {
        match message.pop() {
            Some(GOES_ON) => {}
            Some(FULL) => return Err(StoreError::Full),
            Some(CUT_SHORT) => return Err(StoreError::CutShort),
            Some(FAILED) => {
                let reason = String::from_utf8_lossy(message);
                return Err(StoreError::Failed(format!("{}: {reason}", link.name(from))));
            }
            _ => return Err(link.garbled(from)),
        }
    }
    Ok(arrived)
}

fn to_bytes(error: &StoreError) -> Vec<u8> {
    match error {
        StoreError::Full => vec![FULL],
        StoreError::CutShort => vec![CUT_SHORT],
        failed => [reason_of(failed).as_bytes(), &[FAILED]].concat(),
    }
}
