//! A command line for suites of one's own. The tests of this crate run it.
//!
//! ```text
//! cargo run --example own_suites -- generate crates/beget-cli/tests/scopes/tree.ron -k 3
//! ```
#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::process::ExitCode;

use beget::{HasSuite, Heap, HeapView};

// The types below keep no state outside their values, which is what this promises.
beget_process::alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_program::main(catalog())
}

/// An unbalanced binary search tree.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Clone, Debug, Heap, HeapView)]
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

/// A list that forgets to count what it takes off.
#[derive(Clone, Debug, Default, Heap)]
pub struct Tally {
    items: Vec<u8>,
    len: usize,
}

/// A list whose `len` is wrong after a `pop`: a contract tells.
#[beget::api(name = "tally")]
impl Tally {
    /// Nothing.
    pub fn new() -> Self {
        Tally::default()
    }

    /// One more.
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        self.len += 1;
    }

    /// One less.
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many there should be.
    pub fn len(&self) -> usize {
        self.len
    }
}

/// The suites, and what a tree is.
pub fn catalog() -> beget_program::Catalog {
    rep_oks::catalog(vec![Tree::suite(), Counter::suite(), Tally::suite()])
}

/// What a tree is, in several versions.
mod rep_oks {
    use beget::heap::view::{BrokenClause, NodeSet, RepOk, clause};
    use beget::repok::Subject;
    use beget::suites::Suite;
    use beget_program::Catalog;

    use super::{Tree, TreeView};

    pub(super) fn catalog(suites: Vec<Suite>) -> Catalog {
        let rep_oks = [PUBLISHED, CORRECTED, TOO_STRICT, BROKEN];
        Catalog::new(suites).with_rep_oks("tree", Subject::new(rep_oks))
    }

    /// A tree, with a size that nobody has looked at.
    const PUBLISHED: RepOk<Tree> =
        RepOk::<Tree>::new("published", |tree| ordered(tree).map(|_| ()));

    /// A tree whose size is the number of its nodes.
    const CORRECTED: RepOk<Tree> = RepOk::<Tree>::new("corrected", |tree| {
        let n_nodes = ordered(tree)?;
        clause("size is the number of nodes", tree.size() == n_nodes)
    });

    /// Also forbids what the methods build.
    const TOO_STRICT: RepOk<Tree> = RepOk::<Tree>::new("too_strict", |tree| {
        clause("not empty", tree.root().is_some())?;
        let n_nodes = ordered(tree)?;
        clause("size is the number of nodes", tree.size() == n_nodes)?;
        clause("the root has no left child", tree.root().is_none_or(|root| root.left().is_none()))
    });

    /// Forgets that a tree may be empty.
    const BROKEN: RepOk<Tree> = RepOk::<Tree>::new("broken", |tree| {
        let root = tree.root().expect("there is a root");
        clause("a root alone", root.left().is_none() && root.right().is_none())?;
        clause("of size 1", tree.size() == 1)
    });

    /// Whether the keys are in order; the number of nodes.
    fn ordered(tree: TreeView<'_>) -> Result<i64, BrokenClause> {
        let mut seen = NodeSet::new();
        let mut pending: Vec<_> =
            tree.root().map(|root| (root, i64::MIN, i64::MAX)).into_iter().collect();
        while let Some((node, low, high)) = pending.pop() {
            clause("no node is met twice", seen.insert(node))?;
            let info = node.info();
            clause("keys are in order", low < info && info < high)?;
            pending.extend(node.right().map(|right| (right, info, high)));
            pending.extend(node.left().map(|left| (left, low, info)));
        }
        Ok(seen.len() as i64)
    }
}
