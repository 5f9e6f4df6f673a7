//! Programs that tests start, and how they ended.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A program with arguments separated by spaces, run from the directory of the tests. Variables of
/// the environment that would change its output are removed.
pub fn of_program(program: &Path, arguments: &str) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments.split_whitespace())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"))
        .stdin(Stdio::null());
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "TERM",
        "RUST_BACKTRACE",
        "COLUMNS",
        "GITHUB_ACTIONS",
        "BEGET_SECONDS",
    ] {
        command.env_remove(name);
    }
    command
}

pub fn ended(mut command: Command) -> Ended {
    Ended::of(command.output().expect("the program can be started"))
}

impl Ended {
    pub fn of(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

/// The names of what is in a directory, hidden files included.
pub fn names_in(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}
