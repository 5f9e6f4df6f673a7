//! Heaps of hundreds of objects, hundreds deep.

use std::rc::Rc;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    pub struct Tower { top: Option<Rc<Floor>>, marked: Option<Rc<Floor>> }
}

seen! {
    pub struct Floor { number: u16, below: Option<Rc<Floor>> }
}

impl Tower {
    pub fn new() -> Self {
        Tower { top: None, marked: None }
    }

    pub fn build(&mut self, floors: u16) {
        for number in 0..floors {
            let below = self.top.take();
            self.top = Some(Rc::new(Floor { number, below }));
        }
    }

    pub fn mark(&mut self, depth: u16) {
        let mut floor = self.top.clone();
        for _ in 0..depth {
            floor = floor.and_then(|floor| floor.below.clone());
        }
        self.marked = floor;
    }
}

both! {
    /// Towers.
    suite Towers "awkward::deep" {
        for Tower {
            fn new() -> Self;
            fn build(&mut self, floors: u16);
            fn mark(&mut self, depth: u16);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Towers, Scope { ints: vec![100, 129], ..Scope::of(260) })
}
