//! What Korat counts on the case studies, as published, and what the search from a repOK counts.
//!
//! The published counts are data: `benchmarks/published/korat.ron` holds them, and the tests of the
//! case studies read the same file. This module knows the data; [`results`] keeps what was
//! measured, [`markdown`] shows it. Running the searches is the part of the binary `korat`.

pub mod markdown;
pub mod results;

use std::fmt;

use serde::Deserialize;

use crate::plan::{Counters, Counts};

/// Published counts, subject by subject.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The repOKs, in the order of the tables.
    pub subjects: Vec<Subject>,
}

/// The counts of one repOK.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The scope file below `scopes`, without its ending.
    pub scope: String,
    /// The name of the repOK.
    pub repok: String,
    /// What a reader must know to compare the counts with the literature.
    #[serde(default)]
    pub note: Option<String>,
    /// The counts by k.
    pub rows: Vec<Row>,
}

/// The counts of one scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The scope's number.
    pub k: u32,
    /// Candidates that the repOK admits.
    pub generated: u64,
    /// Runs of the repOK.
    pub explored: u64,
    /// Where the numbers come from.
    pub mark: Mark,
}

/// Where published numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Mark {
    /// Runs of the original tool on the original classes.
    Run,
    /// Printed in the literature only.
    Printed,
    /// Printed, and the original tool gave the same.
    PrintedAndRun,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Run => "run",
            Mark::Printed => "printed",
            Mark::PrintedAndRun => "printed and run",
        })
    }
}

/// A row with its subject.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'p> {
    /// The subject.
    pub subject: &'p Subject,
    /// The row.
    pub row: Row,
}

impl Published {
    /// Reads published counts.
    ///
    /// # Errors
    /// If the text is not RON of the form of this type.
    pub fn parse(text: &str) -> Result<Self, Box<ron::error::SpannedError>> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        options.from_str(text).map_err(Box::new)
    }

    /// All rows in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.subjects
            .iter()
            .flat_map(|subject| subject.rows.iter().map(move |&row| Entry { subject, row }))
    }
}

impl Entry<'_> {
    /// The published counts.
    #[must_use]
    pub fn expected(&self) -> Counts {
        Counts { generated: self.row.generated, explored: self.row.explored }
    }

    /// The command that counts the same, to be run where `scopes` is.
    #[must_use]
    pub fn command(&self, threads: u32) -> crate::plan::Row {
        let Subject { scope, repok, .. } = self.subject;
        let (k, threads) = (self.row.k.to_string(), threads.to_string());
        let file = format!("scopes/{scope}.ron");
        let words = ["{bin}/beget", "repok", &file, "-k", &k, "--repok", repok];
        let how = ["--threads", &threads, "--summary", "json"];
        crate::plan::Row {
            name: self.to_string(),
            command: words.into_iter().chain(how).map(str::to_owned).collect(),
            k: None,
            counters: Counters::default(),
            expect: None,
        }
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subject { scope, repok, .. } = self.subject;
        write!(f, "{scope} {repok} k={}", self.row.k)
    }
}
