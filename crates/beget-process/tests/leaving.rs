//! Threads that stop in place of ending the process are left, with what they borrow.
//!
//! A binary of its own: threads of it end the process, and are left.
#![cfg(all(target_os = "linux", not(miri)))]

use std::hint::spin_loop;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

use beget_process::alloc::{EndGuard, ProcessEnd, ThreadStop, run_leavable};

const STACK: usize = 1 << 20;

fn word() -> &'static AtomicU32 {
    Box::leak(Box::default())
}

/// Tells of the end noted in a word.
fn tell(word: &AtomicU32) -> Option<ProcessEnd> {
    ProcessEnd::noted(word).inspect(|_| ProcessEnd::tell(word))
}

#[test]
fn what_returns_or_panics_is_joined() {
    let text = String::from("borrowed");
    let length = run_leavable(STACK, || text.len(), &mut |_| ()).unwrap().unwrap().unwrap();
    assert_eq!(length, 8);
    let panicked = run_leavable(STACK, || assert!(text.is_empty(), "it is not"), &mut |_| ());
    let panic = panicked.unwrap().unwrap().unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"it is not"));
}

#[test]
fn what_ends_the_process_is_left() {
    let (word, mut seen) = (word(), None);
    let text = String::from("borrowed");
    let ran = run_leavable(
        STACK,
        || {
            let _guard = EndGuard::on_this_thread(word);
            assert!(!text.is_empty());
            std::process::abort()
        },
        &mut |_| seen = seen.or(tell(word)),
    );
    assert_eq!(ran.unwrap().map(|_: Result<(), _>| ()), Err(ThreadStop));
    assert_eq!(seen.map(|end| end.to_string()).as_deref(), Some("ended the process by SIGABRT"));
}

#[test]
fn what_does_not_return_is_stopped_where_it_is() {
    let (word, begun) = (word(), AtomicBool::new(false));
    let ran = run_leavable(
        STACK,
        || {
            let _guard = EndGuard::on_this_thread(word);
            begun.store(true, Relaxed);
            while begun.load(Relaxed) {
                spin_loop();
            }
        },
        &mut |thread| {
            if begun.load(Relaxed) && tell(word).is_none() {
                thread.stop();
            }
        },
    );
    assert_eq!(ran.unwrap().map(drop), Err(ThreadStop));
}

/// Set where the test below is run by itself.
const CHILD: &str = "BEGET_TEST_LEAVING_CHILD";

/// A thread drops its guard and ends the process, while another one looks for a note of that.
fn end_without_guard() -> ! {
    let word = word();
    let end = || {
        drop(EndGuard::on_this_thread(word));
        std::process::abort()
    };
    thread::spawn(end);
    while ProcessEnd::noted(word).is_none() {
        spin_loop();
    }
    std::process::exit(3)
}

#[test]
fn a_thread_whose_guard_is_gone_ends_the_process() {
    if std::env::var_os(CHILD).is_some() {
        end_without_guard();
    }
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_thread_whose_guard_is_gone_ends_the_process"])
        .env(CHILD, "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.signal(), Some(libc::SIGABRT));
}
