//! Sets, maps and lists of literals. The bound on vectors is the bound on these.
#![allow(
    clippy::disallowed_types,
    reason = "the maps are a subject's; their sources are written in sorted order"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::Hash;

use super::{Domain, DomainError, DomainKind, Pools};
use crate::Extent;

/// All subsets of `0..n` with at most `longest` members, smaller ones first.
fn subsets(n: usize, longest: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut smaller = 0..1;
    for _ in 0..longest.min(n) {
        let start = all.len();
        for index in smaller {
            let next = all[index].last().map_or(0, |last| last + 1);
            for member in next..n {
                let larger = [&all[index][..], &[member]].concat();
                all.push(larger);
            }
        }
        smaller = start..all.len();
    }
    all
}

macro_rules! sets {
    ($($set:ident<T: $($bound:ident)+> = $path:literal;)+) => {$(
        /// Every subset up to the longest length, smaller ones first.
        impl<T: Domain $(+ $bound)+> Domain for $set<T> {
            const KIND: DomainKind = T::KIND;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let elements = T::values(pools)?;
                Extent::of(&elements).subsets(pools.longest)?;
                let of = |members: &Vec<usize>| {
                    members.iter().map(|&member| elements[member].clone()).collect()
                };
                Ok(subsets(elements.len(), pools.longest).iter().map(of).collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                Ok(T::extent(pools)?.subsets(pools.longest)?.with_paths())
            }

            fn to_source(&self) -> String {
                listed($path, self.iter().map(T::to_source).collect())
            }
        }
    )+};
}

sets! {
    BTreeSet<T: Ord> = "std::collections::BTreeSet";
    HashSet<T: Eq Hash> = "std::collections::HashSet";
}

/// A collection's source. The elements of a hash set are not in the order of its iteration.
fn listed(path: &str, mut elements: Vec<String>) -> String {
    elements.sort();
    match elements.is_empty() {
        true => format!("{path}::new()"),
        false => format!("{path}::from([{}])", elements.join(", ")),
    }
}

macro_rules! maps {
    ($($map:ident<K: $($bound:ident)+> = $path:literal;)+) => {$(
        /// Every map with at most the longest length of entries: by keys, smaller sets first, and
        /// then by values, the last varying fastest.
        impl<K: Domain $(+ $bound)+, V: Domain> Domain for $map<K, V> {
            const KIND: DomainKind = super::first_kind([K::KIND, V::KIND]);

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                let (keys, values) = (K::values(pools)?, V::values(pools)?);
                Extent::of(&keys).maps_to(Extent::of(&values), pools.longest)?;
                let mut all = Vec::new();
                for members in subsets(keys.len(), pools.longest) {
                    let mut maps = vec![$map::new()];
                    for member in members {
                        let with = |map: &$map<K, V>, value: &V| {
                            let mut map = map.clone();
                            map.insert(keys[member].clone(), value.clone());
                            map
                        };
                        maps = maps
                            .iter()
                            .flat_map(|map| values.iter().map(move |value| with(map, value)))
                            .collect();
                    }
                    all.extend(maps);
                }
                Ok(all)
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                Ok(K::extent(pools)?.maps_to(V::extent(pools)?, pools.longest)?.with_paths())
            }

            fn to_source(&self) -> String {
                let entry = |(key, value): (&K, &V)| {
                    format!("({}, {})", key.to_source(), value.to_source())
                };
                listed($path, self.iter().map(entry).collect())
            }
        }
    )+};
}

maps! {
    BTreeMap<K: Ord> = "std::collections::BTreeMap";
    HashMap<K: Eq Hash> = "std::collections::HashMap";
}

macro_rules! lists {
    ($($list:ty = $path:literal: $make:expr;)+) => {$(
        /// In the order of vectors.
        impl<T: Domain> Domain for $list {
            const KIND: DomainKind = T::KIND;

            fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
                Ok(Vec::<T>::values(pools)?.into_iter().map($make).collect())
            }

            fn extent(pools: &Pools) -> Result<Extent, DomainError> {
                Vec::<T>::extent(pools)
            }

            fn to_source(&self) -> String {
                let elements: Vec<_> = self.iter().map(T::to_source).collect();
                format!(concat!($path, "([{}])"), elements.join(", "))
            }
        }
    )+};
}

lists! {
    VecDeque<T> = "std::collections::VecDeque::from": VecDeque::from;
    LinkedList<T> = "std::collections::LinkedList::from": LinkedList::from_iter;
    Box<[T]> = "Box::new": Vec::into_boxed_slice;
}
