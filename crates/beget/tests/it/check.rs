//! `check!`: repOKs are asked where the type has them, and what is found fails the test.

use std::fmt;
use std::path::PathBuf;

use beget::heap::view::{RepOk, clause};
use beget::{HasRepOks, Heap, HeapView};

use crate::common::message_of;

/// A number that must stay even, says its repOK; nothing says so of `Free`.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Even {
    value: u8,
}

#[beget::api(name = "even")]
impl Even {
    /// Zero.
    pub fn new() -> Self {
        Even::default()
    }

    /// Adds to it, up to 4.
    pub fn add(&mut self, n: u8) {
        self.value = (self.value + n).min(4);
    }
}

impl HasRepOks for Even {
    fn rep_oks() -> Vec<RepOk<Self>> {
        let below = RepOk::<Even>::new("below", |even| clause("value below 10", even.value() < 10));
        let even =
            RepOk::<Even>::new("even", |even| clause("value is even", even.value() % 2 == 0));
        vec![below, even]
    }
}

/// The same without a repOK.
#[derive(Clone, Debug, Default, Heap)]
pub struct Free {
    value: u8,
}

#[beget::api(name = "free")]
impl Free {
    /// Zero.
    pub fn new() -> Self {
        Free::default()
    }

    /// Adds to it, up to 4.
    pub fn add(&mut self, n: u8) {
        self.value = (self.value + n).min(4);
    }
}

/// A scope file of its own for each test.
fn scope(name: &str, text: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = dir.join(format!("{name}.ron"));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn a_structure_that_a_repok_of_the_type_rejects_fails_the_check() {
    let odd = scope("odd", r#"Scope(suite: "even", k: 2, ints: [1, 2])"#);
    let message = message_of(|| {
        beget::check!(Even, &odd);
    });
    let expected = "repOK `even` rejects the structure: value is even\n\n\
        repOK even: 1 of 3 structures rejected.\n\n\
        repOK `even` rejects the structure: value is even\n\n    \
        /// repOK `even` rejects the structure: value is even\n    \
        #[test]\n    fn repok_1_new_add_1() {\n        use crate::check::*;\n        \
        let mut even = Even::new();\n        even.add(1);\n        \
        beget::assert_rep_ok(\"even\", &even);\n    }\n\n\
        after the last call\n    Even#0 { value: 1 }\n\n\
        changed by the last call\n    ~ Even#0 value: 0 -> 1\n\n\n\
        The run stopped after the first level with a failure: `all: true` in the scope's file, or `all = true` in `check!`, goes on\n";
    assert_eq!(message, expected);
}

#[test]
fn repoks_that_hold_change_nothing() {
    let even = scope("even", r#"Scope(suite: "even", k: 2, ints: [2])"#);
    // 0, 2 and 4; `new`, and `add` on each.
    let checked = beget::check!(Even, &even);
    assert_eq!((checked.generated(), checked.explored()), (3, 4));
}

#[test]
fn a_type_without_repoks_has_its_calls_checked() {
    let free = scope("free", r#"Scope(suite: "free", k: 2, ints: [1, 2])"#);
    assert_eq!(beget::check!(Free, &free).generated(), 5);
}

#[test]
fn a_budget_that_is_spent_fails_the_check() {
    let cut = scope("cut", r#"Scope(suite: "free", k: 2, ints: [1], budget: (max_calls: 2))"#);
    let message = message_of(|| {
        beget::check!(Free, &cut);
    });
    let expected = "not everything was tried: the budget of 2 calls is spent; if that is enough, add `enough: true` to the `budget` of the scope";
    assert_eq!(message, expected);
}

fn stay() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A number up to 2 that calls and repOKs do not always return from.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Patient {
    value: u8,
}

#[beget::api(name = "patient")]
impl Patient {
    /// Zero.
    pub fn new() -> Self {
        Patient::default()
    }

    /// Adds one, up to 2.
    pub fn grow(&mut self) {
        self.value = (self.value + 1).min(2);
    }

    /// Does not come back, at 1.
    pub fn stay(&mut self) {
        if self.value == 1 {
            stay();
        }
    }
}

impl HasRepOks for Patient {
    fn rep_oks() -> Vec<RepOk<Self>> {
        vec![RepOk::<Patient>::new("waits", |patient| {
            let value = patient.value();
            if value == 2 {
                stay();
            }
            clause("all is well", true)
        })]
    }
}

#[test]
fn a_call_that_does_not_return_fails_the_check_when_the_time_is_up() {
    let budget = r#"Scope(suite: "patient", k: 2, budget: (max_seconds: 0.3))"#;
    let stay = scope("stay", budget);
    let message = message_of(|| {
        beget::check!(Patient, &stay);
    });
    let expected = "the call does not return\n\n    /// the call does not return\n    #[test]\n    \
        fn hang_1_new_grow_stay() {\n        use crate::check::*;\n        \
        let mut patient = Patient::new();\n        patient.grow();\n        patient.stay();\n    }\n\n\n\
        Not everything was tried: the time of 0.3 s is up.\n\n\
        The run ends with this call. `cargo beget check` goes on without such calls, with \
        `--processes 1`.\n";
    assert_eq!(message, expected);
}

#[test]
fn a_repok_that_does_not_return_fails_the_check_when_the_time_is_up() {
    let waits = scope(
        "waits",
        r#"Scope(
            suite: "patient", k: 2, methods: Only(["new", "grow"]), budget: (max_seconds: 0.4),
        )"#,
    );
    let message = message_of(|| {
        beget::check!(Patient, &waits);
    });
    let expected = "asking the repOK `waits` does not return: it was stopped\n\n    \
        /// asking the repOK `waits` does not return: it was stopped\n    #[test]\n    \
        fn hang_1_new_grow_grow() {\n        use crate::check::*;\n        \
        let mut patient = Patient::new();\n        patient.grow();\n        patient.grow();\n        \
        beget::assert_rep_ok(\"waits\", &patient);\n    }\n";
    assert!(message.contains(expected), "{message}");
    assert!(message.ends_with(
        "Note: the repOK `waits` did not return: from structure 2 on it was asked no more.\n"
    ));
}

/// Its `Debug` does not return at 2 items, and it is empty at 3.
#[derive(Clone, Default, Heap)]
pub struct Odd {
    items: Vec<u8>,
}

#[beget::api(name = "odd")]
impl Odd {
    /// Nothing.
    pub fn new() -> Self {
        Odd::default()
    }

    /// One more.
    pub fn push(&mut self) {
        self.items.push(0);
    }

    /// None left.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Wrong for three.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() || self.items.len() == 3
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl fmt::Debug for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        while self.items.len() == 2 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        self.items.fmt(f)
    }
}

#[test]
fn a_broken_contract_fails_the_check_unless_it_is_switched_off() {
    let message = message_of(|| {
        beget::check!(Odd, k = 3, contracts = Except(["debug_returns"]));
    });
    let expected = "the contract `is_empty_is_len_zero` is broken: is_empty() is true, len() is 3\n\n    \
        /// the contract `is_empty_is_len_zero` is broken: is_empty() is true, len() is 3\n    \
        #[test]\n    fn contract_1_new_push_push_push() {\n        use crate::check::*;\n        let mut odd = Odd::new();\n        \
        odd.push();\n        odd.push();\n        odd.push();\n        \
        assert_eq!(odd.is_empty(), odd.len() == 0, \
        \"the contract `is_empty_is_len_zero` is broken\");\n    }\n\n\
        after the last call\n    Odd#0 { items: #1 }\n    \
        Vec<u8>#1 { 0: 0, 1: 0, 2: 0, length: 3 }\n\n\
        changed by the last call\n    ~ Vec<u8>#1 length: 2 -> 3\n    + Vec<u8>#1 2: 0\n\n\n\
        A contract that the type does not mean to keep is not asked if the scope says so: \
        `contracts: Except([\"its name\"])` in its file, \
        `contracts = Except([\"its name\"])` in `check!`\n\n\
        The run stopped after the first level with a failure: `all: true` in the scope's file, or `all = true` in `check!`, goes on\n";
    assert_eq!(message, expected);
    let but =
        beget::check!(Odd, k = 3, contracts = Except(["debug_returns", "is_empty_is_len_zero"]));
    assert_eq!(but.generated(), 4);
    assert_eq!(beget::check!(Odd, k = 3, contracts = Off).generated(), 4);
}

#[test]
fn a_contract_that_does_not_return_fails_the_check_when_the_time_is_up() {
    let message = message_of(|| {
        beget::check!(Odd, k = 3, budget = (max_seconds: 0.4));
    });
    let expected = "asking the contract `debug_returns` does not return: it was stopped\n\n    \
        /// asking the contract `debug_returns` does not return: it was stopped\n    #[test]\n    \
        fn hang_1_new_push_push() {\n        use crate::check::*;\n        \
        let mut odd = Odd::new();\n        odd.push();\n        odd.push();\n        \
        let _ = format!(\"{odd:?}\");\n    }\n";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.ends_with(
        "Note: the contract `debug_returns` did not return: from structure 2 on it was asked no \
         more.\n"
    ));
}

/// Five values from 0 to 4.
#[test]
fn a_first_run_needs_no_scope_file() {
    assert_eq!(beget::check!(Free, k = 3).generated(), 5);
    assert_eq!(beget::check!(Free, k = 1).generated(), 1);
    assert_eq!(beget::check!(Free, k = 1, ints = [4]).generated(), 2);
    assert_eq!(beget::check!(Free, k = 3, ints = 0..=k, methods = All).generated(), 5);
    // Values of a scope file that are no expressions of Rust.
    let of_params = beget::check!(Free, k = 1, params = {"add.n": "2..3"}, misuse = (errors: true));
    assert_eq!(of_params.generated(), 2);
    let part = beget::check!(
        Free,
        k = 3,
        ints = [1],
        budget = (max_levels: Some(2), enough: true),
    );
    assert_eq!((part.generated(), part.explored()), (2, 2));
    let wrong = message_of(|| {
        beget::check!(Free, ints = 0..j);
    });
    assert!(wrong.contains("the scope of check!:"), "{wrong}");
}

#[test]
fn a_budget_that_the_scope_calls_enough_passes_and_says_so() {
    let part = scope(
        "enough",
        r#"Scope(suite: "free", k: 2, ints: [1], budget: (max_levels: Some(3), enough: true))"#,
    );
    let checked = beget::check!(Free, &part);
    let expected = "free: 3 structures by 3 calls at k = 2, 0 of them out of scope; a part, and enough: all sequences of 3 calls or fewer were made";
    assert_eq!(checked.to_string(), expected);
    assert_eq!(format!("{checked:?}"), expected);
    // The literal and 0, widened by k: 4 is out of scope.
    let whole = scope("whole", r#"Scope(suite: "free", k: 2, ints: [1])"#);
    assert_eq!(
        beget::check!(Free, &whole).to_string(),
        "free: 4 structures by 5 calls at k = 2, 1 of them out of scope (1 beyond the range of \
         `Free.value`); complete: the space is exhausted"
    );
}

#[test]
fn a_property_that_does_not_hold_is_shown_as_a_test_with_the_property() {
    let message = message_of(|| {
        beget::for_all!(Free, |free| free.value < 2);
    });
    let expected = "the property does not hold of 3 of 5 structures; the first:\n\n\
        the property does not hold (and 2 more like it)\n\n    \
        /// the property does not hold\n    \
        #[test]\n    fn property_1_new_add_2() {\n        use crate::check::*;\n        \
        let mut free = Free::new();\n        free.add(2);\n        \
        beget::assert_property(free, |free| free.value < 2);\n    }\n\n\
        after the last call\n    Free#0 { value: 2 }\n\n\
        changed by the last call\n    ~ Free#0 value: 0 -> 2\n\n";
    assert_eq!(message, expected);
}

#[test]
fn a_repok_asked_alone_says_what_a_check_says() {
    let two = Even { value: 2 };
    beget::assert_rep_ok("even", &two);
    let message = message_of(|| beget::assert_rep_ok("even", &Even { value: 3 }));
    assert_eq!(message, "repOK `even` rejects the structure: value is even");
    let message = message_of(|| beget::assert_rep_ok("odd", &Even { value: 3 }));
    assert_eq!(message, "there is no repOK `odd`");
}

#[test]
fn an_invariant_asked_alone_says_what_a_check_says() {
    beget::assert_invariant("is_sound", true);
    beget::assert_invariant("is_sound", Ok::<(), String>(()));
    let message = message_of(|| beget::assert_invariant("is_sound", false));
    assert_eq!(message, "the invariant `is_sound` does not hold");
    let message = message_of(|| beget::assert_invariant("is_sound", Err::<(), _>("2 of 1")));
    assert_eq!(message, "the invariant `is_sound` does not hold: \"2 of 1\"");
}

/// A door that is stuck whatever is done to it, and has one more defect. The place at which it is
/// stuck is in the standard library, so that each method may have another cause.
#[derive(Clone, Debug, Default, Heap)]
pub struct Door {
    is_open: bool,
}

impl Door {
    fn refuse(&self) {
        let _ = (0..3).step_by(usize::from(!self.is_open));
    }
}

#[beget::api(part = 2)]
impl Door {
    /// Has a defect of its own, which is found last.
    pub fn knock(&self) {
        assert!(!self.is_open, "nobody is there");
    }
}

#[beget::api(name = "door")]
impl Door {
    /// Closed.
    pub fn new() -> Self {
        Door::default()
    }

    /// Opens it.
    pub fn open(&mut self) {
        self.refuse();
        self.is_open = true;
    }

    /// Is stuck.
    pub fn close(&self) {
        self.refuse();
    }

    /// Is stuck.
    pub fn push(&self) {
        self.refuse();
    }

    /// Is stuck.
    pub fn pull(&self) {
        self.refuse();
    }

    /// Is stuck.
    pub fn lift(&self) {
        self.refuse();
    }
}

#[test]
fn problems_are_shown_once_before_they_are_shown_again() {
    let message = message_of(|| {
        beget::check!(Door, k = 1);
    });
    let shown = |name: &str| message.contains(&format!("    fn panic_{name}() {{\n"));
    assert!(shown("1_new_open_open") && shown("2_new_open_close"), "{message}");
    assert!(shown("6_new_open_knock") && !message.contains("fn panic_3"), "{message}");
    assert_eq!(message.matches("#[test]").count(), 3);
    assert_eq!(message.matches("\nalso: panicked at ").count(), 1, "{message}");
    let rest = ": assertion failed: step != 0 (and 2 more like it), by calls that end in `push`, `pull`, `lift`\n";
    assert!(message.contains(rest), "{message}");
}

/// A carton that is stuck at one place, whatever is done to it.
#[derive(Clone, Debug, Default, Heap)]
pub struct Carton {
    is_open: bool,
}

impl Carton {
    fn refuse(&self) {
        assert!(!self.is_open, "the lid is stuck");
    }
}

#[beget::api(name = "carton")]
impl Carton {
    /// Closed.
    pub fn new() -> Self {
        Carton::default()
    }

    /// Opens it.
    pub fn open(&mut self) {
        self.refuse();
        self.is_open = true;
    }

    /// Is stuck.
    pub fn close(&self) {
        self.refuse();
    }
}

#[test]
fn what_two_methods_show_at_one_place_is_one_problem() {
    let message = message_of(|| {
        beget::check!(Carton, k = 1);
    });
    assert_eq!(message.matches("#[test]").count(), 1, "{message}");
    assert!(message.contains(": the lid is stuck (and 1 more like it)\n"), "{message}");
    assert!(message.contains("    fn panic_1_new_open_open() {\n"), "{message}");
}

/// A number that differs each time it is drawn.
#[derive(Clone, Debug, Default, Heap)]
pub struct Lot {
    drawn: u8,
}

#[beget::api(name = "lot")]
impl Lot {
    /// None is drawn.
    pub fn new() -> Self {
        Lot::default()
    }

    /// Draws one.
    pub fn draw(&mut self) {
        static N_DRAWN: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
        self.drawn = N_DRAWN.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 3;
    }
}

#[test]
fn what_calls_alone_do_not_show_is_no_test() {
    let message = message_of(|| {
        beget::check!(Lot, k = 1);
    });
    assert!(message.contains("run again, the same calls give another structure"), "{message}");
    let calls =
        "    // No test: a test cannot show it.\n    let mut lot = Lot::new();\n    lot.draw();\n";
    assert!(message.contains(calls) && !message.contains("#[test]"), "{message}");
}

#[test]
fn a_scope_file_that_is_not_there_is_named_with_what_writes_one() {
    let found = beget::try_check!(Free, "scopes/no_such_file.ron").unwrap_err().to_string();
    for part in [
        "scopes/no_such_file.ron",
        "`cargo beget init` writes a first scope file for each suite into `scopes/`",
        "`check!` without a path takes the same scope without a file",
    ] {
        assert!(found.contains(part), "{part} is not in {found}");
    }
}
