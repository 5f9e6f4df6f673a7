//! The tests of behaviours, as text.
//!
//! A file may have a hundred thousand of them, so they are written straight into one text, laid
//! out, and the names in them are collected on the way. The tests of this module compare that with
//! [`TestFunction`](beget_suite::TestFunction), which has its statements in a list.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use beget_heap::hash::{FixedMap, fixed_map};
use beget_search::run::{Behavior, Behaviors, ObservedCall};
use beget_suite::{
    CallWords, SourceSink, Suite, TestFunction, first_names, name_of_calls, write_source,
};

use super::assertion::{AssertionText, assertion};
use super::layout::push_line;

/// The indentation of statements.
const INDENT: &str = "    ";

/// The tests of behaviours.
#[derive(Debug)]
pub struct RegressionTests {
    behaviors: Behaviors,
    subject: TestSubject,
}

/// The subject of a test.
#[derive(Clone, Copy, Debug)]
enum TestSubject {
    Structure,
    Sequence,
}

impl RegressionTests {
    /// The tests of structures.
    pub fn of_structures(behaviors: Behaviors) -> Self {
        RegressionTests { behaviors, subject: TestSubject::Structure }
    }

    /// The tests of sequences of a random run.
    pub fn of_sequences(behaviors: Behaviors) -> Self {
        RegressionTests { behaviors, subject: TestSubject::Sequence }
    }

    /// The noun for the subjects of the tests.
    pub(super) fn subjects(&self) -> &'static str {
        match self.subject {
            TestSubject::Structure => "structures",
            TestSubject::Sequence => "sequences",
        }
    }

    /// The number of tests.
    pub fn len(&self) -> usize {
        self.behaviors.all.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.behaviors.all.is_empty()
    }

    /// Removes the tests of these names; returns the names of those that were there, in order.
    pub fn remove(&mut self, suite: &Suite, names: &BTreeSet<String>) -> Vec<String> {
        let words = self.no_words();
        let all = std::mem::take(&mut self.behaviors.all);
        let mut removed = Vec::new();
        for behavior in all {
            let name = self.name(suite, &behavior, &words);
            match names.contains(&name) {
                true => removed.push(name),
                false => self.behaviors.all.push(behavior),
            }
        }
        removed
    }

    /// The name of a test. `words` are those of its calls, by their numbers, as far as they are
    /// known.
    fn name(&self, suite: &Suite, behavior: &Behavior, words: &[OnceCell<CallWords>]) -> String {
        let (subject, n_named) = match self.subject {
            TestSubject::Structure => ("structure", behavior.n_building),
            TestSubject::Sequence => ("sequence", behavior.calls.len()),
        };
        let calls = behavior.calls[..n_named].iter().map(|call| {
            let of_call = || CallWords::of(suite, self.behaviors.statement(call.statement));
            words[call.statement.index()].get_or_init(of_call)
        });
        format!("{subject}_{}_{}", behavior.id.number(), name_of_calls(calls))
    }

    /// A place for the words of each call.
    fn no_words(&self) -> Vec<OnceCell<CallWords>> {
        (0..self.behaviors.n_statements()).map(|_| OnceCell::new()).collect()
    }

    /// Appends all tests, each after an empty line.
    pub(super) fn write(&self, suite: &Suite, tests: &mut TestsText) {
        let mut assertions = Vec::new();
        assertions.resize_with(self.behaviors.n_results(), OnceCell::new);
        let words = self.no_words();
        let mut statements = Vec::new();
        for behavior in &self.behaviors.all {
            tests.text.push_str("\n#[test]\nfn ");
            tests.text.push_str(&self.name(suite, behavior, &words));
            tests.text.push_str("() {\n");
            statements.clear();
            statements.extend(self.behaviors.statements(behavior));
            let behaviors = &self.behaviors;
            let assertions = &assertions[..];
            let mut body = TestBody { suite, behaviors, behavior, assertions, tests };
            write_source(suite, &statements, &mut body);
            tests.text.push_str("}\n");
        }
    }
}

/// The text of tests, laid out, and the names in it.
#[derive(Debug)]
pub(super) struct TestsText {
    pub(super) text: String,
    /// The first names of all paths in the statements that are no variables.
    pub(super) named: BTreeSet<String>,
    /// The statement that is being written; its memory is used again.
    line: String,
    /// The places of calls in the text, the last time. Most come many times.
    calls: FixedMap<ObservedCall, KnownStatement>,
    /// The places of statements, by what they say: those of calls too, and those that bind.
    lines: FixedMap<String, Range<usize>>,
    /// The call whose statement is written next, and is remembered, and its variable.
    awaited: Option<(ObservedCall, String)>,
}

/// The most statements that are remembered by their calls, and by their text: a few megabytes.
const MOST_KNOWN: usize = 1 << 14;

/// The statement of a call on the structure in a variable.
#[derive(Debug)]
struct KnownStatement {
    variable: String,
    /// Its lines in the text.
    place: Range<usize>,
}

impl Default for TestsText {
    fn default() -> Self {
        let (text, named, line) = (String::new(), BTreeSet::new(), String::new());
        let (calls, lines) = (fixed_map(), fixed_map());
        TestsText { text, named, line, calls, lines, awaited: None }
    }
}

impl TestsText {
    /// Appends a test after an empty line.
    pub(super) fn push_function(&mut self, test: &TestFunction) {
        let names = test.body.iter().flat_map(|line| first_names(line));
        self.named.extend(names.map(str::to_owned));
        self.text.push('\n');
        test.to_string().lines().for_each(|line| push_line(&mut self.text, line));
    }

    /// Appends a statement of several parts.
    fn push_statement<'p>(&mut self, parts: impl IntoIterator<Item = &'p str>) {
        self.line.clear();
        self.line.push_str(INDENT);
        self.line.extend(parts);
        let place = match self.lines.get(&self.line) {
            Some(known) => {
                self.text.extend_from_within(known.clone());
                known.clone()
            }
            None => self.push_new_line(),
        };
        if let Some((call, variable)) = self.awaited.take() {
            self.calls.insert(call, KnownStatement { variable, place });
        }
    }

    /// Appends the statement in `line`, and remembers it; its place in the text.
    fn push_new_line(&mut self) -> Range<usize> {
        for name in first_names(&self.line[INDENT.len()..]) {
            if !self.named.contains(name) {
                self.named.insert(name.to_owned());
            }
        }
        let start = self.text.len();
        // A statement has several lines if a literal has.
        self.line.split('\n').for_each(|line| push_line(&mut self.text, line));
        let place = start..self.text.len();
        if self.lines.len() < MOST_KNOWN {
            self.lines.insert(self.line.clone(), place.clone());
        }
        place
    }

    /// Appends the statement of a call as it was written before, if it was. If not, the next
    /// statement is taken for that of the call.
    fn push_known(&mut self, call: ObservedCall, variable: &str) -> bool {
        if let Some(known) = self.calls.get(&call)
            && known.variable == variable
        {
            self.text.extend_from_within(known.place.clone());
            return true;
        }
        let has_room = self.calls.len() < MOST_KNOWN;
        self.awaited = has_room.then(|| (call, variable.to_owned()));
        false
    }
}

/// The statements of a test.
struct TestBody<'t> {
    suite: &'t Suite,
    behaviors: &'t Behaviors,
    behavior: &'t Behavior,
    /// The assertions of results, by their numbers, as far as they were needed.
    assertions: &'t [OnceCell<Option<AssertionText>>],
    tests: &'t mut TestsText,
}

impl SourceSink for TestBody<'_> {
    fn names_units(&self) -> bool {
        false
    }

    fn push_line(&mut self, line: &str) {
        self.tests.push_statement([line]);
    }

    fn push_call(&mut self, index: usize, call: &str) -> bool {
        let Some(returned) = self.behavior.calls[index].returned else { return false };
        let assertion = self.assertions[returned.index()].get_or_init(|| {
            let statement = self.behaviors.statement(self.behavior.calls[index].statement);
            assertion(self.suite.method(statement.method), self.behaviors.result(returned))
        });
        let Some(AssertionText { before, after }) = assertion else { return false };
        self.tests.push_statement([before.as_str(), call, after.as_str()]);
        true
    }

    fn push_known(&mut self, index: usize, variable: &str) -> bool {
        self.tests.push_known(self.behavior.calls[index], variable)
    }
}

#[cfg(test)]
mod tests;
