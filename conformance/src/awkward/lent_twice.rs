//! Results that share with two arguments at once, of which a call may only borrow, change or take
//! each: whatever is not the result has ended when the next call is made.

use std::cell::Cell;
use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Jar { bead: Rc<Cell<u8>> }
}

seen! {
    pub struct Knot { left: Rc<Cell<u8>>, right: Rc<Cell<u8>>, owners: u8 }
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

    /// What the other one has, after an exchange with it.
    pub fn either(&self, other: &mut Knot) -> Option<Jar> {
        let left = std::mem::replace(&mut other.left, Rc::clone(&self.bead));
        (self.bead.get() == 0).then_some(Jar { bead: left })
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

both! {
    /// Jars, and knots between them.
    suite Jars "awkward::lent_twice" {
        for Jar {
            fn new() -> Self;
            fn knot(&self, other: &Jar) -> Knot;
            fn trade(&mut self, other: &mut Jar) -> Knot;
            fn tie(self, other: &Jar) -> Knot;
            fn either(&self, other: &mut Knot) -> Option<Jar>;
        }
        for Knot {
            fn count(&mut self);
            fn own(&self) -> u8;
            fn split(self) -> (Jar, Knot, Jar);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Jars, Scope::of(2))
}
