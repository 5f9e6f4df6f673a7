//! Recordings in files: what the calls of sequences did with one version of a crate.
//!
//! JSON lines: a header, then a line for each sequence.

use beget_search::run::RecordedSequence;
use beget_search::sequence_data::{SequenceData, StatementData};
use beget_suite::Suite;
use serde::{Deserialize, Serialize};

/// A recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingFile {
    header: RecordingHeader,
    sequences: Vec<SequenceRecord>,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordingHeader {
    /// The version of the format.
    version: u32,
    /// The suite.
    suite: String,
    /// The version of beget.
    beget: String,
}

/// A sequence, with what its calls did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SequenceRecord {
    calls: SequenceData,
    did: Vec<Option<String>>,
}

/// The reason why a file cannot be used as a recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// A line is none of a recording.
    #[error("line {line} is none of a recording: {source}")]
    Line {
        /// Its number.
        line: usize,
        /// The error.
        source: serde_json::Error,
    },
    /// It has no line.
    #[error("it is empty")]
    Empty,
    /// It was written in another version of the format.
    #[error(
        "it has version {0} of the format, and this program reads version {VERSION}: record again"
    )]
    Version(u32),
    /// It is of another suite.
    #[error("it was recorded of the suite `{0}`")]
    Suite(String),
    /// A sequence cannot be one of any version of the suite.
    #[error("line {line} is no sequence of calls: {reason}")]
    Sequence {
        /// Its number.
        line: usize,
        /// The error.
        reason: String,
    },
}

const VERSION: u32 = 1;

impl RecordingFile {
    /// Makes the recording of a suite.
    pub fn of(suite: &Suite, sequences: &[RecordedSequence]) -> Self {
        let record = |one: &RecordedSequence| SequenceRecord {
            calls: SequenceData::of(suite, &one.calls),
            did: one.did.clone(),
        };
        let beget = env!("CARGO_PKG_VERSION").to_owned();
        let header = RecordingHeader { version: VERSION, suite: suite.name.clone(), beget };
        RecordingFile { header, sequences: sequences.iter().map(record).collect() }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// If it cannot be put into JSON.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(&self.header)? + "\n";
        for sequence in &self.sequences {
            text += &serde_json::to_string(sequence)?;
            text.push('\n');
        }
        Ok(text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is none, or of another version of the format.
    pub fn read(text: &str) -> Result<Self, RecordingError> {
        let mut lines = text.lines().zip(1..);
        let (first, _) = lines.next().ok_or(RecordingError::Empty)?;
        let header: RecordingHeader = parsed(first, 1)?;
        if header.version != VERSION {
            return Err(RecordingError::Version(header.version));
        }
        let sequences = lines.map(|(line, number)| parsed(line, number));
        Ok(RecordingFile { header, sequences: sequences.collect::<Result<_, _>>()? })
    }

    /// The sequences, and the names of methods that the suite does not have: a sequence ends before
    /// the first call of one.
    ///
    /// # Errors
    /// If it is of another suite, or a sequence is none.
    pub fn sequences(
        &self,
        suite: &Suite,
    ) -> Result<(Vec<RecordedSequence>, Vec<String>), RecordingError> {
        if self.header.suite != suite.name {
            return Err(RecordingError::Suite(self.header.suite.clone()));
        }
        let (mut sequences, mut missing) = (Vec::new(), Vec::new());
        for (record, line) in self.sequences.iter().zip(2..) {
            let SequenceRecord { mut calls, did } = record.clone();
            let is_missing = |call: &StatementData| suite.find_method(&call.method).is_none();
            if let Some(at) = calls.statements.iter().position(is_missing) {
                missing.push(calls.statements[at].method.clone());
                calls.statements.truncate(at);
                calls.result = None;
            }
            let calls = calls.to_sequence(suite).map_err(|error| {
                let reason = error.to_string();
                RecordingError::Sequence { line, reason }
            })?;
            sequences.push(RecordedSequence { calls, did });
        }
        missing.sort();
        missing.dedup();
        Ok((sequences, missing))
    }
}

fn parsed<'l, T: Deserialize<'l>>(line: &'l str, number: usize) -> Result<T, RecordingError> {
    serde_json::from_str(line).map_err(|source| RecordingError::Line { line: number, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"version":1,"suite":"shelf","beget":"0.1.0"}"#;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let line = concat!(
            r#"{"calls":{"version":1,"statements":[{"method":"new","arguments":[],"bindings":"#,
            r#"[{"output":0,"variable":0}]}],"result":null},"did":[null]}"#
        );
        let text = format!("{HEADER}\n{line}\n");
        assert_eq!(RecordingFile::read(&text).unwrap().to_text().unwrap(), text);
    }

    #[test]
    fn what_is_wrong_is_said_with_the_line() {
        let error = |text: &str| RecordingFile::read(text).unwrap_err().to_string();
        assert_eq!(error(""), "it is empty");
        assert!(error("# no").starts_with("line 1 is none of a recording: "));
        assert!(error(&format!("{HEADER}\n{{}}")).starts_with("line 2 is none of a recording: "));
        let newer = HEADER.replacen('1', "2", 1);
        assert!(error(&newer).starts_with("it has version 2 of the format"));
    }
}
