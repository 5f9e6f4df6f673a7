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
pub fn first_names(line: &str) -> impl Iterator<Item = &str> {
    let (bytes, mut at) = (line.as_bytes(), 0);
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            at = end_of_part(line, start);
            let first = bytes[start];
            // The suffix of a number is no name.
            if is_in_name(first) && !first.is_ascii_digit() {
                let (word, after) = (&line[start..at], &bytes[at..]);
                let is_first = start == 0 || !matches!(bytes[start - 1], b'.' | b':');
                let is_item = after.starts_with(b"::")
                    || after.starts_with(b"(")
                    || word.starts_with(char::is_uppercase);
                if is_first && is_item && !after.starts_with(b"!") {
                    return Some(word);
                }
            }
        }
        None
    })
}

/// The end of the literal, word, comment or other character that begins at a place in a line.
fn end_of_part(line: &str, start: usize) -> usize {
    let bytes = line.as_bytes();
    match bytes[start] {
        b'"' => start + end_of_text(&line[start..]),
        b'\'' => start + end_of_char(&line[start..]),
        b'/' if bytes.get(start + 1) == Some(&b'/') => bytes.len(),
        first if is_in_name(first) => {
            let is_end = |&byte: &u8| !is_in_name(byte);
            bytes[start..].iter().position(is_end).map_or(bytes.len(), |length| start + length)
        }
        _ => start + 1,
    }
}

/// Returns whether a byte can belong to a name: outside of literals all characters beyond ASCII do.
fn is_in_name(byte: u8) -> bool {
    IS_IN_NAME[usize::from(byte)]
}

/// The answers of [`is_in_name`]. A file of tests has tens of millions of bytes to ask about.
const IS_IN_NAME: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        all[byte] = value.is_ascii_alphanumeric() || value == b'_' || !value.is_ascii();
        byte += 1;
    }
    all
};

/// The length of the text literal that a source begins with.
fn end_of_text(source: &str) -> usize {
    let mut is_escaped = false;
    let inside = source.bytes().skip(1);
    let length = inside.take_while(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        !is_end
    });
    (length.count() + 2).min(source.len())
}

/// The length of the character that a source begins with; of a lifetime only its quotation mark.
fn end_of_char(source: &str) -> usize {
    let mut chars = source.char_indices().skip(1);
    let is_escaped = chars.next().is_some_and(|(_, char)| char == '\\');
    let end = match is_escaped {
        true => chars.skip(1).find(|&(_, char)| char == '\''),
        false => chars.next().filter(|&(_, char)| char == '\''),
    };
    match end {
        Some((end, _)) => end + 1,
        None if is_escaped => source.len(),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_calls_have_first_names() {
        let of = |line| first_names(line).collect::<Vec<_>>().join(" ");
        assert_eq!(of("let mut stack = Stack::<u8>::new(1_u8);"), "Stack");
        assert_eq!(of("stack.push(Color::Red, 'x', '\\'', \"Not::This()\");"), "Color");
        assert_eq!(of("assert_eq!(even::retain(&mut q), Some(&Red));"), "even Some Red");
        assert_eq!(of("retain(&mut q); // Nothing::here()"), "retain");
        assert_eq!(of("// Nothing::here()"), "");
        assert_eq!(of("f(1 / A::new())"), "f A");
        assert_eq!(of("let _ = x.remove::<Odd>(Key { id: 1 });"), "Odd Key");
    }

    #[test]
    fn literals_end_where_rust_ends_them() {
        let of = |line| first_names(line).collect::<Vec<_>>().join(" ");
        assert_eq!(of(r#"f("\\", A, "\"", B, "", C)"#), "f A B C");
        assert_eq!(of(r"f('\\', A, '\'', B, '\u{e9}', C, 'é', D)"), "f A B C D");
        assert_eq!(of(r"f(['A','B'], '\u{E9}', C)"), "f C");
        assert_eq!(of("f::<'a, A>(&'static B)"), "f A B");
        assert_eq!(of("Größe::new(\"É(\").É(1_u8)"), "Größe");
        // Neither has an end.
        assert_eq!(of("A, \"B"), "A");
        assert_eq!(of("A, '\\B"), "A");
    }

    #[test]
    fn lines_bring_names() {
        assert_eq!(name_of("use crate::a::Stack;"), "Stack");
        assert_eq!(name_of("use crate::Stack;"), "Stack");
        assert_eq!(name_of("type Graph = petgraph::Graph<(), ()>;"), "Graph");
        assert_eq!(name_of("type Pair<T> = (T, T);"), "Pair");
    }
}
