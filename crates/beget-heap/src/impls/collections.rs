//! Arrays and collections, by content. Each is one object of its own class; its length is bounded.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker};

/// Shows a sequence that nothing else can point at.
#[inline(always)]
fn walk_sequence<'a, T: Heap, W: Walker>(
    class: ClassKey,
    length: usize,
    elements: impl Iterator<Item = &'a T>,
    walker: &mut W,
) {
    if walker.enter(class, Identity::Unique) {
        walker.primitive(Primitive::Length(length));
        for (index, element) in elements.enumerate() {
            walker.element(index);
            element.walk(walker);
        }
        walker.leave();
    }
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
            fn describe(schema: &mut Schema) {
                schema.array(Self::class());
                T::describe(schema);
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
    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        T::describe(schema);
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
    fn describe(schema: &mut Schema) {
        T::describe(schema);
    }

    #[inline]
    fn walk<W: Walker>(&self, walker: &mut W) {
        for (index, element) in self.iter().enumerate() {
            walker.element(index);
            element.walk(walker);
        }
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let elements: Vec<T> = (0..N).map(|_| T::decode(decoder)).collect::<Result<_, _>>()?;
        elements.try_into().map_err(|_| Undecodable::new("an array has the wrong length"))
    }
}

/// A binary heap is seen as its sorted contents: its layout in memory cannot be read without
/// depending on the standard library's algorithm, and cannot be observed either, except through `iter`'s order.
impl<T: Heap + Ord> Heap for BinaryHeap<T> {
    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        T::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let mut elements: Vec<&T> = self.iter().collect();
        elements.sort();
        walk_sequence(Self::class(), self.len(), elements.into_iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence(decoder)
    }
}

fn walk_map<'a, K: Heap, V: Heap, W: Walker>(
    class: ClassKey,
    length: usize,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    walker: &mut W,
) {
    if walker.enter(class, Identity::Unique) {
        walker.primitive(Primitive::Length(length));
        for (index, (key, value)) in entries.enumerate() {
            walker.element(index);
            key.walk(walker);
            value.walk(walker);
        }
        walker.leave();
    }
}

impl<K: Heap + Ord, V: Heap> Heap for BTreeMap<K, V> {
    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        K::describe(schema);
        V::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_map(Self::class(), self.len(), self.iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence::<(K, V), _>(decoder)
    }
}

/// Entries are shown in the order of their keys: the order of iteration depends on the hasher's seed.
impl<K: Heap + Ord + Hash, V: Heap, S: BuildHasher + Default + 'static> Heap for HashMap<K, V, S> {
    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        K::describe(schema);
        V::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let mut entries: Vec<(&K, &V)> = self.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        walk_map(Self::class(), self.len(), entries.into_iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence::<(K, V), _>(decoder)
    }
}

/// Elements are shown in their own order, as for `HashMap`.
impl<T: Heap + Ord + Hash, S: BuildHasher + Default + 'static> Heap for HashSet<T, S> {
    fn describe(schema: &mut Schema) {
        schema.array(Self::class());
        T::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let mut elements: Vec<&T> = self.iter().collect();
        elements.sort();
        walk_sequence(Self::class(), self.len(), elements.into_iter(), walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decode_sequence(decoder)
    }
}
