//! Values that the compiler keeps in the unused patterns of others: none of them is told by its
//! memory alone.

use std::num::NonZeroU8;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone, Copy)]
    pub enum Signal { Off, On(flag: bool), Count(count: NonZeroU8), Deep(inner: Option<Option<bool>>) }
}

seen! {
    #[derive(Clone)]
    pub struct Niches {
        small: Option<NonZeroU8>,
        nested: Option<Option<Option<bool>>>,
        letter: Option<Option<char>>,
        boxed: Option<Option<Box<u8>>>,
        shared: Option<Rc<Option<NonZeroU8>>>,
        signal: Option<Signal>,
        outcome: Result<Option<Box<u8>>, Signal>
    }
}

impl Niches {
    pub fn new() -> Self {
        Niches {
            small: None,
            nested: None,
            letter: None,
            boxed: None,
            shared: None,
            signal: None,
            outcome: Ok(None),
        }
    }

    pub fn small(&mut self, value: u8) {
        self.small = NonZeroU8::new(value);
        self.signal = self.small.map(Signal::Count);
    }

    /// A layer more, up to the innermost.
    pub fn nest(&mut self, flag: bool) {
        (self.letter, self.boxed) = (None, None);
        self.nested = match self.nested {
            None => Some(None),
            Some(None) => Some(Some(None)),
            Some(Some(_)) => Some(Some(Some(flag))),
        };
        self.signal = self.nested.map(Signal::Deep);
    }

    /// Of these three only one is something at a time, so that the space stays small.
    pub fn letter(&mut self) {
        (self.nested, self.boxed) = (None, None);
        self.letter = match self.letter {
            None => Some(None),
            Some(None) => Some(Some(char::MAX)),
            Some(Some(_)) => None,
        };
    }

    pub fn boxed(&mut self, value: u8) {
        (self.nested, self.letter) = (None, None);
        self.boxed = match self.boxed.take() {
            None => Some(None),
            Some(None) => Some(Some(Box::new(value))),
            Some(Some(_)) => None,
        };
    }

    pub fn share(&mut self) {
        self.shared = Some(Rc::new(self.small));
    }

    pub fn end(&mut self) {
        self.outcome = match self.signal {
            None => Ok(None),
            Some(Signal::Count(count)) => Ok(Some(Box::new(count.get()))),
            Some(signal) => Err(signal),
        };
        (self.nested, self.small) = (None, None);
    }

    pub fn switch(&mut self, flag: bool) {
        self.signal = Some(if flag { Signal::On(true) } else { Signal::Off });
    }
}

both! {
    /// Niches.
    suite Holders "awkward::niches" {
        for Niches {
            fn new() -> Self;
            fn small(&mut self, value: u8);
            fn nest(&mut self, flag: bool);
            fn letter(&mut self);
            fn boxed(&mut self, value: u8);
            fn share(&mut self);
            fn end(&mut self);
            fn switch(&mut self, flag: bool);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Holders, Scope::of(2))
}
