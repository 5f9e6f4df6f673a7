//! One type for each contract that breaks it, and the same types without a defect.
//!
//! A binary of its own: it installs the allocator, and the tests that it writes say `use crate::*`.
#![allow(unsafe_code, reason = "an allocator is installed, and some defects are of unsafe code")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::partialeq_ne_impl,
    clippy::derive_ord_xor_partial_ord,
    clippy::non_canonical_partial_ord_impl,
    reason = "the types stand for those of a library, with defects"
)]

mod common;
#[rustfmt::skip]
mod emitted;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use beget::elements::Tracked;
use beget::{HasSuite, Heap};
use beget_engine::store::Store as _;
use beget_oracle::CONTRACTS;
use beget_plan::finding::{Finding, Kind};
use beget_process::guard::{guarded, last_panic};
use beget_run::{FailureTest, RepOkSource, failure_tests};
use beget_suite::{Suite, TestFunction};
use common::{by_chance, check, check_within, table, told};
use serde::{Deserialize, Serialize, Serializer};

// A run that copies in the region does not clone.
beget::install_allocator!(unsafe);

/// The position of the contract that is broken at the time; no contract has that of sound types.
static DEFECT: AtomicUsize = AtomicUsize::new(SOUND);
const SOUND: usize = usize::MAX;

/// Whether types break the contract of that name at the time.
fn has(name: &str) -> bool {
    CONTRACTS.get(DEFECT.load(Relaxed)).is_some_and(|contract| contract.name == name)
}

/// A sequence of numbers with the traits and methods that contracts know. A defect shows on `[1,
/// 0]`.
#[derive(Heap)]
pub struct Bag {
    items: Vec<u8>,
}

#[beget::api(name = "bag")]
impl Bag {
    fn breaks(&self, name: &str) -> bool {
        self.is_odd() && has(name)
    }

    fn is_odd(&self) -> bool {
        self.items == [1, 0]
    }

    pub fn new() -> Self {
        Bag { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn clear(&mut self) {
        let left = usize::from(self.breaks("clear_empties"));
        self.items.truncate(left);
    }

    pub fn len(&self) -> usize {
        self.items.len() + usize::from(self.breaks("len_is_iteration"))
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty() || self.breaks("is_empty_is_len_zero")
    }

    pub fn contains(&self, item: &u8) -> bool {
        self.items.contains(item) && !(*item == 0 && self.breaks("contains_is_iteration"))
    }

    pub fn get(&self, index: usize) -> Option<&u8> {
        let index = if self.breaks("get_is_nth") { index.saturating_sub(1) } else { index };
        self.items.get(index)
    }

    pub fn first(&self) -> Option<&u8> {
        if self.breaks("first_is_iteration") { self.items.last() } else { self.items.first() }
    }

    pub fn last(&self) -> Option<&u8> {
        if self.breaks("last_is_iteration") { None } else { self.items.last() }
    }

    pub fn peek(&self) -> Option<&u8> {
        if self.breaks("peek_is_iteration") { Some(&2) } else { self.items.last() }
    }

    pub fn peek_min(&self) -> Option<u8> {
        if self.breaks("min_is_iteration") { Some(1) } else { self.items.iter().min().copied() }
    }

    pub fn peek_max(&self) -> Option<u8> {
        if self.breaks("max_is_iteration") { Some(0) } else { self.items.iter().max().copied() }
    }

    /// What `==` compares.
    fn compared(&self) -> Vec<u8> {
        let mut items = self.items.clone();
        if has("hash_agrees_with_eq") {
            items.sort_unstable();
        }
        if self.breaks("eq_same_contents") {
            items[1] = 1;
        }
        items
    }

    /// What is ordered.
    fn ordered(&self) -> Vec<u8> {
        if self.breaks("cmp_agrees_with_eq") { vec![1] } else { self.compared() }
    }
}

impl fmt::Debug for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(!self.breaks("debug_returns"), "it cannot be shown");
        self.items.fmt(f)
    }
}

impl Clone for Bag {
    fn clone(&self) -> Self {
        assert!(!self.breaks("clone_returns"), "it cannot be cloned");
        let mut items = self.items.clone();
        if self.breaks("clone_equal") {
            items.reverse();
        }
        Bag { items }
    }
}

impl Default for Bag {
    fn default() -> Self {
        static CALLS: AtomicU8 = AtomicU8::new(0);
        let calls = CALLS.fetch_add(1, Relaxed);
        Bag { items: if has("default_repeats") { vec![calls] } else { Vec::new() } }
    }
}

impl PartialEq for Bag {
    fn eq(&self, other: &Self) -> bool {
        if self.breaks("eq_reflexive") {
            return false;
        }
        if has("eq_transitive") {
            let is_near = self.items.len().abs_diff(other.items.len()) <= 1;
            return self.items == other.items
                || is_near && self.items.iter().chain(&other.items).all(|&item| item == 0);
        }
        self.compared() == other.compared() || self.breaks("eq_symmetric") && other.items == [1]
    }

    fn ne(&self, other: &Self) -> bool {
        !(self == other || self.breaks("ne_negates_eq"))
    }
}

impl Eq for Bag {}

impl PartialOrd for Bag {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let is_odd = self.is_odd() != other.is_odd();
        match is_odd && has("partial_cmp_agrees_with_cmp") {
            true => None,
            false => Some(self.cmp(other)),
        }
    }
}

impl Ord for Bag {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.ordered().cmp(&other.ordered());
        if has("cmp_antisymmetric") && other.is_odd() && self.items == [1, 1] {
            return Ordering::Less;
        }
        let of_game = |bag: &Self| bag.items == [0] || bag.items == [2];
        match has("cmp_transitive") && of_game(self) && of_game(other) {
            true => order.reverse(),
            false => order,
        }
    }
}

impl Hash for Bag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl<'b> IntoIterator for &'b Bag {
    type Item = &'b u8;
    type IntoIter = BagItems<'b>;

    fn into_iter(self) -> Self::IntoIter {
        assert!(!self.breaks("iteration_returns"), "it cannot be iterated over");
        BagItems { bag: self, front: 0, back: self.items.len(), n_ends: 0 }
    }
}

pub struct BagItems<'b> {
    bag: &'b Bag,
    front: usize,
    back: usize,
    /// How often it has said that it is at its end.
    n_ends: u8,
}

impl<'b> Iterator for BagItems<'b> {
    type Item = &'b u8;

    fn next(&mut self) -> Option<&'b u8> {
        let goes_past = self.bag.breaks("iteration_from_both_ends");
        let end = if goes_past { self.bag.items.len() } else { self.back };
        if self.front < end {
            self.front += 1;
            return Some(&self.bag.items[self.front - 1]);
        }
        self.n_ends += 1;
        (self.n_ends == 2 && self.bag.breaks("fused_iteration")).then_some(&7)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.saturating_sub(self.front);
        if self.bag.breaks("size_hint") { (left + 1, None) } else { (left, Some(left)) }
    }
}

impl DoubleEndedIterator for BagItems<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.bag.breaks("reversed_iteration") {
            return self.next();
        }
        if self.front >= self.back {
            return None;
        }
        self.back -= 1;
        Some(&self.bag.items[self.back])
    }
}

impl ExactSizeIterator for BagItems<'_> {
    fn len(&self) -> usize {
        let left = self.back - self.front;
        left + usize::from(left == 1 && self.bag.breaks("exact_size"))
    }
}

impl FusedIterator for BagItems<'_> {}

/// As [`Bag`], of keys with values: those of a defect are keys 0 and 1.
#[derive(Clone, Heap)]
pub struct Table {
    items: Vec<(u8, u8)>,
}

#[beget::api(name = "table")]
impl Table {
    fn breaks(&self, name: &str) -> bool {
        let is_odd = self.items == [(1, 0), (0, 1)];
        is_odd && has(name)
    }

    pub fn new() -> Self {
        Table { items: Vec::new() }
    }

    pub fn insert(&mut self, key: u8, value: u8) {
        self.items.retain(|item| item.0 != key);
        self.items.push((key, value));
    }

    pub fn get(&self, key: &u8) -> Option<&u8> {
        let key = if self.breaks("get_is_iteration") { &1 } else { key };
        self.items.iter().find(|item| item.0 == *key).map(|item| &item.1)
    }

    pub fn contains_key(&self, key: &u8) -> bool {
        self.items.iter().any(|item| item.0 == *key) != self.breaks("contains_key_is_iteration")
    }

    pub fn first_key_value(&self) -> Option<(&u8, &u8)> {
        self.items.first().map(|(key, value)| (key, value))
    }
}

impl<'t> IntoIterator for &'t Table {
    type Item = (&'t u8, &'t u8);
    type IntoIter = std::iter::Map<std::slice::Iter<'t, (u8, u8)>, fn(&(u8, u8)) -> (&u8, &u8)>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter().map(|(key, value)| (key, value))
    }
}

/// As [`Bag`], without `len` and traits that compare.
#[derive(Heap)]
pub struct Pouch {
    items: Vec<u8>,
}

#[beget::api(name = "pouch")]
impl Pouch {
    fn breaks(&self, name: &str) -> bool {
        let is_odd = self.items == [1, 0];
        is_odd && has(name)
    }

    pub fn new() -> Self {
        Pouch { items: Vec::new() }
    }

    pub fn put(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty() != self.breaks("is_empty_is_iteration")
    }
}

impl Clone for Pouch {
    fn clone(&self) -> Self {
        let mut items = self.items.clone();
        if self.breaks("clone_same_contents") {
            items.pop();
        }
        Pouch { items }
    }
}

impl<'p> IntoIterator for &'p Pouch {
    type Item = &'p u8;
    type IntoIter = std::slice::Iter<'p, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// A sorted list whose elements are followed.
#[derive(Heap)]
pub struct Shelf {
    items: Vec<Tracked>,
}

#[beget::api(name = "shelf")]
impl Shelf {
    pub fn new() -> Self {
        Shelf { items: Vec::new() }
    }

    pub fn put(&mut self, item: Tracked) {
        if has("elements_survive_panics") {
            self.items.push(item);
            return self.sort_last_in();
        }
        if has("elements_survive_lies") {
            return self.put_by_counting(item);
        }
        let position = self.items.partition_point(|other| *other < item);
        self.items.insert(position, item);
    }

    /// Copies those that are less, the item, and those that are not: by asking twice.
    fn put_by_counting(&mut self, item: Tracked) {
        let old: Vec<_> = self.items.drain(..).map(std::mem::ManuallyDrop::new).collect();
        // SAFETY: each is copied once, if it says the same both times. Items own nothing.
        let copy =
            |one: &std::mem::ManuallyDrop<Tracked>| unsafe { std::ptr::read(&raw const **one) };
        self.items.extend(old.iter().filter(|one| ***one < item).map(copy));
        let at = self.items.len();
        self.items.extend(old.iter().filter(|one| ***one >= item).map(copy));
        self.items.insert(at, item);
    }

    /// Moves the last item to its place. Where a comparison panics, it is in the list and in hand.
    fn sort_last_in(&mut self) {
        let base = self.items.as_mut_ptr();
        let mut position = self.items.len() - 1;
        // SAFETY: all positions are those of items; `moved` is written over the one that it, or
        // the item moved last, was read from. Items own nothing.
        unsafe {
            let moved = base.add(position).read();
            while position > 0 && moved < *base.add(position - 1) {
                base.add(position).write(base.add(position - 1).read());
                position -= 1;
            }
            base.add(position).write(moved);
        }
    }

    pub fn take(&mut self) {
        if let Some(item) = self.items.pop()
            && has("elements_dropped")
        {
            std::mem::forget(item);
        }
        if has("memory_freed") {
            std::mem::forget(Box::new(7_u64));
        }
        if has("memory_sound") {
            free_as::<u64>(Box::new(7_u32));
        }
    }

    pub fn discard(&mut self) {
        if has("elements_survive_drop_panics") {
            // The items are dropped, and then forgotten: if one panics, they are dropped again.
            let items: *mut [Tracked] = self.items.as_mut_slice();
            // SAFETY: items own nothing; that they may be dropped again is the defect.
            unsafe {
                std::ptr::drop_in_place(items);
                self.items.set_len(0);
            }
        }
        if has("elements_dropped_once") {
            // SAFETY: items own nothing; that they are dropped again is the defect.
            self.items.iter().for_each(|item| drop(unsafe { std::ptr::read(item) }));
        }
        self.items.clear();
    }
}

/// A list of numbers that can be shown, borrowed and cut. A defect shows on `[1, 0]`.
#[derive(Debug, Heap, PartialEq, Eq)]
pub struct Ribbon {
    items: Vec<u8>,
}

#[beget::api(name = "ribbon")]
impl Ribbon {
    fn breaks(&self, name: &str) -> bool {
        self.items == [1, 0] && has(name)
    }

    pub fn new() -> Self {
        Ribbon { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn truncate(&mut self, len: usize) {
        if len == 1 && self.breaks("truncate_is_prefix") {
            self.items.reverse();
        }
        self.items.truncate(len);
    }

    /// All that are not that number.
    pub fn retain(&mut self, other: u8) {
        self.items.retain(|item| *item != other);
        if self.items == [1] && has("retain_is_subset") {
            self.items.push(1);
        }
    }

    pub fn range(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        let is_wrong = range == (0..1) && self.breaks("range_is_iteration");
        let range = if is_wrong { 0..2 } else { range };
        self.items.get(range).map(<[u8]>::to_vec).unwrap_or_default()
    }

    pub fn item_count(&self) -> usize {
        self.items.len() - usize::from(self.breaks("counts_agree"))
    }

    pub fn items(&self) -> Vec<u8> {
        self.items.clone()
    }

    pub fn drain(&mut self) -> Vec<u8> {
        let skipped = usize::from(self.breaks("drain_empties"));
        self.items.drain(..).skip(skipped).collect()
    }
}

impl<'r> IntoIterator for &'r Ribbon {
    type Item = &'r u8;
    type IntoIter = std::slice::Iter<'r, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl Borrow<[u8]> for Ribbon {
    fn borrow(&self) -> &[u8] {
        if self.breaks("borrow_agrees") { &[1, 0, 0] } else { &self.items }
    }
}

impl Hash for Ribbon {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl fmt::Display for Ribbon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(!self.breaks("display_returns"), "it cannot be written");
        self.items.iter().try_for_each(|item| write!(f, "{item}"))
    }
}

/// A list of numbers that can be written. A defect shows on `[1, 0]`.
#[derive(Debug, Heap, PartialEq, Serialize, Deserialize)]
pub struct Parcel {
    #[serde(serialize_with = "pack")]
    items: Vec<u8>,
}

fn pack<S: Serializer>(items: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let is_odd = items == [1, 0] && has("serde_round_trip");
    items[usize::from(is_odd)..].serialize(serializer)
}

#[beget::api(name = "parcel", serde)]
impl Parcel {
    pub fn new() -> Self {
        Parcel { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }
}

/// Frees a box as if it held something of another type.
fn free_as<T>(boxed: Box<u32>) {
    // SAFETY: the system's allocator does not look at the size; that it is wrong is the defect.
    unsafe { std::alloc::dealloc(Box::into_raw(boxed).cast(), std::alloc::Layout::new::<T>()) };
}

/// Numbers and their sum, which refuses to go on at times.
#[derive(Heap)]
pub struct Till {
    items: Vec<u8>,
    sum: u8,
}

#[beget::api(name = "till")]
impl Till {
    pub fn new() -> Self {
        Till { items: Vec::new(), sum: 0 }
    }

    pub fn put(&mut self, item: u8) {
        if has("usable_after_panic") {
            self.sum += item;
        }
        assert!(item < 2, "refused");
        self.items.push(item);
        self.sum = self.items.iter().sum();
    }

    #[beget::invariant]
    fn adds_up(&self) -> bool {
        self.sum == self.items.iter().sum()
    }
}

/// The panics that are no defects.
const EXPECTED: &str = r#", misuse: (panics: ["refused"])"#;

/// A contract, the suite that breaks it, all contracts that break with it, the calls of the
/// shortest witness, and what is said.
type Row = (&'static str, fn() -> Suite, &'static [&'static str], usize, &'static str);

const TABLE: &[Row] = &[
    ("debug_returns", Bag::suite, &[], 3, "it cannot be shown"),
    ("display_returns", Ribbon::suite, &[], 3, "it cannot be written"),
    ("iteration_returns", Bag::suite, &[], 3, "it cannot be iterated over"),
    ("clone_returns", Bag::suite, &[], 3, "it cannot be cloned"),
    ("clone_equal", Bag::suite, &[], 3, "a clone is not equal to its original"),
    (
        "clone_same_contents",
        Pouch::suite,
        &[],
        3,
        "iteration gives 2 items, that of a clone 1 item",
    ),
    ("serde_round_trip", Parcel::suite, &[], 3, "what is read is not what was written"),
    ("default_repeats", Bag::suite, &[], 0, "two values of `Default` are not equal"),
    (
        "eq_reflexive",
        Bag::suite,
        &["cmp_agrees_with_eq"],
        3,
        "the structure is not equal to itself",
    ),
    (
        "eq_symmetric",
        Bag::suite,
        &["eq_same_contents", "hash_agrees_with_eq", "cmp_agrees_with_eq"],
        3,
        "a == b is false, b == a is true; a is that of `let mut bag = Bag::new(); let _ = bag.push(1);`, b is the structure shown",
    ),
    ("ne_negates_eq", Bag::suite, &[], 3, "a == b is false, a != b is false"),
    (
        "eq_transitive",
        Bag::suite,
        &["eq_same_contents", "hash_agrees_with_eq", "cmp_agrees_with_eq"],
        3,
        "a == b and b == c, but not a == c; a is that of `let bag = Bag::new();`",
    ),
    (
        "eq_same_contents",
        Bag::suite,
        &["hash_agrees_with_eq"],
        3,
        "a == b, and iteration over b gives other items; a is that of `let mut bag = Bag::new(); let _ = bag.push(1); let _ = bag.push(0);`",
    ),
    ("hash_agrees_with_eq", Bag::suite, &[], 3, "a == b, and they feed other bytes to a hasher"),
    (
        "borrow_agrees",
        Ribbon::suite,
        &[],
        3,
        "a feeds other bytes to a hasher than what is borrowed",
    ),
    (
        "partial_cmp_agrees_with_cmp",
        Bag::suite,
        &[],
        3,
        "a.partial_cmp(b) is None, a.cmp(b) is Less",
    ),
    ("cmp_agrees_with_eq", Bag::suite, &[], 3, "a == b is false, a.partial_cmp(b) is Some(Equal)"),
    (
        "cmp_antisymmetric",
        Bag::suite,
        &["cmp_transitive"],
        3,
        "a.partial_cmp(b) is Some(Less), b.partial_cmp(a) is Some(Less)",
    ),
    ("cmp_transitive", Bag::suite, &[], 2, "a < b and b < c, but not a < c"),
    (
        "size_hint",
        Bag::suite,
        &[],
        3,
        "after 0 steps size_hint() says 3 to any number items, 2 are left",
    ),
    (
        "exact_size",
        Bag::suite,
        &[],
        3,
        "after 1 steps len() of the iterator is 2, 1 items are left",
    ),
    ("fused_iteration", Bag::suite, &[], 3, "iteration has ended after 2 items, and goes on"),
    ("reversed_iteration", Bag::suite, &[], 3, "item 0 of iteration is 1, from the back it is 0"),
    (
        "iteration_from_both_ends",
        Bag::suite,
        &[],
        3,
        "iteration gives 2 items, from both ends in turn 3 items or more",
    ),
    ("is_empty_is_len_zero", Bag::suite, &[], 3, "is_empty() is true, len() is 2"),
    ("is_empty_is_iteration", Pouch::suite, &[], 3, "is_empty() is true, iteration gives 2 items"),
    ("len_is_iteration", Bag::suite, &[], 3, "len() is 3, iteration gives 2 items"),
    ("contains_is_iteration", Bag::suite, &[], 3, "contains(0) is false, iteration gives it"),
    (
        "contains_key_is_iteration",
        Table::suite,
        &[],
        3,
        "contains_key(0) is false, iteration gives it",
    ),
    ("get_is_iteration", Table::suite, &[], 3, "get(0) is Some(0), iteration does not give (0, 0)"),
    ("get_is_nth", Bag::suite, &[], 3, "get(1) is Some(1), item 1 of iteration is Some(0)"),
    ("range_is_iteration", Ribbon::suite, &[], 3, "range(0..1) gives [1, 0], iteration there [1]"),
    ("counts_agree", Ribbon::suite, &[], 3, "item_count() is 1, items() gives 2 items"),
    (
        "first_is_iteration",
        Bag::suite,
        &[],
        3,
        "first() is Some(0), the first item of iteration is Some(1)",
    ),
    (
        "last_is_iteration",
        Bag::suite,
        &[],
        3,
        "last() is None, the last item of iteration is Some(0)",
    ),
    ("peek_is_iteration", Bag::suite, &[], 3, "peek() is Some(2), iteration does not give that"),
    (
        "min_is_iteration",
        Bag::suite,
        &[],
        3,
        "peek_min() is Some(1), the least item of iteration is Some(0)",
    ),
    (
        "max_is_iteration",
        Bag::suite,
        &[],
        3,
        "peek_max() is Some(0), the greatest item of iteration is Some(1)",
    ),
    ("elements_dropped", Shelf::suite, &[], 3, "an element is never dropped"),
    ("elements_dropped_once", Shelf::suite, &[], 3, "an element is dropped twice"),
    (
        "elements_survive_panics",
        Shelf::suite,
        &[],
        3,
        "where `Ord` of an element panics in the call, an element is dropped twice",
    ),
    (
        "elements_survive_drop_panics",
        Shelf::suite,
        &[],
        3,
        "where `Drop` of an element panics in the call or when all is dropped, an element is dropped twice",
    ),
    (
        "usable_after_panic",
        Till::suite,
        &[],
        2,
        "after the panic in `put`, the invariant `adds_up` does not hold",
    ),
    ("memory_sound", Shelf::suite, &[], 2, "a block is allocated with the size 4 and freed with 8"),
    ("memory_freed", Shelf::suite, &[], 2, "a block of 8 bytes is never freed"),
    (
        "elements_survive_lies",
        Shelf::suite,
        &[],
        3,
        "where `Ord` of an element lies in the call, an element is dropped twice",
    ),
    ("clear_empties", Bag::suite, &[], 3, "after clear() len() is 1"),
    (
        "truncate_is_prefix",
        Ribbon::suite,
        &[],
        3,
        "item 0 of iteration is 1, after truncate(1) it is 0",
    ),
    (
        "retain_is_subset",
        Ribbon::suite,
        &[],
        2,
        "after retain() iteration gives 1 more often than before",
    ),
    ("drain_empties", Ribbon::suite, &[], 3, "drain() gives [0], iteration [1, 0]"),
];

/// What random runs do not ask: what a panic leaves, and audits.
const ASKED_BY_CALLS: [&str; 4] =
    ["usable_after_panic", "memory_sound", "memory_freed", "elements_survive_lies"];

/// The kind of the finding of a contract, and how its message begins.
fn kind_of(name: &str) -> (Kind, String) {
    match name {
        "memory_sound" => (Kind::Memory, "in the call, or when all is dropped, ".to_owned()),
        "memory_freed" => (Kind::Leak, String::new()),
        name => (Kind::Contract, format!("the contract `{name}` is broken: ")),
    }
}

/// By chance, with the same literals.
#[test]
fn a_random_run_finds_the_defect_of_every_contract() {
    let _alone = alone();
    let asked = TABLE.iter().filter(|row| !ASKED_BY_CALLS.contains(&row.0));
    for &(name, suite, _, calls, _) in asked {
        let position = CONTRACTS.iter().position(|contract| contract.name == name);
        DEFECT.store(position.unwrap(), Relaxed);
        let run = by_chance(suite(), 20_000);
        DEFECT.store(SOUND, Relaxed);
        let of_contract = |finding: &&Finding| finding.problem.name.as_deref() == Some(name);
        let finding = run.findings.iter().find(of_contract);
        let finding = finding.unwrap_or_else(|| panic!("{name}: {:?}", run.findings));
        let message = finding.problem.to_string();
        assert!(message.starts_with(&format!("the contract `{name}` is broken: ")), "{message}");
        // From two values of three elements an element would have to go at once.
        let found = finding.witness.calls(&run.plan.suite);
        let n_calls = found.map_or(0, |found| found.statements.len());
        assert!(n_calls <= calls + 1, "{name}: {n_calls} calls, not {calls}");
    }
}

#[test]
fn a_random_run_raises_no_alarm_of_sound_types() {
    let _alone = alone();
    for suite in
        [Bag::suite, Table::suite, Pouch::suite, Shelf::suite, Ribbon::suite, Parcel::suite]
    {
        let run = by_chance(suite(), 2_000);
        assert_eq!(run.findings, []);
        assert!(run.contracts.iter().any(|tally| tally.asked > 0));
    }
}

#[test]
fn every_contract_finds_its_defect_with_a_shortest_witness() {
    let _alone = alone();
    assert!(TABLE.iter().map(|row| row.0).eq(CONTRACTS.iter().map(|contract| contract.name)));
    for &(name, suite, also, calls, said) in TABLE {
        let position = CONTRACTS.iter().position(|contract| contract.name == name);
        DEFECT.store(position.unwrap(), Relaxed);
        let run = check(suite(), EXPECTED, 1);
        DEFECT.store(SOUND, Relaxed);
        let broken: BTreeSet<_> =
            run.contracts.iter().filter(|tally| tally.broken > 0).map(|tally| tally.name).collect();
        let expected: BTreeSet<_> = also.iter().copied().chain([name]).collect();
        assert_eq!(broken, expected, "{name}");
        let of_contract = |finding: &&Finding| finding.problem.name.as_deref() == Some(name);
        let finding = run.findings().find(of_contract).unwrap();
        let recipe = finding.witness.recipe.as_ref();
        assert_eq!(recipe.map_or(0, |recipe| recipe.n_calls()), calls, "{name}");
        let message = finding.problem.to_string();
        let (kind, start) = kind_of(name);
        assert!(message.starts_with(&start) && message.contains(said), "{message}");
        assert_eq!(finding.problem.kind, kind);
        assert_eq!(finding.problem.place.is_some(), message.contains("panicked"), "{message}");
        let tally = run.contracts.iter().find(|tally| tally.name == name).unwrap();
        assert_eq!(finding.count, tally.broken, "{name}");
    }
}

/// How many calls show the defect of a contract in a run by chance, and how many findings the same
/// run has without it.
fn calls_by_chance(name: &str, suite: fn() -> Suite) -> String {
    DEFECT.store(number(name), Relaxed);
    let run = by_chance(suite(), 20_000);
    DEFECT.store(SOUND, Relaxed);
    let of_contract = |finding: &&Finding| finding.problem.name.as_deref() == Some(name);
    let finding = run.findings.iter().find(of_contract).expect("it is found");
    let calls = finding.witness.calls(&run.plan.suite);
    calls.map_or(0, |calls| calls.statements.len()).to_string()
}

#[test]
fn the_table_of_seeded_defects_has_every_contract() {
    let _alone = alone();
    let row = |&(name, suite, _, calls, said): &Row| {
        let (by_chance, sound) = match ASKED_BY_CALLS.contains(&name) {
            true => ("not asked".to_owned(), check(suite(), EXPECTED, 1)),
            false => (calls_by_chance(name, suite), check(suite(), EXPECTED, 1)),
        };
        let asked = sound.contracts.iter().find(|tally| tally.name == name).unwrap().asked;
        let quiet = table::quiet(sound.findings().count(), asked);
        [format!("`{name}`"), said.to_owned(), calls.to_string(), by_chance, quiet].to_vec()
    };
    let rows: Vec<Vec<String>> = TABLE.iter().map(row).collect();
    let head = ["contract", "the finding says", "calls", "calls by chance", "without"];
    table::check_section("Contracts", &head, &rows);
}

/// The test that a run with the defect of this contract prints for it, as a function of that name.
fn printed_test(name: &str, suite: fn() -> Suite) -> String {
    DEFECT.store(number(name), Relaxed);
    let run = check(suite(), "", 1);
    let test = failure_tests(&run, RepOkSource::Type)
        .find(|test| test.finding.problem.name.as_deref() == Some(name));
    let FailureTest { function, verdict, .. } = test.unwrap();
    DEFECT.store(SOUND, Relaxed);
    assert_eq!(verdict, Ok(()), "{name}");
    // What the finding says has places in this file.
    let function = TestFunction { name: name.to_owned(), doc: String::new(), ..function };
    function.to_string().replace("#[test]\nfn ", "pub fn ")
}

/// What a panic has left is shown by its calls alone.
fn rows_with_tests() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(|row| row.0 != "usable_after_panic")
}

/// `tests/emitted/mod.rs` holds what is printed, so it is compiled with this file;
/// `BEGET_BLESS=1` writes it anew.
#[test]
#[allow(clippy::disallowed_methods, reason = "the file is one of the test's own")]
fn the_tests_that_are_printed_are_those_that_are_compiled_here() {
    let _alone = alone();
    let tests: Vec<String> = rows_with_tests().map(|row| printed_test(row.0, row.1)).collect();
    let list = rows_with_tests().map(|row| format!("    ({:?}, {}),\n", row.0, row.0));
    let text = format!(
        "//! What is printed for each contract that is broken; `tests/seeded.rs` writes this file.\n\
         #![allow(clippy::all, unreachable_pub)]\n\n\
         use super::*;\n\npub const TESTS: &[(&str, fn())] = &[\n{}];\n\n{}",
        list.collect::<String>(),
        tests.join("\n")
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emitted/mod.rs");
    if std::env::var_os("BEGET_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

/// With the defect it fails and says why, without it passes.
#[test]
fn a_printed_test_fails_as_long_as_the_defect_is_there() {
    let _alone = alone();
    for (&(name, _, _, _, said), &(of, test)) in rows_with_tests().zip(emitted::TESTS) {
        assert_eq!(name, of);
        test();
        DEFECT.store(number(name), Relaxed);
        let ended = guarded(test);
        DEFECT.store(SOUND, Relaxed);
        let report = ended.map_err(|_| last_panic()).expect_err(name);
        let says_what = name.ends_with("_returns") || name.starts_with("memory");
        let why = if says_what { said } else { name };
        assert!(report.message.contains(why), "{name}: {report}");
    }
}

#[test]
fn the_same_types_without_a_defect_are_quiet_and_every_contract_is_asked() {
    let _alone = alone();
    let mut asked = BTreeSet::new();
    for suite in [
        Bag::suite,
        Table::suite,
        Pouch::suite,
        Shelf::suite,
        Till::suite,
        Ribbon::suite,
        Parcel::suite,
    ] {
        let run = check(suite(), EXPECTED, 1);
        assert_eq!(told(&run), Vec::<String>::new());
        assert!(!run.has_findings());
        asked.extend(run.contracts.iter().filter(|tally| tally.asked > 0).map(|tally| tally.name));
    }
    assert!(asked.into_iter().eq(CONTRACTS.iter().map(|c| c.name).collect::<BTreeSet<_>>()));
}

/// All sequences of at most two of three numbers: 13 values, 13 * 13 pairs, 13 * 13 * 13 triples.
#[test]
fn values_pairs_and_triples_are_counted() {
    let _alone = alone();
    let run = check(Bag::suite(), "", 1);
    let asked = |name: &str| run.contracts.iter().find(|tally| tally.name == name).unwrap().asked;
    assert_eq!(asked("len_is_iteration"), 13);
    assert_eq!(asked("default_repeats"), 1);
    assert_eq!(asked("eq_symmetric"), 13 * 13);
    assert_eq!(asked("eq_transitive"), 13 * 13 * 13);
}

/// All sequences of at most four of ten numbers: 11111. After the first 10000 these are number
/// 10000, 10016, ..., 11104.
#[test]
fn contracts_of_traits_are_asked_about_a_part_of_many_structures() {
    let _alone = alone();
    let fields = r#"arrays: 4, ints: "0..10", methods: Only(["new", "push", "len", "is_empty"])"#;
    let run = check_within(Bag::suite(), fields, 1);
    let asked = |name: &str| run.contracts.iter().find(|tally| tally.name == name).unwrap().asked;
    assert_eq!((run.corpus.store.len(), asked("len_is_iteration")), (11111, 11111));
    assert_eq!((asked("debug_returns"), asked("clone_equal")), (10070, 10070));
    // All pairs of 64; each of the others with one of these in both orders, and with itself.
    assert_eq!(asked("eq_symmetric"), 64 * 64 + 3 * (10070 - 64));
    assert_eq!(asked("eq_transitive"), 64 * 64 * 64);
}

/// `[]` and `[0]` break three contracts, and with `[0, 0]` another, which comes first in the list.
#[test]
fn what_has_the_shortest_witness_is_told_first() {
    let _alone = alone();
    DEFECT.store(number("eq_transitive"), Relaxed);
    let run = check(Bag::suite(), "", 1);
    DEFECT.store(SOUND, Relaxed);
    let names = run.breaches.iter().map(|finding| finding.problem.name.as_deref().unwrap());
    assert!(names.eq([
        "eq_same_contents",
        "hash_agrees_with_eq",
        "cmp_agrees_with_eq",
        "eq_transitive"
    ]));
}

#[test]
fn contracts_are_turned_off_by_name() {
    let _alone = alone();
    DEFECT.store(number("eq_symmetric"), Relaxed);
    let broken = |fields: &str| {
        let run = check(Bag::suite(), fields, 1);
        let broken = run.contracts.iter().filter(|tally| tally.broken > 0);
        let broken: Vec<_> = broken.map(|tally| tally.name).collect();
        (run.contracts.len(), broken)
    };
    let (all, four) = broken("");
    assert_eq!(four.len(), 4);
    let (rest, three) = broken(r#", contracts: Except(["eq_symmetric"])"#);
    let others = vec!["eq_same_contents", "hash_agrees_with_eq", "cmp_agrees_with_eq"];
    assert_eq!((rest, three), (all - 1, others));
    let only = broken(r#", contracts: Only(["eq_symmetric", "size_hint"])"#);
    assert_eq!(only, (2, vec!["eq_symmetric"]));
    assert_eq!(broken(", contracts: Off"), (0, vec![]));
    DEFECT.store(SOUND, Relaxed);
}

#[test]
fn findings_do_not_depend_on_threads() {
    let _alone = alone();
    for name in ["eq_transitive", "hash_agrees_with_eq", "len_is_iteration", "clone_returns"] {
        DEFECT.store(number(name), Relaxed);
        let (one, four) = (check(Bag::suite(), "", 1), check(Bag::suite(), "", 4));
        assert_eq!((&one.contracts, &one.breaches), (&four.contracts, &four.breaches));
        assert_eq!(told(&one), told(&four));
    }
    DEFECT.store(SOUND, Relaxed);
}

/// A panic that the scope expects breaks no contract.
#[test]
fn an_expected_panic_is_no_breach() {
    let _alone = alone();
    DEFECT.store(number("debug_returns"), Relaxed);
    let run = check(Bag::suite(), r#", misuse: (panics: ["cannot be shown"])"#, 1);
    DEFECT.store(SOUND, Relaxed);
    let tally = run.contracts.iter().find(|tally| tally.name == "debug_returns").unwrap();
    assert_eq!((tally.asked, tally.broken), (12, 0));
}

/// The position of a contract.
fn number(name: &str) -> usize {
    CONTRACTS.iter().position(|contract| contract.name == name).unwrap()
}

/// The defect is one for the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| {
        DEFECT.store(SOUND, Relaxed);
        poisoned.into_inner()
    })
}
