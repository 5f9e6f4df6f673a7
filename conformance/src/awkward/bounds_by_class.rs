//! Bounds of their own for some classes; structures that pass one bound and not another.

use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Yard { dogs: Vec<Rc<Dog>>, cats: Vec<Box<Cat>> }
}

seen! {
    #[derive(Clone)]
    pub struct Dog { name: u8 }
}

seen! {
    #[derive(Clone)]
    pub struct Cat { lives: u8 }
}

impl Yard {
    pub fn new() -> Self {
        Yard { dogs: Vec::new(), cats: Vec::new() }
    }

    pub fn dog(&mut self, name: u8) {
        self.dogs.push(Rc::new(Dog { name }));
    }

    /// More elements, not more dogs.
    pub fn twice(&mut self) {
        self.dogs.extend(self.dogs.first().cloned());
    }

    pub fn cat(&mut self) {
        self.cats.push(Box::new(Cat { lives: self.dogs.len() as u8 }));
    }

    pub fn chase(&mut self) {
        self.dogs.clear();
    }
}

both! {
    /// Yards.
    suite Yards "awkward::bounds_by_class" {
        for Yard {
            fn new() -> Self;
            fn dog(&mut self, name: u8);
            fn twice(&mut self);
            fn cat(&mut self);
            fn chase(&mut self);
        }
    }
}

pub fn case() -> Case {
    let named = vec![("Dog", 1), ("Cat", 2)];
    crate::case!(Yards, Scope { named, arrays: 3, ..Scope::of(3) })
}
