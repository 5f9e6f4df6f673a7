//! Suites that a generator drew by chance; `build.rs` says how many and from which seed.
#![allow(missing_docs, clippy::all, unused, unreachable_pub, reason = "written by the generator")]

use prelude::Case;

mod prelude {
    pub use std::cell::{Cell, RefCell};
    pub use std::collections::{BTreeMap, BinaryHeap, HashSet, VecDeque};
    pub use std::rc::{Rc, Weak};
    pub use std::sync::Arc;

    pub use crate::case::{Case, Scope};
    pub use crate::{both, case, seen};

    seen! {
        #[derive(Clone)]
        pub struct Node { key: u8, pub left: Option<Box<Node>>, pub right: Option<Box<Node>> }
    }

    seen! {
        pub struct Link { pub mark: Cell<u8>, pub next: RefCell<Option<Rc<Link>>> }
    }

    seen! {
        #[derive(Clone)]
        pub enum Choice { None, One(value: u8), Two { left: Box<Choice>, right: bool } }
    }

    /// Inserts a key into a search tree, each as often as it is given.
    pub fn grow(tree: &mut Option<Box<Node>>, key: u8) {
        match tree {
            None => *tree = Some(Box::new(Node { key, left: None, right: None })),
            Some(node) if key < node.key => grow(&mut node.left, key),
            Some(node) => grow(&mut node.right, key),
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/random.rs"));
