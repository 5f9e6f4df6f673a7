//! Hash sets whose keys are equal by address and lie on circles: each reaches others through what
//! it watches, and the set that holds it.
#![allow(
    clippy::disallowed_types,
    clippy::mutable_key_type,
    reason = "the order of hash sets is what the suite is about"
)]

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::rc::{Rc, Weak};

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

#[derive(Default, beget::Heap)]
pub struct Home {
    keys: HashSet<Key>,
}

#[derive(Clone, beget::Heap)]
pub struct Key {
    node: Rc<Node>,
}

#[derive(beget::Heap)]
pub struct Node {
    next: RefCell<Weak<Node>>,
    home: RefCell<Weak<RefCell<Home>>>,
}

/// Keys, of which one is chosen, and the set that they may call their home.
#[derive(beget::Heap)]
pub struct Circle {
    chosen: Option<Key>,
    home: Rc<RefCell<Home>>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.node, &other.node)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.node).hash(state);
    }
}

impl Show for Key {
    fn show(&self, sight: &mut Sight<'_>) {
        self.node.show(sight);
    }
}

impl Show for Node {
    fn show(&self, sight: &mut Sight<'_>) {
        self.next.show(sight);
        self.home.show(sight);
    }
}

impl Show for Home {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.unordered::<HashSet<Key>, _>(self.keys.iter().collect(), |key, sight| {
            key.show(sight);
        });
    }
}

impl Show for Circle {
    fn show(&self, sight: &mut Sight<'_>) {
        self.chosen.show(sight);
        self.home.show(sight);
    }
}

impl Circle {
    pub fn new() -> Self {
        Circle { chosen: None, home: Rc::default() }
    }

    pub fn add(&mut self) {
        let (next, home) = (RefCell::default(), RefCell::default());
        let key = Key { node: Rc::new(Node { next, home }) };
        if let Some(chosen) = &self.chosen {
            key.node.next.replace(Rc::downgrade(&chosen.node));
        }
        self.home.borrow_mut().keys.insert(key.clone());
        self.chosen = Some(key);
    }

    /// The next one is chosen; that of none is none.
    pub fn go_on(&mut self) {
        if let Some(chosen) = self.chosen.take() {
            self.chosen = chosen.node.next.borrow().upgrade().map(|node| Key { node });
        }
    }

    /// Those that lead nowhere lead to the chosen one from now on.
    pub fn close(&mut self) {
        let Some(chosen) = &self.chosen else { return };
        for key in &self.home.borrow().keys {
            if key.node.next.borrow().strong_count() == 0 {
                key.node.next.replace(Rc::downgrade(&chosen.node));
            }
        }
    }

    /// The chosen one knows the set that holds it.
    pub fn settle(&mut self) {
        if let Some(chosen) = &self.chosen {
            chosen.node.home.replace(Rc::downgrade(&self.home));
        }
    }

    /// Removes the chosen one: links to it lead nowhere then.
    pub fn remove(&mut self) {
        if let Some(chosen) = self.chosen.take() {
            self.home.borrow_mut().keys.remove(&chosen);
        }
    }

    pub fn forget(&mut self) {
        self.chosen = None;
    }
}

both! {
    /// Circles of keys.
    suite Circles "awkward::tied_cycles" {
        for Circle {
            fn new() -> Self;
            fn add(&mut self);
            fn go_on(&mut self);
            fn close(&mut self);
            fn settle(&mut self);
            fn remove(&mut self);
            fn forget(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Circles, Scope::of(3))
}
