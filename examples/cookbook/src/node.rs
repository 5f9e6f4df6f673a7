//! Handles: nodes that are passed around, and own one another.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A node of a tree, by a handle. The tree lives as long as there is a handle to its top.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Node(Rc<RefCell<Contents>>);

#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap))]
struct Contents {
    name: u8,
    parent: Weak<RefCell<Contents>>,
    children: Vec<Node>,
}

impl Node {
    /// A node alone.
    pub fn new(name: u8) -> Self {
        Node(Rc::new(RefCell::new(Contents { name, parent: Weak::new(), children: Vec::new() })))
    }

    /// Its name.
    pub fn name(&self) -> u8 {
        self.0.borrow().name
    }

    /// The node above.
    pub fn parent(&self) -> Option<Node> {
        self.0.borrow().parent.upgrade().map(Node)
    }

    /// Moves a node to the end of those below this one; refuses to move it below itself.
    pub fn append(&self, child: &Node) -> bool {
        let mut at = Some(self.clone());
        while let Some(node) = at {
            if Rc::ptr_eq(&node.0, &child.0) {
                return false;
            }
            at = node.parent();
        }
        child.detach();
        child.0.borrow_mut().parent = Rc::downgrade(&self.0);
        self.0.borrow_mut().children.push(child.clone());
        true
    }

    /// Takes the node, with what is below it, out of its tree.
    pub fn detach(&self) {
        if let Some(parent) = self.parent() {
            parent.0.borrow_mut().children.retain(|child| !Rc::ptr_eq(&child.0, &self.0));
        }
        self.0.borrow_mut().parent = Weak::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Owns all nodes, in the order in which they were made.
    #[derive(beget::Heap)]
    struct Forest(Vec<Node>);

    #[beget::api]
    impl Forest {
        pub fn new() -> Self {
            Forest(Vec::new())
        }

        pub fn plant(&mut self, name: u8) {
            self.0.push(Node::new(name));
        }

        #[beget::invariant]
        fn children_know_their_parents(&self) -> bool {
            self.0.iter().all(|node| {
                let is_parent = |up: Node| Rc::ptr_eq(&up.0, &node.0);
                let children = &node.0.borrow().children;
                children.iter().all(|child| child.parent().is_some_and(is_parent))
            })
        }

        #[api(requires(parent < self.0.len() && child < self.0.len()))]
        pub fn append(&mut self, parent: usize, child: usize) {
            self.0[parent].append(&self.0[child]);
        }

        #[api(requires(node < self.0.len()))]
        pub fn detach(&mut self, node: usize) {
            self.0[node].detach();
        }
    }

    #[test]
    fn every_forest_is_sound() {
        // Of n nodes in a row there are (n + 1)^(n - 1) forests; with three, in three of them a
        // node has two children, which have two orders.
        let forests = beget::check!(
            Forest,
            k = 3,
            ints = 0..k,
            params = {"plant.name": ["0"]},
            objects = {"*": "k", "Vec": "k + 1"}
        );
        assert_eq!(forests.generated(), 1 + 1 + 3 + (16 + 3));
    }
}
