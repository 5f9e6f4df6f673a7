//! The space of a check without a given k: bounds of the default scope that are widened, and the
//! verdict on a space that is almost empty.
#![allow(
    missing_docs,
    clippy::new_without_default,
    clippy::result_unit_err,
    reason = "the types are those of a user"
)]

use beget::Heap;
use beget::check::{CheckError, CheckedRun};

/// The letters before a cursor and those after it, in one buffer with room between them.
#[derive(Clone, Debug, Heap)]
pub struct GapBuffer {
    bytes: Vec<u8>,
    gap_start: usize,
    gap_end: usize,
}

#[beget::api]
impl GapBuffer {
    pub fn new() -> Self {
        GapBuffer { bytes: Vec::new(), gap_start: 0, gap_end: 0 }
    }

    /// A first letter takes room for five.
    pub fn insert(&mut self, letter: char) {
        let mut room = [0; 4];
        let letter = letter.encode_utf8(&mut room).as_bytes();
        if self.gap_end - self.gap_start < letter.len() {
            let after = self.bytes.split_off(self.gap_end);
            self.gap_end += 5;
            self.bytes.resize(self.gap_end, 0);
            self.bytes.extend(after);
        }
        for &byte in letter {
            self.bytes[self.gap_start] = byte;
            self.gap_start += 1;
        }
    }

    /// Deletes a letter as if each were of one byte.
    pub fn backspace(&mut self) {
        self.gap_start = self.gap_start.saturating_sub(1);
    }

    pub fn column(&self) -> usize {
        std::str::from_utf8(&self.bytes[..self.gap_start]).unwrap().chars().count()
    }
}

/// A table that is far larger than any scope.
#[derive(Clone, Debug, Heap)]
pub struct Table {
    cells: Vec<u8>,
}

#[beget::api]
impl Table {
    pub fn new() -> Self {
        Table { cells: Vec::new() }
    }

    pub fn fill(&mut self) {
        // No k comes to that within a second.
        self.cells = vec![0; 100_000];
    }
}

/// A lock that opens with a code that no scope has, and that a refusal changes.
#[derive(Clone, Debug, Heap)]
pub struct Lock {
    is_open: bool,
    attempts: u8,
}

#[beget::api]
impl Lock {
    pub fn new() -> Self {
        Lock { is_open: false, attempts: 0 }
    }

    pub fn open(&mut self, code: u32) -> Result<(), ()> {
        if code == 4711 {
            self.is_open = true;
            return Ok(());
        }
        self.attempts = (self.attempts + 1) % 3;
        Err(())
    }

    pub fn unlock(&mut self, code: u32) -> Result<(), ()> {
        if code == 4711 { Ok(()) } else { Err(()) }
    }

    pub fn shake(&mut self, times: u8) {
        self.attempts = times % 16;
    }
}

fn message(checked: Result<CheckedRun, CheckError>) -> String {
    checked.map_or_else(|error| error.to_string(), |checked| panic!("it passes: {checked}"))
}

#[test]
fn a_buffer_that_grows_by_more_than_k_gets_room() {
    let checked = beget::try_check!(GapBuffer, methods = Except(["backspace"])).unwrap();
    let widened = "with arrays: \"k + 2\"; ";
    assert!(checked.to_string().contains(widened), "{checked}");
    assert!(checked.generated() > 10, "{checked}");
}

#[test]
fn letters_of_two_bytes_are_not_out_of_scope() {
    let found = message(beget::try_check!(GapBuffer, chars = ['a', 'é']));
    assert!(found.contains("Utf8Error"), "{found}");
    let alone = "`k = 3, arrays = \"k + 2\"` in `check!` makes this run alone\n";
    assert!(found.ends_with(alone), "{found}");
    let again = message(beget::try_check!(GapBuffer, chars = ['a', 'é'], k = 3, arrays = "k + 2"));
    assert_eq!(found.split_once("\nThis is k").unwrap().0, again);
}

#[test]
fn a_bound_that_the_test_gives_stays() {
    let thin = message(beget::try_check!(GapBuffer, arrays = 4, seconds = 1));
    assert_eq!(
        thin,
        "nothing was found, but almost nothing was tried: every call of `insert` went beyond the length of arrays; \
         there is 1 structure only: 2 of 5 calls went beyond the length of arrays; write `arrays = \"k + 2\"` in \
         `check!` (`arrays: \"k + 2\"` in a scope file), or `thin = true` to accept it"
    );
}

#[test]
fn a_test_with_an_almost_empty_space_fails_unless_it_accepts_that() {
    let thin = message(beget::try_check!(Table, seconds = 1));
    assert_eq!(
        thin,
        "nothing was found, but almost nothing was tried: every call of `fill` went beyond the length of arrays; \
         there is 1 structure only: 1 of 2 calls went beyond the length of arrays; write `arrays = \"k + 2\"` in \
         `check!` (`arrays: \"k + 2\"` in a scope file), or `thin = true` to accept it"
    );
    let accepted = beget::try_check!(Table, seconds = 1, thin = true).unwrap();
    assert_eq!(accepted.generated(), 1);
    // Somebody chose the bounds of a scope with a k.
    assert_eq!(beget::check!(Table, k = 3).generated(), 1);
    let strict = message(beget::try_check!(Table, k = 3, strict = true));
    assert!(strict.starts_with("nothing was found, but almost nothing was tried: "), "{strict}");
}

#[test]
fn methods_without_success_and_errors_with_an_effect_fail_a_strict_test() {
    assert_eq!(beget::check!(Lock, k = 16).generated(), 16);
    assert_eq!(
        message(beget::try_check!(Lock, k = 16, strict = true)),
        "nothing was found, but the scope is strict:\n    \
         `unlock` was never called with success: its calls returned `Err`, broke a precondition or panicked as \
         expected, or there was nothing to call on; `params` in a scope gives literals\n    \
         `open` returned `Err` and changed an argument: such calls count as calls that returned; with `misuse: \
         (errors: true)` they would be left out, and what they leave would not be tested; for example let mut lock \
         = Lock::new(); let _ = lock.open(0);"
    );
    let chosen = beget::try_check!(
        Lock,
        params = {"unlock.code": [0, 4711]},
        methods = Except(["open"]),
        k = 16,
        strict = true
    );
    assert_eq!(chosen.unwrap().generated(), 16);
}
