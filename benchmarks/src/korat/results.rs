//! Measured counts, kept as CSV so that a run can be taken up again.
//!
//! Only what was measured is read back: expected counts and verdicts are written for the reader of
//! the file, and made anew from the published counts each time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use super::{Entry, Published};
use crate::plan::Counts;

/// What one search came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What it counted.
    pub counts: Counts,
    /// From the start of the process to its end.
    pub seconds: f64,
    /// Its largest resident set, in bytes.
    pub peak_rss: u64,
    /// The threads it was given.
    pub threads: u32,
}

/// What is known of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The counts are the published ones.
    Equal,
    /// They are others.
    Wrong,
    /// It was not run.
    NotRun,
}

impl Verdict {
    /// The word for it in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Wrong => "WRONG",
            Verdict::NotRun => "not run",
        }
    }
}

/// Scope file, repOK and k.
type Key = (String, String, u32);

/// What was measured so far.
#[derive(Clone, Debug, Default)]
pub struct Results(BTreeMap<Key, Measured>);

/// Why a text is no table of results.
#[derive(Debug, Error)]
#[error("line {line} is no row of results; delete the file to begin anew")]
pub struct ResultsError {
    /// The line, from 1.
    pub line: usize,
}

const HEAD: &str = "scope,repok,k,mark,expected_generated,expected_explored,generated,explored,seconds,\
                    candidates_per_second,peak_rss_bytes,threads,verdict\n";

impl Results {
    /// Reads what [`Results::to_csv`] has written.
    ///
    /// # Errors
    /// At the first line that is no row.
    pub fn parse(text: &str) -> Result<Self, ResultsError> {
        let lines = text.lines().enumerate().skip(1);
        let rows =
            lines.map(|(number, line)| parse_row(line).ok_or(ResultsError { line: number + 1 }));
        rows.collect::<Result<_, _>>().map(Results)
    }

    /// The measured rows of `published`, in its order.
    #[must_use]
    pub fn to_csv(&self, published: &Published) -> String {
        let mut text = HEAD.to_owned();
        for entry in published.entries() {
            if let Some(measured) = self.get(&entry) {
                push_row(&mut text, &entry, &measured);
            }
        }
        text
    }

    /// What was measured for a row.
    #[must_use]
    pub fn get(&self, entry: &Entry<'_>) -> Option<Measured> {
        self.0.get(&key(entry)).copied()
    }

    /// Keeps what was measured for a row.
    pub fn insert(&mut self, entry: &Entry<'_>, measured: Measured) {
        self.0.insert(key(entry), measured);
    }

    /// What is known of a row.
    #[must_use]
    pub fn verdict(&self, entry: &Entry<'_>) -> Verdict {
        match self.get(entry) {
            None => Verdict::NotRun,
            Some(measured) if measured.counts == entry.expected() => Verdict::Equal,
            Some(_) => Verdict::Wrong,
        }
    }
}

impl Measured {
    /// Candidates a second, start-up included.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.counts.explored as f64 / self.seconds
    }
}

fn key(entry: &Entry<'_>) -> Key {
    (entry.subject.scope.clone(), entry.subject.repok.clone(), entry.row.k)
}

fn push_row(text: &mut String, entry: &Entry<'_>, measured: &Measured) {
    let (scope, repok) = (&entry.subject.scope, &entry.subject.repok);
    let Measured { counts, seconds, peak_rss, threads } = measured;
    let verdict = if *counts == entry.expected() { Verdict::Equal } else { Verdict::Wrong };
    writeln!(
        text,
        "{scope},{repok},{},{},{},{},{},{},{seconds:.3},{:.0},{peak_rss},{threads},{}",
        entry.row.k,
        entry.row.mark,
        entry.row.generated,
        entry.row.explored,
        counts.generated,
        counts.explored,
        measured.rate(),
        verdict.word(),
    )
    .expect("a string takes all text");
}

fn parse_row(line: &str) -> Option<(Key, Measured)> {
    let cells: Vec<&str> = line.split(',').collect();
    if cells.len() != HEAD.split(',').count() {
        return None;
    }
    fn number<N: FromStr>(cell: &str) -> Option<N> {
        cell.parse().ok()
    }
    let counts = Counts { generated: number(cells[6])?, explored: number(cells[7])? };
    let (peak_rss, threads) = (number(cells[10])?, number(cells[11])?);
    let measured = Measured { counts, seconds: number(cells[8])?, peak_rss, threads };
    Some(((cells[0].to_owned(), cells[1].to_owned(), number(cells[2])?), measured))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = r#"(subjects: [(scope: "a/b", repok: "c", rows: [
        (k: 1, generated: 2, explored: 10, mark: Run),
        (k: 2, generated: 21, explored: 136, mark: PrintedAndRun),
    ])])"#;

    #[test]
    fn results_survive_the_file_and_are_judged_by_the_published_counts() {
        let published = Published::parse(PUBLISHED).expect("published counts");
        let entries: Vec<_> = published.entries().collect();
        let counts = Counts { generated: 21, explored: 135 };
        let measured = Measured { counts, seconds: 0.5, peak_rss: 4096, threads: 2 };
        let mut results = Results::default();
        results.insert(&entries[1], measured);
        let text = results.to_csv(&published);
        let row = "a/b,c,2,printed and run,21,136,21,135,0.500,270,4096,2,WRONG\n";
        assert_eq!(text, format!("{HEAD}{row}"));
        let again = Results::parse(&text).expect("results");
        assert_eq!(again.get(&entries[1]), Some(measured));
        let verdicts = [0, 1].map(|index: usize| again.verdict(&entries[index]));
        assert_eq!(verdicts, [Verdict::NotRun, Verdict::Wrong]);
        assert_eq!(Results::parse("head\na,b\n").expect_err("no row").line, 2);
    }
}
