//! Plain values as bytes, for messages and for the state of a run.
//!
//! The bytes are those of the crate `postcard`: numbers take seven bits per byte, a list is its
//! length and its items, a variant is its number and its fields, and fields follow each other.
//! Nothing in them says what they are, so both sides must have the same types. The crates of a
//! user's test would build slower with `serde` than with these impls.
//!
//! A reader consumes the front of the bytes; if they are torn or damaged it gives `None`. A sender
//! cannot make it reserve much more memory than was sent.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use beget_heap::{CanonicalForm, FormRef, PassedBound};
use beget_plan::finding::{Kind, Problem, ShownProblem, Sightings};
use beget_plan::scope::{CallAudits, PlannedIdx};
use beget_suite::TypeIdx;

use crate::data::varint::{put, take, take_bytes};

/// A value that can be written as bytes and read again.
pub(crate) trait Wire: Sized {
    /// Appends the value.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// Reads a value written by [`Wire::pack`].
    fn unpack(bytes: &mut &[u8]) -> Option<Self>;
}

/// Implements [`Wire`] for structs, field by field; a field of a tuple is its number.
macro_rules! packs_fields {
    ($($ty:ident { $($field:tt),+ $(,)? })+) => {
        $(impl $crate::data::wire::Wire for $ty {
            fn pack(&self, bytes: &mut Vec<u8>) {
                $($crate::data::wire::Wire::pack(&self.$field, bytes);)+
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                Some($ty { $($field: $crate::data::wire::Wire::unpack(bytes)?),+ })
            }
        })+
    };
}

pub(crate) use packs_fields;

/// The bytes of a value.
pub(crate) fn to_bytes(value: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.pack(&mut bytes);
    bytes
}

macro_rules! packs_numbers {
    ($($ty:ident)+) => {
        $(impl Wire for $ty {
            #[inline]
            fn pack(&self, bytes: &mut Vec<u8>) {
                put(bytes, *self as u64);
            }

            #[inline]
            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                take(bytes)?.try_into().ok()
            }
        })+
    };
}

packs_numbers! { u16 u32 u64 usize }

impl Wire for u8 {
    #[inline]
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self);
    }

    #[inline]
    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(byte)
    }
}

impl Wire for bool {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push((*self).into());
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        match u8::unpack(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

/// Appends bytes that are copied at once, behind their number.
pub(crate) fn pack_bytes(taken: &[u8], bytes: &mut Vec<u8>) {
    taken.len().pack(bytes);
    bytes.extend_from_slice(taken);
}

/// Reads what [`pack_bytes`] has written.
pub(crate) fn unpack_bytes<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = usize::unpack(bytes)?;
    take_bytes(bytes, len)
}

/// Appends numbers that are copied at once: four bytes each, the lowest first.
pub(crate) fn pack_numbers(numbers: &[u32], bytes: &mut Vec<u8>) {
    (4 * numbers.len()).pack(bytes);
    let start = bytes.len();
    bytes.resize(start + 4 * numbers.len(), 0);
    let places = bytes[start..].as_chunks_mut::<4>().0.iter_mut();
    places.zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
}

/// Reads what [`pack_numbers`] has written.
pub(crate) fn unpack_numbers(bytes: &mut &[u8]) -> Option<Vec<u32>> {
    let (numbers, rest) = unpack_bytes(bytes)?.as_chunks::<4>();
    let numbers = numbers.iter().map(|&number| u32::from_le_bytes(number));
    rest.is_empty().then(|| numbers.collect())
}

impl Wire for String {
    fn pack(&self, bytes: &mut Vec<u8>) {
        pack_bytes(self.as_bytes(), bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        String::from_utf8(unpack_bytes(bytes)?.to_vec()).ok()
    }
}

impl Wire for Cow<'static, str> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        pack_bytes(self.as_bytes(), bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        String::unpack(bytes).map(Cow::Owned)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.is_some().pack(bytes);
        self.iter().for_each(|value| value.pack(bytes));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(match bool::unpack(bytes)? {
            true => Some(T::unpack(bytes)?),
            false => None,
        })
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.len().pack(bytes);
        self.iter().for_each(|item| item.pack(bytes));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let len = usize::unpack(bytes)?;
        // An item has at least one byte.
        let mut items = Vec::with_capacity(len.min(bytes.len()));
        for _ in 0..len {
            items.push(T::unpack(bytes)?);
        }
        Some(items)
    }
}

impl<T: Wire> Wire for VecDeque<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.len().pack(bytes);
        self.iter().for_each(|item| item.pack(bytes));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Vec::unpack(bytes).map(VecDeque::from)
    }
}

impl<K: Wire + Ord, V: Wire> Wire for BTreeMap<K, V> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.len().pack(bytes);
        for (key, value) in self {
            key.pack(bytes);
            value.pack(bytes);
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let pairs = Vec::<(K, V)>::unpack(bytes)?;
        Some(pairs.into_iter().collect())
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
        self.1.pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::unpack(bytes)?, B::unpack(bytes)?))
    }
}

impl Wire for Range<u64> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.start.pack(bytes);
        self.end.pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(u64::unpack(bytes)?..u64::unpack(bytes)?)
    }
}

impl Wire for CanonicalForm {
    fn pack(&self, bytes: &mut Vec<u8>) {
        pack_bytes(self.as_bytes(), bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(FormRef::new(unpack_bytes(bytes)?).to_canonical())
    }
}

impl Wire for PassedBound {
    fn pack(&self, bytes: &mut Vec<u8>) {
        match *self {
            PassedBound::Objects { class } => (0_u32, class).pack(bytes),
            PassedBound::Arrays => bytes.push(1),
            PassedBound::Texts => bytes.push(2),
            PassedBound::Field { class, field } => (3_u32, (class, field)).pack(bytes),
            PassedBound::Ints => bytes.push(4),
            PassedBound::Returned => bytes.push(5),
            PassedBound::Undecided => bytes.push(6),
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u32::unpack(bytes)? {
            0 => PassedBound::Objects { class: u16::unpack(bytes)? },
            1 => PassedBound::Arrays,
            2 => PassedBound::Texts,
            3 => PassedBound::Field { class: u16::unpack(bytes)?, field: u16::unpack(bytes)? },
            4 => PassedBound::Ints,
            5 => PassedBound::Returned,
            6 => PassedBound::Undecided,
            _ => return None,
        })
    }
}

macro_rules! packs_positions {
    ($($ty:ident)+) => {
        $(impl Wire for $ty {
            fn pack(&self, bytes: &mut Vec<u8>) {
                self.index().pack(bytes);
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                usize::unpack(bytes).map($ty::new)
            }
        })+
    };
}

packs_positions! { PlannedIdx TypeIdx }

impl Wire for Kind {
    fn pack(&self, bytes: &mut Vec<u8>) {
        pack_bytes(self.name().as_bytes(), bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        String::unpack(bytes).map(Kind::new)
    }
}

packs_fields! {
    CallAudits { memory_sound, memory_freed, lies }
    Problem { kind, name, message, place, panic_message }
}

impl<S: ShownProblem + Wire> Wire for Sightings<S> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        let groups = self.groups();
        groups.len().pack(bytes);
        groups.iter().for_each(|(method, group)| {
            method.pack(bytes);
            group.pack(bytes);
        });
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Vec::<(PlannedIdx, S)>::unpack(bytes).map(Sightings::from)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;

    /// Checks the bytes of a value, which `postcard` would write too, and each part of them.
    #[track_caller]
    fn check<T: Wire + PartialEq + Debug>(value: T, bytes: &[u8]) {
        assert_eq!(to_bytes(&value), bytes);
        for end in 0..bytes.len() {
            assert_eq!(T::unpack(&mut &bytes[..end]), None, "{end} bytes");
        }
        let followed = [bytes, &[7]].concat();
        let mut rest = &followed[..];
        assert_eq!(T::unpack(&mut rest), Some(value));
        assert_eq!(rest, [7]);
    }

    #[test]
    fn values_have_the_bytes_of_postcard() {
        check(200_u8, &[200]);
        check(300_u16, &[0xac, 2]);
        check((true, u32::MAX), &[1, 0xff, 0xff, 0xff, 0xff, 0x0f]);
        check((Some("né".to_owned()), None::<u64>), &[1, 3, b'n', 0xc3, 0xa9, 0]);
        check(vec![vec![1_u32, 128], vec![]], &[2, 2, 1, 0x80, 1, 0]);
        check(VecDeque::from([5..6_u64, 7..9]), &[2, 5, 6, 7, 9]);
        check(BTreeMap::from([(1_u32, false), (2, true)]), &[2, 1, 0, 2, 1]);
        check(FormRef::new(&[9, 8]).to_canonical(), &[2, 9, 8]);
        let bounds = [
            (PassedBound::Objects { class: 300 }, &[0, 0xac, 2][..]),
            (PassedBound::Arrays, &[1]),
            (PassedBound::Texts, &[2]),
            (PassedBound::Field { class: 1, field: 2 }, &[3, 1, 2]),
            (PassedBound::Ints, &[4]),
            (PassedBound::Returned, &[5]),
            (PassedBound::Undecided, &[6]),
        ];
        bounds.into_iter().for_each(|(bound, bytes)| check(bound, bytes));
        let audits = CallAudits { memory_sound: true, memory_freed: false, lies: true };
        check((audits, TypeIdx::new(3)), &[1, 0, 1, 3]);
        let panic = Problem::panic("m", "f".to_owned());
        let text = "panicked at f: m";
        let kind = [&[5], &b"panic"[..]].concat();
        let rest = [&[0, text.len() as u8], text.as_bytes(), &[1, 1, b'f', 1, 1, b'm']].concat();
        check(panic, &[kind, rest].concat());
    }

    #[test]
    fn numbers_that_are_copied_at_once_have_four_bytes_each() {
        let mut bytes = vec![7];
        pack_numbers(&[1, 0x0102_0304], &mut bytes);
        assert_eq!(bytes, [7, 8, 1, 0, 0, 0, 4, 3, 2, 1]);
        assert_eq!(unpack_numbers(&mut &bytes[1..]), Some(vec![1, 0x0102_0304]));
        for end in 1..bytes.len() {
            assert_eq!(unpack_numbers(&mut &bytes[1..end]), None);
        }
        assert_eq!(unpack_numbers(&mut &[3, 0, 0, 0][..]), None);
    }

    #[test]
    fn impossible_values_are_refused() {
        assert_eq!(bool::unpack(&mut &[2][..]), None);
        assert_eq!(u16::unpack(&mut &[0x80, 0x80, 4][..]), None);
        assert_eq!(String::unpack(&mut &[1, 0xff][..]), None);
        assert_eq!(PassedBound::unpack(&mut &[7][..]), None);
        // The length of a list promises more than there is.
        assert_eq!(Vec::<u64>::unpack(&mut &[0xff, 0xff, 0xff, 0xff, 0x0f, 1][..]), None);
    }
}
