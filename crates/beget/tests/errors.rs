//! `Err` means that a rule of use was broken, unless the call changed something all the same.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

mod common;

use beget::{HasSuite, Heap};
use beget_engine::store::Store;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, found, has_note, problems, run};

beget::install_allocator!(unsafe);

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
        let counters = corpus.report.counters;
        assert_eq!((corpus.store.len(), counters.failures, counters.misuse), (6, 2, 3));
        assert_eq!(problems(&corpus), ["panic"]);
        assert_eq!(corpus.report.findings[0].count, 2);
        assert!(has_note(&corpus, "`enter` returned `Err` and changed an argument"));
        assert_eq!(found(&run(Lock::suite(), "k: 2, ints: \"0..k\"", copies, 3)), found(&corpus));
    }
}

#[test]
fn the_scope_can_say_that_errors_are_misuse_or_are_not() {
    let misuse = run(Lock::suite(), "k: 2, ints: \"0..k\", misuse: (errors: true)", REGION, 1);
    // Shut and open; a wrong code and a second shutting come to nothing.
    assert_eq!((misuse.store.len(), misuse.report.counters.misuse), (2, 3));
    assert!(!has_note(&misuse, "`enter`"));
    let returned = run(Lock::suite(), "k: 2, ints: \"0..k\", misuse: (errors: false)", REGION, 1);
    assert_eq!((returned.store.len(), returned.report.counters.misuse), (6, 0));
}
