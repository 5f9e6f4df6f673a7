//! Values that an abstraction makes one though they have heaps of their own that differ.
#![allow(clippy::new_without_default, reason = "the types stand for those of a library")]

use crate::common;

use beget::{HasSuite, Heap};
use common::{CLONES, REGION, REPLAY, assert_complete, found, run};

/// A stack that remembers how large it was.
#[derive(Clone, Debug, Default, Heap)]
pub struct Stack {
    items: Vec<u8>,
    most: usize,
}

impl Stack {
    /// Empty.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Puts a number on top.
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        self.most = self.most.max(self.items.len());
    }

    /// Takes the top.
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
}

mod by_items {
    use super::Stack;
    beget::suite! {
        /// Seen by its items.
        pub suite ByItems for Stack {
            abstraction |stack| -> Vec<u8> { stack.items.clone() };
            fn new() -> Self;
            fn push(&mut self, item: u8);
            fn pop(&mut self) -> Option<u8>;
        }
    }
}

mod by_all {
    use super::Stack;
    beget::suite! {
        /// Seen by all that there is.
        pub suite ByAll for Stack {
            abstraction |stack| -> (Vec<u8>, usize) { (stack.items.clone(), stack.most) };
            fn new() -> Self;
            fn push(&mut self, item: u8);
            fn pop(&mut self) -> Option<u8>;
        }
    }
}

/// A type without a heap.
pub struct Opaque(u8);

impl Opaque {
    /// Zero.
    pub fn new() -> Self {
        Opaque(0)
    }

    /// Counts, and nobody sees it.
    pub fn count(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }
}

beget::suite! {
    /// Seen as nothing.
    suite Unseen for Opaque {
        abstraction |_opaque| -> () { };
        fn new() -> Self;
        fn count(&mut self);
    }
}

const SCOPE: &str = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..1""#;

/// Stacks of 0, 1 and 2 zeros, each first built by pushing alone. What is compared: `new`, and
/// `push` and `pop` on each stack that leave 1, 2 (the third push is out of scope) and 0 (of the
/// empty one), 0 and 1 items. The pops from 1 and 2 remember more than what they are matched with.
#[test]
fn an_abstraction_says_how_many_values_it_made_one() {
    for copies in [REGION, CLONES, REPLAY] {
        let corpus = run(by_items::ByItems::suite(), SCOPE, copies, 1);
        assert_complete(&corpus, 3);
        assert_eq!(
            corpus.report.ledger.notes.last().map(String::as_str),
            Some(
                "the abstraction of `Stack` made 2 of 6 values that were looked at one with a structure of \
                 another heap, so they were not extended (`probe: 1` in the scope extends them); the first: let mut \
                 stack = Stack::new(); let _ = stack.push(0); let _ = stack.pop();"
            )
        );
        assert_eq!(found(&run(by_items::ByItems::suite(), SCOPE, copies, 3)), found(&corpus));
    }
}

/// The largest number so far tells 1 + 2 + 3 stacks apart.
#[test]
fn an_abstraction_that_tells_all_apart_is_not_mentioned() {
    let corpus = run(by_all::ByAll::suite(), SCOPE, REGION, 1);
    assert_complete(&corpus, 6);
    assert_eq!(corpus.report.ledger.notes, [""; 0]);
    let corpus = run(Unseen::suite(), SCOPE, REGION, 1);
    assert_complete(&corpus, 1);
    assert_eq!(corpus.report.ledger.notes, [""; 0]);
}
