//! The words of findings and printed tests of contracts.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    reason = "the types stand for those of a library, with defects"
)]

use std::borrow::Borrow;
use std::slice;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_run::{RepOkSource, failure_tests};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::common::{check, told};

/// A stack whose methods are wrong, each in its own way.
macro_rules! stack {
    ($name:ident $($method:item)*) => {
        #[derive(Debug, Heap)]
        pub struct $name {
            items: Vec<u8>,
        }

        #[beget::api]
        impl $name {
            pub fn new() -> Self {
                $name { items: Vec::new() }
            }

            pub fn push(&mut self, item: u8) {
                self.items.push(item);
            }

            $($method)*
        }
    };
}

stack!(PeeksAtNothing
pub fn peek(&self) -> Option<u8> {
    Some(self.items.last().copied().unwrap_or(7))
});
stack!(PeeksTooLate
pub fn peek(&self) -> Option<u8> {
    self.items.get(1).copied()
});
stack!(PeeksElsewhere
pub fn peek(&self) -> Option<u8> {
    (!self.items.is_empty()).then_some(7)
});
stack!(EmptyBeads
pub fn is_empty(&self) -> bool {
    true
});
stack!(Closed);
stack!(Seven);
stack!(Kept
    pub fn drain(&mut self) -> Vec<u8> {
        self.items.clone()
    }

pub fn len(&self) -> usize {
    self.items.len()
});

macro_rules! iterated {
    ($($name:ident: $items:ty = $make:expr),*) => {$(
        impl<'i> IntoIterator for &'i $name {
            type Item = &'i u8;
            type IntoIter = $items;

            fn into_iter(self) -> Self::IntoIter {
                ($make)(&self.items)
            }
        }
    )*};
}

type Bytes<'i> = slice::Iter<'i, u8>;

iterated!(
    PeeksAtNothing: Bytes<'i> = <[u8]>::iter,
    PeeksTooLate: Bytes<'i> = <[u8]>::iter,
    PeeksElsewhere: Bytes<'i> = <[u8]>::iter,
    EmptyBeads: std::iter::Cycle<Bytes<'i>> = |items: &'i [u8]| items.iter().cycle(),
    Seven: Bytes<'i> = |_: &'i [u8]| [0, 1, 2, 3, 4, 5, 6].iter(),
    Closed: ClosedItems<'i> = |items: &'i [u8]| ClosedItems { items, taken: 0, is_back: false }
);

/// It ends from the front, and has no end once an item is taken from the back.
pub struct ClosedItems<'i> {
    items: &'i [u8],
    taken: usize,
    is_back: bool,
}

impl<'i> Iterator for ClosedItems<'i> {
    type Item = &'i u8;

    fn next(&mut self) -> Option<&'i u8> {
        self.taken += 1;
        self.items.get(if self.is_back { 0 } else { self.taken - 1 })
    }
}

impl DoubleEndedIterator for ClosedItems<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.is_back = true;
        self.items.first()
    }
}

#[test]
fn a_finding_says_what_is_seen_instead() {
    for (suite, contract, reason) in [
        (
            PeeksAtNothing::suite as fn() -> Suite,
            "peek_is_iteration",
            "peek() is Some(7), iteration gives no items",
        ),
        (PeeksTooLate::suite, "peek_is_iteration", "peek() is None, iteration gives 1 item"),
        (
            PeeksElsewhere::suite,
            "peek_is_iteration",
            "peek() is Some(7), iteration does not give that",
        ),
        (
            EmptyBeads::suite,
            "is_empty_is_iteration",
            "is_empty() is true, iteration gives 1000 items",
        ),
        (
            Closed::suite,
            "iteration_from_both_ends",
            "iteration gives 1 item, from both ends in turn 2 items or more",
        ),
    ] {
        let told = told(&check(suite(), "", 1));
        let wanted = format!("the contract `{contract}` is broken: {reason}");
        assert!(told.contains(&wanted), "{told:?}");
    }
}

#[test]
fn a_longer_iteration_gives_as_much_from_both_ends() {
    assert_eq!(told(&check(Seven::suite(), "", 1)), [""; 0]);
}

/// A name without a hash, whose borrowed text is another one.
#[derive(Clone, Debug, PartialEq, Eq, Heap)]
pub struct Renamed {
    name: String,
}

#[beget::api]
impl Renamed {
    pub fn new(number: u8) -> Self {
        Renamed { name: number.to_string() }
    }
}

impl Borrow<str> for Renamed {
    fn borrow(&self) -> &str {
        "0"
    }
}

/// A number that is written as another one, and seen by whether it is even.
#[derive(Debug)]
pub struct Written {
    number: u8,
}

impl Written {
    pub fn new(number: u8) -> Self {
        Written { number }
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number + 1)
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Written { number: u8::deserialize(deserializer)? })
    }
}

beget::suite! {
    suite WrittenSuite {
        for Written {
            abstraction |written| -> u8 { written.number % 2 };
            serde;
            fn new(number: u8) -> Self;
        }
    }
}

/// The test that is printed for a contract that the type breaks.
#[track_caller]
fn printed(suite: Suite, contract: &str) -> String {
    let run = check(suite, "", 1);
    let mut tests = failure_tests(&run, RepOkSource::Type);
    let test = tests.find(|test| test.finding.problem.name.as_deref() == Some(contract));
    test.expect("the contract is broken").function.to_string()
}

#[test]
fn a_printed_test_needs_no_trait_that_the_type_has_not() {
    // The items of a list are compared with those of iteration, where there is one.
    let drained = printed(Kept::suite(), "drain_empties");
    assert!(drained.contains(".drain();") && !drained.contains("into_iter"), "{drained}");
    let borrowed = printed(Renamed::suite(), "borrow_agrees");
    assert!(borrowed.contains("of_a == of_b") && !borrowed.contains("hash_one"), "{borrowed}");
    // The heaps of values that an abstraction shows are not those of its own.
    let written = printed(WrittenSuite::suite(), "serde_round_trip");
    assert!(!written.contains("assert_serde"), "{written}");
}
