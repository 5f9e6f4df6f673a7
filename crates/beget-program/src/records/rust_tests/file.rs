//! The file: what it says of itself, what it uses, and its tests.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io::BufRead;

use beget_suite::{Import, Suite, TestFunction, first_names, is_known_everywhere, name_of};

use super::layout::laid_out;
use super::regressions::{RegressionTests, TestsText};
use crate::records::{Header, counted};

/// The place of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestPlace {
    /// A module of the crate that declares the suite.
    Module,
    /// A test target of its own, outside of that crate.
    Target,
}

/// A file of tests.
#[derive(Clone, Debug)]
pub struct TestFile<'f> {
    /// The suite whose methods are called.
    pub suite: &'f Suite,
    /// The run.
    pub header: &'f Header,
    /// True if the run made all that it was to make.
    pub is_done: bool,
    /// The command that writes the file.
    pub command: &'f str,
    /// The place of the file.
    pub place: TestPlace,
    /// The tests of structures or sequences.
    pub regressions: &'f RegressionTests,
    /// The tests of failures.
    pub failures: &'f [TestFunction],
}

/// The line before the command.
pub(super) const WRITTEN_BY: &str = "//! Written by this command, which overwrites it:";

/// Returns whether a file is one of tests that this crate wrote, by its first lines.
pub fn is_written_by_beget(file: impl BufRead) -> bool {
    file.lines().take(8).any(|line| line.is_ok_and(|line| line == WRITTEN_BY))
}

/// The command as it can be typed, on lines that are not too long: an option begins a new one.
pub(super) fn wrapped(command: &str) -> Vec<String> {
    const WIDTH: usize = 90;
    let mut lines: Vec<String> = Vec::new();
    for (index, part) in command.split(" -").enumerate() {
        let part = if index == 0 { part.to_owned() } else { format!("-{part}") };
        match lines.last_mut() {
            Some(line) if line.len() + part.len() < WIDTH => *line += &format!(" {part}"),
            Some(line) => {
                *line += " \\";
                lines.push(format!("    {part}"));
            }
            None => lines.push(part),
        }
    }
    lines
}

impl TestFile<'_> {
    /// The file, laid out.
    pub fn to_text(&self) -> String {
        let mut tests = TestsText::default();
        self.regressions.write(self.suite, &mut tests);
        self.failures.iter().for_each(|test| tests.push_function(test));
        let TestsText { mut text, named, .. } = tests;
        let mut head = String::new();
        let imports = SourceImports { suite: self.suite, place: self.place, named };
        self.write_head(&mut head, &imports).expect("a text takes all that is written");
        let mut laid_out = laid_out(&head);
        if !text.is_empty() && head.ends_with("\n\n") {
            laid_out.push('\n');
        }
        text.insert_str(0, &laid_out);
        text
    }

    /// Writes all that comes before the tests.
    fn write_head(&self, f: &mut String, imports: &SourceImports<'_>) -> fmt::Result {
        let Header { suite, k, stop_reason, .. } = self.header;
        let (n_structures, n_failures) = (self.regressions.len(), self.failures.len());
        writeln!(
            f,
            "//! `{suite}` at k = {k}: {} of {}, {} of failures.",
            counted(n_structures as u64, "test"),
            self.regressions.subjects(),
            counted(n_failures as u64, "test")
        )?;
        if !self.is_done {
            writeln!(f, "//!\n//! INCOMPLETE: the run stopped early ({stop_reason}).")?;
        }
        writeln!(f, "//!\n{WRITTEN_BY}\n//!\n//! ```sh")?;
        wrapped(self.command).iter().try_for_each(|line| writeln!(f, "//! {line}"))?;
        writeln!(f, "//! ```")?;
        let mut uses = imports.uses();
        let glob = imports.glob();
        let unused = if glob.is_some() { ", unused_imports" } else { "" };
        writeln!(f, "#![allow(clippy::all, deprecated{unused})]\n")?;
        uses.extend(glob);
        uses.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// The imports that some statements need.
pub(super) struct SourceImports<'i> {
    suite: &'i Suite,
    place: TestPlace,
    /// The first names of all paths in the statements that are no variables.
    named: BTreeSet<String>,
}

impl<'i> SourceImports<'i> {
    pub(super) fn of(
        suite: &'i Suite,
        place: TestPlace,
        lines: impl Iterator<Item = &'i String>,
    ) -> Self {
        let named = lines.flat_map(|line| first_names(line)).map(str::to_owned).collect();
        SourceImports { suite, place, named }
    }

    /// The lines that bring the suite's types into scope, those that the statements name.
    pub(super) fn uses(&self) -> Vec<String> {
        let line = |import: &Import| match self.place {
            TestPlace::Module => import.to_source(),
            TestPlace::Target => import.to_source_outside(),
        };
        let lines = self.suite.imports.iter().map(line);
        let mut uses: Vec<String> =
            lines.filter(|line| self.named.contains(name_of(line))).collect();
        uses.sort();
        uses
    }

    /// Returns the import of items that the suite does not name: functions, types of literals,
    /// traits. A module is placed where these are in scope; from outside only public items are
    /// available.
    pub(super) fn glob(&self) -> Option<String> {
        if self.place == TestPlace::Module {
            return Some("use super::*;".to_owned());
        }
        let imported: Vec<String> = self.suite.imports.iter().map(|one| one.to_source()).collect();
        let is_known = |name: &str| {
            is_known_everywhere(name) || imported.iter().any(|line| name_of(line) == name)
        };
        self.named.iter().find(|name| !is_known(name))?;
        self.suite.imports.iter().find_map(|import| match import {
            Import::Item(module, _) => Some(Import::Module(*module).to_source_outside()),
            Import::Module(_) | Import::Line(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_broken_before_an_option() {
        assert_eq!(wrapped("beget emit a.ron -k 3 -o b.rs"), ["beget emit a.ron -k 3 -o b.rs"]);
        let long = format!("beget emit {} -k 3 -o {}", "a".repeat(60), "b".repeat(60));
        let lines = [
            format!("beget emit {} -k 3 \\", "a".repeat(60)),
            format!("    -o {}", "b".repeat(60)),
        ];
        assert_eq!(wrapped(&long), lines);
    }

    #[test]
    fn a_file_of_tests_is_known_by_its_first_lines() {
        let written = format!("//! `a` at k = 3: 1 test.\n//!\n{WRITTEN_BY}\n");
        assert!(is_written_by_beget(written.as_bytes()));
        assert!(!is_written_by_beget(&b"//! Written by hand.\n"[..]));
        let later = format!("{}{written}", "//\n".repeat(8));
        assert!(!is_written_by_beget(later.as_bytes()));
    }
}
