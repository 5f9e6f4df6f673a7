//! A command line for suites that do to their process what no method should. The tests of this
//! crate run it.
#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::hash::{Hash, Hasher};
use std::panic::{panic_any, set_hook};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use beget::heap::view::{RepOk, clause};
use beget::repok::Subject;
use beget::{HasSuite, Heap, HeapView};
use beget_program::Catalog;

// What the methods leave outside their values is static: a hook without captures, and what was
// printed.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    let suites = vec![Awkward::suite(), Pair::suite(), Barrel::suite(), Clique::suite()];
    beget_program::main(Catalog::new(suites).with_rep_oks("pair", Subject::new([PATIENT])))
}

/// A number up to 3, with methods of which a scope picks the awkward ones.
#[derive(Clone, Debug, Default, Heap)]
pub struct Awkward {
    value: u8,
}

/// A payload that panics when it is dropped.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("the payload is dropped");
    }
}

fn stay() -> ! {
    loop {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Awkward methods.
#[beget::api(name = "awkward")]
impl Awkward {
    /// Zero.
    pub fn new() -> Self {
        Awkward::default()
    }

    /// Adds one, up to 3.
    pub fn grow(&mut self) {
        self.value = (self.value + 1).min(3);
    }

    /// Claims that all went well, at 2.
    pub fn leave(&mut self, code: i32) {
        if self.value == 2 {
            std::process::exit(code);
        }
    }

    /// Leaves on a thread of its own.
    pub fn leave_elsewhere(&mut self) {
        std::thread::spawn(|| std::process::exit(0)).join().unwrap();
    }

    /// Does not come back, at 2, and says so.
    pub fn stay(&mut self, times: u8) {
        if self.value == 2 && times > 0 {
            println!("staying");
            stay();
        }
    }

    /// Dies without a word.
    pub fn abort(&mut self) {
        std::process::abort();
    }

    /// Prints.
    pub fn print(&self) {
        println!("the value is {}", self.value);
    }

    /// Panics under a hook of its own, in a way that depends on the value.
    pub fn panic(&mut self) {
        set_hook(Box::new(|_| eprintln!("a hook of the subject")));
        match self.value {
            0 => panic!("a fixed message"),
            1 => panic!("a message with {}", self.value),
            2 => panic_any(Payload),
            _ => {}
        }
    }
}

/// Two numbers, with a repOK that does not always return.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Pair {
    first: u8,
    second: u8,
}

/// Ways to make pairs.
#[beget::api(name = "pair")]
impl Pair {
    /// Zeros.
    pub fn new() -> Self {
        Pair::default()
    }

    /// Changes the first number.
    pub fn set(&mut self, first: u8) {
        self.first = first;
    }
}

/// A list that is emptied by what would be its fifth element.
#[derive(Clone, Debug, Default, Heap)]
pub struct Barrel {
    top: Option<Box<Drink>>,
}

#[derive(Clone, Debug, Heap)]
struct Drink {
    kind: u8,
    below: Option<Box<Drink>>,
}

/// Ways to fill a barrel.
#[beget::api(name = "barrel")]
impl Barrel {
    /// Nothing.
    pub fn new() -> Self {
        Barrel::default()
    }

    /// Adds to what is there, or loses it.
    pub fn pour(&mut self, kind: u8) {
        let below = self.top.take();
        if std::iter::successors(below.as_deref(), |drink| drink.below.as_deref()).count() < 4 {
            self.top = Some(Box::new(Drink { kind, below }));
        }
    }
}

/// Admits every pair that it returns from: not 50 and 0.
const PATIENT: RepOk<Pair> = RepOk::<Pair>::new("patient", |pair| {
    let (first, second) = (pair.first(), pair.second());
    if first == 50 && second == 0 {
        stay();
    }
    clause("all pairs are fine", true)
});

/// Equal to itself only.
#[derive(Clone, Debug, Heap)]
pub struct Point(Rc<u8>);

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Point {}

impl Hash for Point {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// Pairs of points that nothing tells apart.
#[derive(Clone, Debug, Heap)]
#[allow(clippy::disallowed_types, reason = "no order is what the test is about")]
pub struct Clique {
    pairs: std::collections::HashSet<(Point, Point)>,
}

/// Pairs of points.
#[beget::api(name = "clique")]
impl Clique {
    /// All pairs of so many points.
    pub fn of(n: u8) -> Self {
        let points: Vec<Point> = (0..n).map(|_| Point(Rc::new(0))).collect();
        let pairs = points.iter().flat_map(|one| points.iter().map(move |other| (one, other)));
        let pairs = pairs.filter(|(one, other)| one != other);
        Clique { pairs: pairs.map(|(one, other)| (one.clone(), other.clone())).collect() }
    }
}
