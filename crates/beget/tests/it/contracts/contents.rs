//! Equal values give the same items: in any order, and as far as iteration does not panic.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::slice;

use beget::{HasSuite, Heap};

use super::common::check;

/// Items whose order does not matter to `==`. If `FAILS`, iteration over two of them panics.
#[derive(Debug, Heap)]
pub struct Bunch<const FAILS: bool> {
    items: Vec<u8>,
}

impl<const FAILS: bool> Bunch<FAILS> {
    pub fn new() -> Self {
        Bunch { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }
}

impl<const FAILS: bool> PartialEq for Bunch<FAILS> {
    fn eq(&self, other: &Self) -> bool {
        let [mut ours, mut theirs] = [self, other].map(|bunch| bunch.items.clone());
        ours.sort_unstable();
        theirs.sort_unstable();
        ours == theirs
    }
}

impl<'b, const FAILS: bool> IntoIterator for &'b Bunch<FAILS> {
    type Item = &'b u8;
    type IntoIter = slice::Iter<'b, u8>;

    fn into_iter(self) -> Self::IntoIter {
        assert!(!FAILS || self.items.len() < 2, "there are too many");
        self.items.iter()
    }
}

macro_rules! bunches {
    ($($suite:ident $fails:literal)+) => {$(
        beget::suite! {
            suite $suite for Bunch<$fails> {
                fn new() -> Self;
                fn push(&mut self, item: u8);
            }
        }
    )+};
}

bunches! { Sound false Failing true }

/// Of the bunches of at most two of three items three pairs are equal in another order.
#[test]
fn equal_values_may_have_their_items_in_another_order() {
    let run = check(Sound::suite(), "", 1);
    assert_eq!(run.corpus.store.len(), 1 + 3 + 9);
    let asked = run.contracts.iter().find(|tally| tally.name == "eq_same_contents").unwrap();
    assert_eq!((asked.asked, asked.broken), (13 * 13, 0));
    assert_eq!(run.findings().count(), 0);
}

#[test]
fn a_panic_of_an_iteration_breaks_no_contract_of_two_values() {
    let run = check(Failing::suite(), "", 1);
    let broken = run.contracts.iter().filter(|tally| tally.broken > 0);
    assert_eq!(broken.map(|tally| tally.name).collect::<Vec<_>>(), ["iteration_returns"]);
}
