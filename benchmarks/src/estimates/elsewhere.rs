//! Estimates of suites that are not in Table 1, as `beget estimate` prints them. Their scopes are
//! counted one after the other, and each is estimated from those before it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use beget_program::Exit;
use serde::{Deserialize, Serialize};

use super::beyond::{Bar, BeyondError};
use crate::child;

/// Calls that a scope may take to be counted.
const MOST_CALLS: u64 = 2_000_000;

/// The largest k that is asked about.
const MOST_K: u32 = 12;

/// A scope that was counted, with its estimate from the scopes before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The suite.
    pub suite: String,
    /// The scope's number.
    pub k: u32,
    /// The structures that it has.
    pub generated: u64,
    /// The calls that it takes.
    pub explored: u64,
    /// The estimated structures. `None`: there was too little to go on.
    pub structures: Option<Bar>,
    /// The estimated calls.
    pub calls: Option<Bar>,
}

/// The scope files in the folders of `root`, by name.
///
/// # Errors
/// If a folder cannot be read.
pub fn scopes(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut scopes = Vec::new();
    for folder in fs::read_dir(root)? {
        for file in fs::read_dir(folder?.path())? {
            scopes.push(file?.path());
        }
    }
    scopes.sort();
    Ok(scopes)
}

/// A part of the summary of `generate`.
#[derive(Debug, Deserialize)]
struct Count {
    suite: String,
    complete: bool,
    generated: u64,
    explored: u64,
}

/// A part of the summary of `estimate`.
#[derive(Debug, Deserialize)]
struct Estimate {
    structures: Option<Bar>,
    calls: Option<Bar>,
}

/// Counts the scopes of a file, from k = 1, as long as they are small, and asks the program `beget`
/// about each but the first. A suite that `is_left_out`, or has no more than one structure in each
/// scope, has no trials.
///
/// # Errors
/// If the program prints no summary.
pub fn trials(
    beget: &str,
    scope: &Path,
    is_left_out: impl Fn(&str) -> bool,
) -> Result<Vec<Trial>, BeyondError> {
    let scope = scope.to_string_lossy();
    let ask = |command: &str, k: u32, max_calls: u64| {
        let (k, max_calls) = (k.to_string(), max_calls.to_string());
        run(&[beget, command, &scope, "-k", &k, "--max-calls", &max_calls])
    };
    let (mut trials, mut calls_before) = (Vec::new(), 0);
    for k in 1..=MOST_K {
        let count: Count = serde_json::from_str(&ask("generate", k, MOST_CALLS)?)?;
        if !count.complete || is_left_out(&count.suite) {
            break;
        }
        if k > 1 {
            // The budget is what the scopes before this one take.
            let estimate: Estimate = serde_json::from_str(&ask("estimate", k, calls_before)?)?;
            let Count { suite, generated, explored, .. } = count;
            let Estimate { structures, calls } = estimate;
            trials.push(Trial { suite, k, generated, explored, structures, calls });
        }
        calls_before += count.explored;
    }
    let grows = trials.iter().any(|trial| trial.generated > 1);
    Ok(if grows { trials } else { Vec::new() })
}

/// Runs a command, and returns its JSON.
fn run(command: &[&str]) -> Result<String, BeyondError> {
    let options = ["--summary", "json", "--quiet"];
    let command: Vec<String> =
        command.iter().chain(&options).map(|&word| word.to_owned()).collect();
    let ran =
        child::execute(&command).map_err(|error| BeyondError::Io(command[0].clone(), error))?;
    let summarised = [Exit::Done, Exit::Findings, Exit::Stopped].map(|exit| exit as i32);
    match ran.status.code() {
        Some(code) if summarised.contains(&code) => Ok(ran.output),
        _ => Err(BeyondError::Failed(command.join(" "), ran.status.to_string())),
    }
}
