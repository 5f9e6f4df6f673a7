//! Tests as Rust source: a function, and the lines that bring its types into scope.

use std::borrow::Borrow;
use std::fmt;

use crate::{Recipe, Sequence, Statement, Suite};

/// A test as source.
///
/// ```
/// use beget_suite::TestFunction;
///
/// let test = TestFunction {
///     doc: "A stack of one number.".to_owned(),
///     name: "new_push_1".to_owned(),
///     body: vec!["let mut stack = Stack::new();".to_owned(), "stack.push(1);".to_owned()],
/// };
/// let source = "\
/// /// A stack of one number.
/// ##[test]
/// fn new_push_1() {
///     let mut stack = Stack::new();
///     stack.push(1);
/// }
/// ";
/// assert_eq!(test.to_string(), source);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFunction {
    /// Its doc comment; none if empty.
    pub doc: String,
    /// Its name.
    pub name: String,
    /// Its statements, one per line.
    pub body: Vec<String>,
}

impl TestFunction {
    /// The same with the lines in its body that it needs anywhere in its crate
    /// ([`Suite::uses_of`]). A body that already has such lines is complete.
    #[must_use]
    pub fn with_uses(&self, suite: &Suite) -> Self {
        if self.body.iter().any(|line| line.trim_start().starts_with("use ")) {
            return self.clone();
        }
        let mut body = suite.uses_of(&self.body);
        body.extend(self.body.iter().cloned());
        TestFunction { body, ..self.clone() }
    }
}

impl fmt::Display for TestFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.doc.lines() {
            writeln!(f, "{}", format!("/// {}", visible(line)).trim_end())?;
        }
        writeln!(f, "#[test]\nfn {}() {{", self.name)?;
        for line in &self.body {
            ["    ", line, "\n"].iter().try_for_each(|part| f.write_str(part))?;
        }
        f.write_str("}\n")
    }
}

/// A line of a doc comment: a control character would end it, or be rejected.
fn visible(line: &str) -> String {
    let shown = |char: char| match char.is_control() && char != '\t' {
        true => char.escape_default().to_string(),
        false => char.to_string(),
    };
    line.chars().map(shown).collect()
}

/// The longest part of a name that describes the calls.
const LONGEST_NAME: usize = 60;

impl Recipe {
    /// The calls as a part of an identifier: the methods with their literals, `new_push_1`. Long
    /// names are cut, so several recipes may share one.
    pub fn to_name(&self, suite: &Suite) -> String {
        Sequence::of_recipe(suite, self).to_name(suite)
    }
}

impl Sequence {
    /// Like [`Recipe::to_name`].
    pub fn to_name(&self, suite: &Suite) -> String {
        name_of_calls(self.statements.iter().map(|call| CallWords::of(suite, call)))
    }
}

/// Like [`Recipe::to_name`], of some calls.
pub fn name_of_calls(calls: impl IntoIterator<Item: Borrow<CallWords>>) -> String {
    let mut name = String::with_capacity(LONGEST_NAME + 1);
    let _ = calls.into_iter().all(|words| words.borrow().push_to(&mut name));
    name
}

/// A call as a part of an identifier: its method and literals in lower case, with `_` between two
/// words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallWords(String);

impl CallWords {
    /// The words of a statement.
    pub fn of(suite: &Suite, statement: &Statement) -> Self {
        let mut words = CallWords::default();
        words.add(suite.method(statement.method).name);
        statement.literals().for_each(|source| words.add(source));
        words
    }

    /// Adds the words of a source that an identifier can contain.
    fn add(&mut self, source: &str) {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        for part in source.as_bytes().split(|byte| !is_part(byte)) {
            if part.first() == Some(&b'-') {
                self.add_word(b"minus");
            }
            self.add_word(part);
        }
    }

    /// Adds the letters of a word in ASCII.
    fn add_word(&mut self, word: &[u8]) {
        let mut letters = word.iter().filter(|byte| **byte != b'-').peekable();
        if letters.peek().is_some() && !self.0.is_empty() {
            self.0.push('_');
        }
        self.0.extend(letters.map(|byte| char::from(byte.to_ascii_lowercase())));
    }

    /// Appends the words to a name. Returns `false` if there is no room for one.
    fn push_to(&self, name: &mut String) -> bool {
        if push_words(name, &self.0) {
            return true;
        }
        let mut words = self.0.split('_').filter(|word| !word.is_empty());
        words.all(|word| push_words(name, word))
    }
}

/// Appends words to a name if there is room for all of them.
fn push_words(name: &mut String, words: &str) -> bool {
    let has_room = name.len() + words.len() < LONGEST_NAME;
    if has_room && !words.is_empty() {
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(words);
    }
    has_room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_message_ends_its_comment() {
        let test = TestFunction { doc: "a\r\u{7}b\nc\n\nd".to_owned(), ..TestFunction::default() };
        let shown = test.to_string();
        assert!(shown.starts_with("/// a\\r\\u{7}b\n/// c\n///\n/// d\n#[test]\n"), "{shown}");
        assert_eq!(visible("a\té"), "a\té");
    }

    #[test]
    fn literals_become_words() {
        let sources = ["r#move", "-1", "Command::Set { key: -2 }", "\"a b\"", "1..=2", "'é'"];
        let mut words = CallWords::default();
        sources.iter().for_each(|source| words.add(source));
        assert_eq!(words.0, "r_move_minus_1_command_set_key_minus_2_a_b_1_2");
    }

    /// Sixty characters are too many.
    #[test]
    fn a_name_ends_before_the_first_word_that_does_not_fit() {
        let of = |words: &[&str]| {
            let calls: Vec<_> = words.iter().map(|&words| CallWords(words.to_owned())).collect();
            name_of_calls(&calls)
        };
        let long = "a".repeat(45);
        assert_eq!(of(&[&long, "push_1", "", "pop"]), format!("{long}_push_1_pop"));
        assert_eq!(of(&[&long, "push_10", "pop", "x"]), format!("{long}_push_10_pop_x"));
        assert_eq!(of(&[&long, "push_1000_2", "3"]), format!("{long}_push_1000_2_3"));
        assert_eq!(of(&[&long, "push_10000_200_3", "4"]), format!("{long}_push_10000_200"));
        assert_eq!(of(&[&"a".repeat(59), "b"]), "a".repeat(59));
        assert_eq!(of(&[&"a".repeat(60)]), "");
    }
}
