//! Runs that several processes make together: the bytes are those of one thread.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Ended, ended, names_in, of_program, program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// The `beget` binary.
fn beget() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_beget"))
}

/// The summary of a run, without what is measured.
#[track_caller]
fn summary(ended: &Ended) -> Value {
    let mut summary: Value =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("one object: {ended:?}"));
    for measured in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes"] {
        summary[measured] = Value::Null;
    }
    summary
}

/// What a directory of results holds.
fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(dir.join(name)).expect("a file"));
    names_in(dir).into_iter().map(read).collect()
}

/// What a run comes to.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    summary: Value,
    files: Vec<(String, Vec<u8>)>,
}

/// A run with these options.
#[track_caller]
fn outcome(program: &Path, run: &str, options: &str) -> Outcome {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out");
    let line = format!("generate {run} --summary json {options} -o {}", out.display());
    let ended = ended(of_program(program, &line));
    Outcome { code: ended.code, summary: summary(&ended), files: contents(&out) }
}

/// Checks that processes leave what one thread leaves, to the byte.
#[track_caller]
fn check(program: &Path, run: &str, all: &[&str]) {
    let one = outcome(program, run, "--threads 1");
    for options in all {
        assert_eq!(outcome(program, run, options), one, "{run} {options}");
    }
}

const FEW: [&str; 3] = ["--hosts local:1", "--hosts local:2 --threads 2", "--hosts local:4"];

#[test]
fn processes_leave_what_one_thread_leaves() {
    check(&beget(), "../../../scopes/roops/ncl.ron -k 3", &FEW);
}

#[test]
fn methods_on_several_structures_fetch_them() {
    check(&beget(), "../../../scopes/ours/skewheap.ron -k 3", &FEW);
    check(&beget(), "../../../scopes/real/btreemap.ron -k 2", &FEW[1..2]);
}

#[test]
fn what_is_not_decoded_is_replayed_everywhere() {
    check(&beget(), "../../../scopes/real/stablegraph.ron -k 2", &FEW[1..]);
    check(&program(), "scopes/tree.ron -k 3 --making replay --copies remake", &FEW[2..]);
}

#[test]
fn findings_are_the_same_with_their_witnesses() {
    check(&program(), "scopes/tree-all.ron -k 3", &FEW);
}

#[test]
fn a_scope_within_a_wider_one_is_read_by_the_first_process() {
    check(&program(), "scopes/tree-slack.ron", &FEW[2..]);
}

#[test]
fn a_budget_ends_all_processes_at_the_same_call() {
    check(&beget(), "../../../scopes/korat/searchtree.ron -k 5 --max-calls 1000", &FEW[2..]);
    check(&beget(), "../../../scopes/korat/searchtree.ron -k 5 --max-levels 3", &FEW[2..]);
}

#[test]
fn levels_of_many_blocks_are_the_same() {
    // Levels of 7776 parents and of 22500 pairs: more than a block has.
    let runs = ["../../../scopes/roops/ncl.ron -k 6", "../../../scopes/ours/skewheap.ron -k 4"];
    runs.iter().for_each(|run| check(&beget(), run, &["--hosts local:2 --threads 1"]));
}

/// Two addresses of this machine at which nobody listens.
fn free_addresses() -> [String; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    listeners.each_ref().map(|one| one.local_addr().expect("it listens").to_string())
}

/// Two processes of a hosts file, started with these lines.
fn by_file(lines: [&str; 2]) -> [Ended; 2] {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    fs::write(&path, free_addresses().join("\n")).expect("a file");
    let started = [0, 1].map(|process| {
        let line = lines[process];
        let line = format!("{line} --hosts {} --process {process}", path.display());
        let mut command = of_program(&beget(), &line);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started")
    });
    started.map(|child| {
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Ended { code: output.status.code(), stdout, stderr }
    })
}

#[test]
fn processes_of_a_hosts_file_make_one_run() {
    let line = "generate ../../../scopes/roops/ncl.ron -k 3 --summary json";
    let one = ended(of_program(&beget(), line));
    let [first, second] = by_file([line, line]);
    assert_eq!((first.code, summary(&first)), (one.code, summary(&one)), "{first:?}");
    assert_eq!((second.code, second.stdout.as_str()), (Some(0), ""), "{second:?}");
}

#[test]
fn a_process_of_another_run_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    fs::write(&path, free_addresses().join("\n")).expect("a file");
    let start = |k, process| {
        let scope = "../../../scopes/roops/ncl.ron";
        let line =
            format!("generate {scope} -k {k} --hosts {} --process {process}", path.display());
        of_program(&beget(), &line)
    };
    let waiting = start(3, 0).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut waiting = waiting.expect("it can be started");
    let refused = ended(start(4, 1));
    waiting.kill().expect("it waits");
    waiting.wait().expect("it was killed");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("makes another run"), "{refused:?}");
}

#[test]
fn a_wrong_hosts_file_is_refused_at_its_place() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    fs::write(&path, "127.0.0.1:7001\nnode\n").expect("a file");
    let check = |options: String, message: &str| {
        let line = format!("generate scopes/tree.ron {options}");
        let ended = ended(of_program(&program(), &line));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(message), "{ended:?}");
    };
    let file = path.display();
    check(
        format!("--hosts {file} --process 0"),
        &format!("{file}:2:1: `node`: no port: write for example `node:7001`"),
    );
    check(format!("--hosts {file}"), "`--process` says which of them this is");
    check(format!("--hosts {file}.none --process 0"), "cannot read the hosts file");
    check("--hosts local:2 --process 1".to_owned(), "with `local:N` leave it out");
    check("--hosts local:0".to_owned(), "from 1 to 16");
    check("--hosts local:2 --processes 2".to_owned(), "do not go together");
    for saving in ["--store disk:none", "--checkpoint none", "--resume none"] {
        check(format!("--hosts local:2 {saving}"), "does not go together with structures");
    }
    fs::write(&path, "127.0.0.1:7001\n192.0.2.1:7001\n").expect("a file");
    check(format!("--hosts {file} --process 2"), "there is no process 2");
    check(format!("--hosts {file} --process 1"), "cannot listen at `192.0.2.1:7001`");
}

/// A run of some seconds by three processes, and the two that were started by the first.
fn long_run() -> (std::process::Child, Vec<Pid>) {
    let line = "generate ../../../scopes/roops/ncl.ron -k 9 --hosts local:3 --threads 1 -v";
    let mut command: Command = of_program(&beget(), line);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("it can be started");
    let started = started_by(child.id());
    (child, started)
}

/// The two processes that another one starts, as soon as they are connected.
fn started_by(parent: u32) -> Vec<Pid> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let started = children_of(parent);
        if started.len() == 2 && started.iter().all(|&child| has_sockets(child)) {
            std::thread::sleep(Duration::from_millis(300));
            return started;
        }
        assert!(Instant::now() < deadline, "the processes do not start: {started:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn children_of(parent: u32) -> Vec<Pid> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().map(|pid| Pid::from_raw(pid.parse().expect("a number"))).collect()
}

/// Whether a process has connections with both others, and listens.
fn has_sockets(process: Pid) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let links = open.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    links.filter(|link| link.to_string_lossy().starts_with("socket:")).count() >= 4
}

fn is_alive(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[track_caller]
fn wait_until_gone(processes: &[Pid]) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while processes.iter().any(|&process| is_alive(process)) {
        assert!(Instant::now() < deadline, "they go on: {processes:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_process_that_is_lost_ends_the_run_with_a_message() {
    let (run, started) = long_run();
    kill(started[1], Signal::SIGKILL).expect("it runs");
    let begin = Instant::now();
    let output = run.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("error: process 2 (127.0.0.1:"), "{told}");
    assert!(told.contains("is lost"), "{told}");
    assert!(told.contains("there is no checkpoint"), "{told}");
    wait_until_gone(&started);
}

#[test]
fn processes_do_not_outlive_the_first() {
    let (mut run, started) = long_run();
    run.kill().expect("it runs");
    run.wait().expect("it was killed");
    wait_until_gone(&started);
}

#[test]
fn an_interrupt_of_one_ends_all_in_good_order() {
    let (run, started) = long_run();
    kill(started[0], Signal::SIGINT).expect("it runs");
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("interrupted"), "{told}");
    wait_until_gone(&started);
}

#[test]
fn a_part_that_is_full_ends_all_with_whole_batches() {
    let run = "../../../scopes/korat/searchtree.ron -k 5 --store exact:3";
    let Outcome { code, summary, files } = outcome(&beget(), run, "--hosts local:3");
    assert_eq!((code, &summary["stop_reason"]), (Some(3), &Value::from("store_full")));
    let count = |name: &str| summary[name].as_u64().expect("a number");
    let structures = files.iter().find(|(name, _)| name == "structures.jsonl").expect("a file");
    let n_lines = structures.1.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!(n_lines, count("generated"));
    // What a run of whole levels has that stops there by itself.
    let levels = summary["levels"].as_array().expect("a list");
    let new: u64 = levels.iter().map(|level| level["new"].as_u64().expect("a number")).sum();
    assert_eq!(new, count("generated"));
    let whole = levels.iter().filter(|level| level["new"] != 0).count();
    let run = format!("../../../scopes/korat/searchtree.ron -k 5 --max-levels {whole}");
    let stopped = outcome(&beget(), &run, "--threads 1").summary;
    assert_eq!(summary["digest"], stopped["digest"]);
}
