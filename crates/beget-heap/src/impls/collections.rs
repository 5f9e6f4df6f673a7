//! Arrays and collections, by content. Each is one object of its own class; its length is bounded.
#![allow(
    clippy::disallowed_types,
    reason = "the maps are a subject's; they are walked in the order of their keys"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use crate::{ClassKey, Decoder, Heap, Identity, Schema, Undecodable, Walker};

/// Shows a sequence that nothing else can point at.
#[inline(always)]
pub(super) fn walk_sequence<'a, T: Heap, W: Walker>(
    class: ClassKey,
    length: usize,
    elements: impl Iterator<Item = &'a T>,
    walker: &mut W,
) {
    if walker.enter(class, Identity::Unique) {
        if walker.length(length) {
            for (index, element) in elements.enumerate() {
                walker.element(index);
                element.walk_in_place(walker);
            }
        }
        walker.leave();
    }
}

/// Shows contents in the order of their keys. Unequal keys that `Ord` calls equal tie: their `Ord`
/// breaks its promise.
fn walk_sorted<'a, K: Heap + Ord, V, W: Walker>(
    class: ClassKey,
    entries: impl Iterator<Item = (&'a K, V)>,
    walker: &mut W,
    mut walk_entry: impl FnMut(usize, (&'a K, V), &mut W),
) {
    let mut entries: Vec<(&K, V)> = entries.collect();
    if sort_entries(&mut entries) {
        walker.ties();
    }
    walker.begin_sorted();
    if walker.enter(class, Identity::Unique) {
        if walker.length(entries.len()) {
            walker.begin_contents();
            let (mut rank, mut last) = (0_u64, None);
            for (index, (key, value)) in entries.into_iter().enumerate() {
                let is_same = |last: &K| !K::ORDER_IS_FORM && last.cmp(key).is_eq();
                rank += u64::from(!last.is_some_and(is_same));
                last = Some(key);
                walker.begin_entry(Some(&rank.to_be_bytes()));
                walk_entry(index, (key, value), walker);
                walker.end_entry();
            }
            walker.end_contents();
        }
        walker.leave();
    }
    walker.end_sorted();
}

/// Sorts entries by their keys, and returns whether any tie. Compiled for each type of key, not for
/// each walker too.
fn sort_entries<K: Heap + Ord, V>(entries: &mut [(&K, V)]) -> bool {
    entries.sort_by_key(|(key, _)| *key);
    !K::ORDER_IS_FORM && entries.windows(2).any(|pair| pair[0].0.cmp(pair[1].0).is_eq())
}

fn decode_sequence<T: Heap, C: FromIterator<T>>(
    decoder: &mut Decoder<'_>,
) -> Result<C, Undecodable> {
    let length = decoder.begin_array();
    let elements = (0..length).map(|_| T::decode(decoder)).collect();
    decoder.leave();
    elements
}

macro_rules! sequences {
    ($($collection:ident<T $(: $bound:ident $(+ $more:ident)*)?>),+ $(,)?) => {$(
        impl<T: Heap $(+ $bound $(+ $more)*)?> Heap for $collection<T> {
            const COUNTS_ITSELF: bool = true;
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = T::ORDER_IS_FORM;

            fn describe(schema: &mut Schema) {
                schema.array(Self::class());
                schema.part::<T>();
            }

            #[inline]
            fn walk<W: Walker>(&self, walker: &mut W) {
                walk_sequence(Self::class(), self.len(), self.iter(), walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                decode_sequence(decoder)
            }
        }
    )+};
}

sequences!(Vec<T>, VecDeque<T>, LinkedList<T>, BTreeSet<T: Ord>);

impl<T: Heap> Heap for Box<[T]> {
    const COUNTS_ITSELF: bool = true;
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        schema.part::<T>();
    }

    #[inline]
    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_sequence(Self::class(), self.len(), self.iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence(decoder)
    }
}

impl<T: Heap, const N: usize> Heap for [T; N] {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.part::<T>();
    }

    #[inline]
    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.begin_elements();
        for (index, element) in self.iter().enumerate() {
            walker.element(index);
            element.walk_in_place(walker);
        }
        walker.end_elements();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let elements: Vec<T> = (0..N).map(|_| T::decode(decoder)).collect::<Result<_, _>>()?;
        elements.try_into().map_err(|_| Undecodable::new("an array has the wrong length"))
    }
}

fn walk_map<'a, K: Heap, V: Heap, W: Walker>(
    class: ClassKey,
    length: usize,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    walker: &mut W,
) {
    if walker.enter(class, Identity::Unique) {
        if walker.length(length) {
            for (index, (key, value)) in entries.enumerate() {
                walker.map_key(index);
                key.walk_in_place(walker);
                walker.map_value();
                value.walk_in_place(walker);
            }
        }
        walker.leave();
    }
}

impl<K: Heap + Ord, V: Heap> Heap for BTreeMap<K, V> {
    const COUNTS_ITSELF: bool = true;
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        schema.part::<K>();
        schema.part::<V>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_map(Self::class(), self.len(), self.iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence::<(K, V), _>(decoder)
    }
}

/// Entries are shown in the order of their keys: the order of iteration depends on the hasher's
/// seed.
impl<K: Heap + Ord + Hash, V: Heap, S: BuildHasher + Default + 'static> Heap for HashMap<K, V, S> {
    const COUNTS_ITSELF: bool = true;
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.sorted();
        if !K::ORDER_IS_FORM {
            schema.unordered();
        }
        schema.array(Self::class());
        schema.part::<K>();
        schema.part::<V>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_sorted(Self::class(), self.iter(), walker, |index, (key, value), walker| {
            walker.map_key(index);
            key.walk_in_place(walker);
            walker.map_value();
            value.walk_in_place(walker);
        });
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence::<(K, V), _>(decoder)
    }
}

/// Elements are shown in their own order, as for `HashMap`.
impl<T: Heap + Ord + Hash, S: BuildHasher + Default + 'static> Heap for HashSet<T, S> {
    const COUNTS_ITSELF: bool = true;
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.sorted();
        if !T::ORDER_IS_FORM {
            schema.unordered();
        }
        schema.array(Self::class());
        schema.part::<T>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_sorted(
            Self::class(),
            self.iter().map(|element| (element, ())),
            walker,
            |index, (element, ()), walker| {
                walker.element(index);
                element.walk_in_place(walker);
            },
        );
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence(decoder)
    }
}
