//! The scope of a harness: a text to be edited by hand.

use std::fmt::Write as _;

use crate::harness::Harness;
use crate::text::{filled, shortened};

/// The text for a missing documentation.
const NO_SUCH_INDEX: &str = "not documented; an index that is not there";

/// The contracts about elements, and of memory.
const OF_ELEMENTS: [&str; 6] = [
    "elements_dropped",
    "elements_dropped_once",
    "elements_survive_panics",
    "elements_survive_drop_panics",
    "elements_survive_lies",
    "memory_sound",
];

/// A documented panic that was seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentedPanic {
    /// A regular expression for its message.
    pub pattern: String,
    /// The function's name in the documentation.
    pub method: String,
    /// The documentation of the panic.
    pub documented: String,
}

impl Harness {
    /// The commented scope file, at the given `k`.
    pub fn scope(&self, k: u32, expected: &[DocumentedPanic]) -> String {
        let methods = "    // methods: Except([\"shrink_to_fit\"]),\n";
        self.scope_of(k, expected, methods, &self.contracts())
    }

    /// The scope of those functions whose documentation announces no panic, with no panic that is
    /// misuse.
    pub fn scope_without_panics(&self, k: u32) -> String {
        let others =
            self.methods.iter().filter(|one| !one.announces_no_panic() && one.takes_part());
        let others: Vec<_> = others.map(|method| &method.name).collect();
        let methods = format!("    methods: Except({others:?}),\n");
        self.scope_of(k, &[], &methods, "    contracts: Off,\n")
    }

    /// The type's own functions among those of these names that announce no panic.
    pub fn without_announced_panic(&self, names: &[String]) -> Vec<&str> {
        let own = self.methods.iter().filter(|one| !one.is_of_trait && one.announces_no_panic());
        own.map(|method| &*method.name).filter(|name| names.iter().any(|one| one == name)).collect()
    }

    fn scope_of(
        &self,
        k: u32,
        expected: &[DocumentedPanic],
        methods: &str,
        contracts: &str,
    ) -> String {
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
            ("probe", if self.state.shows_every_field() { "// " } else { "" }),
            ("methods", methods),
            ("contracts", contracts),
        ];
        filled(include_str!("template/scope.txt"), &values)
    }
}

impl Harness {
    /// The usual k.
    pub fn usual_k(&self) -> u32 {
        self.subject.elements.k()
    }

    /// The contracts that a check asks.
    fn contracts(&self) -> String {
        if self.has_tracked_elements() {
            let is_asked = |name: &&str| !self.without_contracts.iter().any(|one| one == name);
            let names: Vec<_> = OF_ELEMENTS.into_iter().filter(is_asked).collect();
            return format!("    contracts: Only({names:?}),\n");
        }
        let names: Vec<_> = self.without_contracts.iter().map(|name| format!("{name:?}")).collect();
        match names.is_empty() {
            true => "    // contracts: Except([\"clone_equal\"]),\n".to_owned(),
            false => format!("    contracts: Except([{}]),\n", names.join(", ")),
        }
    }

    /// A regular expression for a panic's message: that of the panic as misuse, if it is one.
    pub fn pattern(&self, message: &str) -> String {
        pattern(panic_message(message))
    }

    /// The panic of a method as misuse, if its documentation announces one, or if it reports a
    /// missing index: few functions that take an index document that.
    pub fn expected_panic(&self, method: Option<&str>, message: &str) -> Option<DocumentedPanic> {
        let method = self.methods().iter().find(|known| Some(known.name.as_str()) == method)?;
        let line = panic_message(message);
        let documented = match &method.panics {
            Some(documented) if may_be_meant(line, documented, method.takes_values()) => {
                documented.clone()
            }
            _ if method.takes_index && method.takes_values() && is_of_index(line) => {
                NO_SUCH_INDEX.to_owned()
            }
            _ => return None,
        };
        Some(DocumentedPanic { pattern: pattern(line), method: method.path.clone(), documented })
    }
}

/// The first line of a panic's message, without its place.
fn panic_message(message: &str) -> &str {
    let line = message.lines().next().unwrap_or_default();
    line.split_once(": ")
        .filter(|(before, _)| before.starts_with("panicked at"))
        .map_or(line, |(_, rest)| rest)
}

/// Returns whether the documentation may mean this panic. Messages of the compiler's arithmetic
/// checks or of the standard library's slices only match words on lengths and indices: `split_at`
/// panics when `mid` is too large, not when two keys are equal. If nothing is passed, no index is
/// wrong.
fn may_be_meant(message: &str, documented: &str, takes_values: bool) -> bool {
    const OF_ANYTHING: [&str; 7] = [
        "attempt to ",
        "index out of bounds: the len",
        "range start index",
        "range end index",
        "slice index",
        "mid > len",
        "internal error",
    ];
    const OF_STRUCTURES: [&str; 2] = ["len", "empty"];
    const OF_VALUES: [&str; 5] = ["bound", "index", "indices", "range", "position"];
    let is_of_anything = OF_ANYTHING.iter().any(|start| message.starts_with(start));
    let documented = documented.to_lowercase();
    let is_said = |words: &[&str]| words.iter().any(|word| documented.contains(word));
    !is_of_anything || is_said(&OF_STRUCTURES) || takes_values && is_said(&OF_VALUES)
}

/// Returns whether a message reports a missing index, as any function that takes one may.
fn is_of_index(message: &str) -> bool {
    const WORDS: [&str; 4] = ["index", "out of bounds", "out of range", "char boundary"];
    WORDS.iter().any(|words| message.contains(words))
}

/// A regular expression for a message, with any numbers and any quoted text. Quoted code, as in
/// "called `Option::unwrap()`" and "assertion `left == right` failed", stays.
fn pattern(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message;
    while let Some((before, quote, quoted, after)) = split_at_quoted(rest) {
        let is_code = ["()", " == ", " != "].iter().any(|sign| quoted.contains(sign));
        let shown = if is_code { with_any_values(quoted) } else { ".*".to_owned() };
        text += &format!("{}{quote}{shown}{quote}", with_any_values(before));
        rest = after;
    }
    text + &with_any_values(rest)
}

/// The first text in backticks or double quotes, with what stands before and after it.
fn split_at_quoted(message: &str) -> Option<(&str, char, &str, &str)> {
    let (before, from) = message.split_at(message.find(['`', '"'])?);
    let quote = from.chars().next()?;
    let (quoted, after) = from[1..].split_once(quote)?;
    Some((before, quote, quoted, after))
}

/// Numbers and single quoted letters are of the values that were there.
fn with_any_values(message: &str) -> String {
    let letters: Vec<char> = message.chars().collect();
    let mut text = String::new();
    for (index, &letter) in letters.iter().enumerate() {
        let is_quoted = index > 0
            && letters[index - 1] == '\''
            && letters.get(index + 1).is_some_and(|next| *next == '\'');
        match letter {
            _ if is_quoted => text.push('.'),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_any_values_where_the_message_has_some() {
        for (message, expected) in [
            (
                "index out of bounds: the len is 13 but the index is 4",
                "index out of bounds: the len is \\d+ but the index is \\d+",
            ),
            (
                "start byte index 2 is out of bounds of `A`",
                "start byte index \\d+ is out of bounds of `.*`",
            ),
            (
                "it is inside 'é' (bytes 0..2) of `é`",
                "it is inside '.' \\(bytes \\d+\\.\\.\\d+\\) of `.*`",
            ),
            ("it isn't 3", "it isn't \\d+"),
            ("assertion `left == right` failed", "assertion `left == right` failed"),
            (
                "called `Option::unwrap()` on a `None` value",
                "called `Option::unwrap\\(\\)` on a `.*` value",
            ),
            ("`", "`"),
        ] {
            assert_eq!(pattern(message), expected);
        }
    }
}
