//! The layout of written tests: statements that are too long are broken as rustfmt breaks them.
//!
//! Tests have one statement per line, with rustfmt's spaces, so only its widths remain: a line has
//! at most [`MAX_WIDTH`] columns and the arguments of a call at most [`CALL_WIDTH`]. A longer call
//! has each argument on its own line. Other statements stay unchanged; `emit --rustfmt` breaks
//! these too, by the settings of the file's directory.

/// The columns of a line.
const MAX_WIDTH: usize = 100;
/// The columns of a call's arguments that share a line.
const CALL_WIDTH: usize = 60;

/// The source with long statements broken, without white space at its end.
pub(super) fn laid_out(source: &str) -> String {
    let mut text = String::with_capacity(source.len() + source.len() / 8);
    source.trim_end().lines().for_each(|line| push_line(&mut text, line));
    text
}

/// Appends a line, or the lines of its statement if that is too long for one.
pub(super) fn push_line(text: &mut String, line: &str) {
    // A shorter statement cannot have arguments that are too wide.
    let broken = if line.len() <= CALL_WIDTH { None } else { broken(line) };
    text.push_str(broken.as_deref().unwrap_or(line));
    text.push('\n');
}

/// The lines of a statement that is too long for one; `None` if it stays unchanged.
fn broken(line: &str) -> Option<String> {
    let statement = line.trim_start();
    let indent = line.len() - statement.len();
    let call = WideCall::of(statement.strip_suffix(';')?)?;
    if line.chars().count() <= MAX_WIDTH && width(call.inside) <= CALL_WIDTH {
        return None;
    }
    let arguments = call.arguments()?;
    let room = MAX_WIDTH.checked_sub(indent + 4 + 1)?;
    // rustfmt would break a single call among the arguments instead of this one.
    if arguments.len() < 2 || !arguments.iter().all(|one| width(one) <= room && is_narrow(one)) {
        return None;
    }
    let mut text = format!("{}{}(", &line[..indent], call.head);
    let last = arguments.len() - 1;
    for (index, argument) in arguments.into_iter().enumerate() {
        // A macro may not take a comma at its end.
        let comma = if index == last && call.head.ends_with('!') { "" } else { "," };
        text += &format!("\n{:indent$}    {argument}{comma}", "");
    }
    text += &format!("\n{:indent$});", "");
    Some(text)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// A call that ends a statement.
struct WideCall<'s> {
    /// The text before the parenthesis.
    head: &'s str,
    /// The text between the parentheses.
    inside: &'s str,
}

impl<'s> WideCall<'s> {
    /// The call that the whole expression is, with no other one before it.
    fn of(expression: &'s str) -> Option<Self> {
        let (head, rest) = expression.split_once('(')?;
        let inside = rest.strip_suffix(')')?;
        let is_whole = depths(inside).all(|(_, _, depth)| depth >= 0);
        is_whole.then_some(WideCall { head, inside })
    }

    /// The arguments, if the parentheses hold a list.
    fn arguments(&self) -> Option<Vec<&'s str>> {
        let mut arguments = Vec::new();
        let mut start = 0;
        let mut end_depth = 0;
        for (at, char, depth) in depths(self.inside) {
            if char == ',' && depth == 0 {
                arguments.push(self.inside[start..at].trim());
                start = at + 1;
            }
            end_depth = depth;
        }
        arguments.push(self.inside[start..].trim());
        (end_depth == 0 && arguments.iter().all(|one| !one.is_empty())).then_some(arguments)
    }
}

/// Returns whether rustfmt leaves an argument on one line: all lists in it are narrow, it is no
/// closure or block, and it is no chain of calls that is too wide.
fn is_narrow(argument: &str) -> bool {
    let mut open = Vec::new();
    for (at, char, _) in depths(argument) {
        match char {
            '(' | '[' => open.push(at),
            ')' | ']' => {
                let Some(start) = open.pop() else { return false };
                if width(&argument[start + 1..at]) > CALL_WIDTH {
                    return false;
                }
            }
            '{' | '|' => return false,
            _ => {}
        }
    }
    let n_links = depths(argument).filter(|&(_, char, depth)| char == '.' && depth == 0).count();
    open.is_empty() && (n_links < 2 || width(argument) <= CALL_WIDTH)
}

/// The characters of a source outside of its text and character literals, with their places and
/// the number of brackets open after each.
fn depths(source: &str) -> impl Iterator<Item = (usize, char, i32)> + '_ {
    let mut chars = source.char_indices().peekable();
    let mut depth = 0;
    std::iter::from_fn(move || {
        let (at, char) = chars.next()?;
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '"' => {
                while let Some((_, char)) = chars.next() {
                    match char {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '\'' => {
                // A lifetime has no quotation mark behind it.
                let rest = &source[at + 1..];
                let end = match rest.chars().next() {
                    Some('\\') => rest[2..].find('\'').map(|end| end + 2),
                    Some(char) => {
                        rest[char.len_utf8()..].starts_with('\'').then(|| char.len_utf8())
                    }
                    None => None,
                };
                if let Some(end) = end {
                    while chars.next_if(|&(next, _)| next <= at + 1 + end).is_some() {}
                }
            }
            _ => {}
        }
        Some((at, char, depth))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(laid_out(line), format!("{expected}\n"));
    }

    #[test]
    fn arguments_that_are_too_wide_have_lines_of_their_own() {
        check(
            r#"    assert_eq!(format!("{:?}", list.get(0)), "Err(OutOfRange { index: 0, len: 0 })");"#,
            "    assert_eq!(\n        format!(\"{:?}\", list.get(0)),\n        \
             \"Err(OutOfRange { index: 0, len: 0 })\"\n    );",
        );
        check(
            "    list.extend_by_three_values_with_long_names(first_value, second_value, third_value_of_all);",
            "    list.extend_by_three_values_with_long_names(first_value, second_value, third_value_of_all);",
        );
        check(
            "    call(the_first_argument_of_the_call, the_second_argument_of_it, the_third);",
            "    call(\n        the_first_argument_of_the_call,\n        the_second_argument_of_it,\n        \
             the_third,\n    );",
        );
    }

    #[test]
    fn brackets_and_commas_in_literals_are_none() {
        check(
            r#"    assert_eq!(format!("{:?}", list.nth(',', '\'', "a,(\"")), "Err(Out, of, Range, (, of)");"#,
            "    assert_eq!(\n        format!(\"{:?}\", list.nth(',', '\\'', \"a,(\\\"\")),\n        \
             \"Err(Out, of, Range, (, of)\"\n    );",
        );
    }

    #[test]
    fn short_statements_and_other_kinds_stay_as_they_are() {
        for line in [
            "    let list = List::new();",
            "    assert!(list.is_empty());",
            "/// A line of a doc comment with (parentheses), longer than the arguments of a call may be.",
            "    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| value.take(3)));",
        ] {
            check(line, line);
        }
    }
}
