//! How serde is asked for values without saying what is in them: fields of any name, maps of raw
//! values, scalars.

use std::fmt;
use std::marker::PhantomData;

use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor,
};

/// Reads the fields of the struct named so, whatever theirs are.
pub(super) struct StructEntries(pub(super) &'static str);

impl<'t> DeserializeSeed<'t> for StructEntries {
    type Value = Vec<(&'t str, &'t RawValue)>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let visitor = Entries::<Identifier<'t>>(PhantomData);
        let entries = deserializer.deserialize_struct(self.0, &[], visitor)?;
        Ok(entries.into_iter().map(|(name, value)| (name.0, value)).collect())
    }
}

/// The entries of a map.
pub(super) struct MapEntries<'t>(pub(super) Vec<(&'t RawValue, &'t RawValue)>);

impl<'t> Deserialize<'t> for MapEntries<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries::<&'t RawValue>(PhantomData)).map(MapEntries)
    }
}

/// What a variant holds in its parentheses.
pub(super) struct VariantContent<'t>(pub(super) &'t RawValue);

impl<'t> Deserialize<'t> for VariantContent<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("", &[], VariantContentVisitor).map(VariantContent)
    }
}

/// A value without parts.
pub(super) enum Scalar {
    Int(i128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(String),
}

impl<'t> Deserialize<'t> for Scalar {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct Identifier<'t>(&'t str);

impl<'t> Deserialize<'t> for Identifier<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(IdentifierVisitor).map(Identifier)
    }
}

struct IdentifierVisitor;

impl<'t> Visitor<'t> for IdentifierVisitor {
    type Value = &'t str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'t str) -> Result<Self::Value, E> {
        Ok(name)
    }
}

struct Entries<K>(PhantomData<K>);

impl<'t, K: Deserialize<'t>> Visitor<'t> for Entries<K> {
    type Value = Vec<(K, &'t RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("names and values")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

struct VariantContentVisitor;

impl<'t> Visitor<'t> for VariantContentVisitor {
    type Value = &'t RawValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variant that holds something")
    }

    fn visit_enum<A: EnumAccess<'t>>(self, access: A) -> Result<Self::Value, A::Error> {
        let (_, content) = access.variant::<Identifier<'t>>()?;
        content.newtype_variant()
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, string, character or boolean")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Int(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Int(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Float(value))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_char<E: de::Error>(self, value: char) -> Result<Scalar, E> {
        Ok(Scalar::Char(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }
}
