//! Guarded work that makes it hard to tell how it panicked. Each test changes the process's hook:
//! one test, one process or one lock.
//!
//! A binary of its own: panic hooks belong to the process.

use std::panic::{self, PanicHookInfo, catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beget_process::guard::{PanicReport, guarded, last_panic};

/// The hook belongs to the process: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn panic_of(work: impl FnOnce()) -> PanicReport {
    assert!(guarded(work).is_err());
    last_panic()
}

#[track_caller]
fn assert_told(report: &PanicReport, message: &str) {
    assert_eq!(report.message, message);
    assert!(report.location.starts_with("crates/beget-process/tests/awkward.rs:"), "{report}");
}

#[test]
fn messages_of_all_kinds_of_payloads() {
    let _alone = alone();
    assert_told(&panic_of(|| panic!("fixed")), "fixed");
    assert_told(&panic_of(|| panic!("{}", 1 + 1)), "2");
    assert_told(&panic_of(|| panic_any(5)), "a panic payload that is no string");
    assert_told(&panic_of(|| panic_any(String::from("owned"))), "owned");
}

#[test]
fn a_report_is_fetched_once() {
    let _alone = alone();
    assert_told(&panic_of(|| panic!("once")), "once");
    assert_eq!(last_panic().message, "a panic without a message");
}

/// How often a hook was run that a subject installed.
static SEEN: AtomicU32 = AtomicU32::new(0);

fn counting_hook(_: &PanicHookInfo<'_>) {
    SEEN.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_hook_of_the_subject_hides_neither_message_nor_place_of_later_panics() {
    let _alone = alone();
    SEEN.store(0, Ordering::Relaxed);
    guarded(|| panic::set_hook(Box::new(counting_hook))).unwrap();
    assert_told(&panic_of(|| panic!("after a hook")), "after a hook");
    assert_eq!(SEEN.load(Ordering::Relaxed), 0, "guarded panics are silent");
    // Elsewhere it is the hook that the subject wanted.
    assert!(catch_unwind(|| panic!("not guarded")).is_err());
    assert_eq!(SEEN.load(Ordering::Relaxed), 1);
    drop(panic::take_hook());
}

#[test]
fn a_hook_installed_just_before_the_panic_leaves_its_message() {
    let _alone = alone();
    assert_told(&panic_of(|| panic!("an earlier one")), "an earlier one");
    let report = panic_of(|| {
        panic::set_hook(Box::new(counting_hook));
        panic!("told by the payload");
    });
    assert_eq!(report.message, "told by the payload");
    assert_eq!(report.location, "an unknown place");
    assert_told(&panic_of(|| panic!("the next")), "the next");
    drop(panic::take_hook());
}

#[test]
fn a_hook_that_calls_the_one_before_keeps_the_place() {
    let _alone = alone();
    guarded(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| before(info)));
    })
    .unwrap();
    assert_told(&panic_of(|| panic!("chained")), "chained");
    drop(panic::take_hook());
}

/// A payload that panics when dropped, with another such payload.
struct Awkward(u32);

impl Drop for Awkward {
    fn drop(&mut self) {
        panic_any(Awkward(self.0 + 1));
    }
}

#[test]
fn a_payload_that_panics_when_dropped_ends_there() {
    let _alone = alone();
    SEEN.store(0, Ordering::Relaxed);
    panic::set_hook(Box::new(counting_hook));
    assert_told(&panic_of(|| panic_any(Awkward(0))), "a panic payload that is no string");
    assert_eq!(SEEN.load(Ordering::Relaxed), 0, "guarded panics are silent");
    assert_told(&panic_of(|| panic!("a string")), "a string");
    drop(panic::take_hook());
}

#[test]
fn a_panic_that_the_subject_catches_is_not_taken_for_a_later_one() {
    let _alone = alone();
    let report = panic_of(|| {
        assert!(catch_unwind(|| panic!("caught by the subject")).is_err());
        resume_unwind(Box::new("made by hand"));
    });
    let expected =
        PanicReport { message: "made by hand".to_owned(), location: "an unknown place".to_owned() };
    assert_eq!(report, expected);
}

#[test]
fn a_panic_on_a_thread_of_the_subject_is_not_guarded() {
    let _alone = alone();
    SEEN.store(0, Ordering::Relaxed);
    panic::set_hook(Box::new(counting_hook));
    let report = panic_of(|| {
        let joined = std::thread::spawn(|| panic!("on another thread")).join();
        assert!(joined.is_ok(), "the helper died");
    });
    assert_told(&report, "the helper died");
    assert_eq!(SEEN.load(Ordering::Relaxed), 1);
    drop(panic::take_hook());
}

#[test]
fn work_in_work_is_guarded_until_the_outer_ends() {
    let _alone = alone();
    SEEN.store(0, Ordering::Relaxed);
    panic::set_hook(Box::new(counting_hook));
    let report = panic_of(|| {
        assert!(guarded(|| panic!("inner")).is_err());
        panic!("outer");
    });
    assert_told(&report, "outer");
    assert_eq!(SEEN.load(Ordering::Relaxed), 0);
    assert!(catch_unwind(|| panic!("not guarded")).is_err());
    assert_eq!(SEEN.load(Ordering::Relaxed), 1);
    drop(panic::take_hook());
}
