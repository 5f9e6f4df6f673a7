//! A command line for suites of one's own. The tests of this crate run it.
//!
//! ```text
//! cargo run --example own_suites -- generate crates/beget-cli/tests/scopes/tree.ron -k 3
//! ```
#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::process::ExitCode;

use beget::{HasSuite, Heap};

// The types below keep no state outside their values, which is what this promises.
beget_alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_cli::main(vec![Tree::suite(), Counter::suite()])
}

/// An unbalanced binary search tree.
#[derive(Clone, Debug, Default, Heap)]
pub struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Clone, Debug, Heap)]
struct Node {
    info: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

/// An unbalanced binary search tree. Its `min` panics on the empty tree.
#[beget::api(name = "tree")]
impl Tree {
    /// An empty tree.
    pub fn new() -> Self {
        Tree::default()
    }

    /// Adds an element, unless it is there.
    pub fn insert(&mut self, info: i32) {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = match info.cmp(&node.info) {
                std::cmp::Ordering::Less => &mut node.left,
                std::cmp::Ordering::Greater => &mut node.right,
                std::cmp::Ordering::Equal => return,
            };
        }
        *place = Some(Box::new(Node { info, left: None, right: None }));
        self.size += 1;
    }

    /// Moves every element of `other` into `self`.
    pub fn absorb(&mut self, other: Tree) {
        let mut nodes: Vec<Box<Node>> = other.root.into_iter().collect();
        while let Some(mut node) = nodes.pop() {
            self.insert(node.info);
            nodes.extend(node.right.take());
            nodes.extend(node.left.take());
        }
    }

    /// The least element.
    pub fn min(&self) -> i32 {
        let mut node = self.root.as_ref().expect("the tree is empty");
        while let Some(left) = &node.left {
            node = left;
        }
        node.info
    }
}

/// Counts without end.
#[derive(Clone, Debug, Default, Heap)]
pub struct Counter {
    value: u64,
}

/// A counter without a bound: its run ends by a budget only.
#[beget::api(name = "counter")]
impl Counter {
    /// Zero.
    pub fn new() -> Self {
        Counter::default()
    }

    /// Adds one.
    pub fn increment(&mut self) {
        self.value += 1;
    }
}
