//! Types whose methods have usual names and mean something else: nothing is asked that they do not
//! promise.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    clippy::disallowed_types,
    clippy::vec_box,
    reason = "the types stand for those of a library"
)]

use super::common;

use std::borrow::Borrow;
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::slice;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use common::{check, told};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A board of two cells: cleared, it has as many.
#[derive(Clone, Debug, Heap)]
pub struct Board {
    cells: Vec<u8>,
}

#[beget::api]
impl Board {
    pub fn new() -> Self {
        Board { cells: vec![0, 0] }
    }

    pub fn set(&mut self, cell: usize, value: u8) {
        if let Some(place) = self.cells.get_mut(cell) {
            *place = value;
        }
    }

    pub fn clear(&mut self) {
        self.cells.fill(0);
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }
}

impl<'b> IntoIterator for &'b Board {
    type Item = &'b u8;
    type IntoIter = slice::Iter<'b, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.cells.iter()
    }
}

/// Bits: cleared, they are all 0.
#[derive(Clone, Debug, Heap)]
pub struct Bits {
    bits: Vec<bool>,
}

#[beget::api]
impl Bits {
    pub fn new() -> Self {
        Bits { bits: Vec::new() }
    }

    pub fn push(&mut self, bit: bool) {
        self.bits.push(bit);
    }

    pub fn clear(&mut self) {
        self.bits.fill(false);
    }

    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// Whether the bit with that number is set.
    pub fn contains(&self, bit: usize) -> bool {
        self.bits.get(bit) == Some(&true)
    }
}

impl<'b> IntoIterator for &'b Bits {
    type Item = &'b bool;
    type IntoIter = slice::Iter<'b, bool>;

    fn into_iter(self) -> Self::IntoIter {
        self.bits.iter()
    }
}

/// Slots: iteration leaves the vacant ones out, `get` does not.
#[derive(Clone, Debug, Heap)]
pub struct Slots {
    slots: Vec<Option<u8>>,
}

#[beget::api]
impl Slots {
    pub fn new() -> Self {
        Slots { slots: Vec::new() }
    }

    pub fn push(&mut self, value: u8) -> usize {
        self.slots.push(Some(value));
        self.slots.len() - 1
    }

    pub fn remove(&mut self, slot: usize) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = None;
        }
    }

    pub fn get(&self, slot: usize) -> Option<&u8> {
        self.slots.get(slot)?.as_ref()
    }

    /// The first slot that is taken, not its value.
    pub fn first(&self) -> Option<usize> {
        self.slots.iter().position(Option::is_some)
    }

    /// Of the slots.
    pub fn peek(&self) -> Option<usize> {
        self.slots.len().checked_sub(1)
    }

    pub fn size(&self) -> usize {
        self.slots.len()
    }
}

impl<'s> IntoIterator for &'s Slots {
    type Item = &'s u8;
    type IntoIter = std::iter::Flatten<slice::Iter<'s, Option<u8>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.slots.iter().flatten()
    }
}

/// Ranges: it contains points.
#[derive(Clone, Debug, Heap)]
pub struct Ranges {
    ranges: Vec<(u8, u8)>,
}

#[beget::api]
impl Ranges {
    pub fn new() -> Self {
        Ranges { ranges: Vec::new() }
    }

    pub fn push(&mut self, start: u8, end: u8) {
        self.ranges.push((start, end));
    }

    pub fn contains(&self, point: u8) -> bool {
        self.ranges.iter().any(|&(start, end)| (start..end).contains(&point))
    }
}

impl<'r> IntoIterator for &'r Ranges {
    type Item = (u8, u8);
    type IntoIter = std::iter::Copied<slice::Iter<'r, (u8, u8)>>;

    fn into_iter(self) -> Self::IntoIter {
        self.ranges.iter().copied()
    }
}

/// A row of beads that is closed: iteration over it has no end.
#[derive(Clone, Debug, Heap)]
pub struct Beads {
    beads: Vec<u8>,
}

#[beget::api]
impl Beads {
    pub fn new() -> Self {
        Beads { beads: Vec::new() }
    }

    pub fn push(&mut self, bead: u8) {
        self.beads.push(bead);
    }

    pub fn len(&self) -> usize {
        self.beads.len()
    }

    pub fn contains(&self, bead: u8) -> bool {
        self.beads.contains(&bead)
    }
}

impl<'b> IntoIterator for &'b Beads {
    type Item = &'b u8;
    type IntoIter = std::iter::Cycle<slice::Iter<'b, u8>>;

    fn into_iter(self) -> Self::IntoIter {
        self.beads.iter().cycle()
    }
}

/// Its last item is given again and again from the back.
#[derive(Clone, Debug, Heap)]
pub struct Tail {
    items: Vec<u8>,
}

#[beget::api]
impl Tail {
    pub fn new() -> Self {
        Tail { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }
}

impl<'t> IntoIterator for &'t Tail {
    type Item = &'t u8;
    type IntoIter = TailItems<'t>;

    fn into_iter(self) -> Self::IntoIter {
        TailItems(self.items.iter())
    }
}

pub struct TailItems<'t>(slice::Iter<'t, u8>);

impl<'t> Iterator for TailItems<'t> {
    type Item = &'t u8;

    fn next(&mut self) -> Option<&'t u8> {
        self.0.next()
    }
}

impl DoubleEndedIterator for TailItems<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.as_slice().last()
    }
}

/// A number that is not equal to itself if it is odd, as `NaN` is not.
#[derive(Clone, Debug, Default, Heap)]
pub struct Number {
    value: u8,
}

#[beget::api]
impl Number {
    pub fn new(value: u8) -> Self {
        Number { value }
    }

    /// The contract's method panics where the run knows of it.
    pub fn len(&self) -> usize {
        assert!(self.value < 2, "too many to count");
        self.value.into()
    }

    pub fn is_empty(&self) -> bool {
        self.value == 0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.value.is_multiple_of(2)
    }
}

#[test]
fn what_a_type_does_not_promise_is_not_asked() {
    for (suite, unasked) in [
        (Board::suite as fn() -> Suite, &["clear_empties"][..]),
        (Bits::suite, &["clear_empties", "contains_is_iteration"]),
        (
            Slots::suite,
            &["get_is_nth", "len_is_iteration", "first_is_iteration", "peek_is_iteration"],
        ),
        (Ranges::suite, &["contains_is_iteration"]),
    ] {
        let run = check(suite(), "", 1);
        assert_eq!(told(&run), Vec::<String>::new());
        let asked: Vec<_> =
            run.contracts.iter().filter(|tally| tally.asked > 0).map(|tally| tally.name).collect();
        assert!(unasked.iter().all(|name| !asked.contains(name)), "{asked:?}");
        assert!(asked.contains(&"iteration_returns"), "{asked:?}");
    }
}

#[test]
fn an_iteration_without_end_is_left() {
    let message =
        "the contract `len_is_iteration` is broken: len() is 1, iteration gives 1000 items or more";
    let run = check(Beads::suite(), "", 1);
    assert_eq!(told(&run), [message]);
    // What would need all items is asked of the empty row only.
    let contains = run.contracts.iter().find(|tally| tally.name == "contains_is_iteration");
    assert_eq!(contains.map(|tally| tally.asked), Some(1));
    let tail = told(&check(Tail::suite(), "", 1));
    let more = "the contract `reversed_iteration` is broken: iteration gives 1 item, from the back 2 items or more";
    assert!(tail.contains(&more.to_owned()), "{tail:?}");
}

#[test]
fn what_is_not_equal_to_itself_has_no_equal_clone() {
    let run = check(Number::suite(), r#", misuse: (panics: ["too many"])"#, 1);
    assert_eq!(told(&run), Vec::<String>::new());
    let asked = |name: &str| run.contracts.iter().find(|tally| tally.name == name).unwrap().asked;
    // Of three numbers one cannot be counted.
    assert_eq!((asked("clone_equal"), asked("is_empty_is_len_zero")), (3, 2));
}

/// A method that panics is told by the run, once.
#[test]
fn a_panic_of_a_method_breaks_no_contract() {
    let run = check(Number::suite(), "", 1);
    assert_eq!(run.findings().count(), 1);
    assert!(told(&run)[0].contains("too many to count"), "{:?}", told(&run));
    assert_eq!(run.breaches, []);
}

/// A key, ...
#[derive(Clone, Copy, Debug, Heap)]
pub struct Key(u8);

mod other {
    /// ... and another type with that name.
    #[derive(Debug)]
    pub struct Key(#[allow(dead_code, reason = "it is shown")] pub u16);
}

/// Keys, of which the first is given as one of another type.
#[derive(Clone, Debug, Heap)]
pub struct Keys {
    keys: Vec<Key>,
}

#[beget::api]
impl Keys {
    pub fn new() -> Self {
        Keys { keys: Vec::new() }
    }

    pub fn push(&mut self, key: u8) {
        self.keys.push(Key(key));
    }

    pub fn first(&self) -> Option<other::Key> {
        self.keys.first().map(|key| other::Key(1000 + u16::from(key.0)))
    }
}

impl<'k> IntoIterator for &'k Keys {
    type Item = &'k Key;
    type IntoIter = slice::Iter<'k, Key>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.iter()
    }
}

/// Keys by numbers, which are looked up as keys of another type.
#[derive(Clone, Debug, Heap)]
pub struct KeysByNumber {
    keys: Vec<(u8, Key)>,
}

#[beget::api]
impl KeysByNumber {
    pub fn new() -> Self {
        KeysByNumber { keys: Vec::new() }
    }

    pub fn insert(&mut self, number: u8) {
        self.keys.push((number, Key(number)));
    }

    pub fn get(&self, number: u8) -> Option<other::Key> {
        let key = self.keys.iter().find(|(known, _)| *known == number);
        key.map(|(_, key)| other::Key(1000 + u16::from(key.0)))
    }
}

impl<'k> IntoIterator for &'k KeysByNumber {
    type Item = (u8, Key);
    type IntoIter = std::iter::Copied<slice::Iter<'k, (u8, Key)>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.iter().copied()
    }
}

/// Numbers with marks that tell nothing, and are not shown.
#[derive(Clone, Debug, Heap)]
pub struct Marks {
    marks: Vec<(u8, ())>,
}

#[beget::api]
impl Marks {
    pub fn new() -> Self {
        Marks { marks: Vec::new() }
    }

    pub fn push(&mut self, number: u8) {
        self.marks.push((number, ()));
    }

    pub fn first(&self) -> Option<(u8, ())> {
        self.marks.first().copied()
    }
}

impl<'m> IntoIterator for &'m Marks {
    type Item = &'m (u8, ());
    type IntoIter = slice::Iter<'m, (u8, ())>;

    fn into_iter(self) -> Self::IntoIter {
        self.marks.iter()
    }
}

/// Numbers that are given away as greater ones of another type.
#[derive(Debug, Heap)]
pub struct Exchanged {
    items: Vec<u8>,
}

#[beget::api]
impl Exchanged {
    pub fn new() -> Self {
        Exchanged { items: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn drain(&mut self) -> Vec<u16> {
        self.items.drain(..).map(|item| 1000 + u16::from(item)).collect()
    }
}

impl<'e> IntoIterator for &'e Exchanged {
    type Item = &'e u8;
    type IntoIter = slice::Iter<'e, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// Boxes whose items show where they lie.
#[derive(Clone, Debug, Heap)]
pub struct Places {
    boxes: Vec<Box<u8>>,
}

#[beget::api]
impl Places {
    pub fn new() -> Self {
        Places { boxes: Vec::new() }
    }

    pub fn push(&mut self, item: u8) {
        self.boxes.push(Box::new(item));
    }
}

impl<'p> IntoIterator for &'p Places {
    type Item = *const u8;
    type IntoIter = std::iter::Map<slice::Iter<'p, Box<u8>>, fn(&'p Box<u8>) -> *const u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.boxes.iter().map(|one| &raw const **one)
    }
}

/// A number whose default is equal to itself every other time.
#[derive(Debug, Heap)]
pub struct Fickle {
    value: u8,
}

#[beget::api]
impl Fickle {
    pub fn new(value: u8) -> Self {
        Fickle { value }
    }
}

impl Default for Fickle {
    fn default() -> Self {
        thread_local!(static NEXT: Cell<u8> = const { Cell::new(0) });
        Fickle { value: NEXT.replace(1 - NEXT.get()) }
    }
}

impl PartialEq for Fickle {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.value.is_multiple_of(2)
    }
}

/// A name that compares and hashes as its text does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Heap)]
pub struct Name {
    text: String,
}

#[beget::api]
impl Name {
    pub fn new(number: u8) -> Self {
        Name { text: number.to_string() }
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.text
    }
}

/// A point that is equal to no other one.
#[derive(Clone, Debug, Heap)]
pub struct Point(Rc<u8>);

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Point {}

impl std::hash::Hash for Point {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// All pairs of some points. What is read has too many to be told apart, so it has no form.
#[derive(Debug, Heap)]
pub struct Clique {
    pairs: HashSet<(Point, Point)>,
}

#[beget::api(serde)]
impl Clique {
    pub fn of(n_points: u8) -> Self {
        let points: Vec<Point> = (0..n_points).map(|_| Point(Rc::new(0))).collect();
        let pairs = points.iter().flat_map(|one| points.iter().map(move |other| (one, other)));
        let pairs = pairs.filter(|(one, other)| one != other);
        Clique { pairs: pairs.map(|(one, other)| (one.clone(), other.clone())).collect() }
    }
}

impl Serialize for Clique {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(7)
    }
}

impl<'de> Deserialize<'de> for Clique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(Clique::of)
    }
}

/// The number of structures of which a contract was asked.
fn n_asked(suite: Suite, contract: &str) -> u64 {
    let run = check(suite, "", 1);
    assert_eq!(told(&run), [""; 0]);
    let tally = run.contracts.iter().find(|tally| tally.name == contract);
    tally.unwrap_or_else(|| panic!("{contract} does not apply: {:?}", run.contracts)).asked
}

#[test]
fn a_value_of_another_type_is_no_item() {
    // None of the empty ones is an item.
    assert_eq!(n_asked(Keys::suite(), "first_is_iteration"), 1);
    assert_eq!(n_asked(KeysByNumber::suite(), "get_is_iteration"), 1);
    assert_eq!(n_asked(Marks::suite(), "first_is_iteration"), 1);
    // All are emptied, whatever they give.
    assert_eq!(n_asked(Exchanged::suite(), "drain_empties"), 13);
}

#[test]
fn what_cannot_be_compared_is_taken_for_the_same() {
    assert_eq!(n_asked(Places::suite(), "clone_same_contents"), 13);
    assert_eq!(n_asked(Fickle::suite(), "default_repeats"), 1);
    assert_eq!(n_asked(Clique::suite(), "serde_round_trip"), 2);
}

#[test]
fn a_borrowed_text_that_compares_as_its_owner_breaks_no_contract() {
    assert_eq!(n_asked(Name::suite(), "borrow_agrees"), 9);
}
