//! Calls that would end the process of a test, or do not return, are findings: the test fails as
//! others do, and the tests beside it go on.
//!
//! A binary of its own: its calls end the process, and `exit` ends all later runs.
#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "one write is to end its process")]
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the type stands for one of a library"
)]

use std::hint::{black_box, spin_loop};
use std::panic::{UnwindSafe, catch_unwind};
use std::process::{Command, Output};

use beget::Heap;
use beget::check::{CheckError, CheckedRun};

/// A stack of small numbers. The last methods are fine, unless a 2 is on top.
#[derive(Clone, Heap)]
pub struct Deadly {
    items: Vec<u8>,
    is_torn: bool,
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

#[beget::api(name = "deadly")]
impl Deadly {
    pub fn new() -> Self {
        Deadly { items: Vec::new(), is_torn: false }
    }

    pub fn push(&mut self, value: u8) {
        self.items.push(value);
    }

    fn is_deadly(&self) -> bool {
        self.items.last() == Some(&2)
    }

    pub fn abort(&mut self) {
        if self.is_deadly() {
            std::process::abort();
        }
    }

    pub fn fault(&mut self) {
        if self.is_deadly() {
            // SAFETY: there is none: the write is to end the process.
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
        }
    }

    pub fn overflow(&mut self) {
        if self.is_deadly() {
            black_box(descend(0));
        }
    }

    pub fn panic_twice(&mut self) {
        if self.is_deadly() {
            let _grenade = Grenade;
            panic!("the first panic");
        }
    }

    pub fn exit(&mut self) {
        if self.is_deadly() {
            std::process::exit(0);
        }
    }

    pub fn spin(&mut self) {
        while self.is_deadly() {
            spin_loop();
        }
    }

    /// Panics by intent, but not without a trace.
    pub fn refuse(&mut self) {
        self.is_torn = self.is_deadly();
        panic!("not today");
    }

    /// Dies of the trace.
    pub fn close(&mut self) {
        if self.is_torn {
            std::process::abort();
        }
    }
}

impl std::fmt::Debug for Deadly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.items == [0, 1] && std::env::var_os("DEADLY_DEBUG").is_some() {
            std::process::abort();
        }
        self.items.fmt(f)
    }
}

/// Stacks of at most 2 of 3 numbers: 1 + 3 + 9.
macro_rules! check_deadly {
    ($method:literal $($more:tt)*) => {
        beget::check!(
            Deadly,
            k = 2,
            arrays = "k",
            ints = 0..3,
            all = true,
            misuse = (panics: ["not today"]),
            methods = Only(["new", "push", $method $($more)*])
        )
    };
}

/// What a test says that fails.
#[track_caller]
fn failure(test: impl FnOnce() + UnwindSafe) -> String {
    let panic = catch_unwind(test).expect_err("it fails");
    panic.downcast_ref::<String>().expect("a message").clone()
}

/// Checks what a test says whose `method` dies on the stacks with a 2 on top, 1 + 3 of them, of the
/// 1 + 13 * 4 calls: `[2]` is the first.
#[track_caller]
fn check_shown(shown: &str, message: &str, method: &str) {
    let test = format!(
        "{message}\n\n4 of 53 calls failed.\n\n{message} (and 3 more like it)\n\n    /// {message}\n    #[test]\n    \
         fn crash_1_new_push_2_{method}() {{\n        use crate::*;\n        let mut deadly = Deadly::new();\n        \
         deadly.push(2);\n        deadly.{method}();\n    }}\n"
    );
    assert!(shown.starts_with(&test), "{shown}\n---\n{test}");
    assert!(shown.contains("Calls that would end the process"), "{shown}");
}

#[test]
fn a_call_that_aborts_fails_the_test() {
    let shown = failure(|| drop(check_deadly!("abort")));
    check_shown(&shown, "the call ended the process by SIGABRT", "abort");
}

#[test]
fn a_call_that_writes_where_nothing_is_fails_the_test() {
    let shown = failure(|| drop(check_deadly!("fault")));
    check_shown(&shown, "the call ended the process by SIGSEGV", "fault");
}

#[test]
fn a_call_that_overflows_the_stack_fails_the_test() {
    let shown = failure(|| drop(check_deadly!("overflow")));
    check_shown(&shown, "the call overflowed the stack", "overflow");
}

#[test]
fn a_call_that_panics_twice_fails_the_test() {
    let shown = failure(|| drop(check_deadly!("panic_twice")));
    check_shown(&shown, "the call ended the process by SIGABRT", "panic_twice");
}

#[test]
fn what_dies_after_a_panic_fails_the_test() {
    let shown = failure(|| drop(check_deadly!("refuse", "close")));
    let message = "after the panic in `refuse`, `close` or dropping what that left ended the process by SIGABRT";
    assert!(shown.contains(message), "{shown}");
    assert!(shown.contains("catch_unwind(std::panic::AssertUnwindSafe(|| deadly.refuse()));\n"));
    assert!(shown.contains("        deadly.close();\n"), "{shown}");
}

#[test]
fn a_comparison_is_watched_too() {
    let shown = failure(|| {
        drop(beget::diff!(
            Deadly,
            Deadly,
            all = true,
            ints = 0..3,
            methods = Only(["new", "push", "abort"])
        ));
    });
    // Of the 1 + 3 + 9 + 27 stacks of three numbers at most, 1 + 3 + 9.
    let all = "the call ended the process by SIGABRT\n\n13 of 161 calls failed.\n\n\
               the call ended the process by SIGABRT (and 12 more like it)\n";
    assert!(shown.starts_with(all), "{shown}");
}

/// All that is not deadly is as in a run without these calls.
#[test]
fn a_run_goes_on_after_all_ways_to_end() {
    let found = beget::try_check!(
        Deadly,
        k = 2,
        all = true,
        arrays = "k",
        ints = 0..3,
        methods = Only(["new", "push", "abort", "fault", "overflow", "panic_twice"])
    );
    let found = found.expect_err("calls die");
    let told = found.findings().iter().map(|finding| {
        let recipe = finding.witness.recipe.as_ref().expect("calls");
        assert_eq!(recipe.n_calls(), 3);
        (&*finding.problem.message, finding.count)
    });
    let mut told: Vec<_> = told.collect();
    told.sort_unstable();
    let aborts = ("the call ended the process by SIGABRT", 4);
    let (faults, overflows) =
        ("the call ended the process by SIGSEGV", "the call overflowed the stack");
    assert_eq!(told, [aborts, aborts, (faults, 4), (overflows, 4)]);
    assert!(
        found.to_string().contains(" (and 3 more causes)\n\n16 of 92 calls failed.\n"),
        "{found}"
    );
}

/// A thousand threads could be left, and two hundred are.
#[test]
fn hundreds_of_ends_are_all_told() {
    // 3 + 9 + ... + 81 stacks of at most five numbers have a 2 on top.
    let found = beget::try_check!(
        Deadly,
        k = 5,
        all = true,
        arrays = "k",
        ints = 0..3,
        methods = Only(["new", "push", "abort"])
    );
    let found = found.expect_err("calls die");
    let [finding] = found.findings() else { panic!("{found}") };
    assert_eq!(finding.count, 1 + 3 + 9 + 27 + 81);
    assert!(found.to_string().contains("\n\n121 of 1457 calls failed.\n"), "{found}");
}

#[test]
fn calls_that_do_not_die_are_no_findings() {
    assert_eq!(check_deadly!("refuse").generated(), 13);
}

/// Makes the test of that name in a process of its own, in which it is `alone`.
fn run_alone(test: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env("DEADLY_ALONE", "1").envs(variables.iter().copied());
    command.env("RUST_BACKTRACE", "0").output().unwrap()
}

fn is_alone() -> bool {
    std::env::var_os("DEADLY_ALONE").is_some()
}

/// Checks that a test by itself has failed as any test does, and what it printed.
#[track_caller]
fn check_failed(ended: &Output, message: &str) {
    let stdout = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(101), "{ended:?}");
    assert!(stdout.contains("test result: FAILED. 0 passed; 1 failed"), "{stdout}");
    assert!(stdout.contains(message), "{stdout}");
}

#[test]
fn a_call_that_exits_fails_the_test() {
    if is_alone() {
        drop(check_deadly!("exit"));
    }
    let ended = run_alone("a_call_that_exits_fails_the_test", &[]);
    check_failed(&ended, "\nthe call ended the process by `exit`\n");
}

/// All methods take part, and after `exit` nothing goes on.
#[test]
fn the_run_of_a_property_is_watched_too() {
    if is_alone() {
        let scope = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/deadly.ron");
        drop(beget::for_all!(Deadly, scope, |_| true));
    }
    let ended = run_alone("the_run_of_a_property_is_watched_too", &[]);
    check_failed(&ended, "\nthe call ended the process by `exit`\n");
}

#[test]
fn a_call_that_does_not_return_fails_the_test() {
    if is_alone() {
        drop(check_deadly!("spin"));
    }
    let name = "a_call_that_does_not_return_fails_the_test";
    let ended = run_alone(name, &[("BEGET_CALL_SECONDS", "0.3")]);
    // After the third one the run goes on without the method.
    check_failed(&ended, "\nthe call does not return within 0.3 seconds\n");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    let note = "\nNote: calls of `spin` do not return: after 3 of them, in level 4, it was called no more.";
    assert!(stdout.contains("\n3 of ") && stdout.contains(note), "{stdout}");
    assert!(!stdout.contains("The run ends with this call."), "{stdout}");
}

fn hang() {
    loop {
        spin_loop();
    }
}

/// A number whose 1 is never shown, and whose 0 lies about itself.
#[derive(Clone, Heap)]
pub struct Mute {
    number: u8,
}

impl std::fmt::Debug for Mute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.number == 1 {
            hang();
        }
        f.write_str("Mute")
    }
}

#[beget::api(name = "mute")]
impl Mute {
    pub fn new(number: u8) -> Self {
        Mute { number }
    }

    pub fn len(&self) -> usize {
        self.number.into()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// Does not return.
    pub fn wait(&self) {
        if self.number < 2 {
            hang();
        }
    }
}

#[test]
fn a_contract_that_does_not_return_is_a_finding_and_no_other_is_lost() {
    if is_alone() {
        drop(beget::check!(Mute, k = 2, all = true, methods = Only(["new", "len", "is_empty"])));
    }
    let name = "a_contract_that_does_not_return_is_a_finding_and_no_other_is_lost";
    let ended = run_alone(name, &[("BEGET_CALL_SECONDS", "0.3")]);
    check_failed(&ended, "asking the contract `debug_returns` does not return: it was stopped");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    let note =
        "the contract `debug_returns` did not return: from structure 1 on it was asked no more";
    assert!(stdout.contains(note), "{stdout}");
    assert!(stdout.contains("the contract `is_empty_is_len_zero` is broken"), "{stdout}");
    // The test to paste asks it.
    assert!(stdout.contains("        let _ = format!(\"{mute:?}\");\n"), "{stdout}");
}

/// A number with invariants that are fatal of 1 and of 2.
#[derive(Clone, Debug, Heap)]
pub struct Wary {
    number: u8,
}

#[beget::api(name = "wary")]
impl Wary {
    pub fn new() -> Self {
        Wary { number: 0 }
    }

    pub fn grow(&mut self) {
        self.number += 1;
    }

    pub fn lead(&mut self) {
        self.number = 2;
    }

    /// A number that grew, and the next one.
    pub fn pair(self) -> (Self, Self) {
        let next = self.number + 1;
        (self, Wary { number: next })
    }

    #[beget::invariant]
    fn is_calm(&self) -> bool {
        if self.number == 1 {
            std::process::abort();
        }
        true
    }

    #[beget::invariant]
    fn is_swift(&self) -> bool {
        if self.number == 2 {
            hang();
        }
        true
    }
}

/// The test to paste asks it too: the calls alone return.
#[test]
fn an_invariant_that_ends_the_process_is_blamed_and_asked_in_the_test() {
    let shown =
        |found: Result<CheckedRun, CheckError>| found.expect_err("an invariant dies").to_string();
    let message = "the invariant `is_calm` ended the process by SIGABRT";
    let test = format!(
        "    /// {message}\n    #[test]\n    fn crash_1_new_grow() {{\n        use crate::*;\n        \
         let mut wary = Wary::new();\n        wary.grow();\n        \
         beget::assert_invariant(\"is_calm\", wary.is_calm());\n    }}\n"
    );
    let grown = shown(beget::try_check!(Wary, k = 1, methods = Only(["new", "grow"])));
    assert!(grown.starts_with(message) && grown.contains(&test), "{grown}");
    // Two structures are left, of which either may be to blame.
    let paired = shown(beget::try_check!(Wary, k = 1, methods = Only(["new", "pair"])));
    let asked = "        let wary = Wary::new();
        let wary_2 = wary.pair().0;
        beget::assert_invariant(\"is_calm\", wary_2.is_calm());
        {
            let wary = Wary::new();
            let wary_2 = wary.pair().1;
            beget::assert_invariant(\"is_calm\", wary_2.is_calm());
        }
";
    assert!(paired.starts_with(message) && paired.contains(asked), "{paired}");
}

#[test]
fn an_invariant_that_does_not_return_is_blamed_and_three_are_enough() {
    if is_alone() {
        drop(beget::check!(Wary, k = 1, all = true, methods = Only(["new", "lead"])));
    }
    let name = "an_invariant_that_does_not_return_is_blamed_and_three_are_enough";
    let ended = run_alone(name, &[("BEGET_CALL_SECONDS", "0.3")]);
    check_failed(&ended, "\nthe invariant `is_swift` does not return within 0.3 seconds\n");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(stdout.contains("beget::assert_invariant(\"is_swift\", wary.is_swift());"), "{stdout}");
}

/// The time of the scope ends the run in the middle of a call.
#[test]
fn what_was_found_before_a_call_that_stands_when_time_is_up_is_kept() {
    if is_alone() {
        drop(beget::check!(
            Mute,
            k = 2,
            all = true,
            methods = Only(["new", "len", "is_empty", "wait"]),
            contracts = Except(["debug_returns"]),
            seconds = 0.5
        ));
    }
    let name = "what_was_found_before_a_call_that_stands_when_time_is_up_is_kept";
    let ended = run_alone(name, &[]);
    check_failed(&ended, "the call does not return\n");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(stdout.contains("found before: the contract `is_empty_is_len_zero`"), "{stdout}");
    assert!(stdout.contains("Not everything was tried: the time of 0.5 s is up."), "{stdout}");
}

#[test]
fn a_run_goes_on_after_calls_that_do_not_return() {
    if is_alone() {
        drop(beget::check!(
            Deadly,
            k = 1,
            arrays = "k",
            ints = 0..3,
            methods = Only(["new", "push", "spin"])
        ));
    }
    let name = "a_run_goes_on_after_calls_that_do_not_return";
    let ended = run_alone(name, &[("BEGET_CALL_SECONDS", "0.3")]);
    check_failed(&ended, "\nthe call does not return within 0.3 seconds\n");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(stdout.contains("1 of 17 calls failed."), "{stdout}");
}

/// The time of the check is up two seconds before that of the call, and is not the call's.
#[test]
fn a_call_has_its_own_time_where_a_check_without_a_k_has_none_left() {
    if is_alone() {
        drop(beget::check!(Deadly, ints = ["k - 1"], methods = Only(["new", "push", "spin"])));
    }
    let name = "a_call_has_its_own_time_where_a_check_without_a_k_has_none_left";
    let ended = run_alone(name, &[("BEGET_SECONDS", "2"), ("BEGET_CALL_SECONDS", "5")]);
    check_failed(&ended, "\nthe call does not return within 5 seconds\n");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(stdout.contains("\nThis is k = 3, after every value up to k = 2"), "{stdout}");
    // A test that takes seconds says what makes it faster, if anything does.
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let n_notes = stderr.matches("beget: note: `check!` in a test is several times faster").count();
    assert_eq!(n_notes, usize::from(!beget_process::IS_OPTIMISED), "{stderr}");
}

/// What ends the run ends it at some k, too.
#[test]
fn the_k_of_a_call_that_ends_the_run_is_named() {
    if is_alone() {
        drop(beget::check!(Deadly, ints = ["k - 1"], methods = Only(["new", "push", "exit"])));
    }
    let ended = run_alone("the_k_of_a_call_that_ends_the_run_is_named", &[]);
    check_failed(&ended, "The run ends with this call.");
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        stdout.contains("\nThis is k = 3: `k = 3` in `check!` makes this run alone\n"),
        "{stdout}"
    );
}

#[test]
fn a_contract_that_dies_fails_the_test() {
    if is_alone() {
        drop(check_deadly!("close"));
    }
    let ended = run_alone("a_contract_that_dies_fails_the_test", &[("DEADLY_DEBUG", "1")]);
    check_failed(&ended, "asking the contract `debug_returns` ended the process by SIGABRT");
}

/// Whoever sends a signal wants the process to end.
#[test]
fn a_signal_from_outside_ends_the_process() {
    if is_alone() {
        drop(check_deadly!("close"));
        let process = std::process::id().to_string();
        Command::new("kill").args(["-ABRT", &process]).status().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    let ended = run_alone("a_signal_from_outside_ends_the_process", &[]);
    assert_eq!(ended.status.code(), None, "{ended:?}");
}

#[test]
fn an_end_takes_its_course_where_that_is_wanted() {
    if is_alone() {
        drop(check_deadly!("abort"));
    }
    let name = "an_end_takes_its_course_where_that_is_wanted";
    let ended = run_alone(name, &[("BEGET_OUTLIVE_CRASHES", "0")]);
    assert_eq!(ended.status.code(), None, "{ended:?}");
}
