//! Tokens as a person would write them on one line.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The tokens of a type or signature with the usual spaces.
pub(crate) fn pretty(tokens: TokenStream) -> String {
    let mut pieces = Vec::new();
    flatten(tokens, &mut pieces);
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 && is_spaced(&pieces[index - 1], piece) {
            text.push(' ');
        }
        text.push_str(piece);
    }
    text
}

/// The tokens in order, with `->`, `::` and lifetimes in one piece.
fn flatten(tokens: TokenStream, pieces: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                push(open, pieces);
                flatten(group.stream(), pieces);
                push(close, pieces);
            }
            other => push(&other.to_string(), pieces),
        }
    }
}

fn push(piece: &str, pieces: &mut Vec<String>) {
    match pieces.last_mut() {
        Some(last) if matches!((&**last, piece), ("-", ">") | (":", ":") | ("\'", _)) => {
            last.push_str(piece);
        }
        _ if piece.is_empty() => {}
        _ => pieces.push(piece.to_owned()),
    }
}

fn is_spaced(before: &str, after: &str) -> bool {
    let ends_name = |piece: &str| {
        let is_word = piece.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        is_word && !matches!(piece, "mut" | "const" | "dyn" | "impl" | "as")
    };
    match (before, after) {
        ("(" | "[" | "<" | "&" | "*" | "::", _) => false,
        (_, ")" | "]" | ">" | "," | ";" | ":") => false,
        (_, "(") => !(ends_name(before) || before == ">"),
        (_, "<" | "::") => !(ends_name(before) || before == ">"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[track_caller]
    fn check(source: &str) {
        let tokens: proc_macro2::TokenStream = source.parse().unwrap();
        assert_eq!(pretty(tokens), source);
    }

    #[test]
    fn signatures_are_written_on_one_line_with_the_usual_spaces() {
        check("fn push(&mut self, value: u8)");
        check("fn get<'a>(&'a self, at: usize) -> Option<&'a u8>");
        check("fn append(&mut self, other: &mut Self) -> Result<(), String>");
        check("fn split(self) -> (Self, Self)");
        check("fn fill(&mut self, with: &[u8]) -> [u8; 4]");
        check("fn new() -> Self");
        check("fn all(self: Box<Self>, of: (u8, bool)) -> Box<dyn Fn(u8) -> u8 + Send>");
        check("fn r#type(&self, r#fn: std::vec::Vec<u8>) -> ::core::option::Option<u8>");
    }

    #[test]
    fn types_are_written_with_the_usual_spaces() {
        check("*mut Node<T>");
        check("Option<NonNull<Node<T>>>");
        check("&'static str");
        check("HashMap<String, Vec<(u8, [i32; 3])>>");
        check("fn(u8) -> bool");
    }
}
