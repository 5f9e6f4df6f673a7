//! A command line for a suite whose methods end their process in as many ways as there are, or do
//! not end. The tests of this crate run it.
#![allow(unreachable_pub, reason = "the type stands for that of a library")]

use std::hint::{black_box, spin_loop};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use beget::{HasSuite, Heap};
use beget_program::Catalog;

// The methods leave nothing outside their values.
beget_alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_program::main(Catalog::new(vec![Deadly::suite(), Born::suite(), Torn::suite()]))
}

/// A stack of small numbers. All methods but the first three are fine, unless a 3 is on top.
#[derive(Clone, Debug, Default, Heap)]
pub struct Deadly {
    items: Vec<u8>,
}

/// A number.
#[derive(Clone, Debug, Heap)]
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
            spin_loop();
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
