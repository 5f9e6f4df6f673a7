//! Runs one command as a child process and says what it used.
//!
//! CPU time and peak memory come from the kernel's account of that one child (`wait4`), so they
//! include its threads, its start-up and any process it waited for. The kernel counts the moment
//! before the child loads its program too: a peak below that of this process, a few megabytes,
//! can not be seen.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use thiserror::Error;
use wait4::Wait4;

use crate::plan::{Counters, Counts, Row};

/// What one run of a command used and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// User and system time together.
    pub cpu: Duration,
    /// From the start of the process to its end.
    pub wall: Duration,
    /// Largest resident set, in bytes.
    pub peak_rss: u64,
    /// What the program printed.
    pub counts: Counts,
}

/// Why a run gives no sample.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChildError {
    /// The program did not start or could not be waited for.
    #[error("{program} does not run: {source}")]
    Io {
        /// The program named by the command.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The program failed.
    #[error("{program} ended with {status}; its time means nothing")]
    Failed {
        /// The program named by the command.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// The output has no counter where the row says.
    #[error("no number at {pointer:?} in the JSON printed; set `counters` of the row")]
    NoCounter {
        /// The JSON pointer looked up.
        pointer: String,
    },
    /// The program enumerated something else.
    #[error("counted {actual:?} where the plan expects {expected:?}")]
    WrongCounts {
        /// What was printed.
        actual: Counts,
        /// What the row expects.
        expected: Counts,
    },
}

/// Runs the row once; `{bin}` in its command stands for `bin_dir`.
///
/// # Errors
/// If the program fails, prints no counters, or counts what the row does not expect.
pub fn run(row: &Row, bin_dir: &str) -> Result<Sample, ChildError> {
    let command = row.command_in(bin_dir);
    let ran = execute(&command)
        .map_err(|source| ChildError::Io { program: command[0].clone(), source })?;
    if !ran.status.success() {
        return Err(ChildError::Failed { program: command[0].clone(), status: ran.status });
    }
    let counts = counts(&ran.output, &row.counters)?;
    match row.expect {
        Some(expected) if expected != counts => {
            Err(ChildError::WrongCounts { actual: counts, expected })
        }
        _ => Ok(Sample { cpu: ran.cpu, wall: ran.wall, peak_rss: ran.peak_rss, counts }),
    }
}

/// A command that came to its end, well or not.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub output: String,
    /// User and system time together.
    pub cpu: Duration,
    /// From the start of the process to its end.
    pub wall: Duration,
    /// Largest resident set, in bytes.
    pub peak_rss: u64,
}

/// Runs a program with its arguments, of which there must be the first.
///
/// # Errors
/// If it does not start or can not be waited for; a program that fails is no error here.
pub fn execute(command: &[String]) -> io::Result<Ran> {
    let start = Instant::now();
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut bytes = Vec::new();
    // Read to the end before waiting, or a full pipe would block the child for ever.
    let read = child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut bytes));
    let used = child.wait4()?;
    let wall = start.elapsed();
    read?;
    let output = String::from_utf8_lossy(&bytes).into_owned();
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Ran { status: used.status, output, cpu, wall, peak_rss: used.rusage.maxrss })
}

/// Reads the counters from the whole output, or from its last line if other text precedes it.
fn counts(output: &str, counters: &Counters) -> Result<Counts, ChildError> {
    let last_line = output.trim_end().lines().next_back().unwrap_or_default();
    let json: Value = serde_json::from_str(output)
        .or_else(|_| serde_json::from_str(last_line))
        .unwrap_or_default();
    let number = |pointer: &String| {
        json.pointer(pointer)
            .and_then(Value::as_u64)
            .ok_or_else(|| ChildError::NoCounter { pointer: pointer.clone() })
    };
    Ok(Counts { generated: number(&counters.generated)?, explored: number(&counters.explored)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Row {
        Row {
            name: "script".to_owned(),
            command: ["sh", "-c", script].map(str::to_owned).to_vec(),
            k: None,
            counters: Counters::default(),
            expect: None,
        }
    }

    #[test]
    fn counters_are_found_below_other_output_and_in_nested_json() {
        let printed = "working\n{\"generated\": 4, \"explored\": 20}\n";
        let expected = Counts { generated: 4, explored: 20 };
        assert_eq!(counts(printed, &Counters::default()).expect("counters"), expected);
        let nested = Counters { generated: "/n/0".to_owned(), explored: "/n/1".to_owned() };
        assert_eq!(counts("{\n \"n\": [4,\n 20]\n}", &nested).expect("counters"), expected);
    }

    #[test]
    fn cpu_time_is_that_of_the_child() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo '{\"generated\":1,\"explored\":1}'";
        let sample = run(&shell(busy), "").expect("a sample");
        assert!(sample.cpu > Duration::from_millis(5), "{sample:?}");
        assert!(sample.peak_rss > 500_000, "{sample:?}");
    }

    #[test]
    fn failing_silent_and_miscounting_programs_give_no_sample() {
        let failed = run(&shell("exit 3"), "");
        assert!(
            matches!(failed, Err(ChildError::Failed { status, .. }) if status.code() == Some(3))
        );
        assert!(matches!(run(&shell("true"), ""), Err(ChildError::NoCounter { .. })));
        let mut row = shell("echo '{\"generated\":1,\"explored\":2}'");
        row.expect = Some(Counts { generated: 1, explored: 4 });
        assert!(matches!(run(&row, ""), Err(ChildError::WrongCounts { .. })));
        row.command = vec!["{bin}/absent".to_owned()];
        assert!(matches!(run(&row, "/nowhere"), Err(ChildError::Io { .. })));
    }
}
