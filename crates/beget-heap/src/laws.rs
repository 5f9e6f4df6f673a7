//! The laws that every [`Heap`] implementation keeps, as a checker for tests.
//!
//! ```
//! use beget_heap::laws;
//!
//! laws::check(&vec![Some(Box::new(3_u8)), None]).unwrap();
//! laws::check_clone(&vec![1_u8, 2], |list| list.push(3)).unwrap();
//! ```

use crate::root::AnyRoot;
use crate::{Bounds, CanonicalForm, Encoder, Heap, Layout, Schema};

/// A law that does not hold, with the forms that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// Two walks of one value gave different forms.
    UnstableWalk(CanonicalForm, CanonicalForm),
    /// The type describes itself as decodable, but this value could not be decoded.
    Undecodable(String),
    /// The decoded value walks to another form.
    DecodeDiffers(CanonicalForm, CanonicalForm),
    /// The clone walks to another form than its original.
    CloneDiffers(CanonicalForm, CanonicalForm),
    /// Changing the clone changed the original: they share state.
    CloneShares(CanonicalForm, CanonicalForm),
    /// The value has no decidable form: unordered contents tie in too many ways.
    Undecided,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Violation::UnstableWalk(a, b) => {
                write!(
                    f,
                    "two walks of one value differ ({a:x?}, {b:x?}): does `walk` depend on addresses or hash order?"
                )
            }
            Violation::Undecided => crate::OutOfScope::Undecided.fmt(f),
            Violation::Undecodable(reason) => write!(f, "decoding failed: {reason}"),
            Violation::DecodeDiffers(a, b) => {
                write!(
                    f,
                    "the decoded value differs ({a:x?}, {b:x?}): `decode` must read what `walk` wrote, in its order"
                )
            }
            Violation::CloneDiffers(a, b) => {
                write!(f, "the clone differs from its original ({a:x?}, {b:x?})")
            }
            Violation::CloneShares(a, b) => {
                write!(
                    f,
                    "changing the clone changed the original ({a:x?}, {b:x?}): `Clone` must copy what it shares"
                )
            }
        }
    }
}

impl std::error::Error for Violation {}

/// Checks that `value` walks the same way twice and, if its type says so, decodes to itself.
///
/// # Errors
/// The first law that does not hold.
pub fn check<T: Heap>(value: &T) -> Result<(), Violation> {
    let schema = Schema::of::<T>();
    let layout = Layout::new(&schema, &Bounds::unlimited());
    let first = stable_form(value, &layout)?;
    if !schema.undecodable.is_empty() {
        return Ok(());
    }
    match crate::decode::decode_form::<T>(&layout, &first) {
        Ok(decoded) => check_decoded(first, &decoded, &layout),
        Err(reason) => Err(Violation::Undecodable(reason.to_string())),
    }
}

fn stable_form(value: &dyn AnyRoot, layout: &Layout) -> Result<CanonicalForm, Violation> {
    let (first, second) = (form(value, layout)?, form(value, layout)?);
    match first == second {
        true => Ok(first),
        false => Err(Violation::UnstableWalk(first, second)),
    }
}

fn check_decoded(
    first: CanonicalForm,
    decoded: &dyn AnyRoot,
    layout: &Layout,
) -> Result<(), Violation> {
    let again = form(decoded, layout)?;
    match first == again {
        true => Ok(()),
        false => Err(Violation::DecodeDiffers(first, again)),
    }
}

/// Checks that a clone of `value` is equal to it and shares nothing with it, by changing the clone.
///
/// # Errors
/// The law that does not hold.
pub fn check_clone<T: Heap + Clone>(
    value: &T,
    change: impl FnOnce(&mut T),
) -> Result<(), Violation> {
    let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
    let before = form(value, &layout)?;
    let mut clone = value.clone();
    let cloned = form(&clone, &layout)?;
    if before != cloned {
        return Err(Violation::CloneDiffers(before, cloned));
    }
    change(&mut clone);
    let after = form(value, &layout)?;
    if before == after { Ok(()) } else { Err(Violation::CloneShares(before, after)) }
}

fn form(value: &dyn AnyRoot, layout: &Layout) -> Result<CanonicalForm, Violation> {
    match Encoder::new(layout).encode_any(value) {
        Ok(form) => Ok(form.to_canonical()),
        // Nothing is outside unlimited bounds.
        Err(_) => Err(Violation::Undecided),
    }
}
