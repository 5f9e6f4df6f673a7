//! Forms that this process has recently sent to their owners.
//!
//! An owner keeps all it is sent, so such a form is not new any more. Most calls leave a form that
//! another call has left before; it need not be sent again.

use std::fmt;

/// Short forms, each in the one place that its hash names. A form may be forgotten, but is never
/// taken for another.
pub(crate) struct KnownForms {
    /// The bytes of a form, the lowest first; zero where there is none.
    places: Vec<u128>,
}

impl fmt::Debug for KnownForms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownForms").field("places", &self.places.len()).finish()
    }
}

/// They take a megabyte.
const PLACES: usize = 1 << 16;

impl KnownForms {
    pub(crate) fn new() -> Self {
        KnownForms { places: vec![0; PLACES] }
    }

    /// Notes a form, without zeros at its end. Returns whether it was known already.
    #[inline]
    pub(crate) fn note(&mut self, hash: u64, form: &[u8]) -> bool {
        let mut bytes = [0; 16];
        let Some(start) = bytes.get_mut(..form.len()) else { return false };
        start.copy_from_slice(form);
        let form = u128::from_le_bytes(bytes);
        // The empty form looks like an empty place.
        if form == 0 {
            return false;
        }
        let place = &mut self.places[hash as usize % PLACES];
        std::mem::replace(place, form) == form
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_is_taken_for_another() {
        let mut known = KnownForms::new();
        // All have the same place.
        let forms: [&[u8]; 5] = [&[1], &[1, 2], &[0, 1], &[9; 16], &[9; 15]];
        for form in forms {
            assert!(!known.note(7, form), "{form:?}");
            assert!(known.note(7, form), "{form:?}");
        }
        assert!(!known.note(7, forms[0]));
        assert!(!known.note(8, forms[0]));
    }

    #[test]
    fn what_has_no_room_is_not_known() {
        let mut known = KnownForms::new();
        for form in [&[1; 17][..], &[]] {
            assert!(!known.note(0, form));
            assert!(!known.note(0, form));
        }
    }
}
