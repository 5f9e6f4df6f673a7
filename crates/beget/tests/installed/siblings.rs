//! Images that are patched where the next structure is a sibling, against values made for each
//! call: of types that are awkward for it.
//!
//! Images need the allocator. The subjects keep no state outside their values.
#![allow(unsafe_code, reason = "an allocator is installed, and raw pointers lead to nodes")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::disallowed_types,
    reason = "the types stand for those of a library"
)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::store::{Recipes, Store, StructureId};
use beget_engine::{
    CopyOptions, CopyPolicy, Corpus, Reconstruction, Run, Settings, choose_copy_strategy,
};
use beget_heap::{ClassKey, Decoder, Field, Schema, Undecodable, Walker};
use beget_plan::scope::{Overrides, ScopeFile};

/// Everything of a suite over the integers of `ints`, decoded.
fn run(suite: Suite, ints: &str, no_region: bool) -> Corpus {
    let (name, k) = (suite.name.clone(), 4);
    let scope = format!(
        r#"Scope(suite: "{name}", k: {k}, objects: {{"*": "k"}}, arrays: "k", ints: "{ints}", misuse: (errors: true))"#
    );
    let file = ScopeFile::parse("scope.ron", &scope).expect("a scope");
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &Overrides::default(), &no_files);
    let plan = resolved.expect("a plan").plan;
    let copy_options = CopyOptions { no_region, no_clone: true, ..CopyOptions::default() };
    let strategy = choose_copy_strategy(&plan.suite.types[0], &plan, copy_options);
    assert_eq!(strategy.reconstruction, Reconstruction::Decode);
    assert_eq!(strategy.copy_policy == CopyPolicy::Region, !no_region);
    Run::new(plan).settings(Settings { threads: 1, copy_options }).go()
}

/// Runs a suite with images and without; there are `n` structures, and both tell the same of each.
#[track_caller]
fn check(suite: fn() -> Suite, ints: &str, n: u64) {
    let (patched, decoded) = (run(suite(), ints, false), run(suite(), ints, true));
    assert_eq!(patched.report.ledger.notes, [""; 0]);
    assert_eq!((patched.store.len(), decoded.store.len()), (n, n));
    assert_eq!(patched.report.ledger.counters, decoded.report.ledger.counters);
    assert_eq!(patched.report.findings, decoded.report.findings);
    assert_eq!(patched.totals(), decoded.totals());
    for id in (0..n).map(StructureId::new) {
        assert_eq!(patched.store.form(id).unwrap(), decoded.store.form(id).unwrap());
        let origins = [&patched, &decoded].map(|corpus| corpus.store.origin_of(id).unwrap());
        assert_eq!(origins[0], origins[1]);
    }
}

/// Integers of all widths, beside what is none.
#[derive(Clone, Default, Heap)]
pub struct Widths {
    small: i8,
    flag: bool,
    middle: i16,
    letter: Option<i32>,
    wide: i64,
}

#[beget::api]
impl Widths {
    pub fn new() -> Self {
        Widths::default()
    }

    pub fn set_small(&mut self, small: i8) {
        self.small = small;
    }

    pub fn set_middle(&mut self, middle: i16) {
        self.middle = middle;
    }

    pub fn set_letter(&mut self, letter: Option<i32>) {
        self.letter = letter;
    }

    /// What the others come to, which shows whether they are what they are said to be.
    pub fn sum(&mut self) {
        self.wide =
            i64::from(self.small) - i64::from(self.middle) + i64::from(self.letter.unwrap_or(50));
    }

    pub fn flip(&mut self) {
        self.flag = self.small > 0 && !self.flag;
    }
}

#[test]
fn integers_of_all_widths_are_exchanged_and_nothing_else() {
    // The wide one is 0, or what the others came to: -4 to 5, or 47 to 53 without a letter.
    check(Widths::suite, "-1..=2", 4 * 4 * 5 * 2 * 17);
}

/// Keys in order, elements that are hashed, and what follows the front.
#[derive(Clone, Default, Heap)]
pub struct Keyed {
    map: BTreeMap<i32, i32>,
    set: BTreeSet<u8>,
    hashed: HashSet<i32>,
    queue: VecDeque<i32>,
}

#[beget::api]
impl Keyed {
    pub fn new() -> Self {
        Keyed::default()
    }

    pub fn insert(&mut self, key: i32, value: i32) {
        self.map.insert(key, value);
        self.map.retain(|_, kept| *kept != 0);
    }

    pub fn add(&mut self, element: u8) {
        if self.set.len() < 2 {
            self.set.insert(element);
        }
    }

    pub fn hash(&mut self, element: i32) {
        self.hashed = HashSet::from([element]);
    }

    pub fn turn(&mut self) {
        if let Some((first, last)) = self.map.pop_first() {
            self.queue = VecDeque::from([first, last]);
        }
    }
}

#[test]
fn keys_stay_in_order_and_hashed_elements_are_decoded() {
    // Three keys have one of two values or none, a former entry is in the queue or none; two
    // elements of three at most, and one of three or none.
    check(Keyed::suite, "0..=2", 27 * 7 * 7 * 4);
}

/// A node that knows its owner.
#[derive(Heap)]
struct Node {
    value: i32,
    next: Option<Rc<RefCell<Node>>>,
    previous: Weak<RefCell<Node>>,
}

/// A list of shared nodes, with a cell beside it.
#[derive(Default, Heap)]
pub struct Shared {
    head: Option<Rc<RefCell<Node>>>,
    count: Cell<i32>,
}

#[beget::api]
impl Shared {
    pub fn new() -> Self {
        Shared::default()
    }

    pub fn push(&mut self, value: i32) {
        let next = self.head.take();
        let node = Rc::new(RefCell::new(Node { value, next, previous: Weak::new() }));
        if let Some(next) = &node.borrow().next {
            next.borrow_mut().previous = Rc::downgrade(&node);
        }
        self.head = Some(node);
    }

    pub fn count(&mut self, from: i32) {
        let first = self.head.as_ref().map_or(0, |node| node.borrow().value);
        self.count.set((from + first) % 3);
    }

    /// The second node's value goes to the first, by way of the link back.
    pub fn back(&mut self) {
        let second = self.head.as_ref().and_then(|node| node.borrow().next.clone());
        if let Some(second) = second {
            let first = second.borrow().previous.upgrade().expect("the list owns it");
            first.borrow_mut().value = second.borrow().value;
        }
    }
}

#[test]
fn shared_nodes_and_cells_are_as_if_decoded() {
    // Lists of at most four of four values, and what the cell has of three.
    check(Shared::suite, "0..=3", (1 + 4 + 16 + 64 + 256) * 3);
}

/// Nodes in a ring, by raw pointers.
#[derive(Heap)]
struct RingNode {
    #[heap(unsafe(pointer))]
    next: *mut RingNode,
    value: i32,
}

#[derive(Heap)]
pub struct Ring {
    #[heap(unsafe(pointer))]
    at: *mut RingNode,
}

impl Drop for Ring {
    fn drop(&mut self) {
        let mut node = self.at;
        loop {
            // SAFETY: all nodes are the ring's, made by `Box::into_raw`, and each is freed once.
            let next = unsafe { Box::from_raw(node).next };
            if next == self.at {
                break;
            }
            node = next;
        }
    }
}

#[beget::api]
impl Ring {
    pub fn new(value: i32) -> Self {
        let node = Box::into_raw(Box::new(RingNode { next: std::ptr::null_mut(), value }));
        // SAFETY: the node was made a moment ago.
        unsafe { (*node).next = node };
        Ring { at: node }
    }

    pub fn insert(&mut self, value: i32) {
        // SAFETY: the ring owns its nodes.
        unsafe {
            let node = Box::into_raw(Box::new(RingNode { next: (*self.at).next, value }));
            (*self.at).next = node;
        }
    }

    pub fn turn(&mut self) {
        // SAFETY: the ring owns its nodes.
        unsafe {
            self.at = (*self.at).next;
            (*self.at).value = (*self.at).value.min(2);
        }
    }
}

#[test]
fn nodes_in_a_ring_are_as_if_decoded() {
    // Of the lists of one to four of five values each.
    check(Ring::suite, "0..=4", 5 + 25 + 125 + 625);
}

/// Hashes of integers: from 140 on each has its own.
#[derive(Default)]
pub struct LateHasher(u64);

impl Hasher for LateHasher {
    fn write(&mut self, _: &[u8]) {}

    fn write_i32(&mut self, number: i32) {
        self.0 = u64::from(number.max(139).unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A set whose number is shown before that too, and so is noted.
#[derive(Default, Heap)]
pub struct Noted {
    noted: (Rc<i32>, HashSet<Rc<i32>, BuildHasherDefault<LateHasher>>),
}

#[beget::api]
impl Noted {
    pub fn new() -> Self {
        Noted::default()
    }

    pub fn note(&mut self, number: i32) {
        let number = Rc::new(number);
        self.noted = (number.clone(), HashSet::from_iter([number]));
    }

    /// Finds a number by its hash.
    pub fn strike(&mut self, number: i32) {
        self.noted.1.remove(&number);
    }
}

/// The first 128 structures are also made by their calls, so a wrong image of one of them would
/// have no effect.
#[test]
fn a_hashed_number_that_is_shown_elsewhere_too_is_decoded() {
    // One of the numbers is the last, and in the set or not.
    check(Noted::suite, "0..=149", 150 * 2);
}

/// A number and its double, which is not shown. It is implemented by hand, so it is not regular.
pub struct Twofold {
    number: i32,
    double: i32,
}

const NUMBER: &[Field] = &[Field { name: "number", ty: "i32", skipped: false }];

impl Heap for Twofold {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Twofold")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), NUMBER) {
            i32::describe(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.number.walk_in_place(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let number = decoder.field(Self::class(), 0)?;
        Ok(Twofold { number, double: 2 * number })
    }
}

#[beget::api]
impl Twofold {
    pub fn new() -> Self {
        Twofold { number: 0, double: 0 }
    }

    pub fn set(&mut self, number: i32) {
        *self = Twofold { number, double: 2 * number };
    }

    /// Is -1 if the double is that of another number.
    pub fn compare(&mut self) {
        if self.double != 2 * self.number {
            *self = Twofold { number: -1, double: -2 };
        }
    }
}

#[test]
fn a_type_that_is_not_regular_is_decoded() {
    // Each of the numbers, and not -1.
    check(Twofold::suite, "0..=149", 150);
}

/// A count of decodings, up to 2, which breaks the promise of `Heap`.
struct Decodings(u8);

impl Heap for Decodings {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        u8::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk(walker);
    }

    fn walk_in_place<W: Walker>(&self, walker: &mut W) {
        self.0.walk_in_place(walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        u8::decode(decoder).map(|count| Decodings((count + 1).min(2)))
    }
}

/// A number, and from 140 on a count of decodings. Before that, neighbours differ in four numbers
/// more, so they do not look like siblings and no walk is recorded.
#[derive(Heap)]
pub struct Drifting {
    number: i32,
    parities: [i32; 4],
    decodings: Option<Box<Decodings>>,
    is_noted: bool,
}

#[beget::api]
impl Drifting {
    pub fn new() -> Self {
        Drifting { number: 0, parities: [0; 4], decodings: None, is_noted: false }
    }

    pub fn set(&mut self, number: i32) {
        let decodings = (number >= 140).then(|| Box::new(Decodings(1)));
        let parities = if number < 140 { [number % 2; 4] } else { [0; 4] };
        *self = Drifting { number, parities, decodings, is_noted: false };
    }

    pub fn note(&mut self) {
        self.is_noted = true;
    }
}

/// The structures behind the first 128 are not compared with those of their calls.
#[test]
fn an_image_that_is_walked_as_another_form_is_not_patched() {
    // The numbers, noted or not: where a count is noted it is 2, since all of them were decoded.
    check(Drifting::suite, "0..=149", 150 * 2);
}
