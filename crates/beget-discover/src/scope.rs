//! The scope of a harness: a text to be changed by hand.

use std::fmt::Write as _;

use crate::harness::Harness;
use crate::text::{filled, shortened};

/// What stands in place of documentation.
const NO_SUCH_INDEX: &str = "not documented; an index that is not there";

/// A panic that the documentation announces, and that was seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentedPanic {
    /// A regular expression for its message.
    pub pattern: String,
    /// The function, as documentation names it.
    pub method: String,
    /// What its documentation says.
    pub documented: String,
}

impl Harness {
    /// The commented scope file, at the given `k`.
    pub fn scope(&self, k: u32, expected: &[DocumentedPanic]) -> String {
        let rules: Vec<_> = self
            .ranges()
            .map(|(name, range)| format!("\"{}.{name}\": \"{range}\"", self.state_name()))
            .collect();
        let fields = match rules.is_empty() {
            true => String::new(),
            false => filled(include_str!("template/fields.txt"), &[("rules", &rules.join(", "))]),
        };
        let values = [
            ("ty", self.ty()),
            ("name", self.name()),
            ("k", &k.to_string()),
            ("fields", &fields),
            ("misuse", &misuse(expected)),
        ];
        filled(include_str!("template/scope.txt"), &values)
    }
}

impl Harness {
    /// The panic of a method as a rule of use, if its documentation announces one, or if it says
    /// that an index is not there: few say so of each function that takes one.
    pub fn expected_panic(&self, method: Option<&str>, message: &str) -> Option<DocumentedPanic> {
        let method = self.methods().iter().find(|known| Some(known.name.as_str()) == method)?;
        let line = message.lines().next().unwrap_or_default();
        let line = line
            .split_once(": ")
            .filter(|(before, _)| before.starts_with("panicked at"))
            .map_or(line, |(_, rest)| rest);
        let documented = match &method.panics {
            Some(documented) if may_be_meant(line, documented) => documented.clone(),
            _ if method.takes_index && is_of_index(line) => NO_SUCH_INDEX.to_owned(),
            _ => return None,
        };
        Some(DocumentedPanic { pattern: pattern(line), method: method.path.clone(), documented })
    }
}

/// Returns whether the documentation may mean this panic. What the compiler's checks of arithmetic
/// or slices of the standard library say goes with words on lengths and indices only: `split_at`
/// panics when `mid` is too large, not when two keys are the same.
fn may_be_meant(message: &str, documented: &str) -> bool {
    const OF_ANYTHING: [&str; 7] = [
        "attempt to ",
        "index out of bounds: the len",
        "range start index",
        "range end index",
        "slice index",
        "mid > len",
        "internal error",
    ];
    const WORDS: [&str; 7] = ["bound", "index", "indices", "range", "len", "position", "empty"];
    let is_of_anything = OF_ANYTHING.iter().any(|start| message.starts_with(start));
    let documented = documented.to_lowercase();
    !is_of_anything || WORDS.iter().any(|word| documented.contains(word))
}

/// Returns whether a message says that an index is not there, as everything that takes one may.
fn is_of_index(message: &str) -> bool {
    ["index", "out of bounds", "out of range"].iter().any(|words| message.contains(words))
}

/// A regular expression for a message, whatever its numbers are.
fn pattern(message: &str) -> String {
    let mut text = String::new();
    for letter in message.chars() {
        match letter {
            '0'..='9' if text.ends_with("\\d+") => {}
            '0'..='9' => text.push_str("\\d+"),
            letter if "\\.+*?()|[]{}^$#&-~".contains(letter) => text.extend(['\\', letter]),
            letter => text.push(letter),
        }
    }
    text
}

fn misuse(expected: &[DocumentedPanic]) -> String {
    if expected.is_empty() {
        return include_str!("template/no_misuse.txt").to_owned();
    }
    let mut text = include_str!("template/misuse.txt").to_owned() + "    misuse: (panics: [\n";
    for DocumentedPanic { pattern, method, documented } in expected {
        let documented = shortened(documented);
        let _ = writeln!(text, "        // {method}: {documented}\n        {pattern:?},");
    }
    text + "    ]),\n"
}
