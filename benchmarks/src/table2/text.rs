//! Help for writing tables.

use super::data::{Ours, Statement};

/// Seconds with as many digits as mean something.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 9.995 => format!("{seconds:.2}"),
        seconds if seconds < 99.95 => format!("{seconds:.1}"),
        seconds => format!("{seconds:.0}"),
    }
}

/// Names of methods, as code.
pub(super) fn names(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(super) fn yes_no(flag: Option<bool>) -> &'static str {
    match flag {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    }
}

/// A field of a CSV file, quoted where it has to be.
pub(super) fn field(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The list of statements with ours beside it; `ours` is `None` for what was not measured.
pub(super) fn statements<'s>(
    statements: impl Iterator<Item = &'s Statement>,
    ours: impl Fn(&Ours) -> Option<String>,
) -> String {
    let mut text = "## What the papers' texts state\n\n".to_owned();
    for Statement { source, text: stated, ours: figure } in statements {
        let figure = ours(figure).unwrap_or_else(|| "not measured".to_owned());
        text += &format!("- {stated} ({source}) **Ours:** {figure}.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_mean_something() {
        assert_eq!(
            [0.0, 1.236, 9.996, 45.67, 1234.5].map(seconds),
            ["0.00", "1.24", "10.0", "45.7", "1234"]
        );
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!([field("a b"), field("a,b"), field("a\"b")], ["a b", "\"a,b\"", "\"a\"\"b\""]);
    }
}
