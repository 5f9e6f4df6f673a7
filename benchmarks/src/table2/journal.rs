//! Runs that were made, by their arguments: one JSON object a line, after a line that says of which
//! build and machine.
//!
//! A measurement that was stopped finds what it has measured there. Times of another build or
//! machine do not belong into the same table, so a journal of another one is refused.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::runner::Ran;

/// Where runs come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What tells builds apart.
    pub build: String,
    /// The machine and its load when the journal was begun.
    pub machine: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    args: Vec<String>,
    ran: Ran,
}

/// The runs made so far.
#[derive(Debug)]
pub struct Journal {
    origin: Origin,
    runs: HashMap<Vec<String>, Ran>,
    file: Option<File>,
}

impl Journal {
    /// A journal that is kept nowhere.
    #[must_use]
    pub fn in_memory(origin: Origin) -> Self {
        Self { origin, runs: HashMap::new(), file: None }
    }

    /// Goes on with the journal in a file, or begins one.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is the journal of another build.
    pub fn open(path: &Path, origin: Origin) -> io::Result<Self> {
        let mut journal = Self::in_memory(origin);
        if path.exists() {
            journal.read(path)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.len() == 0 {
            write_line(&mut file, &journal.origin)?;
        }
        journal.file = Some(file);
        Ok(journal)
    }

    fn read(&mut self, path: &Path) -> io::Result<()> {
        let mut lines = BufReader::new(File::open(path)?).lines();
        let Some(first) = lines.next().transpose()? else { return Ok(()) };
        let origin: Origin = serde_json::from_str(&first)?;
        if origin.build != self.origin.build {
            let message = format!(
                "{} has runs of another build; remove it, or give --fresh, to measure anew",
                path.display()
            );
            return Err(io::Error::other(message));
        }
        self.origin = origin;
        for line in lines {
            // The last line of a process that was killed may be cut short: that run is repeated.
            if let Ok(Entry { args, ran }) = serde_json::from_str(&line?) {
                self.runs.insert(args, ran);
            }
        }
        Ok(())
    }

    /// The machine that the runs were made on.
    #[must_use]
    pub fn machine(&self) -> &str {
        &self.origin.machine
    }

    /// The run with these arguments.
    #[must_use]
    pub fn get(&self, args: &[String]) -> Option<&Ran> {
        self.runs.get(args)
    }

    /// Keeps a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn insert(&mut self, args: &[String], ran: &Ran) -> io::Result<()> {
        let entry = Entry { args: args.to_vec(), ran: ran.clone() };
        if let Some(file) = &mut self.file {
            write_line(file, &entry)?;
        }
        self.runs.insert(entry.args, entry.ran);
        Ok(())
    }
}

fn write_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(line)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(build: &str) -> Origin {
        Origin { build: build.to_owned(), machine: "m".to_owned() }
    }

    #[test]
    fn runs_are_found_again_and_a_line_cut_short_is_not() {
        let directory = tempfile::TempDir::new().expect("a directory");
        let path = directory.path().join("runs.jsonl");
        let args = |k: &str| vec!["generate".to_owned(), k.to_owned()];
        let ran = Ran { code: Some(0), wall: 0.5, ..Ran::default() };
        let mut journal = Journal::open(&path, origin("1")).expect("a new journal");
        journal.insert(&args("1"), &ran).expect("written");
        journal.insert(&args("2"), &ran).expect("written");
        let text = std::fs::read_to_string(&path).expect("a text");
        std::fs::write(&path, &text[..text.len() - 9]).expect("written");
        let journal = Journal::open(&path, origin("1")).expect("the same journal");
        assert_eq!(journal.get(&args("1")), Some(&ran));
        assert_eq!(journal.get(&args("2")), None);
        let refused = Journal::open(&path, origin("2")).expect_err("another build");
        assert!(refused.to_string().contains("--fresh"), "{refused}");
    }
}
