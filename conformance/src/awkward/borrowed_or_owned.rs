//! `Cow`: borrowed and owned texts with the same contents are told apart by a `match`.

use std::borrow::Cow;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight, Token};

#[derive(Clone, beget::Heap)]
pub struct Title {
    text: Cow<'static, str>,
    n_written: u8,
}

impl Show for Title {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.put(Token::Variant(matches!(self.text, Cow::Owned(_)).into()));
        sight.text(self.text.as_bytes());
        self.n_written.show(sight);
    }
}

impl Title {
    pub fn new() -> Self {
        Title { text: Cow::Borrowed("a"), n_written: 0 }
    }

    pub fn own(&mut self) {
        self.text.to_mut();
    }

    pub fn push(&mut self, letter: char) {
        self.text.to_mut().push(letter);
    }

    pub fn cut(&mut self) {
        match &mut self.text {
            Cow::Borrowed(text) => *text = text.get(1..).unwrap_or("a"),
            Cow::Owned(text) => drop(text.pop()),
        }
    }

    /// Writes only to what is owned.
    pub fn write(&mut self) {
        if let Cow::Owned(_) = self.text {
            self.n_written = (self.n_written + 1) % 3;
        }
    }

    pub fn forget(&mut self) {
        self.text = Cow::Borrowed("");
    }
}

both! {
    /// Titles.
    suite Titles "awkward::borrowed_or_owned" {
        for Title {
            fn new() -> Self;
            fn own(&mut self);
            fn push(&mut self, letter: char);
            fn cut(&mut self);
            fn write(&mut self);
            fn forget(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Titles, Scope { chars: vec!['a', 'b'], arrays: 3, ..Scope::of(2) })
}
