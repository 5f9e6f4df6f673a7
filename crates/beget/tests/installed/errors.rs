//! `Err` means that a rule of use was broken, unless the call changed something all the same.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use std::any::Any;

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::store::{Store, StructureId};
use common::{
    CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, has_note, problems, run,
};

/// A lock that counts wrong codes, and breaks at the third.
#[derive(Clone, Debug, Heap)]
pub struct Lock {
    wrong: u8,
    is_open: bool,
}

/// Why a lock stays shut.
#[derive(Debug)]
pub struct WrongCode;

#[beget::api(name = "lock")]
impl Lock {
    /// Shut.
    pub fn new() -> Self {
        Lock { wrong: 0, is_open: false }
    }

    /// Opens with code 0.
    ///
    /// # Errors
    /// For any other.
    pub fn enter(&mut self, code: u8) -> Result<(), WrongCode> {
        if code == 0 {
            self.is_open = true;
            return Ok(());
        }
        assert!(self.wrong < 2, "the lock is broken");
        self.wrong += 1;
        Err(WrongCode)
    }

    /// Shuts an open one.
    ///
    /// # Errors
    /// If it is shut.
    pub fn shut(&mut self) -> Result<(), WrongCode> {
        if !self.is_open {
            return Err(WrongCode);
        }
        self.is_open = false;
        Ok(())
    }
}

/// 0, 1 or 2 wrong codes, open or shut, are six locks; the third wrong code breaks two of them. To
/// shut a shut one is misuse: nothing changes.
#[test]
fn an_error_that_changes_its_argument_is_a_call_that_returned() {
    for copies in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Lock::suite(), "k: 2, ints: \"0..k\"", copies, 1);
        let counters = corpus.report.ledger.counters;
        assert_eq!((corpus.store.len(), counters.failures, counters.misuse), (6, 2, 3));
        assert_eq!(problems(&corpus), ["panic"]);
        assert_eq!(corpus.report.findings[0].count, 2);
        let note = "`enter` returned `Err` and changed an argument: such calls count as calls that returned; \
            with `misuse: (errors: true)` they would be left out, and what they leave would not be tested; for \
            example let mut lock = Lock::new(); let _ = lock.enter(1);";
        assert!(has_note(&corpus, note), "{:?}", corpus.report.ledger.notes);
        assert_eq!(found(&run(Lock::suite(), "k: 2, ints: \"0..k\"", copies, 3)), found(&corpus));
    }
}

#[test]
fn the_scope_can_say_that_errors_are_misuse_or_are_not() {
    let misuse = run(Lock::suite(), "k: 2, ints: \"0..k\", misuse: (errors: true)", REGION, 1);
    // Shut and open; a wrong code and a second shutting come to nothing.
    assert_eq!((misuse.store.len(), misuse.report.ledger.counters.misuse), (2, 3));
    assert!(!has_note(&misuse, "`enter`"));
    let returned = run(Lock::suite(), "k: 2, ints: \"0..k\", misuse: (errors: false)", REGION, 1);
    assert_eq!((returned.store.len(), returned.report.ledger.counters.misuse), (6, 0));
}

/// The same with panics.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Vault {
    wrong: u8,
    is_open: bool,
}

#[beget::api(name = "vault")]
impl Vault {
    /// Shut.
    pub fn new() -> Self {
        Vault { wrong: 0, is_open: false }
    }

    /// Opens with code 0.
    pub fn enter(&mut self, code: u8) {
        assert!(self.wrong < 2, "the vault is broken");
        self.wrong += code;
        assert!(code == 0, "wrong code {code}");
        self.is_open = true;
    }

    /// Shuts an open one.
    pub fn shut(&mut self) {
        assert!(self.is_open, "it is shut");
        self.is_open = false;
    }
}

const EXPECTED: &str = r#"k: 2, ints: "0..k", misuse: (panics: ["wrong code", "it is shut"]"#;

#[test]
fn an_expected_panic_that_changes_its_argument_is_misuse_and_is_noted_with_a_recipe() {
    for copies in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Vault::suite(), &format!("{EXPECTED})"), copies, 1);
        // Shut and open; a wrong code for each, and a second shutting, come to nothing.
        let counters = corpus.report.ledger.counters;
        assert_eq!((corpus.store.len(), counters.failures, counters.misuse), (2, 0, 3));
        let note = "`enter` panicked as expected and changed an argument, which is left out; write \
            `keep_panicked: true` in `misuse` to keep it; for example let mut vault = Vault::new(); let _ = \
            vault.enter(1);";
        assert!(
            corpus.report.ledger.notes.contains(&note.to_owned()),
            "{:?}",
            corpus.report.ledger.notes
        );
        assert!(!has_note(&corpus, "`shut`"), "it changes nothing");
    }
}

/// As with errors: 0, 1 or 2 wrong codes, open or shut; the vault breaks at the third one, and at
/// the right one after two wrong ones.
#[test]
fn a_scope_can_keep_what_expected_panics_leave() {
    for copies in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        let fields = format!("{EXPECTED}, keep_panicked: true)");
        let corpus = run(Vault::suite(), &fields, copies, 1);
        let counters = corpus.report.ledger.counters;
        assert_eq!((corpus.store.len(), counters.failures, counters.misuse), (6, 4, 3));
        assert!(!has_note(&corpus, "as expected"));
        assert_eq!(found(&run(Vault::suite(), &fields, copies, 3)), found(&corpus));
        let mut reader = corpus.reader();
        for id in (0..corpus.store.len()).map(StructureId::new) {
            let replayed: Box<dyn Any> = reader.reconstruct(id).unwrap().expect("it can be made");
            assert!(replayed.is::<Vault>());
        }
        let last = corpus.recipe(StructureId::new(5)).unwrap();
        assert_eq!(to_source(&corpus.plan.suite, &last).0, SIX);
    }
}

/// The recipe of a vault that is open after two wrong codes.
const SIX: &str = "let mut vault = Vault::new();\n\
    let _ = vault.enter(0);\n\
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| vault.enter(1)));\n\
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| vault.enter(1)));";

#[test]
#[allow(clippy::let_unit_value, reason = "as recipes are written")]
fn recipes_catch_the_panics_that_they_need() {
    // These are the lines of `SIX`.
    let mut vault = Vault::new();
    let _ = vault.enter(0);
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| vault.enter(1)));
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| vault.enter(1)));
    assert_eq!(vault, Vault { wrong: 2, is_open: true });
}

/// Water; a tank that runs over has lost some.
#[derive(Clone, Debug, Heap)]
pub struct Tank {
    litres: u8,
}

#[beget::api(name = "tank")]
impl Tank {
    /// One litre.
    pub fn new() -> Self {
        Tank { litres: 1 }
    }

    /// All that is in the other one.
    pub fn pour(&mut self, other: &mut Tank) {
        self.litres += std::mem::take(&mut other.litres);
        if self.litres > 2 {
            self.litres = 2;
            panic!("it runs over");
        }
    }
}

/// One litre and one are two and none; two and one run over and leave two and none.
#[test]
fn every_argument_of_a_panic_is_kept() {
    let fields = r#"k: 1, fields: {"*": "any"}, misuse: (panics: ["over"], keep_panicked: true)"#;
    for copies in [REGION, CLONES, RECONSTRUCT, REPLAY] {
        let corpus = run(Tank::suite(), fields, copies, 1);
        assert_complete(&corpus, 3);
        let counters = corpus.report.ledger.counters;
        // `new`, and each with each: two litres run over onto one and two, and one with two.
        assert_eq!((counters.explored(), counters.misuse, counters.failures), (1 + 9, 0, 0));
        let lost = run(
            Tank::suite(),
            r#"k: 1, fields: {"*": "any"}, misuse: (panics: ["over"])"#,
            copies,
            1,
        );
        assert_complete(&lost, 3);
        assert_eq!(lost.report.ledger.counters.misuse, 3);
        assert!(has_note(&lost, "`pour` panicked as expected"));
    }
}
