//! Threads that stop in place of ending the process are left, with what they borrow.
//!
//! A binary of its own: threads of it end the process, and are left.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(unsafe_code, reason = "threads fault")]

use std::hint::{black_box, spin_loop};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use beget_process::alloc::{EndGuard, ProcessEnd, ThreadStop, is_exit_taken, run_leavable};
use beget_process::guard::CurrentCall;

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

/// The end of a thread that is left.
#[track_caller]
fn end_of(work: impl FnOnce() + Send) -> String {
    let (word, mut seen) = (word(), None);
    let guarded = || {
        let _guard = EndGuard::on_this_thread(word);
        work();
    };
    let ran = run_leavable(STACK, guarded, &mut |_| seen = seen.or(tell(word)));
    assert_eq!(ran.unwrap().map(drop), Err(ThreadStop));
    seen.unwrap().to_string()
}

fn raise(signal: i32) {
    // SAFETY: a signal may be raised anywhere.
    unsafe { libc::raise(signal) };
}

fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 16]);
    if depth == u64::MAX { 0 } else { overflow(depth + 1) + black_box(frame)[3] }
}

#[test]
fn what_ends_the_process_is_left() {
    let text = String::from("borrowed");
    let abort = || {
        assert!(!text.is_empty());
        std::process::abort()
    };
    assert_eq!(end_of(abort), "ended the process by SIGABRT");
    assert_eq!(end_of(|| raise(libc::SIGFPE)), "ended the process by SIGFPE");
    // Far from the end of any stack.
    // SAFETY: none: there is no memory.
    let fault = || unsafe { _ = std::ptr::without_provenance::<u8>(8).read_volatile() };
    assert_eq!(end_of(fault), "ended the process by SIGSEGV");
    assert_eq!(end_of(|| _ = overflow(0)), "overflowed the stack");
}

#[test]
fn a_call_is_left_once_its_end_is_marked_as_reported() {
    let current = CurrentCall::on_this_thread(1);
    let call = || {
        let _stop = current.stop_at_any_end();
        std::process::abort()
    };
    let ran: Result<thread::Result<()>, _> = run_leavable(STACK, call, &mut |_| {
        if current.read().end.is_some() {
            current.tell_end();
        }
    })
    .unwrap();
    assert_eq!(ran.map(drop), Err(ThreadStop));
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

/// Set where a test below is run by itself, to what it does.
const CHILD: &str = "BEGET_TEST_LEAVING_CHILD";

/// Runs a test by itself, to do this.
fn run_child(test: &str, does: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(CHILD, does)
        .output()
        .unwrap()
}

/// A thread drops its guard and ends the process, while another one looks for a note of that.
fn end_without_guard(how: &str) -> ! {
    let (word, how) = (word(), how.to_owned());
    let end = move || {
        drop(EndGuard::on_this_thread(word));
        match &*how {
            "abort" => std::process::abort(),
            "raise" => raise(libc::SIGFPE),
            _ => _ = overflow(0),
        }
        std::process::exit(4)
    };
    thread::spawn(end);
    while ProcessEnd::noted(word).is_none() {
        spin_loop();
    }
    std::process::exit(3)
}

#[test]
fn a_thread_whose_guard_is_gone_ends_the_process_as_without_beget() {
    if let Ok(how) = std::env::var(CHILD) {
        end_without_guard(&how);
    }
    // The standard library says that a stack is full, and aborts.
    let ends = [("abort", libc::SIGABRT), ("raise", libc::SIGFPE), ("overflow", libc::SIGABRT)];
    for (how, signal) in ends {
        let test = "a_thread_whose_guard_is_gone_ends_the_process_as_without_beget";
        let Output { status, stderr, .. } = run_child(test, how);
        assert_eq!(status.signal(), Some(signal), "{how}");
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!(stderr.contains("has overflowed its stack"), how == "overflow", "{stderr}");
    }
}

/// The process goes on, and ends as one in which a test has failed.
#[test]
fn a_thread_that_leaves_by_exit_waits_until_the_main_thread_does() {
    if std::env::var_os(CHILD).is_some() {
        assert!(!is_exit_taken());
        assert_eq!(end_of(|| std::process::exit(3)), "ended the process by `exit`");
        assert!(is_exit_taken());
        // Meanwhile the thread looks several times.
        thread::sleep(Duration::from_millis(100));
        return;
    }
    let test = "a_thread_that_leaves_by_exit_waits_until_the_main_thread_does";
    let Output { status, stdout, .. } = run_child(test, "exit");
    let stdout = String::from_utf8_lossy(&stdout);
    assert!(stdout.contains("1 passed"), "{stdout}");
    assert_eq!(status.code(), Some(101));
}
