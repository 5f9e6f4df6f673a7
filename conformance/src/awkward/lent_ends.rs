//! A result that shares with the argument it is made from, and methods that tell whether the
//! argument still lives: it does while the call runs, and has ended before the next one.

use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Link { value: u8, next: Option<Rc<Link>> }
}

seen! {
    pub struct Chain { first: Option<Rc<Link>> }
}

seen! {
    pub struct End { last: Option<Rc<Link>>, owners: u8 }
}

seen! {
    pub struct Watch { watched: Weak<Link>, own: Option<Rc<Link>> }
}

impl Chain {
    pub fn new() -> Self {
        Chain { first: None }
    }

    pub fn push(&mut self, value: u8) {
        self.first = Some(Rc::new(Link { value, next: self.first.take() }));
    }

    /// What the last link is, and how many own it while the chain lives.
    pub fn end(&self) -> End {
        let mut last = self.first.clone();
        while let Some(next) = last.as_ref().and_then(|link| link.next.clone()) {
            last = Some(next);
        }
        End::of(last)
    }

    /// Both share; one of them may be meant.
    pub fn halves(&self) -> (Chain, End) {
        (Chain { first: self.first.clone() }, self.end())
    }

    /// Takes over what the other has.
    pub fn adopt(&mut self, other: &End) {
        self.first = other.last.clone();
    }

    /// Changes its first link if nobody else owns it.
    pub fn change(&mut self) {
        if let Some(link) = self.first.as_mut().and_then(Rc::get_mut) {
            link.value = 2;
        }
    }

    /// Owns what it watches, so it is whole by itself.
    pub fn watch(&self) -> Option<Watch> {
        let first = self.first.clone()?;
        Some(Watch { watched: Rc::downgrade(&first), own: Some(first) })
    }
}

impl End {
    fn of(last: Option<Rc<Link>>) -> End {
        let owners = last.as_ref().map_or(0, Rc::strong_count) as u8;
        End { last, owners }
    }

    /// Whether something else owns the link, as a structure can tell.
    pub fn count(&mut self) {
        self.owners = self.last.as_ref().map_or(0, Rc::strong_count) as u8;
    }

    /// Panics if the chain that it is the end of still lives, which is never so: it has ended when
    /// the next call is made.
    pub fn shared(&self) -> bool {
        let is_shared = self.last.as_ref().is_some_and(|link| Rc::strong_count(link) > 1);
        assert!(!is_shared, "the end is shared");
        is_shared
    }

    /// Panics if it has a link that nobody else owns.
    pub fn only(&self) -> u8 {
        let is_alone = self.last.as_ref().is_some_and(|link| Rc::strong_count(link) == 1);
        assert!(!is_alone || self.owners < 2, "the end is alone, {} owned it", self.owners);
        self.owners
    }
}

impl Watch {
    /// What it watches lives as long as something owns it.
    pub fn forget(&mut self) {
        self.own = None;
    }

    pub fn regain(&mut self) -> bool {
        self.own = self.watched.upgrade();
        self.own.is_some()
    }
}

both! {
    /// Chains and their ends.
    suite Chains "awkward::lent_ends" {
        for Chain {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn end(&self) -> End;
            fn halves(&self) -> (Chain, End);
            fn adopt(&mut self, other: &End);
            fn change(&mut self);
            fn watch(&self) -> Option<Watch>;
        }
        for End {
            fn count(&mut self);
            fn shared(&self) -> bool;
            fn only(&self) -> u8;
        }
        for Watch {
            fn forget(&mut self);
            fn regain(&mut self) -> bool;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Chains, Scope { ints: vec![0, 1], ..Scope::of(2) })
}
