//! Names in statements of source: those that must be brought into scope, and the one that a line
//! brings.

/// The name that a `use` or a `type` brings into scope.
pub fn name_of(line: &str) -> &str {
    let (first, second) = line.split_once(" = ").unwrap_or((line, ""));
    let path = if second.is_empty() { first.trim_end_matches(';') } else { first };
    let last = path.rsplit([':', ' ']).next().unwrap_or(path);
    last.split('<').next().unwrap_or(last)
}

/// Returns whether a name is in scope everywhere, or is one that tests define themselves.
pub fn is_known_everywhere(name: &str) -> bool {
    const KNOWN: [&str; 29] = [
        "Box", "Err", "None", "Ok", "Option", "Result", "Some", "String", "ToString", "Vec",
        "beget", "core", "drop", "f32", "f64", "std", "u8", "u16", "u32", "u64", "u128", "usize",
        "i8", "i16", "i32", "i64", "i128", "isize", "Default",
    ];
    KNOWN.contains(&name)
}

/// The first names of paths and calls in a statement: `Stack` of `Stack::new()`, `push_to` of
/// `push_to(&mut stack)`, `Red` of `f(Red)`. Names of variables begin with a small letter and are
/// not followed by a path or call.
pub fn first_names(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    let chars: Vec<char> = line.chars().collect();
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '"' => at = end_of_text(&chars, at),
            '\'' => at = end_of_char(&chars, at),
            '/' if chars.get(at + 1) == Some(&'/') => break,
            char if is_name(char) && !char.is_ascii_digit() => {
                let end = (at..chars.len()).find(|&end| !is_name(chars[end]));
                let end = end.unwrap_or(chars.len());
                let word: String = chars[at..end].iter().collect();
                let before = at.checked_sub(1).map(|before| chars[before]);
                let is_first = !matches!(before, Some('.' | ':'));
                let follows =
                    |text: &str| chars[end..].iter().collect::<String>().starts_with(text);
                let is_item = char.is_uppercase() || follows("::") || follows("(");
                if is_first && is_item && !follows("!") {
                    names.push(word);
                }
                at = end;
            }
            // The suffix of a number is no name.
            char if char.is_ascii_digit() => {
                let end = (at..chars.len()).find(|&end| !is_name(chars[end]));
                at = end.unwrap_or(chars.len());
            }
            _ => at += 1,
        }
    }
    names
}

/// The position after the text that begins here.
fn end_of_text(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The position after the character that begins here; a lifetime has no end.
fn end_of_char(chars: &[char], start: usize) -> usize {
    match chars.get(start + 1) {
        Some('\\') => {
            let mut end = start + 3;
            while end < chars.len() && chars[end] != '\'' {
                end += 1;
            }
            end + 1
        }
        _ if chars.get(start + 2) == Some(&'\'') => start + 3,
        _ => start + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_calls_have_first_names() {
        let of = |line| first_names(line).join(" ");
        assert_eq!(of("let mut stack = Stack::<u8>::new(1_u8);"), "Stack");
        assert_eq!(of("stack.push(Color::Red, 'x', '\\'', \"Not::This()\");"), "Color");
        assert_eq!(of("assert_eq!(even::retain(&mut q), Some(&Red));"), "even Some Red");
        assert_eq!(of("retain(&mut q); // Nothing::here()"), "retain");
        assert_eq!(of("let _ = x.remove::<Odd>(Key { id: 1 });"), "Odd Key");
    }

    #[test]
    fn lines_bring_names() {
        assert_eq!(name_of("use crate::a::Stack;"), "Stack");
        assert_eq!(name_of("use crate::Stack;"), "Stack");
        assert_eq!(name_of("type Graph = petgraph::Graph<(), ()>;"), "Graph");
        assert_eq!(name_of("type Pair<T> = (T, T);"), "Pair");
    }
}
