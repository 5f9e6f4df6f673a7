//! Tests as Rust source: a function, and the lines that bring its types into scope.

use std::fmt;

use crate::{Recipe, Sequence, Suite};

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
        self.body.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        writeln!(f, "}}")
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
        let mut words = Vec::new();
        for statement in &self.statements {
            push_words(&mut words, suite.method(statement.method).name);
            statement.literals().for_each(|source| push_words(&mut words, source));
        }
        let mut name = String::new();
        for word in words {
            if name.len() + word.len() >= LONGEST_NAME {
                break;
            }
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(&word);
        }
        name
    }
}

/// The words of a source that an identifier can contain, in lower case.
fn push_words(words: &mut Vec<String>, source: &str) {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '-';
    for word in source.split(|char| !is_part(char)) {
        let word = word.to_ascii_lowercase();
        match word.strip_prefix('-') {
            Some(number) => words.extend(["minus".to_owned(), number.replace('-', "")]),
            None => words.push(word.replace('-', "")),
        }
    }
    words.retain(|word| !word.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_message_ends_its_comment() {
        let test = TestFunction { doc: "a\r\u{7}b\nc\n\nd".to_owned(), ..TestFunction::default() };
        let shown = test.to_string();
        assert!(shown.starts_with("/// a\\r\\u{7}b\n/// c\n///\n/// d\n#[test]\n"), "{shown}");
    }

    #[test]
    fn literals_become_words() {
        let mut words = Vec::new();
        let sources = ["r#move", "-1", "Command::Set { key: -2 }", "\"a b\"", "1..=2", "'é'"];
        sources.iter().for_each(|source| push_words(&mut words, source));
        let expected = "r move minus 1 command set key minus 2 a b 1 2";
        assert_eq!(words.join(" "), expected);
    }
}
