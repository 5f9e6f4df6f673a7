//! Texts and characters, up to a length in bytes.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Line { text: String, mark: Option<char>, words: Vec<String> }
}

impl Line {
    pub fn new(text: &str) -> Self {
        Line { text: text.to_owned(), mark: None, words: Vec::new() }
    }

    pub fn push(&mut self, letter: char) {
        self.text.push(letter);
        self.mark = Some(letter);
    }

    pub fn pop(&mut self) {
        self.mark = self.text.pop();
    }

    pub fn cut(&mut self) {
        self.words.push(std::mem::take(&mut self.text));
    }

    pub fn replace(&mut self, text: Option<String>) -> String {
        std::mem::replace(&mut self.text, text.unwrap_or_default())
    }
}

both! {
    /// Lines.
    suite Lines "awkward::texts" {
        for Line {
            fn new(text: &str) -> Self;
            fn push(&mut self, letter: char);
            fn pop(&mut self);
            fn cut(&mut self);
            fn replace(&mut self, text: Option<String>) -> String;
        }
    }
}

pub fn case() -> Case {
    let (strings, chars) = (vec!["", "ä", "a\u{0}"], vec!['a', '\u{10ffff}']);
    crate::case!(Lines, Scope { strings, chars, arrays: 1, ..Scope::of(2) })
}
