//! A command line for suites that do to their process what no method should. The tests of this
//! crate run it.
#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::panic::{panic_any, set_hook};
use std::process::ExitCode;
use std::time::Duration;

use beget::{HasSuite, Heap};

// What the methods leave outside their values is static: a hook without captures, and what was
// printed.
beget_alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_program::main(vec![Awkward::suite()])
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
            loop {
                std::thread::sleep(Duration::from_millis(10));
            }
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
