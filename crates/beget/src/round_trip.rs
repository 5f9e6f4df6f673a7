//! The round trip through `serde` that suites with `serde;` ask for.
//!
//! The written value is a value of serde's data model, kept as it is. A format would lose values
//! that it has no room for (keys that are no texts, floats that are no numbers, the difference
//! between a unit and nothing), and its errors could not be distinguished from the type's own.

use std::any::Any;

use beget_heap::{Bounds, Heap, canonical_form};
use beget_plan::finding::Problem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_content::{Deserializer, Serializer};

/// Writes the value and reads it again, in a form for people or in one for machines.
///
/// # Errors
/// The error of the type's own writing or reading.
pub fn round_trip<T: Serialize + DeserializeOwned>(
    value: &T,
    is_for_people: bool,
) -> Result<T, String> {
    let serializer = Serializer::new();
    let serializer = if is_for_people { serializer.human_readable() } else { serializer };
    let written = serializer.serialize(value);
    let written = written.map_err(|error| format!("it is not written: {error}"))?.into_owned();
    let deserializer = Deserializer::new(written);
    let deserializer = if is_for_people { deserializer.human_readable() } else { deserializer };
    deserializer.deserialize().map_err(|error| format!("what is written is not read: {error}"))
}

/// Like [`round_trip`], for a value whose type is erased.
#[doc(hidden)]
pub fn round_trip_of<T: Serialize + DeserializeOwned + 'static>(
    value: &dyn Any,
    is_for_people: bool,
) -> Result<Box<dyn Any>, String> {
    let value = value.downcast_ref::<T>().expect("it is of this type");
    Ok(Box::new(round_trip(value, is_for_people)?))
}

/// Fails like a run in which the value breaks the contract `serde_round_trip`; values are compared
/// by `==`.
///
/// # Panics
/// If it cannot be written or read again, or is a different value then.
///
/// ```
/// beget::assert_serde_round_trip(&vec![(1, "one".to_owned())]);
/// ```
#[track_caller]
#[allow(clippy::eq_op, reason = "what is not equal to itself is read as anything")]
pub fn assert_serde_round_trip<T>(value: &T)
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    assert_read(value, |read| read == value || value != value);
}

/// Like [`assert_serde_round_trip`], for a type without `PartialEq`: the heaps are compared.
///
/// # Panics
/// Like [`assert_serde_round_trip`].
#[track_caller]
pub fn assert_serde_same_heap<T: Serialize + DeserializeOwned + Heap>(value: &T) {
    let form = |value: &T| canonical_form(value, &Bounds::unlimited());
    assert_read(value, |read| form(read) == form(value));
}

#[track_caller]
fn assert_read<T>(value: &T, is_same: impl Fn(&T) -> bool)
where
    T: Serialize + DeserializeOwned,
{
    for is_for_people in [true, false] {
        let reason = match round_trip(value, is_for_people) {
            Ok(read) if is_same(&read) => continue,
            Ok(_) => "what is read is not what was written".to_owned(),
            Err(reason) => reason,
        };
        panic!("{}", Problem::contract("serde_round_trip", &reason));
    }
}
