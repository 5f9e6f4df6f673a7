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

use crate::common::check;

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

iterated!(Iterated, IteratedEmpty, IteratedCounted);

#[test]
fn a_contract_applies_where_the_type_has_all_that_it_is_about() {
    let equal = ["eq_symmetric", "ne_negates_eq", "eq_transitive"];
    let iterated = ["iteration_returns", "size_hint"];
    let with = |some: &[&'static str], more: &[&'static str]| [some, more].concat();
    type Wanted<'w> = (fn() -> Suite, Vec<&'w str>);
    let wanted: [Wanted<'_>; 15] = [
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
    ];
    for (suite, contracts) in wanted {
        let run = check(suite(), "", 1);
        let applying: Vec<&str> = run.contracts.iter().map(|tally| tally.name).collect();
        assert_eq!(applying, contracts, "{}", suite().name);
        assert!(run.contracts.iter().all(|tally| tally.asked > 0), "{:?}", run.contracts);
        assert_eq!(run.findings().count(), 0);
    }
}
