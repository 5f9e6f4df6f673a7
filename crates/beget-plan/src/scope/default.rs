//! A scope for a first run, chosen from the suite.

use std::fmt::Write as _;

use beget_suite::Suite;

/// A field of a scope for any suite, with its value in scope file syntax.
struct DefaultField {
    name: &'static str,
    value: &'static str,
    /// The comment in a file that is to be edited by hand.
    comment: &'static str,
}

const fn field(name: &'static str, value: &'static str, comment: &'static str) -> DefaultField {
    DefaultField { name, value, comment }
}

/// The fields of a scope for any suite, except its name.
const FIELDS: [DefaultField; 7] = [
    field(
        "k",
        "3",
        "The number that scales the bounds; with `Auto` a check tries 1, 2, 3, ... in turn.",
    ),
    field(
        "objects",
        r#"{"*": "k"}"#,
        r#"Most objects of each class; `"Node": "k + 1"` is a bound for one."#,
    ),
    field("arrays", r#""k""#, "Longest array or collection, and longest vector of literals."),
    field(
        "ints",
        r#""0..k""#,
        r#"Literals by kind; `params: {"push.value": "0..2"}` has those of one parameter."#,
    ),
    field("floats", "[0.0, 1.5]", ""),
    field("chars", "['a', 'b']", ""),
    field("strings", r#"["a", "b"]"#, ""),
];

/// Other fields of a scope file, as comments.
const FURTHER: &str = r#"    // All methods take part unless some are named: `Only([...])`, `Except([...])`.
    // methods: Except(["shrink_to_fit"]),
    // Panics that only say how the type is to be used are no failures.
    // misuse: (panics: ["index out of bounds"]),
    // What a check asks besides: `Off`, or all but some contracts.
    // contracts: Except(["clone_equal"]),
    // What an abstraction or a field left out makes one is extended by one call more.
    // probe: 1,
    // Integers that count, in fields that matter little: a range, or "skip".
    // fields: {"Stack.generation": "0..k"},
    // A check goes on after the level with the first failure.
    // all: true,
    // A run that may stop early: exit code 3, unless `enough: true` is written.
    // budget: (max_seconds: 60),
"#;

/// The text of a scope file for `suite`: k = 3, at most k objects of each class and elements of
/// each array, k integers, two literals of each other kind, all methods. `fields` replace these or
/// are added. An expression among them needs no quotes: `0..4`.
pub fn default_scope<S: AsRef<str>>(suite: &Suite, fields: &[(S, S)]) -> String {
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_ref(), as_ron(value.as_ref()))).collect();
    let is_given = |name: &str| fields.iter().any(|(given, _)| *given == name);
    let mut text = format!("Scope(\n    suite: {:?},\n", suite.name);
    for DefaultField { name, value, .. } in FIELDS.iter().filter(|field| !is_given(field.name)) {
        let _ = writeln!(text, "    {name}: {value},");
    }
    for (name, value) in &fields {
        let _ = writeln!(text, "    {name}: {value},");
    }
    text + ")\n"
}

/// Advice that makes `check!` faster, with the lines to write.
pub const OPTIMISED_DEPENDENCIES: &str = "`check!` in a test is several times faster with optimised dependencies; in Cargo.toml:\n\
     \n      [profile.dev.package.\"*\"]\n      opt-level = 2\n";

/// The text of a scope file for `suite` to be edited by hand: the fields of [`default_scope`] with
/// comments on them and on further fields.
pub fn commented_scope(suite: &Suite) -> String {
    let mut text = format!(
        "// What the structures of a run are made of: a first scope, to be changed.\n\
         Scope(\n    suite: {:?},\n",
        suite.name
    );
    for DefaultField { name, value, comment } in &FIELDS {
        if !comment.is_empty() {
            let _ = writeln!(text, "    // {comment}");
        }
        let _ = writeln!(text, "    {name}: {value},");
    }
    text + FURTHER + ")\n"
}

/// A value in scope file syntax, where expressions are texts.
fn as_ron(value: &str) -> String {
    let is_bool = matches!(value, "true" | "false");
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let is_variant = value.starts_with(|letter: char| letter.is_ascii_uppercase());
    match is_bool || is_number || is_variant || value.starts_with(['[', '(', '{', '"']) {
        true => value.to_owned(),
        false => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::ScopeFile;

    #[test]
    fn comments_change_nothing() {
        let suite = Suite { name: "Stack".into(), ..Suite::default() };
        let commented = commented_scope(&suite);
        let is_comment = |line: &&str| line.trim_start().starts_with("//");
        let rest: String =
            commented.split_inclusive('\n').filter(|line| !is_comment(line)).collect();
        assert_eq!(rest, default_scope::<&str>(&suite, &[]));
    }

    /// The commented-out fields are valid.
    #[test]
    fn what_is_suggested_can_be_read() {
        let suite = Suite { name: "Stack".into(), ..Suite::default() };
        let used = commented_scope(&suite)
            .replace("    // methods", "    methods")
            .replace("    // misuse", "    misuse")
            .replace("    // contracts", "    contracts")
            .replace("    // probe", "    probe")
            .replace("    // all", "    all")
            .replace("    // fields", "    fields")
            .replace("    // budget", "    budget");
        ScopeFile::parse("stack.ron", &used).unwrap();
        assert_eq!(used.matches("\n    //").count(), 11);
    }

    #[test]
    fn fields_of_the_caller_win() {
        let suite = Suite { name: "Stack".into(), ..Suite::default() };
        let text = default_scope(&suite, &[("k", "4"), ("ints", "0..k + 1"), ("bools", "[true]")]);
        let expected = "Scope(\n    suite: \"Stack\",\n    objects: {\"*\": \"k\"},\n    arrays: \"k\",\n    \
            floats: [0.0, 1.5],\n    chars: ['a', 'b'],\n    strings: [\"a\", \"b\"],\n    k: 4,\n    \
            ints: \"0..k + 1\",\n    bools: [true],\n)\n";
        assert_eq!(text, expected);
    }
}
