//! Clones that are no fresh copies: nothing is lost, and what happened is named.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use beget::{HasSuite, Heap};
use common::{
    CLONES, RECONSTRUCT, REPLAY, assert_complete, found, has_note, n_by_sequences, problems, run,
};

/// A page.
#[derive(Clone, Heap)]
pub struct Page {
    lines: u8,
}

/// A document whose clones share its pages.
#[derive(Clone, Heap)]
pub struct Doc {
    pages: Rc<Page>,
}

/// Documents of at most 4 lines.
#[beget::api(name = "doc")]
impl Doc {
    /// Empty.
    pub fn new() -> Self {
        Doc { pages: Rc::new(Page { lines: 0 }) }
    }

    /// Does nothing to pages that are shared.
    pub fn write(&mut self) {
        if let Some(page) = Rc::get_mut(&mut self.pages) {
            page.lines = (page.lines + 1).min(4);
        }
    }
}

#[test]
fn clones_that_share_counted_pointers_lose_no_structure() {
    let scope = r#"k: 1, objects: {"*": 1}"#;
    for copy_options in [CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Doc::suite(), scope, copy_options, 1);
        // 0 to 4 lines.
        assert_complete(&corpus, 5);
        assert_eq!(problems(&corpus), [] as [&str; 0], "no clone was made");
    }
}

/// Two counted leaves, the same or not.
#[derive(Clone, Heap)]
pub struct Twins {
    left: Rc<u8>,
    right: Rc<u8>,
    seen: u8,
}

const MOST: u8 = 3;

/// All that tells shared leaves from others.
#[beget::api(name = "twins")]
impl Twins {
    /// Two different leaves.
    pub fn new() -> Self {
        Twins { left: Rc::new(0), right: Rc::new(0), seen: 0 }
    }

    /// Only a leaf of its own grows.
    pub fn grow(&mut self) {
        if let Some(leaf) = Rc::get_mut(&mut self.left) {
            *leaf = (*leaf + 1).min(MOST);
        }
    }

    /// Keeps the number of owners.
    pub fn count(&mut self) {
        self.seen = Rc::strong_count(&self.left) as u8;
    }

    /// One leaf for both.
    pub fn join(&mut self) {
        self.right = Rc::clone(&self.left);
    }

    /// The right leaf, if it is shared, becomes a new one; if it is not, it is taken and put back
    /// larger.
    pub fn part(&mut self) {
        let right = std::mem::replace(&mut self.right, Rc::new(0));
        self.right = match Rc::try_unwrap(right) {
            Ok(leaf) => Rc::new((leaf + 1).min(MOST)),
            Err(shared) => Rc::new(*shared),
        };
    }

    /// The leaves change places.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
    }
}

fn n_twins() -> u32 {
    let methods: [fn(&mut Twins); 5] =
        [Twins::grow, Twins::count, Twins::join, Twins::part, Twins::swap];
    n_by_sequences(Twins::new, &methods, |twins| {
        let is_shared = Rc::ptr_eq(&twins.left, &twins.right);
        Some(format!("{} {} {} {is_shared}", twins.left, twins.right, twins.seen))
    })
}

#[test]
fn methods_that_ask_for_owners_find_what_sequences_from_the_start_find() {
    let scope = r#"k: 1, objects: {"*": 2}"#;
    // Different leaves: 4 * 4 * 3; shared ones: 4 * 3.
    assert_eq!(n_twins(), 60);
    for copy_options in [CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Twins::suite(), scope, copy_options, 1);
        assert_complete(&corpus, 60);
        assert_eq!(problems(&corpus), [] as [&str; 0], "no clone was made");
    }
}

/// A number with owners that no form shows.
#[derive(Clone, Heap)]
pub struct Hidden {
    value: u16,
    #[heap(skip)]
    owners: Rc<()>,
}

/// One value behaves in another way if it has other owners.
#[beget::api(name = "hidden")]
impl Hidden {
    /// Many at once.
    pub fn new(value: u16) -> Self {
        Hidden { value, owners: Rc::default() }
    }

    /// Only number 1024 of the constructor's asks who else owns it.
    pub fn step(&mut self) {
        if self.value == 1024 && Rc::strong_count(&self.owners) == 1 {
            self.value = 5000;
        }
    }

    /// Only what has just been found at the second level asks.
    pub fn late(&mut self) {
        if self.value == 6000 && Rc::strong_count(&self.owners) == 1 {
            self.value = 6001;
        }
    }

    /// Leads to the second level.
    pub fn lead(&mut self) {
        if self.value == 1999 {
            self.value = 6000;
        }
    }
}

#[track_caller]
fn assert_clones_are_given_up(methods: &str, n: u64) {
    let scope = format!(r#"k: 2000, ints: "0..k", methods: Only([{methods}])"#);
    let rebuilt = run(Hidden::suite(), &scope, RECONSTRUCT, 1);
    assert_complete(&rebuilt, n);
    for threads in [1, 2, 4] {
        let corpus = run(Hidden::suite(), &scope, CLONES, threads);
        assert_complete(&corpus, n);
        assert_eq!(found(&corpus), found(&rebuilt), "{threads} threads");
        assert_eq!(problems(&corpus), ["clone_differs"]);
        assert!(has_note(&corpus, "started again without clones"));
    }
}

#[test]
fn a_clone_that_shares_what_no_walk_shows_is_found_among_sampled_structures() {
    assert_clones_are_given_up(r#""new", "step""#, 2001);
}

#[test]
fn a_clone_that_shares_what_no_walk_shows_is_found_at_the_start_of_a_level() {
    assert_clones_are_given_up(r#""new", "lead", "late""#, 2002);
}

/// A number whose clones know that they are clones.
#[derive(Heap)]
pub struct Marked {
    value: u8,
    is_clone: bool,
}

impl Clone for Marked {
    fn clone(&self) -> Self {
        Marked { value: self.value, is_clone: true }
    }
}

/// Numbers up to 9.
#[beget::api(name = "marked")]
impl Marked {
    /// An original.
    pub fn new() -> Self {
        Marked { value: 0, is_clone: false }
    }

    /// The next number.
    pub fn step(&mut self) {
        self.value = (self.value + 1).min(9);
    }
}

#[test]
fn clones_with_another_form_are_not_used() {
    let corpus = run(Marked::suite(), "k: 1", CLONES, 1);
    assert_complete(&corpus, 10);
    assert!(has_note(&corpus, "one walks to another form"), "{:?}", corpus.report.ledger.notes);
    assert_eq!(problems(&corpus), [] as [&str; 0]);
}

/// How often a clone was asked for that cannot be made.
static N_UNCLONABLE: AtomicU32 = AtomicU32::new(0);

/// A number whose clones cannot be made from 3 on.
#[derive(Heap)]
pub struct Unclonable {
    value: u8,
}

impl Clone for Unclonable {
    fn clone(&self) -> Self {
        N_UNCLONABLE.fetch_add(u32::from(self.value >= 3), Relaxed);
        assert!(self.value < 3, "three is not to be cloned");
        Unclonable { value: self.value }
    }
}

/// Numbers up to 9.
#[beget::api(name = "unclonable")]
impl Unclonable {
    /// Zero.
    pub fn new() -> Self {
        Unclonable { value: 0 }
    }

    /// The next number.
    pub fn step(&mut self) {
        self.value = (self.value + 1).min(9);
    }

    /// Up to 6 the same number, in another one.
    pub fn step_on(&mut self, other: &Self) {
        self.value = self.value.max(other.value.min(6));
    }
}

#[test]
fn a_clone_that_panics_is_named_as_such_and_no_other_is_made() {
    let corpus = run(Unclonable::suite(), "k: 1", CLONES, 1);
    assert_complete(&corpus, 10);
    // No call clones: that it panics is noted, and found by a contract of `check`.
    assert_eq!(problems(&corpus), [""; 0]);
    assert_eq!(N_UNCLONABLE.load(Relaxed), 1);
    let [note] = &corpus.report.ledger.notes[..] else {
        panic!("{:?}", corpus.report.ledger.notes)
    };
    assert!(note.starts_with("clones are not used: `Clone` panicked at "), "{note}");
    assert!(note.ends_with(": three is not to be cloned"), "{note}");
}

/// How many clones of a [`Weary`] are still to be had.
static N_CLONES_LEFT: AtomicU32 = AtomicU32::new(0);

/// A number with clones for a while.
#[derive(Heap)]
pub struct Weary {
    value: u8,
}

impl Clone for Weary {
    fn clone(&self) -> Self {
        let left = N_CLONES_LEFT.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        assert!(left.is_ok(), "no more clones");
        Weary { value: self.value }
    }
}

/// Numbers up to 9.
#[beget::api(name = "weary")]
impl Weary {
    /// Zero.
    pub fn new() -> Self {
        Weary { value: 0 }
    }

    /// The next number, or a later one.
    pub fn step(&mut self, by: u8) {
        self.value = (self.value + by).min(9);
    }
}

/// Calls that were made on clones are made again and count once, wherever clones end.
#[test]
fn calls_on_clones_that_are_given_up_do_not_count() {
    let scope = r#"k: 3, ints: "1..=k", fields: {"*": "any"}"#;
    let rebuilt = run(Weary::suite(), scope, RECONSTRUCT, 1);
    assert_complete(&rebuilt, 10);
    // On each number there is a clone for each call, but on 9, which calls leave as it is: there
    // is one for all.
    for n_clones in 0..=9 * 3 + 1 {
        N_CLONES_LEFT.store(n_clones, Relaxed);
        let corpus = run(Weary::suite(), scope, CLONES, 1);
        assert_eq!(found(&corpus), found(&rebuilt), "{n_clones} clones");
        assert_eq!(problems(&corpus), [""; 0], "{n_clones} clones");
        assert_eq!(
            corpus.report.ledger.notes.len(),
            usize::from(n_clones < 28),
            "{n_clones} clones"
        );
    }
}

/// How many clones of a [`Counted`] were made.
static N_COUNTED: AtomicU32 = AtomicU32::new(0);

/// A number whose clones are counted.
#[derive(Heap)]
pub struct Counted {
    value: u8,
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        N_COUNTED.fetch_add(1, Relaxed);
        Counted { value: self.value }
    }
}

/// Numbers, each one call from each.
#[beget::api(name = "counted")]
impl Counted {
    /// Zero.
    pub fn new() -> Self {
        Counted { value: 0 }
    }

    /// Another number.
    pub fn set(&mut self, value: u8) {
        self.value = value;
    }
}

#[test]
fn the_last_call_on_a_structure_that_is_not_compared_needs_no_clone() {
    let scope = r#"k: 3, ints: "0..160""#;
    let rebuilt = run(Counted::suite(), scope, RECONSTRUCT, 1);
    assert_complete(&rebuilt, 160);
    N_COUNTED.store(0, Relaxed);
    let corpus = run(Counted::suite(), scope, CLONES, 1);
    assert_eq!(found(&corpus), found(&rebuilt));
    // Calls on the first 128 structures are compared. On each number there is a call that leaves
    // its clone to the next one; on the two last ones no call on a clone comes behind it.
    assert_eq!(N_COUNTED.load(Relaxed), 128 * 160 + 32 * 159 - (160 - 2));
}

/// A number that must not be dropped at 3.
#[derive(Clone, Heap)]
pub struct Fragile {
    value: u8,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.value != 3, "three is not to be dropped");
    }
}

/// Numbers up to 9.
#[beget::api(name = "fragile")]
impl Fragile {
    /// Zero.
    pub fn new() -> Self {
        Fragile { value: 0 }
    }

    /// The next number.
    pub fn step(&mut self) {
        self.value = (self.value + 1).min(9);
    }

    /// Two at once: the numbers from 10 on come of no other call, so a replay of them drops a 3.
    pub fn both(&self) -> (Self, Self) {
        (Fragile { value: 3 }, Fragile { value: 10 + self.value % 10 })
    }
}

#[test]
fn a_destructor_that_panics_is_a_finding_of_its_own() {
    let rebuilt = run(Fragile::suite(), "k: 1", RECONSTRUCT, 1);
    for copy_options in [CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Fragile::suite(), "k: 1", copy_options, 1);
        assert_complete(&corpus, 20);
        assert_eq!(found(&corpus), found(&rebuilt));
        // One finding for both methods that leave a 3: `step` and `both`.
        assert_eq!(problems(&corpus), ["drop_panics"]);
        for finding in &corpus.report.findings {
            let message = &finding.problem.message;
            assert!(message.ends_with(": three is not to be dropped"), "{message}");
        }
    }
}
