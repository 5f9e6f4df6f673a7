//! Options of options, results and tuples in place, arrays of boxes.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Nest {
        deep: Option<Option<Option<u8>>>, either: Result<Option<bool>, (u8, i8)>, pair: [Option<Box<u8>>; 2]
    }
}

impl Nest {
    pub fn new(deep: Option<Option<u8>>) -> Self {
        Nest { deep: deep.map(Some), either: Ok(None), pair: [None, None] }
    }

    pub fn wrap(&mut self) {
        self.deep = Some(self.deep.take().flatten());
    }

    pub fn fail(&mut self, code: (u8, Option<bool>)) {
        self.either = match code.1 {
            Some(true) => Err((code.0, -1)),
            other => Ok(other),
        };
    }

    pub fn fill(&mut self, value: u8) {
        self.pair.swap(0, 1);
        self.pair[0] = Some(Box::new(value));
    }

    pub fn clear(&mut self) {
        self.pair[1] = None;
        self.deep = None;
    }
}

both! {
    /// Nests.
    suite Nests "awkward::options" {
        for Nest {
            fn new(deep: Option<Option<u8>>) -> Self;
            fn wrap(&mut self);
            fn fail(&mut self, code: (u8, Option<bool>));
            fn fill(&mut self, value: u8);
            fn clear(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Nests, Scope::of(2))
}
