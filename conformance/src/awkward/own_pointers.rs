//! Raw pointers of a structure to nodes that its boxes own: to the last one, and from each node to
//! the one before.
#![allow(unsafe_code, reason = "pointers of a structure to itself are what the suite is about")]

use std::ptr;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight, Token};

#[derive(beget::Heap)]
pub struct Node {
    value: u8,
    next: Option<Box<Node>>,
    #[heap(unsafe(pointer))]
    before: *mut Node,
}

/// Invariant: `last` and `before` are null or lead to nodes that `first` owns.
#[derive(beget::Heap)]
pub struct Line {
    first: Option<Box<Node>>,
    #[heap(unsafe(pointer))]
    last: *mut Node,
}

impl Line {
    pub fn new() -> Self {
        Line { first: None, last: ptr::null_mut() }
    }

    pub fn push(&mut self, value: u8) {
        let mut node = Box::new(Node { value, next: None, before: self.last });
        let last = self.last;
        self.last = &raw mut *node;
        // SAFETY: it is null or leads to a node of the line.
        match unsafe { last.as_mut() } {
            Some(last) => last.next = Some(node),
            None => self.first = Some(node),
        }
    }

    pub fn pop(&mut self) -> Option<u8> {
        // SAFETY: as in `push`.
        let last = unsafe { self.last.as_ref() }?;
        let (value, before) = (last.value, last.before);
        self.last = before;
        // SAFETY: as in `push`; the node that it owned is not looked at any more.
        match unsafe { before.as_mut() } {
            Some(before) => before.next = None,
            None => self.first = None,
        }
        Some(value)
    }

    /// Forgets where the end is, for a while: `push` then replaces all nodes.
    pub fn forget(&mut self) {
        self.last = ptr::null_mut();
    }

    /// Turns back: the first node is the last one, and what came behind it stays owned.
    pub fn turn(&mut self) {
        self.last = self.first.as_deref_mut().map_or(ptr::null_mut(), ptr::from_mut);
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.first.as_deref(), |node| node.next.as_deref())
    }
}

/// Node by node, the pointers by the places they lead to.
impl Clone for Line {
    fn clone(&self) -> Self {
        let places: Vec<*const Node> = self.nodes().map(ptr::from_ref).collect();
        let place = |pointer: *mut Node| places.iter().position(|place| *place == pointer);
        let mut clone = Line::new();
        let mut copies = Vec::new();
        for node in self.nodes() {
            let before = place(node.before).map_or(ptr::null_mut(), |place| copies[place]);
            clone.push(node.value);
            copies.push(clone.last);
            // SAFETY: the node that was just pushed.
            unsafe { (*clone.last).before = before };
        }
        clone.last = place(self.last).map_or(ptr::null_mut(), |place| copies[place]);
        clone
    }
}

fn show_pointer(pointer: *mut Node, sight: &mut Sight<'_>) {
    // SAFETY: it is null or leads to a node that the line owns.
    let target = unsafe { pointer.as_ref() };
    sight.put(Token::Flag(target.is_some()));
    if let Some(target) = target {
        sight.object(Some(pointer.addr()), target);
    }
}

impl Show for Node {
    fn show(&self, sight: &mut Sight<'_>) {
        self.value.show(sight);
        self.next.show(sight);
        show_pointer(self.before, sight);
    }
}

impl Show for Line {
    fn show(&self, sight: &mut Sight<'_>) {
        self.first.show(sight);
        show_pointer(self.last, sight);
    }
}

both! {
    /// Lines.
    suite Lines "awkward::own_pointers" {
        for Line {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn pop(&mut self) -> Option<u8>;
            fn forget(&mut self);
            fn turn(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Lines, Scope { ints: vec![0, 1], ..Scope::of(3) })
}
