//! An enum whose variants hold counted pointers: what they share, and how many they are, decides
//! calls.

use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub enum Term { Leaf(value: Rc<u8>), Twice(left: Rc<u8>, right: Rc<u8>), Same { whole: Rc<Term> } }
}

impl Term {
    pub fn leaf(value: u8) -> Term {
        Term::Leaf(Rc::new(value))
    }

    /// Both sides are one object.
    pub fn double(self) -> Term {
        match self {
            Term::Leaf(value) => Term::Twice(Rc::clone(&value), value),
            other => other,
        }
    }

    /// Both sides are equal objects.
    pub fn part(&mut self) {
        if let Term::Twice(left, right) = self {
            *left = Rc::new(**right);
        }
    }

    pub fn wrap(self) -> Term {
        Term::Same { whole: Rc::new(self) }
    }

    /// Only if nobody else has it.
    pub fn unwrap(self) -> Option<Term> {
        match self {
            Term::Same { whole } => Rc::try_unwrap(whole).ok(),
            _ => None,
        }
    }

    /// Writes to what is not shared.
    pub fn write(&mut self, value: u8) {
        match self {
            Term::Leaf(leaf) => *Rc::make_mut(leaf) = value,
            Term::Twice(left, _) => {
                if let Some(left) = Rc::get_mut(left) {
                    *left = value;
                }
            }
            Term::Same { whole } => {
                if let Some(whole) = Rc::get_mut(whole) {
                    whole.write(value);
                }
            }
        }
    }

    /// What the two have in common.
    pub fn join(&mut self, other: &Term) {
        if let (Term::Twice(left, _), Term::Leaf(value)) = (self, other) {
            *left = Rc::new(Rc::strong_count(value) as u8);
        }
    }
}

both! {
    /// Terms.
    suite Terms "awkward::shared_variants" {
        for Term {
            fn leaf(value: u8) -> Term;
            fn double(self) -> Term;
            fn part(&mut self);
            fn wrap(self) -> Term;
            fn unwrap(self) -> Option<Term>;
            fn write(&mut self, value: u8);
            fn join(&mut self, other: &Term);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Terms, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
