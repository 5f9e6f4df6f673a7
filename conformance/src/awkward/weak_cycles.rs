//! Weak pointers in a circle: to the object itself, to its parent, to one that another field keeps
//! alive.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Family { root: Rc<Person>, guest: Option<Rc<Person>> }
}

seen! {
    pub struct Person { itself: Weak<Person>, parent: RefCell<Weak<Person>>, child: RefCell<Option<Rc<Person>>> }
}

fn person() -> Rc<Person> {
    Rc::new_cyclic(|itself| Person {
        itself: itself.clone(),
        parent: RefCell::default(),
        child: RefCell::default(),
    })
}

impl Family {
    pub fn new() -> Self {
        Family { root: person(), guest: None }
    }

    pub fn bear(&mut self) {
        let child = person();
        child.parent.replace(self.root.itself.clone());
        self.root.child.replace(Some(child));
    }

    /// The child becomes the root; its parent may be gone then.
    pub fn descend(&mut self) {
        let child = self.root.child.take();
        if let Some(child) = child {
            self.root = child;
        }
    }

    /// Keeps the parent of the child alive.
    pub fn invite(&mut self) {
        let parent = self.root.parent.borrow().upgrade();
        self.guest = parent.or_else(|| self.root.itself.upgrade());
    }

    pub fn leave(&mut self) {
        self.guest = None;
    }

    /// The guest is everybody's parent.
    pub fn adopt(&mut self) {
        if let Some(guest) = &self.guest {
            self.root.parent.replace(Rc::downgrade(guest));
        }
    }

    pub fn swap(&mut self) {
        if let Some(guest) = &mut self.guest {
            std::mem::swap(guest, &mut self.root);
        }
    }
}

both! {
    /// Families.
    suite Families "awkward::weak_cycles" {
        for Family {
            fn new() -> Self;
            fn bear(&mut self);
            fn descend(&mut self);
            fn invite(&mut self);
            fn leave(&mut self);
            fn adopt(&mut self);
            fn swap(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Families, Scope::of(3))
}
