//! Incremental re-encoding against walks: where the form of a call's value is had from the last
//! walk by exchanging integers, it must be what a walk gives. Subjects made to be awkward for it.
//!
//! Re-encoding needs memory that can be compared, hence the allocator. The subjects keep no state
//! outside their values.
#![allow(unsafe_code, reason = "an allocator is installed, and raw pointers lead into objects")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::cell::{Cell, RefCell};
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::Arc;

use beget::heap::{Field, Primitive, Schema, Walker};
use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::store::Store;
use beget_engine::{CopyOptions, Corpus, Effect, Explorer, Run, Settings};
use beget_plan::scope::{Overrides, ScopeFile};

/// Everything of a suite over the integers of `ints`, a list or a range.
fn run(suite: Suite, ints: &str, no_region: bool) -> Corpus {
    let (name, k) = (suite.name.clone(), 5);
    let scope = format!(
        r#"Scope(suite: "{name}", k: {k}, objects: {{"*": "k"}}, arrays: "k", ints: {ints}, misuse: (errors: true))"#
    );
    let file = ScopeFile::parse("scope.ron", &scope).expect("a scope");
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &Overrides::default(), &no_files);
    // Pointers into objects are not decoded as such.
    let copy_options = CopyOptions { no_decode: true, no_region, ..CopyOptions::default() };
    Run::new(resolved.expect("a plan").plan).settings(Settings { threads: 1, copy_options }).go()
}

/// Runs a suite with and without re-encoding; there are `n` structures, and both tell the same.
#[track_caller]
fn check(suite: fn() -> Suite, ints: &str, n: u64) -> Corpus {
    let (region, walked) = (run(suite(), ints, false), run(suite(), ints, true));
    assert_eq!(region.report.ledger.notes, [""; 0]);
    assert_eq!((region.store.len(), walked.store.len()), (n, n));
    assert_eq!(region.report.ledger.counters, walked.report.ledger.counters);
    assert_eq!(region.report.findings, walked.report.findings);
    assert_eq!(region.totals(), walked.totals());
    region
}

#[derive(Heap)]
struct Outer {
    inner: Inner,
    other: i32,
}

#[derive(Heap)]
struct Inner {
    value: i32,
}

/// A raw pointer into an object that is shown as a whole.
#[derive(Heap)]
pub struct Pointing {
    #[heap(unsafe(pointer))]
    into: *mut Inner,
    outer: Box<Outer>,
    #[heap(unsafe(pointer))]
    value: *mut i32,
}

#[beget::api]
impl Pointing {
    pub fn new() -> Self {
        let mut outer = Box::new(Outer { inner: Inner { value: 0 }, other: 0 });
        Pointing { into: &raw mut outer.inner, value: &raw mut outer.inner.value, outer }
    }

    pub fn set(&mut self, value: i32) {
        self.outer.inner.value = value;
    }

    pub fn set_other(&mut self, other: i32) {
        self.outer.other = other;
    }
}

#[test]
fn an_integer_that_raw_pointers_show_again_changes_wherever_it_is_shown() {
    check(Pointing::suite, r#""0..k""#, 5 * 5);
}

/// Its walk, by hand, shows one part twice, and once what is made of it.
pub struct ByHand {
    inner: Inner,
}

impl Heap for ByHand {
    fn describe(schema: &mut Schema) {
        let field = |name| Field { name, ty: "Inner", skipped: false };
        schema.class(Self::class(), &[field("again"), field("inner"), field("is_even")]);
        schema.part::<Inner>();
        schema.not_decodable("its parts are shown twice");
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.inner.walk(walker);
        self.inner.walk(walker);
        walker.primitive(Primitive::Bool(self.inner.value % 2 == 0));
    }
}

#[beget::api]
impl ByHand {
    pub fn new() -> Self {
        ByHand { inner: Inner { value: 0 } }
    }

    pub fn set(&mut self, value: i32) {
        self.inner.value = value;
    }
}

#[test]
fn walks_by_hand_may_depend_on_integers() {
    check(ByHand::suite, r#""0..k""#, 5);
}

/// What a function makes of memory that is shown elsewhere.
#[derive(Heap)]
pub struct Seen {
    #[heap(unsafe(pointer))]
    inner: *mut Inner,
    #[heap(with = is_even)]
    seen: *mut Inner,
}

fn is_even(inner: &*mut Inner) -> bool {
    // SAFETY: both pointers of a `Seen` lead to the one `Inner` that it owns.
    unsafe { (**inner).value % 2 == 0 }
}

#[beget::api]
impl Seen {
    pub fn new() -> Self {
        let inner = Box::into_raw(Box::new(Inner { value: 0 }));
        Seen { inner, seen: inner }
    }

    pub fn set(&mut self, value: i32) {
        // SAFETY: the pointer leads to the `Inner` that this value owns.
        unsafe { (*self.inner).value = value };
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`, and dropped once.
        drop(unsafe { Box::from_raw(self.inner) });
    }
}

#[test]
fn functions_may_see_integers_that_are_shown_elsewhere() {
    check(Seen::suite, r#""0..k""#, 5);
}

/// An object that is shown by content, too.
#[derive(Heap)]
pub struct Plain {
    node: Rc<RefCell<Inner>>,
    #[heap(plain)]
    plain: Rc<RefCell<Inner>>,
}

#[beget::api]
impl Plain {
    pub fn new() -> Self {
        let node = Rc::new(RefCell::new(Inner { value: 0 }));
        Plain { plain: node.clone(), node }
    }

    pub fn set(&mut self, value: i32) {
        self.node.borrow_mut().value = value;
    }
}

#[test]
fn plain_fields_may_show_integers_that_are_shown_elsewhere() {
    check(Plain::suite, r#""0..k""#, 5);
}

/// A raw pointer into a cell, of which a copy is shown.
#[derive(Heap)]
pub struct Copied {
    #[heap(unsafe(pointer))]
    into: *mut i32,
    cell: Box<(Cell<i32>, u8)>,
}

#[beget::api]
impl Copied {
    pub fn new() -> Self {
        let cell = Box::new((Cell::new(0), 0));
        Copied { into: cell.0.as_ptr(), cell }
    }

    pub fn set(&mut self, value: i32) {
        self.cell.0.set(value);
    }
}

#[test]
fn a_cell_is_shown_by_a_copy() {
    check(Copied::suite, r#""0..k""#, 5);
}

/// Counts as its value does; the values of two are shown before they decide an order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Heap)]
struct Ranked(Rc<RefCell<Rank>>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Heap)]
struct Rank {
    value: i32,
}

#[derive(Heap)]
pub struct Ordered {
    elements: [Ranked; 2],
    heap: BinaryHeap<Ranked>,
}

#[beget::api]
impl Ordered {
    pub fn new() -> Self {
        let ranked = || Ranked(Rc::new(RefCell::new(Rank { value: 0 })));
        let elements = [ranked(), ranked()];
        Ordered { heap: elements.iter().cloned().collect(), elements }
    }

    pub fn set_first(&mut self, value: i32) {
        self.elements[0].0.borrow_mut().value = value;
    }

    pub fn set_second(&mut self, value: i32) {
        self.elements[1].0.borrow_mut().value = value;
    }
}

#[test]
fn integers_that_are_shown_elsewhere_may_decide_an_order() {
    check(Ordered::suite, r#""0..k""#, 5 * 5);
}

/// Two integers of eight bytes.
#[derive(Clone, Default, Heap)]
pub struct Wide {
    signed: i64,
    unsigned: u64,
}

#[beget::api]
impl Wide {
    pub fn new() -> Self {
        Wide::default()
    }

    pub fn set_unsigned(&mut self, unsigned: u64) {
        self.unsigned = unsigned;
    }

    pub fn set_signed(&mut self, signed: i64) {
        self.signed = signed;
    }

    pub fn negate(&mut self) {
        self.signed = self.signed.wrapping_neg();
    }
}

#[test]
fn integers_that_differ_in_one_half_of_eight_bytes_differ() {
    // Neighbours that differ in the high half, in the low one, and in both.
    let ints = "[0, 4294967296, 4294967297, 1, 8589934593, 4294967295, 2]";
    // Seven values, and for the signed one the opposites of six.
    check(Wide::suite, ints, 7 * 13);
}

/// Calls that differ in an integer and in their outcome.
#[derive(Clone, Default, Heap)]
pub struct Fallible {
    value: i32,
}

#[beget::api]
impl Fallible {
    pub fn new() -> Self {
        Fallible::default()
    }

    /// Changes the value, and says afterwards whether it may be.
    pub fn set(&mut self, value: i32) -> Result<(), String> {
        self.value = value;
        match value {
            3 => panic!("three"),
            _ if value % 2 == 1 => Err("odd".to_owned()),
            _ => Ok(()),
        }
    }
}

#[test]
fn what_a_refused_or_failed_call_left_is_no_structure() {
    let corpus = check(Fallible::suite, r#""0..=5""#, 3);
    let counters = corpus.report.ledger.counters;
    // On each of 0, 2 and 4: six calls, of which 1 and 5 are refused and 3 fails.
    assert_eq!((counters.misuse, counters.failures), (3 * 2, 3));
    // The constructor, and those that found 2 and 4.
    assert_eq!((counters.kept, counters.matched), (3, 3 * 3 - 2));
}

/// Two numbers that grow past all literals.
#[derive(Heap)]
pub struct Growing {
    left: i32,
    right: i32,
}

#[beget::api]
impl Growing {
    pub fn new() -> Self {
        Growing { left: 0, right: 0 }
    }

    pub fn grow_left(&mut self, n: i32) {
        self.left = (self.left + n).min(20);
    }

    pub fn grow_right(&mut self, n: i32) {
        self.right = (self.right + n).min(20);
    }
}

/// The first integer that is too large to be written short has the code that says so.
#[test]
fn integers_at_the_end_of_what_is_written_short_are_walked() {
    for most in 1..=7 {
        check(Growing::suite, &format!("[1, {most}]").replace("[1, 1]", "[1]"), 21 * 21);
    }
}

/// Two neighbouring numbers come to the same value.
#[derive(Clone, Default, Heap)]
pub struct Halved {
    value: i32,
}

#[beget::api]
impl Halved {
    pub fn new() -> Self {
        Halved::default()
    }

    pub fn set(&mut self, value: i32) {
        self.value = value / 2;
    }

    pub fn put(&mut self, value: i32) {
        self.set(value);
    }
}

/// Calls that change nothing are not shown with every way of copying.
#[test]
fn a_watched_closure_shows_calls_that_leave_what_the_last_call_left() {
    for no_region in [false, true] {
        let plan = common::plan(Halved::suite(), r#"k: 1, objects: {"*": "k"}, ints: "0..=5""#);
        let copy_options = CopyOptions { no_region, no_clone: true, ..CopyOptions::default() };
        let explorer = Explorer::new(&plan, Settings { threads: 1, copy_options });
        let methods: Vec<_> = plan.planned_idxs().collect();
        let mut n_shown = [0; 3];
        let mut watch = |effect: Effect<'_>| {
            n_shown[effect.method.index()] += u32::from(!effect.is_unchanged());
        };
        explorer.empty().extend_watched(&methods, &mut watch, &mut |_| None);
        // The constructor, and on each of 0, 1 and 2 four of six calls of either method.
        assert_eq!(n_shown, [1, 3 * 4, 3 * 4], "{no_region}");
    }
}
