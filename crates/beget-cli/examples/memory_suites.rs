//! A command line for suites whose structures are told apart by their memory. The tests of this
//! crate run it.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::new_without_default,
    clippy::len_without_is_empty,
    clippy::disallowed_types,
    reason = "the types stand for those of a library, whose hashes are seeded by chance"
)]

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use beget::{HasSuite, Heap};
use beget_program::Catalog;

// The methods leave nothing outside their values.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    let suites = vec![
        ListSuite::suite(),
        SecretSuite::suite(),
        PaddedSuite::suite(),
        RandomSuite::suite(),
        PlacedSuite::suite(),
        MapSuite::suite(),
        HashedSuite::suite(),
    ];
    beget_program::main(Catalog::new(suites))
}

/// A list of nodes, each allocated by itself, that says what is in it.
#[derive(Debug, Default, Heap)]
pub struct List {
    head: Option<Box<Node>>,
}

/// A node with seven bytes of padding.
#[derive(Debug, Heap)]
pub struct Node {
    flag: bool,
    item: u8,
    next: Option<Box<Node>>,
}

impl List {
    pub fn new() -> Self {
        List::default()
    }

    pub fn push(&mut self, item: u8, flag: bool) {
        self.head = Some(Box::new(Node { flag, item, next: self.head.take() }));
    }

    pub fn pop(&mut self) -> Option<u8> {
        let node = *self.head.take()?;
        self.head = node.next;
        Some(node.item)
    }

    pub fn count(&self) -> usize {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).count()
    }
}

beget::suite! {
    /// Lists.
    #[name = "list"]
    pub suite ListSuite for List {
        fn new() -> Self;
        fn push(&mut self, item: u8, flag: bool);
        fn pop(&mut self) -> Option<u8>;
        fn count(&self) -> usize;
    }
}

/// A stack that fails when it is emptied for the third time, and tells nobody how often it was.
#[derive(Clone)]
pub struct Secret {
    items: Vec<u8>,
    n_emptied: u8,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}

impl Secret {
    pub fn new() -> Self {
        Secret { items: Vec::with_capacity(2), n_emptied: 0 }
    }

    pub fn push(&mut self, item: u8) {
        assert!(self.items.len() < 2, "the stack is full");
        self.items.push(item);
    }

    pub fn clear(&mut self) {
        if !self.items.is_empty() {
            self.n_emptied += 1;
            assert!(self.n_emptied < 3, "emptied too often");
        }
        self.items.clear();
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

beget::suite! {
    /// Stacks.
    #[name = "secret"]
    pub suite SecretSuite for Secret {
        shown;
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn clear(&mut self);
        fn len(&self) -> usize;
    }
}

/// What has padding in each of its variants.
#[derive(Clone, Debug, Heap)]
pub enum Padded {
    Small(u8),
    Large(u64, u8),
    Both(bool, u32, u16),
    Boxed(Box<(u8, u64, bool)>),
}

impl Padded {
    pub fn small(value: u8) -> Self {
        Padded::Small(value)
    }

    pub fn large(value: u8) -> Self {
        Padded::Large(u64::from(value), value)
    }

    pub fn both(value: u8) -> Self {
        Padded::Both(value > 0, u32::from(value), 1)
    }

    pub fn boxed(value: u8) -> Self {
        Padded::Boxed(Box::new((value, 1, value > 1)))
    }

    pub fn turn(&mut self) {
        *self = match self.clone() {
            Padded::Small(value) => Padded::boxed(value),
            Padded::Large(_, value) => Padded::small(value),
            Padded::Both(_, value, _) => Padded::large(value as u8),
            Padded::Boxed(fields) => Padded::both(fields.0),
        };
    }
}

beget::suite! {
    /// Values with padding.
    #[name = "padded"]
    pub suite PaddedSuite for Padded {
        fn small(value: u8) -> Self;
        fn large(value: u8) -> Self;
        fn both(value: u8) -> Self;
        fn boxed(value: u8) -> Self;
        fn turn(&mut self);
    }
}

/// A counter with a random number, which nothing depends on.
#[derive(Debug)]
pub struct Random {
    seed: u64,
    count: u8,
}

impl Random {
    pub fn new() -> Self {
        Random { seed: RandomState::new().hash_one(1), count: 0 }
    }

    pub fn up(&mut self) {
        self.count = (self.count + 1).min(3);
    }

    pub fn is_even(&self) -> bool {
        self.seed.is_multiple_of(2)
    }
}

beget::suite! {
    /// Counters with a random number.
    #[name = "random"]
    pub suite RandomSuite for Random {
        shown;
        fn new() -> Self;
        fn up(&mut self);
        fn is_even(&self) -> bool;
    }
}

/// A counter that keeps an address as a number, turned so that it does not look like one.
#[derive(Debug)]
pub struct Placed {
    place: usize,
    item: Box<u8>,
}

impl Placed {
    pub fn new() -> Self {
        let item = Box::new(0);
        Placed { place: (&raw const *item).addr().rotate_left(7), item }
    }

    pub fn up(&mut self) {
        *self.item = (*self.item + 1).min(3);
    }

    pub fn has_place(&self) -> bool {
        self.place > 0
    }
}

beget::suite! {
    /// Counters with an address.
    #[name = "placed"]
    pub suite PlacedSuite for Placed {
        shown;
        fn new() -> Self;
        fn up(&mut self);
        fn has_place(&self) -> bool;
    }
}

/// A map of the standard library.
#[derive(Debug, Default)]
pub struct Map {
    entries: BTreeMap<u8, bool>,
}

impl Map {
    pub fn new() -> Self {
        Map::default()
    }

    pub fn insert(&mut self, key: u8, value: bool) {
        self.entries.insert(key, value);
    }

    pub fn remove(&mut self, key: u8) {
        self.entries.remove(&key);
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

beget::suite! {
    /// Maps.
    #[name = "map"]
    pub suite MapSuite for Map {
        shown;
        fn new() -> Self;
        fn insert(&mut self, key: u8, value: bool);
        fn remove(&mut self, key: u8);
        fn len(&self) -> usize;
    }
}

/// A table that is random in all that it holds.
#[derive(Debug, Default)]
pub struct Hashed {
    entries: std::collections::HashSet<u8>,
}

impl Hashed {
    pub fn new() -> Self {
        Hashed::default()
    }

    pub fn insert(&mut self, key: u8) {
        self.entries.insert(key);
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

beget::suite! {
    /// Tables.
    #[name = "hashed"]
    pub suite HashedSuite for Hashed {
        shown;
        fn new() -> Self;
        fn insert(&mut self, key: u8);
        fn len(&self) -> usize;
    }
}
