//! Tests as Rust source: a function, and the lines that bring its types into scope.

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
        name_of_calls(suite, &self.statements)
    }
}

/// Like [`Recipe::to_name`], of some statements.
pub fn name_of_calls<'s>(
    suite: &Suite,
    statements: impl IntoIterator<Item = &'s Statement>,
) -> String {
    let mut name = String::with_capacity(LONGEST_NAME);
    for statement in statements {
        let method = std::iter::once(suite.method(statement.method).name);
        let mut sources = method.chain(statement.literals());
        if !sources.all(|source| push_words(&mut name, source)) {
            break;
        }
    }
    name
}

/// Appends the words of a source that an identifier can contain, in lower case. Returns `false` if
/// there is no room for one.
fn push_words(name: &mut String, source: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let parts = source.as_bytes().split(|byte| !is_part(byte)).filter(|part| !part.is_empty());
    parts.into_iter().all(|part| {
        let minus: &[u8] = if part[0] == b'-' { b"minus" } else { b"" };
        push_word(name, minus) && push_word(name, part)
    })
}

/// Appends the letters of a word in ASCII.
fn push_word(name: &mut String, word: &[u8]) -> bool {
    let letters = || word.iter().filter(|byte| **byte != b'-');
    let length = letters().count();
    let has_room = name.len() + length < LONGEST_NAME;
    if has_room && length > 0 {
        if !name.is_empty() {
            name.push('_');
        }
        name.extend(letters().map(|byte| char::from(byte.to_ascii_lowercase())));
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
        let mut name = String::new();
        assert!(sources.iter().all(|source| push_words(&mut name, source)));
        assert_eq!(name, "r_move_minus_1_command_set_key_minus_2_a_b_1_2");
        // 60 characters are too many, and the word that does not fit is left out.
        assert!(push_words(&mut name, "a23456789012") && !push_words(&mut name, "b"));
        assert!(name.ends_with("_2_a23456789012"));
    }
}
