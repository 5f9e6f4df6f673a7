//! Counted pointers down, weak ones up.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A document of nested headings, with a cursor.
#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Outline {
    top: Rc<Heading>,
    cursor: Rc<Heading>,
}

#[derive(Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
struct Heading {
    title: u8,
    parent: Weak<Heading>,
    children: RefCell<Vec<Rc<Heading>>>,
}

#[cfg_attr(test, beget::api)]
impl Outline {
    /// A document without headings; the cursor is at its top.
    pub fn new() -> Self {
        let top = Rc::<Heading>::default();
        Outline { cursor: top.clone(), top }
    }

    /// The titles from the top to the cursor.
    pub fn path(&self) -> Vec<u8> {
        let mut titles = Vec::new();
        let mut heading = self.cursor.clone();
        while !Rc::ptr_eq(&heading, &self.top) {
            titles.insert(0, heading.title);
            heading = heading.parent.upgrade().expect("all but the top have a parent");
        }
        titles
    }

    /// Adds a heading below the cursor, as the last one there, and goes to it.
    pub fn add(&mut self, title: u8) {
        let parent = Rc::downgrade(&self.cursor);
        let heading = Rc::new(Heading { title, parent, children: RefCell::default() });
        self.cursor.children.borrow_mut().push(heading.clone());
        self.cursor = heading;
    }

    /// Goes to the heading above; says whether there is one.
    pub fn go_up(&mut self) -> bool {
        let parent = self.cursor.parent.upgrade();
        parent.map(|parent| self.cursor = parent).is_some()
    }

    /// Goes to a heading below; says whether there is one.
    pub fn go_down(&mut self, place: usize) -> bool {
        let child = self.cursor.children.borrow().get(place).cloned();
        child.map(|child| self.cursor = child).is_some()
    }

    /// Removes the heading at the cursor with all below it, and goes up.
    pub fn remove(&mut self) {
        let removed = self.cursor.clone();
        if self.go_up() {
            self.cursor.children.borrow_mut().retain(|child| !Rc::ptr_eq(child, &removed));
        }
    }

    #[cfg(test)]
    #[beget::invariant]
    fn the_cursor_is_in_the_document(&self) -> bool {
        let mut pending = vec![self.top.clone()];
        while let Some(heading) = pending.pop() {
            if Rc::ptr_eq(&heading, &self.cursor) {
                return true;
            }
            pending.extend(heading.children.borrow().iter().cloned());
        }
        false
    }
}

impl Default for Outline {
    fn default() -> Self {
        Outline::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_is_sound() {
        // Of n headings, the top among them: the ordered trees (1, 1, 2), a cursor at one of n, and
        // one of two titles for each but the top.
        let outlines = beget::check!(Outline, k = 3, ints = 0..2);
        assert_eq!(outlines.generated(), 1 + 2 * 2 + 2 * 3 * 4);
    }
}
