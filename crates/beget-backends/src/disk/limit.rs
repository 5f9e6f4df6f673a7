//! The limit of saving: an interrupt leaves it some time, and what was saved before stays.

use std::fmt;

use crate::disk::error::DiskError;

/// Returns whether saving should be given up.
pub type IsOver = Box<dyn Fn() -> bool + Send + Sync>;

/// The limit of saving: a function that is called when a save begins, and makes its [`IsOver`].
///
/// Clocks and interrupts belong to the process, so it has no state of its own.
#[derive(Clone, Copy)]
pub struct SaveLimit(pub fn() -> IsOver);

/// No limit.
impl Default for SaveLimit {
    fn default() -> Self {
        SaveLimit(|| Box::new(|| false))
    }
}

impl fmt::Debug for SaveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SaveLimit").finish_non_exhaustive()
    }
}

impl SaveLimit {
    pub(crate) fn begin(self) -> SaveTime {
        SaveTime(self.0())
    }
}

/// The time of one save.
pub(crate) struct SaveTime(IsOver);

/// The number of steps between two questions.
const STEPS: u32 = 1024;

impl SaveTime {
    /// Refuses to go on once the time is over.
    pub(crate) fn check(&self) -> Result<(), DiskError> {
        match (self.0)() {
            true => Err(DiskError::CutShort),
            false => Ok(()),
        }
    }

    /// Asks now and then, at one step in [`STEPS`].
    pub(crate) fn check_at(&self, step: u32) -> Result<(), DiskError> {
        match step.is_multiple_of(STEPS) {
            true => self.check(),
            false => Ok(()),
        }
    }
}
