//! Scopes in which hardly anything fits: constructors beyond them, one that always panics.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Giant { limbs: Vec<Box<u8>> }
}

impl Giant {
    pub fn new(limbs: usize) -> Self {
        Giant { limbs: (0..limbs).map(|_| Box::new(0)).collect() }
    }

    pub fn fail(limbs: u8) -> Option<Giant> {
        if limbs == 0 { None } else { panic!("no giant with {limbs} limbs") }
    }

    pub fn grow(&mut self) {
        self.limbs.push(Box::new(1));
    }

    pub fn halve(&mut self) {
        self.limbs.truncate(self.limbs.len() / 2);
    }
}

both! {
    /// Giants.
    suite Giants "awkward::nothing_in_scope" {
        for Giant {
            fn new(limbs: usize) -> Self;
            fn fail(limbs: u8) -> Option<Giant>;
            fn grow(&mut self);
            fn halve(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Giants, Scope { ints: vec![2, 0, 1], ..Scope::of(1) })
}
