//! Results that are references: to the receiver, to a part of it, to one of the arguments.

use crate::case::{Case, Scope};
use crate::{both, lent, seen};

seen! {
    #[derive(Clone)]
    pub struct Tree { key: u8, left: Option<Box<Tree>>, right: Option<Box<Tree>> }
}

impl Tree {
    pub fn leaf(key: u8) -> Tree {
        Tree { key, left: None, right: None }
    }

    pub fn on_left(&mut self, left: Tree) -> &mut Self {
        self.left = Some(Box::new(left));
        self
    }

    pub fn on_right(mut self, right: Tree) -> Box<Tree> {
        self.right = Some(Box::new(right));
        Box::new(self)
    }

    pub fn left(&self) -> Option<&Tree> {
        self.left.as_deref()
    }

    pub fn larger(&self, other: &Tree) -> &Tree {
        if self.key < other.key { self } else { self.right.as_deref().unwrap_or(self) }
    }

    pub fn children(&self) -> (Option<&Tree>, u8, Option<&Tree>) {
        (self.left.as_deref(), self.key, self.right.as_deref())
    }
}

lent!(Tree);

both! {
    /// Trees.
    suite Trees "awkward::references" {
        for Tree {
            fn leaf(key: u8) -> Tree;
            fn on_left(&mut self, left: Tree) -> &mut Self;
            fn on_right(self, right: Tree) -> Box<Tree>;
            fn left(&self) -> Option<&Tree>;
            fn larger(&self, other: &Tree) -> &Tree;
            fn children(&self) -> (Option<&Tree>, u8, Option<&Tree>);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Trees, Scope::of(2))
}
