//! Containers of ranges: what a key finds is in a range that iteration gives.
#![allow(missing_docs, clippy::new_without_default, reason = "the types stand for a library's")]

use std::iter::Map;
use std::ops::Range;
use std::slice;

use beget::{HasSuite, Heap};

use super::common::{check_within, told};

/// Values of ranges of keys. If `FAILS`, the end of a range belongs to it for `get`.
#[derive(Debug, Heap)]
pub struct Spans<const FAILS: bool> {
    all: Vec<(Range<u8>, u8)>,
}

impl<const FAILS: bool> Spans<FAILS> {
    pub fn new() -> Self {
        Spans { all: Vec::new() }
    }

    pub fn insert(&mut self, start: u8, value: u8) {
        self.all.push((start..start + 1, value));
    }

    pub fn get(&self, key: &u8) -> Option<&u8> {
        let holds = |range: &Range<u8>| range.contains(key) || FAILS && range.end == *key;
        self.all.iter().find(|(range, _)| holds(range)).map(|(_, value)| value)
    }

    pub fn contains_key(&self, key: &u8) -> bool {
        self.all.iter().any(|(range, _)| range.contains(key))
    }
}

type Pair<'s> = (&'s Range<u8>, &'s u8);

impl<'s, const FAILS: bool> IntoIterator for &'s Spans<FAILS> {
    type Item = Pair<'s>;
    type IntoIter = Map<slice::Iter<'s, (Range<u8>, u8)>, fn(&'s (Range<u8>, u8)) -> Pair<'s>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter().map(|(range, value)| (range, value))
    }
}

macro_rules! spans {
    ($($suite:ident $fails:literal)+) => {$(
        beget::suite! {
            suite $suite for Spans<$fails> {
                fn new() -> Self;
                fn insert(&mut self, start: u8, value: u8);
                fn get(&self, key: &u8) -> Option<&u8>;
                fn contains_key(&self, key: &u8) -> bool;
            }
        }
    )+};
}

spans! { Sound false Failing true }

#[test]
fn a_key_finds_the_value_of_the_range_that_holds_it() {
    let scope = r#"arrays: 1, ints: "0..2", params: {"get.key": "0..4"}"#;
    let run = check_within(Sound::suite(), scope, 1);
    assert_eq!(told(&run), [""; 0]);
    for name in ["get_is_iteration", "contains_key_is_iteration"] {
        let asked = run.contracts.iter().find(|tally| tally.name == name).map(|tally| tally.asked);
        // None, and one of two ranges with one of two values.
        assert_eq!(asked, Some(1 + 2 * 2), "{name}");
    }
    let broken = "the contract `get_is_iteration` is broken: get(1) is Some(0), iteration does not give (1, 0)";
    assert_eq!(told(&check_within(Failing::suite(), scope, 1)), [broken]);
}

/// Items in a row, whose `range` shows them. If `FAILS`, it shows one too many.
#[derive(Clone, Debug, Heap)]
pub struct Row<const FAILS: bool> {
    items: Vec<u8>,
}

impl<const FAILS: bool> Row<FAILS> {
    pub fn new() -> Self {
        Row { items: Vec::new() }
    }

    pub fn push_back(&mut self, item: u8) {
        self.items.push(item);
    }
}

impl<'r, const FAILS: bool> IntoIterator for &'r Row<FAILS> {
    type Item = &'r u8;
    type IntoIter = slice::Iter<'r, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

fn shown_range<const FAILS: bool>(row: &Row<FAILS>, range: Range<usize>) -> Vec<String> {
    let more = usize::from(FAILS && range.end < row.items.len());
    let items = &row.items[range.start..range.end + more];
    items.iter().map(|item| format!("{item:?}")).collect()
}

macro_rules! rows {
    ($($suite:ident $fails:literal)+) => {$(
        beget::suite! {
            suite $suite for Row<$fails> {
                fn new() -> Self;
                fn push_back(&mut self, item: u8);
                fn range(&self, range: Range<usize>) -> Vec<String> = self::shown_range;
            }
        }
    )+};
}

rows! { SoundRow false FailingRow true }

/// Those that begin behind the end panic, and are not asked about.
#[test]
fn a_range_may_be_shown_as_texts() {
    let scope = r#"arrays: 2, ints: "0..2", misuse: (panics: ["range", "slice index"])"#;
    let run = check_within(SoundRow::suite(), scope, 1);
    assert_eq!(told(&run), [""; 0]);
    let asked = run.contracts.iter().find(|tally| tally.name == "range_is_iteration");
    assert_eq!(asked.map(|tally| tally.asked), Some(1 + 2 + 4));
    let broken = "the contract `range_is_iteration` is broken: range(0..0) gives [\"0\"], iteration there []";
    assert_eq!(told(&check_within(FailingRow::suite(), scope, 1)), [broken]);
}
