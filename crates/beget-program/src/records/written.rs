//! The comparison of an output directory with the output of the same run made again.
//!
//! Equal runs leave equal bytes, so files are compared line by line, and none of them need be held.
//! This module does not know how the run is made again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_plan::finding::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::manifest::{FileList, MANIFEST};
use crate::records::output::REPOSITORY_FILE;
use crate::records::output::{INCOMPLETE, JSON_LINES, SCOPE_FILE, SUMMARY};
use crate::records::record::{Detail, write_structures};
use crate::records::{EmitError, FORMAT_VERSION, Header, RepokSummary, Summary};

/// The most characters of a value that a difference shows.
const MOST_SHOWN: usize = 200;

/// The fields of a summary that are known of a run that was stopped, from its structures alone. The
/// others depend on what was lost with the rest.
const OF_STRUCTURES: &[&str] = &[
    "suite",
    "k",
    "methods",
    "slack",
    "generated",
    "generated_by_type",
    "generated_by_objects",
    "digest",
];

/// The same of a search from a repOK.
const OF_ADMITTED: &[&str] = &["suite", "k", "methods", "repok"];

/// The field that is not a result: the program that wrote it.
const PROGRAM: &str = "beget";

/// A directory that is no corpus, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WrittenError {
    /// The system's reason.
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A directory that something else has written.
    #[error(
        "`{}` has no `{missing}`: what can be checked again are directories that `generate -o` and `repok -o` \
         have written, and files of `builders -o`",
        .path.display()
    )]
    NoCorpus {
        /// The directory.
        path: PathBuf,
        /// The file that is not there.
        missing: String,
    },
    /// A summary or a list of files that is none, or one of other formats.
    #[error("`{}` {reason}", .path.display())]
    NoSummary {
        /// The file.
        path: PathBuf,
        /// The reason, such as another format.
        reason: String,
    },
    /// The output for comparison could not be made.
    #[error(transparent)]
    Made(#[from] EmitError),
}

/// Something that is written otherwise than it is made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceRecord {
    /// The file.
    pub file: String,
    /// The first line of it that differs, from 1, where lines were compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The structure of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The number of lines that differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// The written text and the text of the run.
    pub message: String,
}

/// The number in a line of either kind.
#[derive(Deserialize)]
struct NumberedLine {
    id: u64,
}

/// A directory that `generate -o` or `repok -o` has written.
#[derive(Clone, Debug)]
pub struct WrittenDir {
    path: PathBuf,
    summary: Map<String, Value>,
    header: Header,
    /// The files that are not those that were written.
    altered: Vec<DifferenceRecord>,
}

impl WrittenDir {
    /// Returns whether a run has written a directory at `path`.
    pub fn is_at(path: &Path) -> bool {
        path.join(MANIFEST).exists()
    }

    /// Reads the summary of the directory at `path`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open(path: &Path) -> Result<WrittenDir, WrittenError> {
        let file = path.join(SUMMARY);
        if let Some(name) = [SUMMARY, SCOPE_FILE, JSON_LINES, MANIFEST]
            .iter()
            .find(|name| !path.join(name).exists())
        {
            return Err(WrittenError::NoCorpus {
                path: path.to_owned(),
                missing: (*name).to_owned(),
            });
        }
        let text = std::fs::read_to_string(&file)
            .map_err(|source| WrittenError::Unreadable { path: file.clone(), source })?;
        let no_summary = |reason: String| WrittenError::NoSummary { path: file.clone(), reason };
        let is_none = |error| no_summary(format!("is no summary of a run: {error}"));
        let summary: Map<String, Value> = serde_json::from_str(&text).map_err(is_none)?;
        let version = summary.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(FORMAT_VERSION)) {
            let version =
                version.map_or("no version".to_owned(), |other| format!("version {other}"));
            let reason = format!("has {version} of the formats; this program has {FORMAT_VERSION}");
            return Err(no_summary(reason));
        }
        let header = Header::deserialize(Value::Object(summary.clone())).map_err(is_none)?;
        Ok(WrittenDir { path: path.to_owned(), summary, header, altered: altered_files(path)? })
    }

    /// The files that are not as `manifest.json` says: changed, added or removed.
    pub fn altered(&self) -> &[DifferenceRecord] {
        &self.altered
    }

    /// Those of them by which the run is made again, such as the scope file. What it would show
    /// says nothing of the run that was written.
    pub fn altered_input(&self) -> Vec<DifferenceRecord> {
        let is_input =
            |one: &&DifferenceRecord| [SCOPE_FILE, REPOSITORY_FILE].contains(&&*one.file);
        self.altered.iter().filter(is_input).cloned().collect()
    }

    /// `differences`, and the altered files of which they say nothing.
    pub fn with_altered(&self, mut differences: Vec<DifferenceRecord>) -> Vec<DifferenceRecord> {
        let is_new =
            |one: &&DifferenceRecord| differences.iter().all(|other| other.file != one.file);
        let further: Vec<_> = self.altered.iter().filter(is_new).cloned().collect();
        differences.extend(further);
        differences
    }

    /// The summary as written.
    pub fn summary(&self) -> &Map<String, Value> {
        &self.summary
    }

    /// Returns the run and its end, as the summary says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The repOK whose structures they are, if no calls have built them.
    pub fn rep_ok(&self) -> Option<&str> {
        self.summary.get("repok").and_then(Value::as_str)
    }

    /// Returns whether the run has found destructors that panic.
    pub fn has_drop_panics(&self) -> bool {
        let findings = self.summary.get("findings").and_then(Value::as_array);
        let kind = Value::from(Kind::DropPanics.to_string());
        findings.into_iter().flatten().any(|finding| finding.get("kind") == Some(&kind))
    }

    /// The slack: how much more was explored than is reported.
    pub fn slack(&self) -> u32 {
        let slack = self.summary.get("slack").and_then(Value::as_u64);
        slack.and_then(|slack| u32::try_from(slack).ok()).unwrap_or(0)
    }

    /// Returns whether the heaps of structures are written.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_heaps(&self) -> Result<bool, WrittenError> {
        Ok(self.rep_ok().is_some() || self.detail()? == Detail::Full)
    }

    /// The parts of structures that are written, by the first line.
    fn detail(&self) -> Result<Detail, WrittenError> {
        let first = self.lines(JSON_LINES)?.next()?.unwrap_or_default();
        let first: Map<String, Value> = serde_json::from_slice(&first).unwrap_or_default();
        Ok(if first.contains_key("recipe") { Detail::Full } else { Detail::Brief })
    }

    /// One more than the number of the last structure that is written.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn n_structures(&self) -> Result<u64, WrittenError> {
        let (n_lines, last) = self.last_line()?;
        let last: Option<NumberedLine> = serde_json::from_slice(&last).ok();
        Ok(last.map_or(n_lines, |line| line.id + 1))
    }

    /// The number of structures written.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn n_lines(&self) -> Result<u64, WrittenError> {
        Ok(self.last_line()?.0)
    }

    fn last_line(&self) -> Result<(u64, Vec<u8>), WrittenError> {
        let mut lines = self.lines(JSON_LINES)?;
        let mut last = Vec::new();
        while let Some(line) = lines.next()? {
            last = line;
        }
        Ok((lines.number, last))
    }

    /// Compares the directory with the corpus of a run like its own; its structures are made once
    /// more by their recipes. Of a run that was stopped early, the structures are compared that it
    /// has, and what the summary says of them.
    ///
    /// # Errors
    /// If a file or a structure cannot be read.
    pub fn compare<S: Store>(
        &self,
        corpus: &Corpus<S>,
    ) -> Result<Vec<DifferenceRecord>, WrittenError> {
        let n = match self.header.complete {
            true => corpus.store.len(),
            false => self.n_structures()?.min(corpus.store.len()),
        };
        let mut lines = self.comparison(JSON_LINES)?;
        write_structures(corpus, n, self.detail()?, &mut lines)?;
        let mut differences: Vec<DifferenceRecord> = lines.finish()?.into_iter().collect();
        let summary = self.summary_of_first(corpus, n)?;
        differences.extend(self.compare_summary(&summary, OF_STRUCTURES)?);
        differences.extend(self.compare_mark());
        Ok(differences)
    }

    /// The summary of the run of `corpus`, had it ended with `n` structures.
    fn summary_of_first<S: Store>(
        &self,
        corpus: &Corpus<S>,
        n: u64,
    ) -> Result<Summary, WrittenError> {
        let summary = Summary::of(corpus).map_err(EmitError::from)?;
        if self.header.complete {
            return Ok(summary);
        }
        let totals = corpus.reader().totals_of(n).map_err(EmitError::from)?;
        Ok(summary.with_totals(&corpus.plan, &totals))
    }

    /// Returns the writer for the lines of structures that a search from a repOK finds.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn admitted_lines(&self) -> Result<LineComparison, WrittenError> {
        self.comparison(JSON_LINES)
    }

    /// Compares the directory with what a search from a repOK came to, whose structures have gone
    /// to `lines`.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn compare_admitted(
        &self,
        lines: LineComparison,
        summary: &RepokSummary,
    ) -> Result<Vec<DifferenceRecord>, WrittenError> {
        let mut differences: Vec<DifferenceRecord> = lines.finish()?.into_iter().collect();
        differences.extend(self.compare_summary(summary, OF_ADMITTED)?);
        differences.extend(self.compare_mark());
        Ok(differences)
    }

    fn compare_summary(
        &self,
        made: &impl Serialize,
        of_stopped: &[&str],
    ) -> Result<Vec<DifferenceRecord>, WrittenError> {
        let Value::Object(made) = serde_json::to_value(made).map_err(EmitError::from)? else {
            unreachable!("a summary is an object");
        };
        let counts = |field: &str| match self.header.complete {
            true => field != PROGRAM && field != "version",
            false => of_stopped.contains(&field),
        };
        let only_written = self.summary.keys().filter(|field| !made.contains_key(*field));
        let fields = made.keys().chain(only_written).filter(|field| counts(field));
        let differing = fields.filter(|field| self.summary.get(*field) != made.get(*field));
        let difference = |field: &String| {
            let (written, made) = (self.summary.get(field), made.get(field));
            self.difference(SUMMARY, told(field, written, made))
        };
        Ok(differing.map(difference).collect())
    }

    /// Compares the mark of the directory with its summary.
    fn compare_mark(&self) -> Option<DifferenceRecord> {
        let is_marked = self.path.join(INCOMPLETE).exists();
        let message = match (is_marked, self.header.complete) {
            (true, true) => "says that structures are missing, and the summary that none are",
            (false, false) => "is not there, though the summary says that structures are missing",
            _ => return None,
        };
        Some(self.difference(INCOMPLETE, message.to_owned()))
    }

    fn difference(&self, file: &str, message: String) -> DifferenceRecord {
        DifferenceRecord { file: file.to_owned(), line: None, id: None, lines: None, message }
    }

    fn lines(&self, name: &'static str) -> Result<FileLines, WrittenError> {
        let path = self.path.join(name);
        match File::open(&path) {
            Ok(file) => Ok(FileLines { path, name, file: BufReader::new(file), number: 0 }),
            Err(source) => Err(WrittenError::Unreadable { path, source }),
        }
    }

    fn comparison(&self, name: &'static str) -> Result<LineComparison, WrittenError> {
        let lines = self.lines(name)?;
        Ok(LineComparison { lines, made: Vec::new(), differing: 0, first: None, error: None })
    }
}

/// The files of the directory at `path` that are not as its list of files says.
fn altered_files(path: &Path) -> Result<Vec<DifferenceRecord>, WrittenError> {
    let file = path.join(MANIFEST);
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source| WrittenError::Unreadable { path, source }
    };
    let text = std::fs::read_to_string(&file).map_err(unreadable(&file))?;
    let manifest = FileList::from_text(&text)
        .map_err(|reason| WrittenError::NoSummary { path: file.clone(), reason })?;
    let found = FileList::of(path).map_err(unreadable(path))?;
    let difference =
        |(file, message)| DifferenceRecord { file, line: None, id: None, lines: None, message };
    Ok(manifest.differences(&found).into_iter().map(difference).collect())
}

/// The lines of a file, without the character at their ends.
#[derive(Debug)]
struct FileLines {
    path: PathBuf,
    name: &'static str,
    file: BufReader<File>,
    /// That of the last line that was read.
    number: u64,
}

impl FileLines {
    fn next(&mut self) -> Result<Option<Vec<u8>>, WrittenError> {
        let mut line = Vec::new();
        let read = self.file.by_ref().read_until(b'\n', &mut line);
        let unreadable = |source| WrittenError::Unreadable { path: self.path.clone(), source };
        if read.map_err(unreadable)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        // What ends without one is no line: it was torn.
        Ok(Some(line))
    }
}

/// Takes what would be written to a file, and compares it with what is there.
#[derive(Debug)]
pub struct LineComparison {
    lines: FileLines,
    /// The line that is being made.
    made: Vec<u8>,
    differing: u64,
    first: Option<DifferenceRecord>,
    /// The reason why the file cannot be read further. Nothing is compared after it.
    error: Option<WrittenError>,
}

impl LineComparison {
    /// Nothing more will come: the first difference, if there is one.
    ///
    /// # Errors
    /// If the file could not be read.
    pub fn finish(mut self) -> Result<Option<DifferenceRecord>, WrittenError> {
        if !self.made.is_empty() {
            let made = std::mem::take(&mut self.made);
            self.compare(&made);
        }
        while self.error.is_none() {
            match self.lines.next() {
                Ok(Some(line)) => self.note(Some(&line), None),
                Ok(None) => break,
                Err(error) => self.error = Some(error),
            }
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(self
                .first
                .map(|first| DifferenceRecord { lines: Some(self.differing), ..first })),
        }
    }

    fn compare(&mut self, made: &[u8]) {
        match self.lines.next() {
            Ok(Some(line)) if line == made => {}
            Ok(line) => self.note(line.as_deref(), Some(made)),
            Err(error) => self.error = Some(error),
        }
    }

    fn note(&mut self, written: Option<&[u8]>, made: Option<&[u8]>) {
        self.differing += 1;
        if self.first.is_some() {
            return;
        }
        let (message, id) = told_lines(written, made);
        self.first = Some(DifferenceRecord {
            file: self.lines.name.to_owned(),
            // A line that is missing comes after the last one.
            line: Some(self.lines.number + u64::from(written.is_none())),
            id,
            lines: None,
            message,
        });
    }
}

impl Write for LineComparison {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.made.extend_from_slice(part);
            if part.ends_with(b"\n") && self.error.is_none() {
                let made = std::mem::take(&mut self.made);
                self.compare(&made);
                self.made = made;
                self.made.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Describes the difference between two lines, with the structure in the run's line.
fn told_lines(written: Option<&[u8]>, made: Option<&[u8]>) -> (String, Option<u64>) {
    let object =
        |line: Option<&[u8]>| -> Option<Map<String, Value>> { serde_json::from_slice(line?).ok() };
    let (old, new) = (object(written), object(made));
    let id = |object: &Option<Map<String, Value>>| object.as_ref()?.get("id")?.as_u64();
    let id = id(&new).or_else(|| id(&old));
    if let (Some(old), Some(new)) = (&old, &new) {
        let field = new.keys().find(|field| old.get(*field) != new.get(*field));
        if let Some(field) = field {
            return (told(field, old.get(field), new.get(field)), id);
        }
    }
    let text = |line: Option<&[u8]>| line.map(|line| String::from_utf8_lossy(line).into_owned());
    let message = match (text(written), text(made)) {
        (None, Some(made)) => format!("the line is missing: {}", shortened(made.trim_end())),
        (Some(written), None) => {
            format!("no run writes this line: {}", shortened(written.trim_end()))
        }
        (written, made) => {
            let (written, made) = (written.unwrap_or_default(), made.unwrap_or_default());
            format!("{:?} is written, {:?} is made", shortened(&written), shortened(&made))
        }
    };
    (message, id)
}

fn told(field: &str, written: Option<&Value>, made: Option<&Value>) -> String {
    let text = |value: Option<&Value>| {
        value.map_or("nothing".to_owned(), |value| shortened(&value.to_string()))
    };
    format!("`{field}` is {}; made again it is {}", text(written), text(made))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
