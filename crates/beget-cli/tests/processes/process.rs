//! Subjects that do to their process what no method should: they exit, abort, never return, print,
//! and install panic hooks.
#![cfg(unix)]

use crate::common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Ended, ended, example, names_in, of_program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

fn command(arguments: &str) -> Command {
    of_program(&example("awkward_suites"), arguments)
}

fn run(arguments: &str) -> Ended {
    ended(command(arguments))
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` in: {text}");
}

#[test]
fn a_call_that_exits_is_named_and_what_there_is_is_written() {
    for how in ["--ways region", "--ways clone", "--ways remake --threads 1"] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let line = format!("generate scopes/awkward-leave.ron {how} -o {}", out.display());
        let ended = run(&format!("{line} --summary json"));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        // The first literal is the first to be tried.
        assert_contains(
            &ended.stderr,
            "the code under test ended the process in this call: let mut awkward = Awkward::new(); \
             let _ = awkward.grow(); let _ = awkward.grow(); let _ = awkward.leave(0);\n",
        );
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_has_three_levels(&summary, "unreturned");
        assert_ends_with(&summary, "crash", "the call ended the process by `exit`", "leave(0)");
        assert!(names_in(&out).contains(&"INCOMPLETE".to_owned()));
    }
}

#[test]
fn an_exit_on_a_thread_of_the_subject_is_noticed_too() {
    for command in ["generate", "check"] {
        let ended = run(&format!("{command} scopes/awkward-leave-elsewhere.ron --summary json"));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["stop_reason"], "unreturned");
        let finding = &summary["findings"][0];
        assert_eq!(
            (&finding["kind"], &finding["method"]),
            (&json!("crash"), &json!("leave_elsewhere"))
        );
    }
}

/// The call that does not end; with the literal 0 it does.
const VERSION: &str = env!("CARGO_PKG_VERSION");

const ENDLESS: &str = "a call does not end: let mut awkward = Awkward::new(); let _ = awkward.grow(); \
                       let _ = awkward.grow(); let _ = awkward.stay(1);";

/// What there is of `awkward-stay.ron` when the calls of level 4 do not end: 0, 1 and 2, made by 1
/// constructor call and 3 calls (`grow`, `stay(0)`, `stay(1)`) on each of 0 and 1.
#[track_caller]
fn assert_has_three_levels(summary: &Value, stop_reason: &str) {
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["stop_reason"], stop_reason);
    assert_eq!(summary["generated"], 3);
    assert_eq!(summary["explored"], 7);
    assert_eq!(summary["levels"].as_array().unwrap().len(), 3);
}

/// The only finding is the call after the two of `grow`.
#[track_caller]
fn assert_ends_with(summary: &Value, kind: &str, message: &str, call: &str) {
    let [finding] = &summary["findings"].as_array().unwrap()[..] else { panic!("{summary}") };
    assert_eq!((&finding["kind"], &finding["message"]), (&json!(kind), &json!(message)));
    let last = format!("let _ = awkward.{call};");
    let grow = "let _ = awkward.grow();";
    assert_eq!(finding["recipe"], json!(["let mut awkward = Awkward::new();", grow, grow, last]));
}

/// The call of `stay` is a finding, and named in the notes.
#[track_caller]
fn assert_stays(summary: &Value) {
    assert_ends_with(summary, "hang", "the call does not return", "stay(1)");
    let notes = summary["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note == ENDLESS), "{notes:?}");
}

#[test]
fn an_endless_call_ends_with_the_time_and_what_there_is_is_written() {
    let three_levels = run("generate scopes/awkward-stay.ron --max-levels 3 --summary json");
    let three_levels: Value = serde_json::from_str(&three_levels.stdout).unwrap();
    for how in ["--threads 1", "--threads 2 --ways clone"] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let arguments = "generate scopes/awkward-stay.ron --max-seconds 0.5 --summary json";
        let ended = run(&format!("{arguments} {how} -o {}", out.display()));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert_contains(&ended.stderr, ENDLESS);
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_has_three_levels(&summary, "max_seconds");
        assert_stays(&summary);
        assert_eq!(summary["store_bytes"], three_levels["store_bytes"]);
        assert_eq!(names_in(dir.path()), ["out"]);
        let names =
            ["INCOMPLETE", "manifest.json", "scope.ron", "structures.jsonl", "summary.json"];
        assert_eq!(names_in(&out), names);
        let structures = fs::read_to_string(out.join("structures.jsonl")).unwrap();
        assert_eq!(structures.lines().count(), 3);
    }
}

#[test]
fn the_first_signal_ends_an_endless_call() {
    let slow = "note: a call has not returned for five seconds: let mut awkward = Awkward::new(); let _ = \
                awkward.grow(); let _ = awkward.grow(); let _ = awkward.stay(1);";
    for (signal, sign) in [(Signal::SIGINT, "staying"), (Signal::SIGTERM, slow)] {
        let mut command = command("generate scopes/awkward-stay.ron --summary json");
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can start");
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(stderr.any(|line| line.unwrap() == sign));
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let mut stdout = String::new();
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
        let summary = serde_json::from_str(&stdout).unwrap();
        assert_has_three_levels(&summary, "interrupted");
        assert_stays(&summary);
    }
}

#[test]
fn a_check_keeps_what_it_has_when_a_call_does_not_end() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let arguments = "check scopes/awkward-stay.ron --max-seconds 0.5 --summary json --report";
    let ended = run(&format!("{arguments} {}", page.display()));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_contains(&ended.stderr, ENDLESS);
    let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_has_three_levels(&summary, "max_seconds");
    assert_stays(&summary);
    // Contracts were asked about the levels that are complete.
    let contracts = summary["contracts"].as_array().unwrap();
    assert_eq!(contracts.len(), 2);
    assert!(contracts.iter().all(|one| one["asked"] == 3 && one["broken"] == 0), "{contracts:?}");
    assert_contains(&fs::read_to_string(page).unwrap(), "the call does not return");
}

/// The time of the call ends the run, which has no time of its own.
#[test]
fn a_call_that_takes_too_long_ends_the_run_and_is_a_finding() {
    for line in ["generate scopes/awkward-stay.ron", "check scopes/awkward-stay.ron"] {
        let mut command = command(&format!("{line} --summary json"));
        command.env("BEGET_CALL_SECONDS", "0.5");
        let ended = ended(command);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_has_three_levels(&summary, "unreturned");
        assert_stays(&summary);
    }
}

#[test]
fn other_commands_end_too_and_say_that_they_have_no_results() {
    let ended = run(
        "builders scopes/awkward-stay.ron --methods new,grow,stay --max-seconds 0.5 --summary json",
    );
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert_contains(&ended.stderr, ENDLESS);
    assert_contains(&ended.stderr, "the command ends without results");
    // They begin as every summary does.
    let expected = format!(
        r#"{{"suite":"awkward","k":3,"methods":["new","grow","stay"],"complete":false,"stop_reason":"max_seconds","beget":"{VERSION}","notes":["{ENDLESS}"]}}"#
    );
    assert_eq!(ended.stdout, expected + "\n");
}

#[test]
fn a_check_without_a_k_says_up_to_which_one_nothing_was_found() {
    let mut command =
        command("check scopes/awkward-stay-auto.ron --max-seconds 0.5 --summary json");
    // The call has its own time where the check has none left.
    command.env("BEGET_CALL_SECONDS", "4");
    let ended = ended(command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&summary["k"], &summary["stop_reason"]), (&json!(2), &json!("unreturned")));
    assert_stays(&summary);
    let depth = &summary["deepening"];
    assert_eq!((&depth["reached"], &depth["ended_by"]), (&json!(1), &json!("found")));
    let notes = "note: nothing was found up to k = 1\nnote: a call does not end: ";
    assert!(ended.stderr.contains(notes), "{ended:?}");
}

#[test]
fn builders_end_too_and_name_the_call() {
    for how in ["--threads 1", "--threads 2 --ways clone", "--search exact"] {
        let arguments = "builders scopes/awkward-stay.ron --methods new,grow,stay";
        let ended = run(&format!("{arguments} {how} --max-seconds 0.5 --summary json"));
        assert_eq!(ended.code, Some(3), "{ended:?}");
        assert_contains(&ended.stderr, ENDLESS);
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["complete"], false);
        assert_eq!(summary["stop_reason"], "max_seconds");
        assert_eq!(summary["notes"], serde_json::json!([ENDLESS]));
    }
}

/// The first candidate that the repOK of `pair.ron` does not return from.
const STUCK: &str =
    "a repOK does not return: `patient` on the candidate Pair#0 { first: 50, second: 0 }";

#[test]
fn a_repok_that_does_not_return_ends_with_the_time_and_what_there_is_is_written() {
    for threads in [1, 2, 4] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let arguments = "repok scopes/pair.ron --max-seconds 0.5 --summary json";
        let ended = run(&format!("{arguments} --threads {threads} -o {}", out.display()));
        assert_eq!(ended.code, Some(3), "{ended:?}");
        assert_contains(&ended.stderr, STUCK);
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["complete"], false);
        assert_eq!(summary["stop_reason"], "max_seconds");
        // The jobs before it: 4096 candidates, and the last ones whose first number is 40.
        assert_eq!(summary["generated"], 4100);
        assert_eq!(summary["explored"], 4100);
        assert_eq!(
            names_in(&out),
            ["INCOMPLETE", "manifest.json", "scope.ron", "structures.jsonl", "summary.json"]
        );
        let structures = fs::read_to_string(out.join("structures.jsonl")).unwrap();
        assert_eq!(structures.lines().count(), 4100);
    }
}

#[test]
fn a_signal_ends_a_repok_that_does_not_return() {
    for arguments in ["repok scopes/pair.ron", "check scopes/pair.ron"] {
        let child = command(&format!("{arguments} --summary json"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it can start");
        // The example listens to signals long before.
        std::thread::sleep(Duration::from_secs(2));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
        let ended = child.wait_with_output().unwrap();
        // A check has the repOK as a finding.
        let code = if arguments.starts_with("check") { 1 } else { 3 };
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        let summary: Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!(summary["stop_reason"], "interrupted");
        assert_eq!(summary["complete"], false);
    }
}

#[test]
fn a_check_whose_repok_does_not_return_has_it_as_a_finding() {
    for how in ["--threads 1", "--processes 1 --call-seconds 600"] {
        let line = format!("check scopes/pair.ron --max-seconds 0.5 --summary json {how}");
        let ended = run(&line);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&summary["complete"], &summary["generated"]), (&json!(false), &json!(2)));
        assert_eq!(summary["stop_reason"], "max_seconds");
        let finding = &summary["findings"][0];
        let message = "asking the repOK `patient` does not return: it was stopped";
        assert_eq!((&finding["kind"], &finding["message"]), (&json!("hang"), &json!(message)));
        let recipe = ["let mut pair = Pair::new();", "let _ = pair.set(50);"];
        assert_eq!(finding["recipe"], json!(recipe));
        let omission =
            "the repOK `patient` did not return: from structure 1 on it was asked no more";
        assert_eq!(summary["omissions"], json!([omission]), "{summary}");
    }
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let line = format!("generate scopes/awkward-stay.ron -o {}", out.display());
    let mut child = command(&line).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap() == "staying"));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::SIGKILL as i32));
    let left = names_in(dir.path());
    let [leftover] = &left[..] else { panic!("one temporary directory: {left:?}") };

    // One more that somebody is at work on.
    let busy = dir.path().join(".beget-busy.partial");
    fs::create_dir(&busy).unwrap();
    let lock = File::open(&busy).unwrap();
    lock.lock().unwrap();

    let next = run(&format!("generate scopes/awkward-print.ron -o {}", out.display()));
    assert_eq!(next.code, Some(0), "{next:?}");
    assert_contains(
        &next.stderr,
        &format!("{leftover}`, left by a run that was killed or aborted"),
    );
    assert_eq!(names_in(dir.path()), [".beget-busy.partial", "out"]);
}

#[test]
fn a_second_interrupt_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let mut command = command(&format!("generate scopes/awkward-stay.ron -o {}", out.display()));
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it can start");
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap() == "staying"));
    let pid = Pid::from_raw(child.id() as i32);
    kill(pid, Signal::SIGINT).unwrap();
    assert!(stderr.any(|line| line.unwrap().starts_with("note: interrupted")));
    kill(pid, Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(names_in(dir.path()).is_empty());
}

#[test]
fn what_a_subject_prints_is_no_result() {
    let ended = run("generate scopes/awkward-print.ron --summary json");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    assert_eq!(summary["generated"], 4);
    assert_contains(&ended.stderr, "the value is 3\n");
}

#[test]
fn messages_survive_hooks_of_the_subject_and_payloads_that_panic() {
    for how in ["--ways region", "--ways clone"] {
        let ended = run(&format!("generate scopes/awkward-panic.ron --summary json {how}"));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        let findings = summary["findings"].as_array().unwrap();
        let messages: Vec<_> = findings.iter().map(|found| &found["message"]).collect();
        // The hook is replaced by the very call that panics: nobody can tell the place.
        let expected = [
            "panicked at an unknown place: a fixed message",
            "panicked at an unknown place: a message with 1",
            "panicked at an unknown place: a panic payload that is no string",
        ];
        assert_eq!(messages, expected);
        assert_eq!(summary["failures"], 3);
        assert_eq!(summary["generated"], 4);
    }
}
