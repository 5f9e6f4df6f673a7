//! Tests that `check!`, `diff!` and `for_all!` print for what they find, compiled and run: each
//! fails as long as the defect is there, with what the finding says, and passes without it.
//!
//! A binary of its own: the tests that it writes say `use crate::*`.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

#[rustfmt::skip]
mod printed_tests;

use std::collections::VecDeque;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use beget::Heap;

/// What is wrong at the time.
static DEFECT: AtomicU8 = AtomicU8::new(SOUND);
const SOUND: u8 = 0;
/// A call does not ensure what it should, nor keeps the invariant.
const FORGETS: u8 = 1;
/// The second item is taken first.
const SWAPS: u8 = 2;
/// Taking the second item panics.
const PANICS: u8 = 3;
/// An item is refused.
const REFUSES: u8 = 4;
/// An item that is taken is still counted.
const MISCOUNTS: u8 = 5;
/// An item that is refused by a panic is counted.
const COUNTS_EARLY: u8 = 6;
/// An item that is refused by a panic lets the destructor panic.
const JAMS: u8 = 7;

fn has(defect: u8) -> bool {
    DEFECT.load(Relaxed) == defect
}

#[derive(Clone, Debug, Heap)]
pub struct Queue {
    items: Vec<u8>,
    len: usize,
}

#[beget::api]
impl Queue {
    #[beget::invariant]
    fn is_counted(&self) -> bool {
        self.len == self.items.len()
    }

    pub fn new() -> Self {
        Queue { items: Vec::new(), len: 0 }
    }

    #[api(ensures(self.items.last() == Some(&item), *result == self.items.len()))]
    #[api(ensures(old(self.items.len()) + 1 == self.items.len()))]
    pub fn push(&mut self, item: u8) -> usize {
        if !(has(FORGETS) && self.items == [1]) {
            self.items.push(item);
            self.len += 1;
        }
        self.items.len()
    }

    pub fn pop(&mut self) -> Option<u8> {
        assert!(!(has(PANICS) && self.items == [1]), "the last one is stuck");
        let at = usize::from(has(SWAPS) && self.items.len() == 2);
        self.len = self.len.saturating_sub(usize::from(!has(MISCOUNTS)));
        (!self.items.is_empty()).then(|| self.items.remove(at))
    }

    pub fn offer(&mut self, item: u8) -> Result<u8, String> {
        if has(REFUSES) && self.items == [0] {
            return Err("no room".to_owned());
        }
        self.push(item);
        Ok(item)
    }

    #[api(ensures(self.items.ends_with(&old(other.items.clone()))))]
    pub fn append(&mut self, other: &mut Self) {
        if !has(FORGETS) {
            self.items.append(&mut other.items);
            self.len += std::mem::take(&mut other.len);
        }
    }
}

/// A queue as it should be.
#[derive(Clone, Debug, Heap)]
pub struct Model {
    items: VecDeque<u8>,
}

#[beget::api(name = "model")]
impl Model {
    pub fn new() -> Self {
        Model { items: VecDeque::new() }
    }

    pub fn push(&mut self, item: u8) -> usize {
        self.items.push_back(item);
        self.items.len()
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop_front()
    }

    pub fn offer(&mut self, item: u8) -> Result<u8, String> {
        self.push(item);
        Ok(item)
    }
}

/// Sheets, and how many were pressed.
#[derive(Clone, Debug, Heap)]
pub struct Press {
    sheets: u8,
    pressed: u8,
    is_jammed: bool,
}

#[beget::api(name = "press")]
impl Press {
    #[beget::invariant]
    fn is_even(&self) -> bool {
        self.sheets == self.pressed
    }

    pub fn new() -> Self {
        Press { sheets: 0, pressed: 0, is_jammed: false }
    }

    pub fn press(&mut self, sheet: u8) {
        let is_early = has(COUNTS_EARLY);
        self.sheets += u8::from(is_early);
        self.is_jammed = has(JAMS);
        assert!(sheet == 0, "too thick");
        self.sheets += u8::from(!is_early);
        self.pressed += 1;
        self.is_jammed = false;
    }

    pub fn clear(&mut self) {
        let left = if self.is_jammed { 9 } else { 0 };
        (self.sheets, self.pressed) = (left, left);
    }
}

impl Drop for Press {
    fn drop(&mut self) {
        assert!(self.sheets < 9, "the press is jammed");
    }
}

/// A name for the test that is printed, the defect, and what prints it.
type Row = (&'static str, u8, fn());

fn check_press() {
    beget::check!(Press, k = 2, ints = 0..2, misuse = (panics: ["too thick"]));
}

const ROWS: &[Row] = &[
    ("ensures_of_push", FORGETS, || {
        beget::check!(Queue, k = 2, ints = 0..2, arrays = 2, methods = Only(["new", "push"]));
    }),
    ("ensures_of_append", FORGETS, || {
        beget::check!(Queue, k = 1, ints = [0], methods = Only(["new", "push", "append"]));
    }),
    ("invariant_of_pop", MISCOUNTS, || {
        beget::check!(Queue, k = 1, ints = [0], methods = Only(["new", "push", "pop"]));
    }),
    ("model_of_a_result", SWAPS, || {
        beget::diff!(Queue, Model, k = 2, ints = 0..2, methods = Only(["new", "push", "pop"]));
    }),
    ("model_of_a_panic", PANICS, || {
        beget::diff!(Queue, Model, k = 2, ints = 0..2, methods = Only(["new", "push", "pop"]));
    }),
    ("model_of_an_outcome", REFUSES, || {
        beget::diff!(Queue, Model, k = 2, ints = 0..2, methods = Only(["new", "offer"]));
    }),
    ("invariant_after_a_panic", COUNTS_EARLY, check_press),
    ("destructor_after_a_panic", JAMS, check_press),
    ("property", SWAPS, || {
        beget::for_all!(Queue, |mut queue| {
            let first = queue.items.first().copied();
            if queue.pop() == first { Ok(()) } else { Err("it is not the first") }
        });
    }),
];

fn panic_of(work: fn()) -> Option<String> {
    let payload = catch_unwind(work).err()?;
    Some(*payload.downcast::<String>().unwrap_or_else(|payload| {
        Box::new((*payload.downcast_ref::<&str>().expect("a message")).to_owned())
    }))
}

/// The first test in a message, as a function of that name, and its finding.
fn printed_test(&(name, defect, run): &Row) -> String {
    DEFECT.store(defect, Relaxed);
    let message = panic_of(run);
    DEFECT.store(SOUND, Relaxed);
    let message = message.expect(name);
    let lines = message.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    let test = lines.skip_while(|line| !line.starts_with("/// "));
    let mut text: String = String::new();
    for line in test {
        let line = match line.strip_prefix("fn ") {
            Some(_) => format!("pub fn {name}() {{"),
            None => line.to_owned(),
        };
        if line != "#[test]" && !line.starts_with("///") {
            text += &format!("{line}\n");
        }
        if line == "}" {
            break;
        }
    }
    text
}

/// One test, since the defect is one for the whole process. `tests/printed_tests/mod.rs` holds what
/// is printed, so it is compiled with this file; `BEGET_BLESS=1` writes it anew.
#[test]
fn what_is_printed_fails_as_long_as_the_defect_is_there() {
    let tests: Vec<String> = ROWS.iter().map(printed_test).collect();
    let list = ROWS.iter().map(|row| format!("    {},\n", row.0));
    let text = format!(
        "//! What is printed for each defect; `tests/printed.rs` writes this file.\n\
         #![allow(clippy::all, unreachable_pub)]\n\n\
         pub const TESTS: &[fn()] = &[\n{}];\n\n{}",
        list.collect::<String>(),
        tests.join("\n")
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/printed_tests/mod.rs");
    if std::env::var_os("BEGET_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    for (&(name, defect, run), &test) in ROWS.iter().zip(printed_tests::TESTS) {
        run();
        test();
        DEFECT.store(defect, Relaxed);
        let [told, failed] = [run, test].map(|work| panic_of(work).expect(name));
        DEFECT.store(SOUND, Relaxed);
        // A test of a model shows both sides in its own words.
        let said = if name.starts_with("model") { "differ" } else { &failed };
        assert!(failed.contains(said) && told.contains(said), "{name}: {failed}\n{told}");
    }
}
