//! The contracts that apply to a type are those of its traits and methods, and no others.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    clippy::derived_hash_with_manual_eq,
    reason = "the types stand for those of a library"
)]

use std::hash::{Hash, Hasher};

use beget::suites::Suite;
use beget::{HasSuite, Heap};

use super::common::check;

/// A type with one field, a constructor, these traits and these methods.
macro_rules! kind {
    ($name:ident [$($derived:ident),*] $($method:item)*) => {
        #[derive(Heap, $($derived),*)]
        pub struct $name {
            items: Vec<u8>,
        }

        #[beget::api]
        impl $name {
            pub fn of(item: u8) -> Self {
                $name { items: vec![item] }
            }

            $($method)*
        }
    };
}

kind!(Bare []);
kind!(Cloned[Clone]);
kind!(Compared [PartialEq, PartialOrd]);
kind!(Equal [PartialEq, Eq]);
kind!(Initial[Default]);
kind!(InitialEqual [Default, PartialEq]);
kind!(Hashed []);
kind!(Emptied []
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }

pub fn clear(&mut self) {
    self.items.clear();
}

pub fn drain(&mut self) -> Vec<u8> {
    std::mem::take(&mut self.items)
});
kind!(Counted []
pub fn len(&self) -> usize {
    self.items.len()
});
kind!(Empty []
pub fn is_empty(&self) -> bool {
    self.items.is_empty()
});
kind!(EmptyClone [Clone]
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

pub fn is_empty(&self) -> bool {
    self.items.is_empty()
}

pub fn clear(&mut self) {
    self.items.clear();
});
kind!(CountedEmpty []
pub fn len(&self) -> usize {
    self.items.len()
}

pub fn is_empty(&self) -> bool {
    self.items.is_empty()
});
kind!(Iterated []);
kind!(IteratedEmpty []
pub fn is_empty(&self) -> bool {
    self.items.is_empty()
});
kind!(IteratedCounted []
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

pub fn len(&self) -> usize {
    self.items.len()
}

pub fn is_empty(&self) -> bool {
    self.items.is_empty()
}

pub fn drain(&mut self) -> Vec<u8> {
    std::mem::take(&mut self.items)
});

// Methods whose names, parameters or results are others than those that contracts know.
kind!(Weighed []
    pub fn weight(&self) -> usize {
        self.items.len()
    }

pub fn is_empty(&self) -> bool {
    self.items.is_empty()
});
kind!(Pushed [Clone]
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

pub fn is_empty(&self) -> bool {
    self.items.is_empty()
});
kind!(Held []
pub fn holds(&self, item: u8) -> bool {
    self.items.contains(&item)
});
kind!(FoundByByte []
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

pub fn get(&self, index: u8) -> Option<&u8> {
    self.items.get(usize::from(index))
});
kind!(FoundByIndex []
pub fn get(&self, index: usize) -> Option<&u8> {
    self.items.get(index)
});
// Items that are given as they are, not by reference.
kind!(Copied []
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

pub fn get(&self, index: usize) -> Option<u8> {
    self.items.get(index).copied()
});
kind!(Paired []
pub fn contains(&self, key: u8) -> bool {
    self.items.contains(&key)
});
kind!(Lettered []
pub fn min(&self) -> Option<char> {
    self.items.iter().copied().min().map(char::from)
});
// Equal floats may have different texts: 0 and -0.
kind!(EqualBytes[PartialEq]);
kind!(EqualPairs[PartialEq]);
kind!(EqualFloats[PartialEq]);
kind!(EqualFloatsByByte[PartialEq]);

impl Hash for Hashed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

/// An iterator that is nothing else.
pub struct Items<'i>(std::slice::Iter<'i, u8>);

impl<'i> Iterator for Items<'i> {
    type Item = &'i u8;

    fn next(&mut self) -> Option<&'i u8> {
        self.0.next()
    }
}

macro_rules! iterated {
    ($($name:ident),*) => {$(
        impl<'i> IntoIterator for &'i $name {
            type Item = &'i u8;
            type IntoIter = Items<'i>;

            fn into_iter(self) -> Items<'i> {
                Items(self.items.iter())
            }
        }
    )*};
}

iterated!(Iterated, IteratedEmpty, IteratedCounted, Held, FoundByByte, FoundByIndex);

/// An iterator over items that are made of bytes.
pub struct MadeItems<'i, T>(std::slice::Iter<'i, u8>, fn(u8) -> T);

impl<T> Iterator for MadeItems<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next().map(|&item| (self.1)(item))
    }
}

macro_rules! iterated_by_value {
    ($($name:ident: $item:ty = $make:expr),*) => {$(
        impl<'i> IntoIterator for &'i $name {
            type Item = $item;
            type IntoIter = MadeItems<'i, $item>;

            fn into_iter(self) -> MadeItems<'i, $item> {
                MadeItems(self.items.iter(), $make)
            }
        }
    )*};
}

iterated_by_value!(
    Copied: u8 = |item| item,
    Paired: (u8, u8) = |item| (item, item),
    Lettered: char = char::from,
    EqualBytes: u8 = |item| item,
    EqualPairs: (u8, u8) = |item| (item, item),
    EqualFloats: f32 = f32::from,
    EqualFloatsByByte: (u8, f32) = |item| (item, f32::from(item))
);

/// A value that says whether it is empty, ...
#[derive(Heap)]
pub struct Cup {
    content: u8,
}

impl Cup {
    pub fn of(content: u8) -> Self {
        Cup { content }
    }

    pub fn is_empty(&self) -> bool {
        self.content == 0
    }
}

/// ... beside one that says how much it holds.
#[derive(Heap)]
pub struct Jug {
    content: u8,
}

impl Jug {
    pub fn holding(content: u8) -> Self {
        Jug { content }
    }

    pub fn len(&self) -> usize {
        self.content.into()
    }
}

beget::suite! {
    suite Dishes {
        for Cup {
            fn of(content: u8) -> Self;
            fn is_empty(&self) -> bool;
        }
        for Jug {
            fn holding(content: u8) -> Self;
            fn len(&self) -> usize;
        }
    }
}

#[test]
fn a_contract_applies_where_the_type_has_all_that_it_is_about() {
    let equal = ["eq_symmetric", "ne_negates_eq", "eq_transitive"];
    let iterated = ["iteration_returns", "size_hint"];
    let equal_items = [&["iteration_returns"], &equal[..]].concat();
    let with = |some: &[&'static str], more: &[&'static str]| [some, more].concat();
    type Wanted<'w> = (fn() -> Suite, Vec<&'w str>);
    let wanted: [Wanted<'_>; 28] = [
        (Bare::suite, vec![]),
        (Cloned::suite, vec!["clone_returns"]),
        (
            Compared::suite,
            with(&equal, &["cmp_agrees_with_eq", "cmp_antisymmetric", "cmp_transitive"]),
        ),
        (Equal::suite, with(&["eq_reflexive"], &equal)),
        (Initial::suite, vec![]),
        (InitialEqual::suite, with(&["default_repeats"], &equal)),
        (Hashed::suite, vec![]),
        (Emptied::suite, vec![]),
        (Counted::suite, vec![]),
        (Empty::suite, vec![]),
        (EmptyClone::suite, vec!["clone_returns", "clone_same_contents", "clear_empties"]),
        (CountedEmpty::suite, vec!["is_empty_is_len_zero"]),
        (Iterated::suite, iterated.to_vec()),
        (IteratedEmpty::suite, with(&iterated, &["is_empty_is_iteration"])),
        (
            IteratedCounted::suite,
            with(&iterated, &["is_empty_is_len_zero", "len_is_iteration", "drain_empties"]),
        ),
        (Weighed::suite, vec![]),
        (Pushed::suite, vec!["clone_returns", "clone_same_contents"]),
        (Held::suite, iterated.to_vec()),
        (FoundByByte::suite, iterated.to_vec()),
        (FoundByIndex::suite, iterated.to_vec()),
        (Copied::suite, with(&iterated, &["get_is_nth"])),
        (Paired::suite, with(&iterated, &["contains_is_iteration"])),
        (Lettered::suite, iterated.to_vec()),
        (EqualBytes::suite, with(&equal_items, &["eq_same_contents", "size_hint"])),
        (EqualPairs::suite, with(&equal_items, &["eq_same_contents", "size_hint"])),
        (EqualFloats::suite, with(&equal_items, &["size_hint"])),
        (EqualFloatsByByte::suite, with(&equal_items, &["size_hint"])),
        (Dishes::suite, vec![]),
    ];
    for (suite, contracts) in wanted {
        let run = check(suite(), "", 1);
        let applying: Vec<&str> = run.contracts.iter().map(|tally| tally.name).collect();
        assert_eq!(applying, contracts, "{}", suite().name);
        assert!(run.contracts.iter().all(|tally| tally.asked > 0), "{:?}", run.contracts);
        assert_eq!(run.findings().count(), 0);
    }
}
