//! What was measured, on disk: a line of JSON for the run and one for each row, written as soon as
//! it is known.
//!
//! A killed run loses the row at work. Rows of another machine or another number of threads are not
//! mixed in.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::measured::Measured;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The machine, as shown.
    pub machine: String,
    /// The threads of each run.
    pub threads: usize,
    /// The version of beget.
    pub version: String,
}

/// The file and what is in it.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    /// The run that began it.
    pub header: Header,
    /// The rows measured, in the order of measuring.
    pub measured: Vec<Measured>,
}

/// Why results can not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The file can not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is no JSON of this form.
    #[error("{path}: line {line}: {source}; without --continue it is measured again")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// They were measured in another way.
    #[error("{path} was measured {before}, not {now}; without --continue all is measured again")]
    Other {
        /// The file.
        path: PathBuf,
        /// How it was measured.
        before: String,
        /// How it would go on.
        now: String,
    },
}

impl Header {
    /// How rows are measured; the load of the machine differs from moment to moment.
    fn conditions(&self) -> String {
        let machine = self.machine.split("; load").next().unwrap_or_default();
        format!("by beget {} with {} threads on {machine}", self.version, self.threads)
    }
}

impl Results {
    /// Begins a file, in place of one that may be there.
    ///
    /// # Errors
    /// If it can not be written.
    pub fn create(path: &Path, header: Header) -> Result<Self, ResultsError> {
        let results = Self { path: path.to_owned(), header, measured: Vec::new() };
        let io = |source| ResultsError::Io { path: path.to_owned(), source };
        fs::write(path, json_line(&results.header)).map_err(io)?;
        Ok(results)
    }

    /// Goes on with a file; begins it if there is none.
    ///
    /// # Errors
    /// If it can not be read, or was measured in another way than `header` says.
    pub fn resume(path: &Path, header: Header) -> Result<Self, ResultsError> {
        let text = whole_lines(path)
            .map_err(|source| ResultsError::Io { path: path.to_owned(), source })?;
        let Some((first, rest)) = text.split_once('\n') else {
            return Self::create(path, header);
        };
        let before: Header = parse(path, 1, first)?;
        if before.conditions() != header.conditions() {
            let (before, now) = (before.conditions(), header.conditions());
            return Err(ResultsError::Other { path: path.to_owned(), before, now });
        }
        let rows = rest.lines().enumerate().map(|(at, line)| parse(path, at + 2, line));
        let measured = rows.collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), header: before, measured })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If it can not be written.
    pub fn add(&mut self, measured: Measured) -> Result<(), ResultsError> {
        let written = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(json_line(&measured).as_bytes()));
        written.map_err(|source| ResultsError::Io { path: self.path.clone(), source })?;
        self.measured.push(measured);
        Ok(())
    }

    /// The row of a suite and a scope.
    #[must_use]
    pub fn of(&self, suite: &str, k: u32) -> Option<&Measured> {
        self.measured.iter().find(|measured| measured.suite == suite && measured.k == k)
    }
}

/// The text of a file, after a line that was not written to its end is cut off it. No file is an
/// empty one.
fn whole_lines(path: &Path) -> io::Result<String> {
    let mut text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        read => read?,
    };
    let n_whole = text.rfind('\n').map_or(0, |last| last + 1);
    if n_whole < text.len() {
        text.truncate(n_whole);
        fs::write(path, &text)?;
    }
    Ok(text)
}

fn json_line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("numbers and strings have a JSON form");
    json + "\n"
}

fn parse<T: for<'d> Deserialize<'d>>(
    path: &Path,
    line: usize,
    text: &str,
) -> Result<T, ResultsError> {
    serde_json::from_str(text).map_err(|source| ResultsError::Syntax {
        path: path.to_owned(),
        line,
        source,
    })
}
