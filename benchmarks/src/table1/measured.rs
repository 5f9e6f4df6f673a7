//! One row measured: what beget counted in a process of its own, and what that took.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::published::Row;
use crate::child::{self, Ran};

/// How rows are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program `beget`.
    pub beget: PathBuf,
    /// Its threads.
    pub threads: usize,
    /// The memory after which it stops, in MiB.
    pub max_memory_mib: Option<u64>,
}

/// What beget counted on a row and used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The suite.
    pub suite: String,
    /// The scope.
    pub k: u32,
    /// Structures.
    pub generated: u64,
    /// Calls made.
    pub explored: u64,
    /// Levels that brought something new.
    pub levels_with_new: u64,
    /// From the start of the process to its end.
    pub wall_seconds: f64,
    /// User and system time of the process.
    pub cpu_seconds: f64,
    /// Its largest resident set.
    pub peak_rss_bytes: u64,
    /// Held by the store at the end.
    pub store_bytes: u64,
    /// Digest of the set of structures.
    pub digest: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The whole scope is explored.
    Complete(Measured),
    /// A budget or an interrupt stopped it, as it says itself.
    Stopped(String),
}

/// Whether the counts are the published ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All that are published are met.
    Equal,
    /// One is not; what was found and what was wanted.
    Differs(String),
    /// None is published.
    Unknown,
}

/// Why a run gives nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program did not start or could not be waited for.
    #[error("{program} does not run: {source}; build it with `cargo build --release -p beget-cli`")]
    Io {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// It failed.
    #[error("`{command}` ended with {status}")]
    Failed {
        /// What ran.
        command: String,
        /// How it ended.
        status: String,
    },
    /// It printed something else.
    #[error("`{command}` printed no summary: {source}")]
    NoSummary {
        /// What ran.
        command: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// What is read of the summary that beget prints.
#[derive(Deserialize)]
struct Summary {
    complete: bool,
    stop_reason: String,
    generated: u64,
    explored: u64,
    levels: Vec<Level>,
    store_bytes: u64,
    digest: String,
}

#[derive(Deserialize)]
struct Level {
    new: u64,
}

/// The exit code of a run that a budget or an interrupt stopped.
const STOPPED: i32 = 3;

/// Runs beget on a scope file at k.
///
/// # Errors
/// If it fails, finds failures, or prints no summary.
pub fn run(suite: &str, scope: &str, k: u32, settings: &Settings) -> Result<Ended, RunError> {
    let command = command(scope, k, settings);
    let ran = child::execute(&command)
        .map_err(|source| RunError::Io { program: command[0].clone(), source })?;
    if !ran.status.success() && ran.status.code() != Some(STOPPED) {
        let status = ran.status.to_string();
        return Err(RunError::Failed { command: command.join(" "), status });
    }
    let summary: Summary = serde_json::from_str(&ran.output)
        .map_err(|source| RunError::NoSummary { command: command.join(" "), source })?;
    Ok(match summary.complete {
        true => Ended::Complete(measured(suite, k, &ran, summary)),
        false => Ended::Stopped(summary.stop_reason),
    })
}

fn command(scope: &str, k: u32, settings: &Settings) -> Vec<String> {
    let program = |beget: &Path| beget.to_string_lossy().into_owned();
    let mut command = vec![program(&settings.beget)];
    let (k, threads) = (k.to_string(), settings.threads.to_string());
    let fixed = ["generate", scope, "-k", &k, "--threads", &threads, "--summary", "json"];
    command.extend(fixed.map(str::to_owned));
    if let Some(most) = settings.max_memory_mib {
        command.extend(["--max-memory".to_owned(), most.to_string()]);
    }
    command
}

fn measured(suite: &str, k: u32, ran: &Ran, summary: Summary) -> Measured {
    let levels_with_new = summary.levels.iter().filter(|level| level.new > 0).count();
    Measured {
        suite: suite.to_owned(),
        k,
        generated: summary.generated,
        explored: summary.explored,
        levels_with_new: levels_with_new as u64,
        wall_seconds: ran.wall.as_secs_f64(),
        cpu_seconds: ran.cpu.as_secs_f64(),
        peak_rss_bytes: ran.peak_rss,
        store_bytes: summary.store_bytes,
        digest: summary.digest,
    }
}

impl Measured {
    /// The calls in the published way of counting: every round with something new is followed by
    /// one that calls the constructors again.
    #[must_use]
    pub fn explored_as_published(&self, constructor_calls: u64) -> u64 {
        self.explored + self.levels_with_new * constructor_calls
    }

    /// By wall time.
    #[must_use]
    pub fn calls_per_second(&self) -> f64 {
        self.explored as f64 / self.wall_seconds
    }

    /// Bytes of the store by structures, and of the largest resident set. `None`: there is no
    /// structure.
    #[must_use]
    pub fn bytes_per_structure(&self) -> Option<(f64, f64)> {
        let each = |bytes: u64| bytes as f64 / self.generated as f64;
        (self.generated > 0).then(|| (each(self.store_bytes), each(self.peak_rss_bytes)))
    }

    /// Compares with a row of the data file.
    #[must_use]
    pub fn verdict(&self, row: &Row, constructor_calls: u64) -> Verdict {
        let explored = self.explored_as_published(constructor_calls);
        let counts = [
            ("structures", self.generated, row.generated),
            ("calls as published", explored, row.explored),
        ];
        let wrong: Vec<String> = counts
            .iter()
            .filter_map(|&(what, found, wanted)| Some((what, found, wanted?)))
            .filter(|(_, found, wanted)| found != wanted)
            .map(|(what, found, wanted)| format!("{found} {what}, not {wanted}"))
            .collect();
        match (row.generated.or(row.explored), wrong.is_empty()) {
            (None, _) => Verdict::Unknown,
            (Some(_), true) => Verdict::Equal,
            (Some(_), false) => Verdict::Differs(wrong.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_of_memory_is_passed_on() {
        let settings =
            Settings { beget: PathBuf::from("b"), threads: 2, max_memory_mib: Some(100) };
        let command = command("s.ron", 3, &settings).join(" ");
        assert_eq!(command, "b generate s.ron -k 3 --threads 2 --summary json --max-memory 100");
    }
}
