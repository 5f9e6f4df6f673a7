//! The literals in Rust source.

use std::str::FromStr;

use beget_suite::Pools;
use proc_macro2::{TokenStream, TokenTree};

/// The literals of a text, each once, in order.
///
/// # Errors
///
/// If the text cannot be split into Rust's tokens.
pub fn literals_of(text: &str) -> Result<Pools, proc_macro2::LexError> {
    let mut found = LiteralCollector::default();
    found.collect(TokenStream::from_str(text)?);
    let LiteralCollector { ints, floats, chars, strings, .. } = found;
    Ok(Pools {
        ints: Some(ints),
        floats: Some(floats),
        chars: Some(chars),
        strings: Some(strings),
        clamp: true,
        longest: 1,
        ..Pools::default()
    })
}

#[derive(Default)]
struct LiteralCollector {
    ints: Vec<i128>,
    floats: Vec<f64>,
    chars: Vec<char>,
    strings: Vec<String>,
    is_negative: bool,
}

impl LiteralCollector {
    fn collect(&mut self, tokens: TokenStream) {
        for token in tokens {
            let is_negative = std::mem::take(&mut self.is_negative);
            match token {
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Punct(punct) => self.is_negative = punct.as_char() == '-',
                TokenTree::Literal(literal) => self.add(&literal.to_string(), is_negative),
                TokenTree::Ident(_) => {}
            }
        }
    }

    fn add(&mut self, source: &str, is_negative: bool) {
        match syn::parse_str::<syn::Lit>(source) {
            Ok(syn::Lit::Int(int)) => {
                if let Ok(int) = int.base10_parse::<i128>() {
                    push_new(&mut self.ints, if is_negative { -int } else { int });
                }
            }
            Ok(syn::Lit::Float(float)) => {
                if let Ok(float) = float.base10_parse::<f64>() {
                    push_new(&mut self.floats, if is_negative { -float } else { float });
                }
            }
            Ok(syn::Lit::Char(char)) => push_new(&mut self.chars, char.value()),
            Ok(syn::Lit::Str(text)) => push_new(&mut self.strings, text.value()),
            _ => {}
        }
    }
}

fn push_new<T: PartialEq>(values: &mut Vec<T>, value: T) {
    if !values.contains(&value) {
        values.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_wherever_they_stand() {
        let text = r#"
            const LIMIT: u32 = 0x10_u32;
            /// A doc comment is an attribute with a text.
            fn f(x: i64) -> &'static str {
                match x { -7 => "a\n", 1_000 | 7 => { if g(2.5, 'q', &[16]) { "b" } else { "b" } } _ => "c" }
            }
        "#;
        let pools = literals_of(text).unwrap();
        assert_eq!(pools.ints, Some(vec![16, -7, 1000, 7]));
        assert_eq!(pools.floats, Some(vec![2.5]));
        assert_eq!(pools.chars, Some(vec!['q']));
        let doc = " A doc comment is an attribute with a text.".to_owned();
        let texts = [doc, "a\n".to_owned(), "b".to_owned(), "c".to_owned()];
        assert_eq!(pools.strings, Some(texts.to_vec()));
        // A type takes those that fit it, and lists of one of them.
        assert_eq!((pools.clamp, pools.longest), (true, 1));
    }

    #[test]
    fn what_is_no_rust_is_refused() {
        assert!(literals_of("fn f( {").is_err());
    }
}
