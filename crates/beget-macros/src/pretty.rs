//! Tokens as a person would write them, on one line.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

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

/// The tokens of an expression with the usual spaces, as far as they can be inferred.
pub(crate) fn pretty_expression(tokens: TokenStream) -> String {
    let mut text = String::new();
    write_expression(tokens, &mut text);
    text
}

fn write_expression(tokens: TokenStream, text: &mut String) {
    // True if an operand comes next, so that an operator before it is unary.
    let mut wants_operand = true;
    let mut operator = String::new();
    // True within the parameters of a closure.
    let mut in_parameters = false;
    // The number of open type argument lists.
    let mut n_open = 0_usize;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                operator.push(punct.as_char());
                let is_bar = operator == "|" && (in_parameters || wants_operand);
                let opens = operator == "::<" || n_open > 0 && operator == "<";
                if is_bar {
                    text.push_str(if in_parameters { "| " } else { "|" });
                    in_parameters = !in_parameters;
                } else if opens || n_open > 0 && operator == ">" {
                    n_open = if opens { n_open + 1 } else { n_open - 1 };
                    text.push_str(&operator);
                    wants_operand = opens;
                    operator.clear();
                    continue;
                } else if punct.spacing() == Spacing::Alone || operator == "?" {
                    write_operator(&operator, wants_operand, text);
                } else {
                    continue;
                }
                wants_operand = operator != "?";
                operator.clear();
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write_expression(group.stream(), text);
                text.push_str(close);
                wants_operand = false;
            }
            other => {
                if !wants_operand {
                    text.push(' ');
                }
                let word = other.to_string();
                text.push_str(&word);
                wants_operand =
                    matches!(&*word, "move" | "mut" | "ref" | "return" | "if" | "match");
                if wants_operand {
                    text.push(' ');
                }
            }
        }
    }
}

fn write_operator(operator: &str, is_unary: bool, text: &mut String) {
    match operator {
        "." | "?" | "::" | ".." | "..=" | "\'" => text.push_str(operator),
        "," | ";" | ":" => {
            text.push_str(operator);
            text.push(' ');
        }
        _ if is_unary => text.push_str(operator),
        // A macro's name, as in `matches!(...)`.
        "!" => text.push('!'),
        _ => {
            text.push(' ');
            text.push_str(operator);
            text.push(' ');
        }
    }
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
    fn expressions_are_written_with_the_usual_spaces() {
        let check = |source: &str| {
            let tokens: proc_macro2::TokenStream = source.parse().unwrap();
            assert_eq!(super::pretty_expression(tokens), source);
        };
        check("self.items.last() == Some(&value)");
        check("index < self.len() && !self.is_full()");
        check("*result == Ok(old(self.len()) + other.len())");
        check("matches!(self, Counter { n: 1.. })");
        check("self.0[..index].first() != Some(&-1)");
        check("a::b(x?, 'c') >= \"d\".len() || y");
        check("self.items.iter().all(|item| *item < limit | 1)");
        check("pairs.iter().any(|&(key, _)| key == 1) || done");
        check("items.fold(0, |mut sum: u8, item| sum + item) | mask");
        check("move |at: &u8| !*at");
        check("on(|| x || y)");
        check("self.iter().collect::<Vec<_>>() == [1] && a < b && c > d");
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
