//! A command line for a suite whose methods end their process in as many ways as there are, or do
//! not end. The tests of this crate run it.
#![allow(unreachable_pub, reason = "the type stands for that of a library")]

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use beget::elements::Tracked;
use beget::heap::view::{RepOk, clause};
use beget::{HasSuite, Heap, HeapView};
use beget_oracle::rep_ok::Subject;
use beget_program::Catalog;

// The methods leave nothing outside their values.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    let suites = vec![
        Deadly::suite(),
        Born::suite(),
        Torn::suite(),
        Trusting::suite(),
        WornSuite::suite(),
        Foggy::suite(),
        LockersSuite::suite(),
        Grim::suite(),
        Frail::suite(),
        Careless::suite(),
        Stuck::suite(),
        Pallet::suite(),
        Wary::suite(),
    ];
    let below = RepOk::<Born>::new("below", |born| clause("value below 10", born.value() < 10));
    let any = RepOk::<Stuck>::new("any", |stuck| clause("it is off", !stuck.is_on()));
    let catalog = Catalog::new(suites).with_rep_oks("born", Subject::new([below]));
    beget_program::main(catalog.with_rep_oks("stuck", Subject::new([any])))
}

/// A turn of what does not end. Tests give it up by the clock, so it keeps no core busy. Those of
/// `crates/beget/tests/crashes.rs` do.
fn wait() {
    std::thread::sleep(Duration::from_millis(1));
}

/// A stack of small numbers. All methods but the first three are fine, unless a 3 is on top.
#[derive(Clone, Debug, Default, Heap)]
pub struct Deadly {
    items: Vec<u8>,
}

/// A number.
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Born {
    value: u8,
}

/// Constructors, one of which dies.
#[beget::api(name = "born")]
impl Born {
    /// Dies.
    pub fn stillborn() -> Self {
        std::process::abort();
    }

    /// The number.
    pub fn new(value: u8) -> Self {
        Born { value }
    }
}

/// A switch that cannot be turned on.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Stuck {
    is_on: bool,
}

/// Ways to turn it on, which do not return.
#[beget::api(name = "stuck")]
impl Stuck {
    /// Off.
    pub fn new() -> Self {
        Stuck::default()
    }

    /// Does not return.
    pub fn turn_on(&mut self) {
        while !black_box(self.is_on) {
            wait();
        }
    }
}

/// A set of bits that is seen by how many they are, and aborts once it has been emptied.
#[derive(Clone, Default)]
pub struct Worn {
    n_bits: u8,
    was_emptied: bool,
}

impl std::fmt::Debug for Worn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.was_emptied {
            std::process::abort();
        }
        self.n_bits.fmt(f)
    }
}

impl Worn {
    /// None.
    pub fn new() -> Self {
        Worn::default()
    }

    /// One more.
    pub fn fill(&mut self) {
        if self.was_emptied {
            std::process::abort();
        }
        self.n_bits += 1;
    }

    /// None.
    pub fn clear(&mut self) {
        self.was_emptied |= self.n_bits > 1;
        self.n_bits = 0;
    }
}

beget::suite! {
    /// What is merged is deadly.
    #[name = "worn"]
    suite WornSuite for Worn {
        abstraction |worn| -> u8 { worn.n_bits };
        fn new() -> Self;
        fn fill(&mut self);
        fn clear(&mut self);
    }
}

/// A number that is seen slowly: 1 by half a second, 2 never.
#[derive(Clone, Debug, Heap)]
pub struct Foggy {
    #[heap(with = peer)]
    number: u8,
}

fn peer(number: &u8) -> u8 {
    match number {
        1 => std::thread::sleep(Duration::from_millis(500)),
        2 => loop {
            wait();
        },
        _ => {}
    }
    *number
}

/// Calls that are fast, whatever they leave.
#[beget::api(name = "foggy")]
impl Foggy {
    /// The number.
    pub fn new(number: u8) -> Self {
        Foggy { number }
    }

    /// Three more.
    pub fn lift(&mut self) {
        self.number = self.number.saturating_add(3);
    }
}

/// Slots whose values are taken by their keys, once: twice aborts.
#[derive(Clone, Debug, Default, Heap)]
pub struct Lockers {
    slots: Vec<Option<u8>>,
}

/// Elements, some of them copies of others.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Pallet {
    elements: Vec<Tracked>,
}

/// Aborts where it is dropped by a panic.
struct CloningGuard;

impl Drop for CloningGuard {
    fn drop(&mut self) {
        panic!("an element is missing");
    }
}

impl Default for Pallet {
    fn default() -> Self {
        std::process::abort();
    }
}

impl Pallet {
    fn copy_all(elements: &[Tracked]) -> Vec<Tracked> {
        let guard = CloningGuard;
        let copies = elements.to_vec();
        std::mem::forget(guard);
        copies
    }
}

/// Ways to copy elements, none of which survives a `Clone` that panics.
#[beget::api(name = "pallet")]
impl Pallet {
    /// An element and its copy.
    pub fn twice(element: Tracked) -> Self {
        let copy = Pallet::copy_all(std::slice::from_ref(&element));
        Pallet { elements: std::iter::once(element).chain(copy).collect() }
    }

    /// Nothing.
    pub fn empty() -> Self {
        Pallet { elements: Vec::new() }
    }

    /// One more.
    pub fn push(&mut self, element: Tracked) {
        self.elements.push(element);
    }

    /// A copy of each.
    pub fn double(&mut self) {
        let copies = Pallet::copy_all(&self.elements);
        self.elements.extend(copies);
    }

    /// Dies by itself.
    pub fn unpack(self, element: Tracked) -> Self {
        drop(element);
        std::process::abort();
    }
}

/// The key of a slot.
#[derive(Clone, Copy, Debug, Heap)]
pub struct LockerKey(usize);

impl Lockers {
    /// None.
    pub fn new() -> Self {
        Lockers::default()
    }

    /// One more.
    pub fn insert(&mut self, value: u8) -> LockerKey {
        self.slots.push(Some(value));
        LockerKey(self.slots.len() - 1)
    }

    /// What is there; nothing for the key of a slot that there is not.
    pub fn take(&mut self, key: LockerKey) -> u8 {
        let slot = self.slots.get_mut(key.0);
        slot.map_or(0, |slot| slot.take().unwrap_or_else(|| std::process::abort()))
    }
}

beget::suite! {
    /// Keys that are deadly once they are stale.
    #[name = "lockers"]
    suite LockersSuite {
        for Lockers {
            fn new() -> Self;
            fn insert(&mut self, value: u8) -> LockerKey;
            fn take(&mut self, key: LockerKey) -> u8;
        }
        for LockerKey {
            keys;
        }
    }
}

/// A value whose destructor panics.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("the second panic");
    }
}

fn descend(depth: u64) -> u64 {
    let room = black_box([depth; 64]);
    if depth == u64::MAX { 0 } else { descend(depth + 1) + black_box(room)[0] }
}

/// Ways to die.
#[beget::api(name = "deadly")]
impl Deadly {
    /// Nothing.
    pub fn new() -> Self {
        Deadly::default()
    }

    /// Puts a number on top.
    pub fn push(&mut self, value: u8) {
        self.items.push(value);
    }

    /// Takes the number on top.
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }

    fn is_deadly(&self) -> bool {
        self.items.last() == Some(&3)
    }

    /// Panics on the empty stack, which is found before anything dies.
    pub fn refuse(&self) {
        assert!(!self.items.is_empty(), "nothing is there");
    }

    /// Aborts.
    pub fn abort(&mut self) {
        if self.is_deadly() {
            eprintln!("malloc(): corrupted top size");
            std::process::abort();
        }
    }

    /// Ends the process as if all were well.
    pub fn exit(&mut self) {
        if self.is_deadly() {
            std::process::exit(0);
        }
    }

    /// Writes where nothing is.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn fault(&mut self) {
        if self.is_deadly() {
            // SAFETY: there is none: the write is to end the process.
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
        }
    }

    /// Breaks a promise that the standard library checks, which says which one.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn unchecked(&mut self) {
        if self.is_deadly() {
            // SAFETY: there is none: the check of the index is to end the process.
            black_box(unsafe { self.items.get_unchecked(black_box(9)) });
        }
    }

    /// Panics where nothing may unwind.
    pub fn panic_across(&mut self) {
        extern "C" fn refuse() {
            panic!("the first line\nand the second");
        }
        if self.is_deadly() {
            refuse();
        }
    }

    /// Calls itself without end.
    pub fn overflow(&mut self) {
        if self.is_deadly() {
            black_box(descend(0));
        }
    }

    /// Panics, and once more while that unwinds.
    pub fn panic_twice(&mut self) {
        if self.is_deadly() {
            let _grenade = Grenade;
            panic!("the first panic");
        }
    }

    /// Does not return.
    pub fn spin(&mut self) {
        while self.is_deadly() {
            wait();
        }
    }

    /// Takes all the memory that there is.
    pub fn hoard(&mut self) {
        let mut hoard = Vec::new();
        while self.is_deadly() {
            hoard.push(vec![1_u8; 1 << 20]);
        }
    }

    /// Leaves a MiB behind, wherever a 3 is on top.
    pub fn litter(&mut self) {
        if self.is_deadly() {
            std::mem::forget(vec![1_u8; 1 << 20]);
        }
    }

    /// Waits on the empty stack, if it is told to: says that it does by a file in the directory
    /// that a variable names, until there is another one.
    pub fn ponder(&self) {
        let dir = std::env::var_os("DEADLY_DIRECTORY").filter(|_| self.items.is_empty());
        if let Some(dir) = dir.map(PathBuf::from) {
            std::fs::write(dir.join("begun"), "").unwrap();
            while !dir.join("go").exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Panics by the destructor of something else.
    pub fn leave_grenade(&mut self) {
        if self.is_deadly() {
            drop(Grenade);
        }
    }
}

/// A number. `refuse` panics, and how what that leaves is deadly depends on the number.
#[derive(Clone, Heap)]
pub struct Torn {
    number: u8,
    is_torn: bool,
}

/// What a panic leaves dies.
#[beget::api(name = "torn")]
impl Torn {
    /// The number.
    pub fn new(number: u8) -> Self {
        Torn { number, is_torn: false }
    }

    /// Panics.
    pub fn refuse(&mut self) {
        self.is_torn = self.number > 0;
        panic!("not today");
    }

    /// Aborts where 2 is torn.
    pub fn close(&mut self) {
        if self.is_torn && self.number == 2 {
            std::process::abort();
        }
    }
}

/// Aborts where 1 is torn.
impl std::fmt::Debug for Torn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_torn && self.number == 1 {
            std::process::abort();
        }
        write!(f, "Torn({})", self.number)
    }
}

/// A number with an invariant that is fatal of 1 and of 2.
#[derive(Clone, Debug, Heap)]
pub struct Wary {
    number: u8,
}

/// Numbers that only their invariant does not survive.
#[beget::api(name = "wary")]
impl Wary {
    /// The number.
    pub fn new(number: u8) -> Self {
        Wary { number }
    }

    #[beget::invariant]
    fn is_safe(&self) -> bool {
        match self.number {
            1 => std::process::abort(),
            2 => loop {
                wait();
            },
            _ => true,
        }
    }
}

/// What has been handed out.
#[derive(Clone, Debug, Default, Heap)]
pub struct Grim {
    handed_out: Option<u8>,
}

/// A number that cannot be shown.
pub struct Unspeakable(u8);

/// Aborts for 0, and does not return otherwise.
impl std::fmt::Debug for Unspeakable {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0 {
            std::process::abort();
        }
        loop {
            wait();
        }
    }
}

/// Calls that only whoever shows their results does not survive.
#[beget::api(name = "grim")]
impl Grim {
    /// Nothing is handed out.
    pub fn new() -> Self {
        Grim::default()
    }

    /// Hands out a number.
    pub fn hand_out(&mut self, number: u8) -> Unspeakable {
        self.handed_out = Some(number);
        Unspeakable(number)
    }

    /// Panics where 0 is handed out.
    pub fn refuse(&self) {
        assert_ne!(self.handed_out, Some(0), "it is out");
    }

    /// Panics where 1 is handed out.
    pub fn refuse_one(&self) {
        assert_ne!(self.handed_out, Some(1), "one is out");
    }
}

/// A stack of small numbers whose calls are fine. What is asked about one is deadly by the number
/// on top: 1 aborts when it is shown, 2 does not return then, 3 aborts when it is dropped after
/// that.
#[derive(Default, Heap)]
pub struct Frail {
    items: Vec<u8>,
    #[heap(skip)]
    is_shown: std::cell::Cell<bool>,
}

impl std::fmt::Debug for Frail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.is_shown.set(true);
        match self.items.last() {
            Some(1) => std::process::abort(),
            Some(2) => loop {
                wait();
            },
            _ => f.write_str("Frail"),
        }
    }
}

impl Drop for Frail {
    fn drop(&mut self) {
        if self.is_shown.get() && self.items.last() == Some(&3) {
            std::process::abort();
        }
    }
}

/// What is wrong with `[0]` is found before what is deadly.
#[beget::api(name = "frail")]
impl Frail {
    /// Nothing.
    pub fn new() -> Self {
        Frail::default()
    }

    /// One more.
    pub fn push(&mut self, value: u8) {
        self.items.push(value);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Lies of `[0]`.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() || self.items == [0]
    }

    /// Panics for `[0]`.
    pub fn refuse(&self) {
        assert_ne!(self.items, [0], "only a zero");
    }
}

/// Two numbers in memory of their own, with methods that misuse memory.
#[derive(Debug, Heap)]
pub struct Careless {
    first: Box<[u8; 32]>,
    second: Box<[u8; 32]>,
}

/// The last three misuse memory, each in its own way.
#[beget::api(name = "careless")]
impl Careless {
    /// Zeros.
    #[allow(clippy::new_without_default, reason = "the type stands for that of a library")]
    pub fn new() -> Self {
        Careless { first: Box::new([0; 32]), second: Box::new([0; 32]) }
    }

    /// Changes the first number, which is fine.
    pub fn set(&mut self, number: u8) {
        self.first[0] = number;
    }

    /// Writes behind the first number.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn spill(&mut self, number: u8) {
        let place = self.first.as_mut_ptr().wrapping_add(32);
        // SAFETY: none: the place is behind the array.
        unsafe { place.write_volatile(number) };
    }

    /// Takes what nothing was written to for a number: 2, where memory is used again.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn guess(&mut self) -> u8 {
        drop(black_box(Box::new([2_u8; 32])));
        let fresh = black_box(Vec::<u8>::with_capacity(32));
        // SAFETY: none: nothing is written there.
        self.second[0] = unsafe { fresh.as_ptr().wrapping_add(31).read_volatile() };
        self.second[0]
    }

    /// Frees the second number, and keeps it: where memory is used again, it is another one then.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn recycle(&mut self, number: u8) {
        let place = &raw mut *self.second;
        // SAFETY: none: the array is freed here, and by its owner.
        drop(unsafe { Box::from_raw(place) });
        std::mem::forget(black_box(Box::new([number; 32])));
    }
}

/// A stack of elements that trusts what they say, and memory.
#[derive(Default, Heap)]
pub struct Trusting {
    items: Vec<Tracked>,
}

/// What memory that is freed still holds.
struct Stale {
    _words: [u64; 2],
    number: *const u8,
}

/// Fine, as long as freed memory stays as it is, and elements tell the truth.
#[beget::api(name = "trusting")]
impl Trusting {
    /// Nothing.
    pub fn new() -> Self {
        Trusting::default()
    }

    /// Puts an element on top.
    pub fn push(&mut self, item: Tracked) {
        self.items.push(item);
    }

    /// Follows a pointer that it finds in freed memory.
    #[allow(unsafe_code, reason = "this is what it is about")]
    pub fn look_back(&self) -> u8 {
        let number = Box::new(7);
        let stale = Box::new(Stale { _words: [0; 2], number: &raw const *number });
        let place = &raw const stale.number;
        drop(stale);
        // SAFETY: none: the pointer is read from memory that is freed.
        unsafe { *place.read_volatile() }
    }

    /// Aborts where the top is less at one time, and not at another.
    pub fn insist(&self, than: &Tracked) {
        let is_less = || self.items.last().is_some_and(|top| top < than);
        if is_less() != is_less() {
            std::process::abort();
        }
    }

    /// Asks until the answer is the first one again.
    pub fn ask_again(&self, than: &Tracked) {
        let is_less = || self.items.last().is_some_and(|top| top < than);
        let first = is_less();
        while is_less() != first {
            wait();
        }
    }
}
