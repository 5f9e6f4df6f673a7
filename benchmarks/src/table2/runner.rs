//! Runs `beget` as a process of its own, with the same limits each time.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wait4::Wait4;

use super::journal::Journal;

/// What of a summary is kept.
const KEPT: [&str; 14] = [
    "complete",
    "stop_reason",
    "generated",
    "explored",
    "digest",
    "failures",
    "seconds",
    "cpu_seconds",
    "peak_rss_bytes",
    "builders",
    "sufficient",
    "minimal",
    "full_generated",
    "search_notes",
];

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Seconds from the start of the process to its end.
    pub wall: f64,
    /// User and system time of the process, in seconds.
    pub cpu: f64,
    /// Of the summary that was printed, what is of use here.
    pub summary: Map<String, Value>,
}

impl Ran {
    /// A number of the summary.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.summary.get(name)?.as_u64()
    }

    /// A time of the summary.
    #[must_use]
    pub fn seconds(&self, name: &str) -> Option<f64> {
        self.summary.get(name)?.as_f64()
    }

    /// A yes or no of the summary.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.summary.get(name)?.as_bool()
    }

    /// A text of the summary.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.summary.get(name)?.as_str()
    }

    /// A list of names of the summary.
    #[must_use]
    pub fn names(&self, name: &str) -> Option<Vec<String>> {
        let names = self.summary.get(name)?.as_array()?;
        names.iter().map(|name| Some(name.as_str()?.to_owned())).collect()
    }

    /// The most memory that the process held, in bytes, as far as it is more than what this process
    /// held. 0 if it did not come to tell.
    #[must_use]
    pub fn peak_rss(&self) -> u64 {
        self.number("peak_rss_bytes").unwrap_or(0)
    }

    /// Why it ended, by the summary, or that there is none.
    #[must_use]
    pub fn stop_reason(&self) -> &str {
        let without = if self.is_refused() { "refused" } else { "failed" };
        self.text("stop_reason").unwrap_or(without)
    }

    /// Returns true if nothing was run, because `beget` does not take the scope.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.code == Some(2)
    }
}

/// Limits of every run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Most seconds.
    pub seconds: f64,
    /// Most memory, in MiB.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
}

/// Makes runs, and keeps them.
#[derive(Debug)]
pub struct Runner {
    /// A program that is `beget` when it is called by that name.
    pub program: PathBuf,
    /// Where the scope files are.
    pub root: PathBuf,
    /// The runs made so far.
    pub journal: Journal,
}

impl Runner {
    /// Runs `beget` with these arguments and limits, unless the journal has it. Progress goes to
    /// stderr.
    ///
    /// # Errors
    /// If the process cannot be started, refuses its arguments, or the journal cannot be written.
    pub fn run(&mut self, args: &[String], limits: Limits) -> io::Result<Ran> {
        let ran = self.run_or_refuse(args, limits)?;
        match ran.is_refused() {
            true => Err(io::Error::other(format!("beget refuses: {}", args.join(" ")))),
            false => Ok(ran),
        }
    }

    /// Like [`Runner::run`], for a scope that may have more literals than `beget` takes.
    ///
    /// # Errors
    /// If the process cannot be started, or the journal cannot be written.
    pub fn run_or_refuse(&mut self, args: &[String], limits: Limits) -> io::Result<Ran> {
        let args = with_limits(args, limits);
        if let Some(ran) = self.journal.get(&args) {
            return Ok(ran.clone());
        }
        let ran = self.execute(&args)?;
        eprintln!("{:9.2} s  {}  {}", ran.wall, ran.stop_reason(), shortened(&args));
        self.journal.insert(&args, &ran)?;
        Ok(ran)
    }

    fn execute(&self, args: &[String]) -> io::Result<Ran> {
        let start = Instant::now();
        let mut command = Command::new(&self.program);
        command.arg0("beget").args(args).current_dir(&self.root);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut output = Vec::new();
        // Read to the end before waiting, or a full pipe would block the child for ever.
        let read = child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut output));
        let used = child.wait4()?;
        read?;
        let mut summary: Map<String, Value> = serde_json::from_slice(&output).unwrap_or_default();
        summary.retain(|name, _| KEPT.contains(&name.as_str()));
        Ok(Ran {
            code: used.status.code(),
            wall: start.elapsed().as_secs_f64(),
            cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
            summary,
        })
    }
}

fn with_limits(args: &[String], limits: Limits) -> Vec<String> {
    let Limits { seconds, memory, threads } = limits;
    let limits = format!(
        "--max-seconds {seconds} --max-memory {memory} --threads {threads} --quiet --summary json"
    );
    args.iter().cloned().chain(limits.split(' ').map(str::to_owned)).collect()
}

/// The command without its long list of methods.
fn shortened(args: &[String]) -> String {
    let short = |arg: &String| match arg.matches(',').count() {
        0..=3 => arg.clone(),
        more => format!("{} methods", more + 1),
    };
    args.iter().map(short).collect::<Vec<_>>().join(" ")
}
