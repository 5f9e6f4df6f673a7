//! What `beget estimate` says of rows that were not run: kept as it was printed.

use beget_program::Exit;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::child;

/// A row with the arguments by which it is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its suite.
    pub suite: &'static str,
    /// Its scope file.
    pub scope: &'static str,
    /// Its k.
    pub k: u32,
    /// What may be spent, in place of the default.
    pub budget: &'static [&'static str],
}

/// Time for what the default budget of calls allows, so that calls end the runs.
const CALLS_END: &[&str] = &["--max-seconds", "600"];

/// All of them: first with the default budget of calls, then with more.
pub const QUESTIONS: [Question; 4] = [
    Question::new("kiasan::treemap", "scopes/kiasan/treemap.ron", 8, CALLS_END),
    Question::new("korat::binheap", "scopes/korat/binheap.ron", 11, CALLS_END),
    Question::new(
        "korat::binheap",
        "scopes/korat/binheap.ron",
        11,
        &["--max-calls", "200000000", "--max-seconds", "600"],
    ),
    Question::new("kiasan::stack", "scopes/kiasan/stack.ron", 11, CALLS_END),
];

/// A number with its error bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// What is expected.
    pub likely: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// What is read of the summary.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Answer {
    /// The suite.
    pub suite: String,
    /// What was asked about.
    pub k: u32,
    /// The scopes that were counted.
    pub counted: Vec<Counted>,
    /// All calls made.
    pub explored: u64,
    /// Structures.
    pub structures: Option<Bar>,
    /// Calls.
    pub calls: Option<Bar>,
    /// Hours of CPU.
    pub cpu_hours: Option<Bar>,
    /// Memory.
    pub memory_bytes: Option<Bar>,
    /// Disk.
    pub disk_bytes: Option<Bar>,
    /// What a call cost.
    pub nanoseconds_per_call: Option<f64>,
    /// What a structure takes in memory.
    pub bytes_per_structure: Option<f64>,
    /// How long the runs took.
    pub seconds: f64,
}

/// A scope that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Counted {
    /// Its k.
    pub k: u32,
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BeyondError {
    /// The program did not start.
    #[error("{0} does not run: {1}; build it with `cargo build --release -p beget-cli`")]
    Io(String, std::io::Error),
    /// It gave no estimate.
    #[error("`{0}` ended with {1}")]
    Failed(String, String),
    /// It printed something else.
    #[error("no summary: {0}")]
    NoSummary(#[from] serde_json::Error),
}

impl Question {
    const fn new(
        suite: &'static str,
        scope: &'static str,
        k: u32,
        budget: &'static [&'static str],
    ) -> Self {
        Question { suite, scope, k, budget }
    }

    /// What the program `beget` prints.
    ///
    /// # Errors
    /// If it gives no estimate.
    pub fn ask(&self, beget: &str) -> Result<String, BeyondError> {
        let k = self.k.to_string();
        let mut command = vec![beget, "estimate", self.scope, "-k", &k, "--summary", "json"];
        command.extend(self.budget);
        let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
        let ran =
            child::execute(&command).map_err(|error| BeyondError::Io(beget.to_owned(), error))?;
        match ran.status.code() {
            Some(code) if code == Exit::Done as i32 => Ok(ran.output),
            _ => Err(BeyondError::Failed(command.join(" "), ran.status.to_string())),
        }
    }
}
