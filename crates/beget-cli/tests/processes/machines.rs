//! Runs that several processes make together: the bytes are those of one thread.
#![cfg(target_os = "linux")]

use crate::common;

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::processes::{beget, by_file, free_addresses, started_by, wait_until_gone};
use common::{Ended, ended, names_in, of_program, program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// The summary of a run, without what is measured.
#[track_caller]
fn summary(ended: &Ended) -> Value {
    let mut summary: Value =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("one object: {ended:?}"));
    for measured in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes", "disk_bytes"] {
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

/// A run with these options, in which `DIR` is a directory of its own.
#[track_caller]
fn outcome(program: &Path, run: &str, options: &str) -> Outcome {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out");
    let options = options.replace("DIR", &dir.path().join("run").to_string_lossy());
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

/// Little memory makes blocks smaller, but does not suffice to end the run.
const ON_DISK: [&str; 4] = [
    "--hosts local:1 --store disk:DIR",
    "--hosts local:2 --threads 2 --store disk:DIR",
    "--hosts local:3 --store disk:DIR",
    "--hosts local:3 --store disk:DIR --max-memory 120",
];

#[test]
fn processes_leave_on_disk_what_one_thread_leaves_in_memory() {
    check(&beget(), "../../../scopes/roops/ncl.ron -k 3", &ON_DISK);
    check(&beget(), "../../../scopes/ours/skewheap.ron -k 3", &ON_DISK[1..]);
    check(&beget(), "../../../scopes/real/btreemap.ron -k 2", &ON_DISK[1..2]);
    check(&beget(), "../../../scopes/real/stablegraph.ron -k 2", &ON_DISK[2..]);
    check(&program(), "scopes/tree.ron -k 3 --ways remake,replay", &ON_DISK[1..2]);
    check(&program(), "scopes/tree-all.ron -k 3", &ON_DISK);
    check(&program(), "scopes/tree-slack.ron", &ON_DISK[2..3]);
    let budgets = ["--max-calls 1000", "--max-levels 3", "--max-structures 60"];
    for budget in budgets {
        let run = format!("../../../scopes/korat/searchtree.ron -k 5 {budget}");
        check(&beget(), &run, &ON_DISK[2..3]);
    }
}

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
    check(&program(), "scopes/tree.ron -k 3 --ways remake,replay", &FEW[2..]);
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
        let line = format!("generate {scope} -k {k} --hosts {}#{process}", path.display());
        of_program(&beget(), &line)
    };
    let waiting = start(3, 0).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let waiting = waiting.expect("it can be started");
    let refused = ended(start(4, 1));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("makes another run"), "{refused:?}");
    // The other one waits no longer for a process that will not come.
    let waited = end_of(waiting);
    assert_eq!(waited.code, Some(2), "{waited:?}");
    assert!(waited.stderr.contains("process 1 (127.0.0.1:"), "{waited:?}");
    assert!(waited.stderr.contains("makes another run"), "{waited:?}");
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
        format!("--hosts {file}#0"),
        &format!("{file}:2:1: `node`: no port: write for example `node:7001`"),
    );
    check(format!("--hosts {file}"), "add the number of this process in the file, from 0");
    check(format!("--hosts {file}.none#0"), "cannot read the hosts file");
    check("--hosts local:0".to_owned(), "from 1 to 16");
    check("--hosts local:2 --processes 2".to_owned(), "do not go together");
    check("--hosts local:2 --resume none".to_owned(), "holds no saved run");
    fs::write(&path, "127.0.0.1:7001\n192.0.2.1:7001\n").expect("a file");
    check(format!("--hosts {file}#2"), "there is no process 2");
    check(format!("--hosts {file}#1"), "cannot listen at `192.0.2.1:7001`");
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

/// Waits for the end of a process, and of those that write to the same places.
fn end_of(run: std::process::Child) -> Ended {
    Ended::of(run.wait_with_output().expect("it ends"))
}

#[test]
fn a_process_that_is_lost_ends_the_run_with_a_message() {
    let (run, started) = long_run();
    kill(started[1], Signal::SIGKILL).expect("it runs");
    let begin = Instant::now();
    let ended = end_of(run);
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(ended.code, Some(4), "{ended:?}");
    // Process 1 ends with it, and may be the first that is missed.
    let is_lost = |process| ended.stderr.contains(&format!("error: process {process} (127.0.0.1:"));
    assert!(is_lost(2) || is_lost(1), "{ended:?}");
    assert!(ended.stderr.contains("is lost"), "{ended:?}");
    assert!(ended.stderr.contains("there is no checkpoint"), "{ended:?}");
    wait_until_gone(&started);
}

/// Each time the first process begins again with new ones.
#[test]
fn a_run_that_is_saved_goes_on_by_itself_when_a_process_is_lost() {
    let scope = "../../../scopes/roops/ncl.ron -k 6 --ways remake,replay --summary json";
    let one = ended(of_program(&beget(), &format!("generate {scope}")));
    let dir = tempfile::tempdir().expect("a directory");
    let saved = dir.path().join("saved");
    let line = format!("generate {scope} --hosts local:3 --checkpoint {}", saved.display());
    let mut command: Command = of_program(&beget(), &line);
    let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let run = run.expect("it can be started");
    for process in [1, 0] {
        let started = started_by(run.id());
        wait_until_saved(&saved);
        kill(started[process], Signal::SIGKILL).expect("it runs");
        wait_until_gone(&started);
    }
    let ended = end_of(run);
    assert_eq!((ended.code, summary(&ended)), (one.code, summary(&one)), "{}", ended.stderr);
    let told = "is lost: ";
    let n_told = ended.stderr.lines().filter(|line| line.contains(told)).count();
    assert_eq!(n_told, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("; the run goes on from its last save"), "{}", ended.stderr);
}

/// Waits until three processes have saved their parts of the run.
fn wait_until_saved(path: &Path) {
    let deadline = Instant::now() + Duration::from_secs(20);
    let has_manifest =
        |process: usize| path.join(format!("part-{process}-of-3")).join("manifest").exists();
    while !(0..3).all(has_manifest) {
        assert!(Instant::now() < deadline, "nothing is saved: {:?}", names_in(path));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What stands for `ssh` starts the processes on this machine.
#[test]
fn the_first_process_starts_the_others_by_ssh() {
    let dir = tempfile::tempdir().expect("a directory");
    let (path, ssh) = (dir.path().join("my hosts"), dir.path().join("ssh"));
    let lines: Vec<String> = [free_addresses(), free_addresses()].concat();
    fs::write(&path, lines.join("\n")).expect("a file");
    let script =
        format!("#!/bin/sh\necho \"$3\" >> '{}'/called\nexec sh -c \"$4\"\n", dir.path().display());
    fs::write(&ssh, script).expect("a file");
    fs::set_permissions(&ssh, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a file");
    let scope = "generate ../../../scopes/roops/ncl.ron -k 3 --summary json";
    let one = ended(of_program(&beget(), scope));
    let mut command = of_program(&beget(), scope);
    command.arg("--hosts").arg(format!("{}#ssh", path.display()));
    let found = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{found}", dir.path().display()));
    let all = ended(command);
    assert_eq!((all.code, summary(&all)), (one.code, summary(&one)), "{all:?}");
    let called = fs::read_to_string(dir.path().join("called")).expect("a file");
    assert_eq!(called, "127.0.0.1\n".repeat(3));
}

#[test]
fn a_process_that_does_not_start_by_ssh_ends_the_waiting() {
    let dir = tempfile::tempdir().expect("a directory");
    let (path, ssh) = (dir.path().join("hosts"), dir.path().join("ssh"));
    fs::write(&path, free_addresses().join("\n")).expect("a file");
    fs::write(&ssh, "#!/bin/sh\nexit 255\n").expect("a file");
    fs::set_permissions(&ssh, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a file");
    let mut command = of_program(&program(), "generate scopes/tree.ron --hosts");
    command.arg(format!("{}#ssh", path.display())).env("PATH", dir.path());
    let ended = ended(command);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let told = "process 1 ended before the run: exit status: 255";
    assert!(ended.stderr.contains(told), "{ended:?}");
}

#[test]
fn srun_gives_the_number_of_a_process() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    fs::write(&path, free_addresses().join("\n")).expect("a file");
    let line = format!("generate scopes/tree.ron --summary json --hosts {}#slurm", path.display());
    let started = ["0", "1"].map(|number| {
        let mut command = of_program(&program(), &line);
        command.env("SLURM_PROCID", number).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it can be started")
    });
    let [first, second] = started.map(end_of);
    let one = ended(of_program(&program(), "generate scopes/tree.ron --summary json"));
    assert_eq!((first.code, summary(&first)), (one.code, summary(&one)), "{first:?}");
    assert_eq!((second.code, second.stdout.as_str()), (one.code, ""), "{second:?}");
    let refused = ended(of_program(&program(), &line));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("SLURM_PROCID"), "{refused:?}");
}

/// The others call each process through a relay, which passes everything on later.
#[test]
fn processes_behind_other_addresses_make_the_same_run_over_slow_ways() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    // What listens already takes no address that is free.
    let relays = [(); 4].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let binds = [free_addresses(), free_addresses()].concat();
    let lines = relays.into_iter().zip(&binds).map(|(relay, bind)| {
        let address = relay.local_addr().expect("it listens");
        begin_relay(relay, bind);
        format!("{address} bind {bind}\n")
    });
    fs::write(&path, lines.collect::<String>()).expect("a file");
    let line = "generate ../../../scopes/roops/ncl.ron -k 3 --summary json";
    let started: Vec<_> = (0..binds.len())
        .map(|me| {
            let line = format!("{line} --hosts {}#{me}", path.display());
            let mut command = of_program(&beget(), &line);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        })
        .collect();
    let all: Vec<Ended> = started.into_iter().map(end_of).collect();
    let one = ended(of_program(&beget(), line));
    assert_eq!((all[0].code, summary(&all[0])), (one.code, summary(&one)), "{all:?}");
    assert!(all.iter().all(|ended| ended.code == Some(0)), "{all:?}");
}

/// Relays each connection to an address, with a delay.
fn begin_relay(listener: TcpListener, address: &str) {
    let address = address.to_owned();
    std::thread::spawn(move || {
        for caller in listener.incoming().flatten() {
            // Nothing listens yet: the caller is to call again.
            let Ok(called) = TcpStream::connect(&address) else { continue };
            let [from, to] = [&caller, &called].map(|one| one.try_clone().expect("open"));
            std::thread::spawn(move || relay(caller, to));
            std::thread::spawn(move || relay(called, from));
        }
    });
}

fn relay(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 1 << 12];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        std::thread::sleep(Duration::from_millis(3));
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_directory_that_one_of_the_processes_cannot_use_ends_all_before_the_run() {
    let dir = tempfile::tempdir().expect("a directory");
    let [occupied, file] = ["occupied", "file"].map(|name| dir.path().join(name));
    fs::create_dir_all(occupied.join("part-1-of-2")).expect("a directory");
    fs::write(occupied.join("part-1-of-2/notes"), []).expect("a file");
    fs::write(&file, []).expect("a file");
    for (path, code, says) in [
        (&occupied, 2, "part-1-of-2` is not empty, and holds no run"),
        (&file, 4, "cannot write `"),
    ] {
        let path = path.display();
        let line = format!("generate scopes/tree.ron --hosts local:2 --store disk:{path}");
        let ended = ended(of_program(&program(), &line));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{ended:?}");
        assert_eq!(ended.stderr.matches(says).count(), 1, "{ended:?}");
    }
}

#[test]
fn processes_that_lose_the_first_say_so_and_end() {
    let (mut run, started) = long_run();
    run.kill().expect("it runs");
    let ended = end_of(run);
    assert!(ended.stderr.contains("error: process 0 (127.0.0.1:"), "{ended:?}");
    assert!(ended.stderr.contains("is lost"), "{ended:?}");
    wait_until_gone(&started);
}

#[test]
fn an_interrupt_does_not_wait_for_a_process_that_is_frozen() {
    let (run, started) = long_run();
    kill(started[1], Signal::SIGSTOP).expect("it runs");
    kill(Pid::from_raw(run.id() as i32), Signal::SIGINT).expect("it runs");
    let ended = end_of(run);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let message = "is lost: nothing was heard of it for 2 seconds";
    assert!(ended.stderr.contains(message), "{ended:?}");
    wait_until_gone(&started);
}

#[test]
fn an_interrupt_of_one_ends_all_in_good_order() {
    let (run, started) = long_run();
    kill(started[0], Signal::SIGINT).expect("it runs");
    let ended = end_of(run);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.contains("interrupted"), "{ended:?}");
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
