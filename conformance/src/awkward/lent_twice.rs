//! Results that share with two arguments at once, of which a call may only borrow, change or take
//! each: whatever is not the result has ended when the next call is made.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Jar { bead: Rc<Cell<u8>> }
}

seen! {
    pub struct Knot { left: Rc<Cell<u8>>, right: Rc<Cell<u8>>, owners: u8 }
}

seen! {
    pub struct Scout { left: Weak<Cell<u8>>, right: Option<Rc<Cell<u8>>> }
}

impl Jar {
    pub fn new() -> Self {
        Jar { bead: Rc::default() }
    }

    /// Shares with both, which may be one.
    pub fn knot(&self, other: &Jar) -> Knot {
        Knot::of(&self.bead, &other.bead)
    }

    /// Exchanges what the two have, which stay structures of their own and share with the result.
    pub fn trade(&mut self, other: &mut Jar) -> Knot {
        std::mem::swap(&mut self.bead, &mut other.bead);
        self.bead.set(1);
        Knot::of(&self.bead, &other.bead)
    }

    /// Takes one of them; a bead that the other has is the same one.
    pub fn tie(self, other: &Jar) -> Knot {
        other.bead.set(2);
        Knot::of(&self.bead, &other.bead)
    }

    /// Watches the one and owns what the other has: the one is gone when the call has ended.
    pub fn scout(&self, other: &Jar) -> Scout {
        Scout { left: Rc::downgrade(&self.bead), right: Some(Rc::clone(&other.bead)) }
    }

    /// Either way the other one is part of what is returned.
    pub fn either(&self, other: &mut Knot) -> Result<Jar, Knot> {
        match self.bead.get() {
            0 => {
                other.left = Rc::clone(&self.bead);
                Ok(Jar { bead: Rc::clone(&other.right) })
            }
            _ => Err(Knot::of(&other.right, &self.bead)),
        }
    }
}

impl Knot {
    fn of(left: &Rc<Cell<u8>>, right: &Rc<Cell<u8>>) -> Knot {
        let (left, right) = (Rc::clone(left), Rc::clone(right));
        let owners = (Rc::strong_count(&left) + Rc::strong_count(&right)) as u8;
        Knot { left, right, owners }
    }

    /// Counts the owners, as a structure can tell.
    pub fn count(&mut self) {
        self.owners = (Rc::strong_count(&self.left) + Rc::strong_count(&self.right)) as u8;
    }

    /// Panics if anything else owns one of the beads, which is never so between two calls.
    pub fn own(&self) -> u8 {
        let owners = Rc::strong_count(&self.left) + Rc::strong_count(&self.right);
        let expected = if Rc::ptr_eq(&self.left, &self.right) { 4 } else { 2 };
        assert_eq!(owners, expected, "a bead has another owner");
        self.owners
    }

    /// Two that share, and the knot between them.
    pub fn split(self) -> (Jar, Knot, Jar) {
        let jar = |bead: &Rc<Cell<u8>>| Jar { bead: Rc::clone(bead) };
        (jar(&self.left), Knot::of(&self.left, &self.right), jar(&self.right))
    }
}

impl Scout {
    /// Panics unless what it watches is what it owns: nothing else can live.
    pub fn look(&self) -> bool {
        let seen = self.left.upgrade();
        let is_own = |seen: &Rc<_>| self.right.as_ref().is_some_and(|own| Rc::ptr_eq(own, seen));
        assert!(seen.as_ref().is_none_or(is_own), "it sees a bead that has ended");
        seen.is_some()
    }

    pub fn turn(&mut self) {
        self.right = self.left.upgrade();
    }
}

both! {
    /// Jars, knots between them and scouts.
    suite Jars "awkward::lent_twice" {
        for Jar {
            fn new() -> Self;
            fn knot(&self, other: &Jar) -> Knot;
            fn trade(&mut self, other: &mut Jar) -> Knot;
            fn tie(self, other: &Jar) -> Knot;
            fn scout(&self, other: &Jar) -> Scout;
            fn either(&self, other: &mut Knot) -> Result<Jar, Knot>;
        }
        for Knot {
            fn count(&mut self);
            fn own(&self) -> u8;
            fn split(self) -> (Jar, Knot, Jar);
        }
        for Scout {
            fn look(&self) -> bool;
            fn turn(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Jars, Scope::of(2))
}
