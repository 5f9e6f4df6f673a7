//! Long lists in messages: as bytes, which are copied at once, where serde would take each number
//! by itself.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

/// Takes bytes, and makes of them what `read` makes, or nothing.
pub(crate) struct PackedBytes<R> {
    pub(crate) expected: &'static str,
    pub(crate) read: R,
}

impl<T, R: FnOnce(&[u8]) -> Option<T>> Visitor<'_> for PackedBytes<R> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        let expected = self.expected;
        (self.read)(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &expected))
    }
}

/// Bytes as they are.
pub(crate) mod bytes {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let read = |bytes: &[u8]| Some(bytes.to_vec());
        deserializer.deserialize_bytes(PackedBytes { expected: "bytes", read })
    }
}

/// Numbers, four bytes each, the lowest first.
pub(crate) mod numbers {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        numbers: &[u32],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut bytes = vec![0; 4 * numbers.len()];
        let places = bytes.as_chunks_mut::<4>().0.iter_mut();
        places.zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
        serializer.serialize_bytes(&bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u32>, D::Error> {
        deserializer.deserialize_bytes(PackedBytes { expected: "four bytes for each number", read })
    }

    fn read(bytes: &[u8]) -> Option<Vec<u32>> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let numbers = numbers.iter().map(|&number| u32::from_le_bytes(number));
        rest.is_empty().then(|| numbers.collect())
    }
}

/// Canonical forms, one after another.
pub(crate) mod forms {
    use beget_heap::{CanonicalForm, FormRef};
    use serde::{Deserialize, Serialize};

    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        forms: &[CanonicalForm],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let bytes: Vec<&[u8]> = forms.iter().map(CanonicalForm::as_bytes).collect();
        bytes.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<CanonicalForm>, D::Error> {
        let forms = Vec::<Vec<u8>>::deserialize(deserializer)?;
        Ok(forms.iter().map(|bytes| FormRef::new(bytes).to_canonical()).collect())
    }
}

/// A canonical form.
pub(crate) mod form {
    use beget_heap::{CanonicalForm, FormRef};

    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        form: &CanonicalForm,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bytes::serialize(form.as_bytes(), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<CanonicalForm, D::Error> {
        Ok(FormRef::new(&bytes::deserialize(deserializer)?).to_canonical())
    }
}
