//! Hash maps and sets whose keys have no `Ord`: entries in the order of the keys' own forms.
//!
//! `derive(Heap)` falls back to this for fields of type `HashMap` and `HashSet` whose keys have no
//! `Ord`. Keys that differ but have equal forms tie: `ties` breaks ties by what the entries reach
//! and what reaches them. A key that reaches its own map has no form by itself, and ties too.
#![allow(
    clippy::disallowed_types,
    reason = "the maps are a subject's; they are walked in the order of their keys"
)]

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker};

/// A collection that is shown in the order of its keys' forms.
pub trait UnorderedCollection: Sized + 'static {
    /// Declares its contents.
    fn describe(schema: &mut Schema);

    /// Walks it.
    fn walk<W: Walker>(&self, walker: &mut W);

    /// Reads what `walk` wrote.
    ///
    /// # Errors
    /// The errors of [`Heap::decode`].
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable>;
}

impl<K, V, S> UnorderedCollection for HashMap<K, V, S>
where
    K: Heap + Eq + Hash,
    V: Heap,
    S: BuildHasher + Default + 'static,
{
    fn describe(schema: &mut Schema) {
        describe_map::<Self, K>(schema);
        schema.part::<V>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_map(self, self.iter(), true, walker, |value, walker| value.walk_in_place(walker));
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let length = decoder.begin_array();
        let entries = (0..length).map(|_| Ok((K::decode(decoder)?, V::decode(decoder)?)));
        let map = entries.collect();
        decoder.leave();
        map
    }
}

impl<T, S> UnorderedCollection for HashSet<T, S>
where
    T: Heap + Eq + Hash,
    S: BuildHasher + Default + 'static,
{
    fn describe(schema: &mut Schema) {
        describe_map::<Self, T>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let entries = self.iter().map(|key| (key, ()));
        walk_map(self, entries, true, walker, |(), _| {});
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let length = decoder.begin_array();
        let set = (0..length).map(|_| T::decode(decoder)).collect();
        decoder.leave();
        set
    }
}

/// Declares a map of type `M` and its keys.
pub(crate) fn describe_map<M: 'static, K: Heap>(schema: &mut Schema) {
    schema.sorted();
    schema.unordered();
    schema.array(class_of::<M>());
    schema.part::<K>();
}

fn class_of<M: 'static>() -> ClassKey {
    ClassKey::new::<M>(std::any::type_name::<M>())
}

/// Walks a map; `walk_value` shows the value of a key. Keys with equal forms tie if they `can_tie`;
/// a map that has an order of its own keeps it.
pub(crate) fn walk_map<'a, M: 'static, K: Heap, V: Copy, W: Walker>(
    map: &M,
    entries: impl Iterator<Item = (&'a K, V)>,
    can_tie: bool,
    walker: &mut W,
    mut walk_value: impl FnMut(V, &mut W),
) {
    let address = std::ptr::from_ref(map).addr();
    if walker.maps_around().contains(&address) {
        return walker.ties();
    }
    let maps_around = [walker.maps_around(), &[address]].concat();
    let entries: Vec<(&K, V)> = entries.collect();
    let mut keys = Vec::with_capacity(entries.len());
    for (at, (key, _)) in entries.iter().enumerate() {
        keys.push((bytes_of(*key, &maps_around), at));
    }
    if sort_keys(&mut keys, can_tie, size_of::<V>() > 0) {
        walker.ties();
    }
    walker.begin_sorted();
    if walker.enter(class_of::<M>(), Identity::Unique) {
        if walker.length(entries.len()) {
            walker.begin_contents();
            for (index, (own, at)) in keys.iter().enumerate() {
                let (key, value) = entries[*at];
                let place = (index as u64).to_be_bytes();
                walker.begin_entry(match can_tie {
                    true => (!own.has_ties).then_some(&own.bytes),
                    false => Some(&place),
                });
                walker.map_key(index);
                key.walk_in_place(walker);
                walker.map_value();
                walk_value(value, walker);
                walker.end_entry();
            }
            walker.end_contents();
        }
        walker.leave();
    }
    walker.end_sorted();
}

/// Sorts keys with their positions among the entries, and returns whether any tie. Compiled once,
/// not for each type of key.
fn sort_keys(keys: &mut [(KeyBytes<'_>, usize)], can_tie: bool, has_values: bool) -> bool {
    let within = keys.iter().any(|(own, _)| own.has_ties);
    if can_tie || !within {
        keys.sort_by(|(one, _), (other, _)| one.bytes.cmp(&other.bytes));
    }
    // Equal elements of a set that nothing else can share are the same in any order.
    let tie = |one: &KeyBytes<'_>, other: &KeyBytes<'_>| {
        (has_values || !one.known.is_empty()) && one.bytes == other.bytes
    };
    within || can_tie && keys.windows(2).any(|pair| tie(&pair[0].0, &pair[1].0))
}

/// The form of a key by itself, as bytes that order integers by value.
fn bytes_of<'m, T: Heap>(key: &T, maps_around: &'m [usize]) -> KeyBytes<'m> {
    let mut bytes = KeyBytes { maps_around, ..KeyBytes::default() };
    key.walk(&mut bytes);
    bytes
}

/// Writes a separate heap as bytes. The bytes of one heap are never a prefix of those of another.
#[derive(Default)]
pub(crate) struct KeyBytes<'m> {
    pub(crate) bytes: Vec<u8>,
    /// The shared objects met so far.
    known: Vec<usize>,
    /// True if it has unordered contents that tie, or reaches a map around it: then the bytes
    /// depend on an order.
    has_ties: bool,
    /// The addresses of the maps whose keys are walked, the outermost first.
    maps_around: &'m [usize],
}

impl KeyBytes<'_> {
    pub(crate) fn write(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(bytes);
    }

    fn write_signed(&mut self, value: i64) {
        // With the sign bit flipped, negative numbers come first.
        self.write(2, &(value.cast_unsigned() ^ (1 << 63)).to_be_bytes());
    }

    pub(crate) fn write_text(&mut self, text: &[u8]) {
        self.bytes.push(5);
        // A zero byte is followed by another one at the end only, so a text sorts before its
        // extensions.
        for &byte in text {
            self.bytes.push(byte);
            if byte == 0 {
                self.bytes.push(0xff);
            }
        }
        self.bytes.extend([0, 0]);
    }
}

impl Walker for KeyBytes<'_> {
    fn primitive(&mut self, value: Primitive<'_>) {
        match value {
            Primitive::Bool(value) | Primitive::Present(value) => self.write(1, &[value.into()]),
            Primitive::Signed(value) => self.write_signed(value),
            Primitive::Unsigned(value) | Primitive::Word(value) => {
                self.write(3, &value.to_be_bytes())
            }
            Primitive::Float(bits, _) => self.write(4, &bits.to_be_bytes()),
            Primitive::Text(text) | Primitive::Shown(text) => self.write_text(text.as_bytes()),
            Primitive::Bytes(bytes) => self.write_text(bytes),
            Primitive::PresentSigned(value) => {
                self.write(1, &[1]);
                self.write_signed(value);
            }
            Primitive::Variant { index, .. } => self.write(6, &index.to_be_bytes()),
            Primitive::Length(length) => self.write(7, &(length as u64).to_be_bytes()),
        }
    }

    fn enter(&mut self, _: ClassKey, identity: Identity) -> bool {
        let address = match identity {
            Identity::Unique => return true,
            Identity::Owned(address) | Identity::Shared(address) => address,
        };
        if let Some(number) = self.known.iter().position(|known| *known == address) {
            self.write(8, &(number as u64).to_be_bytes());
            return false;
        }
        self.known.push(address);
        self.bytes.push(9);
        true
    }

    fn leave(&mut self) {}

    fn field(&mut self, _: ClassKey, _: usize) -> bool {
        true
    }

    fn ties(&mut self) {
        self.has_ties = true;
    }

    fn maps_around(&self) -> &[usize] {
        self.maps_around
    }

    /// The walk of the structure holds what the map lies in. It also finds what a method holds.
    fn held(&mut self, _: &str) {
        self.has_ties = true;
    }
}

/// Names the problem where a key or value of a field has no heap. Called by `derive(Heap)`.
#[doc(hidden)]
pub fn check_part<T: Heap>() {}

/// Finds out whether a field's type has a [`Heap`], in derived code that cannot ask by bounds. A
/// method of `(&Probe::<T>::new())` is that of [`IsOrdered`](probe::IsOrdered) if `T: Heap`, and
/// that of [`IsUnordered`](probe::IsUnordered) if it is only [`UnorderedCollection`].
#[doc(hidden)]
pub mod probe {
    use super::{Decoder, Heap, Schema, Undecodable, UnorderedCollection, Walker};
    use crate::probe::Probe;

    macro_rules! ways {
        ($($name:ident: $bound:ident for $probe:ty, $describe:expr;)+) => {$(
            #[doc = concat!("The way by `", stringify!($bound), "`.")]
            pub trait $name<T> {
                /// Declares the field.
                fn describe_field(&self, schema: &mut Schema);
                /// Walks it.
                fn walk_field<W: Walker>(&self, value: &T, walker: &mut W);
                /// Reads it.
                ///
                /// # Errors
                /// The errors of [`Heap::decode`].
                fn decode_field(&self, decoder: &mut Decoder<'_>) -> Result<T, Undecodable>;
            }

            impl<T: $bound> $name<T> for $probe {
                fn describe_field(&self, schema: &mut Schema) {
                    ($describe)(schema);
                }

                #[inline]
                fn walk_field<W: Walker>(&self, value: &T, walker: &mut W) {
                    value.walk(walker);
                }

                fn decode_field(&self, decoder: &mut Decoder<'_>) -> Result<T, Undecodable> {
                    T::decode(decoder)
                }
            }
        )+};
    }

    ways! {
        IsOrdered: Heap for Probe<T>, |schema: &mut Schema| schema.part::<T>();
        IsUnordered: UnorderedCollection for &Probe<T>, T::describe;
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn check_order<T: Heap>(ascending: &[T]) {
        let bytes: Vec<_> = ascending.iter().map(|key| bytes_of(key, &[]).bytes).collect();
        assert!(bytes.is_sorted(), "{bytes:?}");
        for (one, left) in bytes.iter().enumerate() {
            for (other, right) in bytes.iter().enumerate() {
                assert_eq!(right.starts_with(left), one == other, "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn integers_and_texts_keep_their_order() {
        check_order(&[i64::MIN, -2, -1, 0, 1, 256, i64::MAX]);
        check_order(&[0_u64, 1, 255, 256, u64::MAX]);
        check_order(&["", "\0", "a", "a\0", "a\0b", "aa", "b"].map(str::to_owned));
        check_order(&[(1_u8, "b".to_owned()), (2, "a".to_owned())]);
        check_order(&[None, Some(-1_i8), Some(1)]);
        check_order(&[Box::new(1_u8), Box::new(2)]);
    }

    #[test]
    fn keys_are_told_apart_by_what_they_share() {
        let [one, other, third] = [7, 7, 7].map(Rc::new);
        let bytes = |parts: [&Rc<u8>; 3]| bytes_of(&parts.map(Rc::clone), &[]).bytes;
        let shapes = [
            [&one, &one, &one],
            [&one, &one, &other],
            [&one, &other, &one],
            [&one, &other, &other],
            [&one, &other, &third],
        ];
        let shapes = shapes.map(bytes);
        assert_eq!(std::collections::BTreeSet::from(shapes.clone()).len(), 5);
        assert_eq!(bytes([&other, &one, &other]), shapes[2]);
    }
}
