//! Several types in a suite: some alike, one without a constructor of its own.

use crate::case::{Case, Scope};
use crate::{both, lent, seen};

seen! {
    #[derive(Clone)]
    pub struct Red { n: u8 }
}

seen! {
    #[derive(Clone)]
    pub struct Blue { n: u8 }
}

seen! {
    #[derive(Clone)]
    pub struct Mix { red: Red, blue: Option<Box<Blue>> }
}

impl Red {
    pub fn new() -> Self {
        Red { n: 0 }
    }

    pub fn more(&mut self) {
        self.n = (self.n + 1) % 3;
    }

    pub fn turn(self) -> Blue {
        Blue { n: self.n }
    }
}

impl Blue {
    pub fn back(&self) -> (Red, Blue) {
        (Red { n: self.n }, Blue { n: 2 - self.n.min(2) })
    }

    pub fn mix(self, red: Red) -> Mix {
        Mix { red, blue: Some(Box::new(self)) }
    }
}

impl Mix {
    pub fn red(&self) -> &Red {
        &self.red
    }

    pub fn blue(&mut self) -> Option<&mut Blue> {
        self.blue.as_deref_mut()
    }

    pub fn part(self) -> (Red, Option<Box<Blue>>) {
        (self.red, self.blue)
    }

    pub fn wash(&mut self, other: &mut Mix, red: &Red) {
        self.blue = other.blue.take();
        other.red.n = red.n;
    }
}

lent!(Red, Blue);

both! {
    /// Colours.
    suite Colours "awkward::several_types" {
        for Mix {
            fn red(&self) -> &Red;
            fn blue(&mut self) -> Option<&mut Blue>;
            fn part(self) -> (Red, Option<Box<Blue>>);
            fn wash(&mut self, other: &mut Mix, red: &Red);
        }
        for Red {
            fn new() -> Self;
            fn more(&mut self);
            fn turn(self) -> Blue;
        }
        for Blue {
            fn back(&self) -> (Red, Blue);
            fn mix(self, red: Red) -> Mix;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Colours, Scope::of(2))
}
