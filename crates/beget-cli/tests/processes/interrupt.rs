//! Interrupts, on systems that have signals.
#![cfg(unix)]

use crate::common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::thread::JoinHandle;

use common::{command, names_in};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Starts an endless run and waits for its first sign of progress. The rest of its messages is read
/// by a thread, so that it never waits for a reader.
fn start_endless(arguments: &str) -> (Child, JoinHandle<String>) {
    let mut command = command(&format!("generate scopes/counter.ron -v --threads 1 {arguments}"));
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    stderr.read_line(&mut first).unwrap();
    assert!(first.starts_with("level 1: "), "{first}");
    let rest = std::thread::spawn(move || {
        let mut notes = String::new();
        for line in stderr.lines().map_while(Result::ok).filter(|line| line.starts_with("note")) {
            notes.push_str(&line);
        }
        notes
    });
    (child, rest)
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
}

#[track_caller]
fn ends_in_good_order(signal: Signal) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (mut child, notes) = start_endless(&format!("--summary json -o {}", out.display()));
    send(&child, signal);
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(notes.join().unwrap().contains("interrupted"));
    let summary: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(summary["stop_reason"], "interrupted");
    assert_eq!(summary["complete"], false);
    assert_eq!(names_in(dir.path()), ["out"]);
    let names = ["INCOMPLETE", "manifest.json", "scope.ron", "structures.jsonl", "summary.json"];
    assert_eq!(names_in(&out), names);
    let lines = std::fs::read_to_string(out.join("structures.jsonl")).unwrap().lines().count();
    assert_eq!(summary["generated"], lines);
}

/// It is interrupted while it explores k = 6, when five scopes are counted.
#[test]
fn an_interrupted_estimate_is_printed_and_ends_with_3() {
    let line = "estimate scopes/tree.ron -k 12 -v --threads 1 --max-calls 100000000000";
    let mut child =
        command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("level 8: 731 structures")));
    send(&child, Signal::SIGINT);
    lines.for_each(drop);
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(stdout.contains("\nestimated: 7 steps of k"), "{stdout}");
}

#[test]
fn an_interrupted_run_writes_what_it_has_and_ends_with_3() {
    ends_in_good_order(Signal::SIGINT);
}

#[test]
fn a_terminated_run_does_the_same() {
    ends_in_good_order(Signal::SIGTERM);
}
