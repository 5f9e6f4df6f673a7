//! Tests outside of the crate: of a suite of its own, and of suites that stand here.
#![deny(warnings)]

use std::collections::VecDeque;

use pasting::Ring;
use pasting::open::Open;

#[test]
fn every_open() {
    beget::check!(Open, k = 2);
}

// What `every_open` prints.

mod of_std {
    use super::VecDeque;

    beget::suite! {
        suite Deque for VecDeque<u8> {
            fn new() -> Self;
            fn push_back(&mut self, item: u8);
            fn front(&self) -> u8 = self::front;
        }
    }

    fn front(deque: &VecDeque<u8>) -> u8 {
        deque[0]
    }

    #[test]
    fn every_deque() {
        beget::check!(Deque, k = 2);
    }

    // What `every_deque` prints.
}

mod of_another_crate {
    use super::Ring;

    beget::suite! {
        suite Rings for Ring<u8, 1> {
            abstraction |ring| -> usize { format!("{ring:?}").len() };
            fn new(first: u8) -> Self;
            fn push(&mut self, item: u8);
        }
    }

    #[test]
    fn every_ring_of_one() {
        beget::check!(Rings, k = 2, ints = 0..99, fields = {"*": "any"});
    }

    // What `every_ring_of_one` prints.
}

mod by_functions {
    use std::collections::BTreeMap;

    mod calls {
        use std::collections::BTreeMap;

        pub(crate) fn make() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }

        pub(crate) fn first(map: &BTreeMap<u8, u8>) -> u8 {
            map[&0]
        }
    }

    beget::suite! {
        suite Map for BTreeMap<u8, u8> {
            fn make() -> Self = calls::make;
            fn first(&self) -> u8 = calls::first;
        }
    }

    #[test]
    fn every_map() {
        beget::check!(Map, k = 2);
    }

    // What `every_map` prints.
}
