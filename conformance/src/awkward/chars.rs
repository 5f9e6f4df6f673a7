//! Characters next to the gap of the surrogates, and those that become several.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Letters { last: char, all: Vec<char>, text: String, n_steps: u8 }
}

impl Letters {
    pub fn new(first: char) -> Self {
        Letters { last: first, all: Vec::new(), text: String::new(), n_steps: 0 }
    }

    /// The next one there is, twice at most.
    pub fn next(&mut self) {
        if self.n_steps < 2 {
            self.n_steps += 1;
            self.last = (self.last..=char::MAX).nth(1).unwrap_or('\0');
        }
    }

    pub fn keep(&mut self) {
        self.all.push(self.last);
        self.text.push(self.last);
    }

    pub fn raise(&mut self) {
        self.text = self.text.to_uppercase();
        if let Some(first) = self.text.chars().next() {
            self.last = first;
        }
    }

    pub fn turn(&mut self) {
        self.all.reverse();
        self.text = self.text.chars().rev().collect();
    }
}

both! {
    /// Letters.
    suite AllLetters "awkward::chars" {
        for Letters {
            fn new(first: char) -> Self;
            fn next(&mut self);
            fn keep(&mut self);
            fn raise(&mut self);
            fn turn(&mut self);
        }
    }
}

pub fn case() -> Case {
    let chars = vec!['ß', '\u{d7fe}', '\u{10fffe}'];
    crate::case!(AllLetters, Scope { chars, arrays: 4, ..Scope::of(2) })
}
