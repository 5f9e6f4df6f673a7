//! A scope for a first run, chosen from the suite.

use std::fmt::Write as _;

use beget_suite::Suite;

/// The fields of a scope for any suite, apart from its name, with their values as a scope file has
/// them.
const FIELDS: [(&str, &str); 7] = [
    ("k", "3"),
    ("objects", r#"{"*": "k"}"#),
    ("arrays", r#""k""#),
    ("ints", r#""0..k""#),
    ("floats", "[0.0, 1.5]"),
    ("chars", "['a', 'b']"),
    ("strings", r#"["a", "b"]"#),
];

/// The text of a scope file for `suite`: k = 3, at most k objects of each class and elements of
/// each array, k integers, two literals of each other kind, all methods. `fields` are written in
/// their places or besides. An expression among them may stand without quotes: `0..4`.
pub fn default_scope<S: AsRef<str>>(suite: &Suite, fields: &[(S, S)]) -> String {
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_ref(), as_ron(value.as_ref()))).collect();
    let is_given = |name: &str| fields.iter().any(|(given, _)| *given == name);
    let mut text = format!("Scope(\n    suite: {:?},\n", suite.name);
    for (name, value) in FIELDS.iter().filter(|(name, _)| !is_given(name)) {
        let _ = writeln!(text, "    {name}: {value},");
    }
    for (name, value) in &fields {
        let _ = writeln!(text, "    {name}: {value},");
    }
    text + ")\n"
}

/// A value as a scope file has it: expressions are texts there.
fn as_ron(value: &str) -> String {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let is_variant = value.starts_with(|letter: char| letter.is_ascii_uppercase());
    match is_number || is_variant || value.starts_with(['[', '(', '{', '"']) {
        true => value.to_owned(),
        false => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
