//! Fields that are links, or collections of links: `HashMap<Key, usize>` beside a `Vec<Node>`.
#![allow(
    clippy::disallowed_types,
    reason = "the maps are a subject's; they are walked in the order of their keys"
)]

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::{Link, decode_link, describe_link, walk_link};
use crate::unordered::{describe_map, walk_map};
use crate::{ClassKey, Decoder, Heap, Identity, Schema, Undecodable, Walker};

/// The type of a field marked `#[heap(link = Node)]`: a link, or a collection of links. In a map,
/// the values are links.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index that can be a link",
    label = "no link, and no collection of links",
    note = "a link is an integer, or an `Option` of one; a field can also be a `Vec`, `VecDeque`, array, `BTreeMap` or `HashMap` of links"
)]
pub trait LinkField: Sized + 'static {
    /// One link.
    type Link: Link + PartialEq + Copy;

    /// Declares links to `T`.
    fn describe<T: Heap>(schema: &mut Schema);

    /// Walks links to `T`; `field` is the name of this one.
    fn walk<T: Heap, W: Walker>(
        &self,
        null: Option<Self::Link>,
        field: &'static str,
        walker: &mut W,
    );

    /// Reads what `walk` wrote.
    ///
    /// # Errors
    /// The errors of [`Decoder::link`].
    fn decode<T: Heap>(
        null: Option<Self::Link>,
        decoder: &mut Decoder<'_>,
    ) -> Result<Self, Undecodable>;
}

macro_rules! single {
    ($([$($parameter:ident)?] $ty:ty),+) => {$(
        impl$(<$parameter: Link + PartialEq + Copy + 'static>)? LinkField for $ty {
            type Link = Self;

            fn describe<T: Heap>(schema: &mut Schema) {
                describe_link::<T>(schema);
            }

            #[inline(always)]
            fn walk<T: Heap, W: Walker>(
                &self,
                null: Option<Self>,
                field: &'static str,
                walker: &mut W,
            ) {
                walk_link::<T, Self, W>(self, null, field, walker);
            }

            fn decode<T: Heap>(
                null: Option<Self>,
                decoder: &mut Decoder<'_>,
            ) -> Result<Self, Undecodable> {
                decode_link::<T, Self>(null, decoder)
            }
        }
    )+};
}

single!([] u8, [] u16, [] u32, [] u64, [] usize, [] i32, [] isize, [L] Option<L>);

fn class_of<C: 'static>() -> ClassKey {
    ClassKey::new::<C>(std::any::type_name::<C>())
}

macro_rules! sequences {
    ($($ty:ident),+) => {$(
        impl<L: Link + PartialEq + Copy + 'static> LinkField for $ty<L> {
            type Link = L;

            fn describe<T: Heap>(schema: &mut Schema) {
                schema.array(class_of::<Self>());
                describe_link::<T>(schema);
            }

            fn walk<T: Heap, W: Walker>(
                &self,
                null: Option<L>,
                field: &'static str,
                walker: &mut W,
            ) {
                if walker.enter(class_of::<Self>(), Identity::Unique) {
                    if walker.length(self.len()) {
                        for (index, link) in self.iter().enumerate() {
                            walker.element(index);
                            walk_link::<T, L, W>(link, null, field, walker);
                        }
                    }
                    walker.leave();
                }
            }

            fn decode<T: Heap>(
                null: Option<L>,
                decoder: &mut Decoder<'_>,
            ) -> Result<Self, Undecodable> {
                let length = decoder.begin_array();
                let links = (0..length).map(|_| decode_link::<T, L>(null, decoder)).collect();
                decoder.leave();
                links
            }
        }
    )+};
}

sequences!(Vec, VecDeque);

impl<L: Link + PartialEq + Copy + 'static, const N: usize> LinkField for [L; N] {
    type Link = L;

    fn describe<T: Heap>(schema: &mut Schema) {
        describe_link::<T>(schema);
    }

    fn walk<T: Heap, W: Walker>(&self, null: Option<L>, field: &'static str, walker: &mut W) {
        walker.begin_elements();
        for (index, link) in self.iter().enumerate() {
            walker.element(index);
            walk_link::<T, L, W>(link, null, field, walker);
        }
        walker.end_elements();
    }

    fn decode<T: Heap>(null: Option<L>, decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let links = (0..N).map(|_| decode_link::<T, L>(null, decoder));
        let links: Vec<L> = links.collect::<Result<_, _>>()?;
        links.try_into().map_err(|_| Undecodable::new("an array has the wrong length"))
    }
}

macro_rules! maps {
    ($($ty:ident<K $(, $hasher:ident)?> where K: $($bound:ident)+, can tie: $can_tie:literal;)+) => {$(
        /// Shows the keys in the order of their forms, each before its link.
        impl<K, L $(, $hasher)?> LinkField for $ty<K, L $(, $hasher)?>
        where
            K: Heap $(+ $bound)+,
            L: Link + PartialEq + Copy + 'static,
            $($hasher: BuildHasher + Default + 'static,)?
        {
            type Link = L;

            fn describe<T: Heap>(schema: &mut Schema) {
                describe_map::<Self, K>(schema);
                describe_link::<T>(schema);
            }

            fn walk<T: Heap, W: Walker>(
                &self,
                null: Option<L>,
                field: &'static str,
                walker: &mut W,
            ) {
                walk_map(self, self.iter(), $can_tie, walker, |link, walker| {
                    walk_link::<T, L, W>(link, null, field, walker);
                });
            }

            fn decode<T: Heap>(
                null: Option<L>,
                decoder: &mut Decoder<'_>,
            ) -> Result<Self, Undecodable> {
                let length = decoder.begin_array();
                let entries = (0..length)
                    .map(|_| Ok((K::decode(decoder)?, decode_link::<T, L>(null, decoder)?)));
                let map = entries.collect();
                decoder.leave();
                map
            }
        }
    )+};
}

maps! {
    BTreeMap<K> where K: Ord, can tie: false;
    HashMap<K, S> where K: Eq Hash, can tie: true;
}
