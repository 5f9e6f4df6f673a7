//! Runs of several processes: starting them, and finding them.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use super::{Ended, of_program};

/// The `beget` binary.
pub fn beget() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_beget"))
}

/// Two addresses of this machine at which nobody listens.
pub fn free_addresses() -> [String; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    listeners.each_ref().map(|one| one.local_addr().expect("it listens").to_string())
}

/// Two processes of a hosts file, started with these lines.
pub fn by_file(lines: [&str; 2]) -> [Ended; 2] {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    fs::write(&path, free_addresses().join("\n")).expect("a file");
    let started = [0, 1].map(|process| {
        let line = lines[process];
        let line = format!("{line} --hosts {}#{process}", path.display());
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

/// The two processes that another one starts, as soon as they are connected.
pub fn started_by(parent: u32) -> Vec<Pid> {
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

pub fn children_of(parent: u32) -> Vec<Pid> {
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

pub fn is_alive(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[track_caller]
pub fn wait_until_gone(processes: &[Pid]) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while processes.iter().any(|&process| is_alive(process)) {
        assert!(Instant::now() < deadline, "they go on: {processes:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
