//! Functions that move nodes between the circles of a Fibonacci heap.

use super::FibHeap;

impl FibHeap {
    pub(super) fn right(&self, node: usize) -> usize {
        self.arena[node].right.expect("a circle is closed")
    }

    pub(super) fn left(&self, node: usize) -> usize {
        self.arena[node].left.expect("a circle is closed")
    }

    /// Iterates over the circle of a node rightwards, starting at the node.
    pub(super) fn circle(&self, first: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(first, move |&node| {
            self.arena[node].right.filter(|&n| Some(n) != first)
        })
    }

    /// Makes two nodes neighbours.
    fn join(&mut self, left: usize, right: usize) {
        self.arena[left].right = Some(right);
        self.arena[right].left = Some(left);
    }

    /// Inserts a node that is in no circle to the left of another node.
    pub(super) fn put_left_of(&mut self, place: usize, node: usize) {
        self.join(self.left(place), node);
        self.join(node, place);
    }

    /// Takes a node out of its circle and leaves its own links as they are.
    pub(super) fn detach(&mut self, node: usize) {
        self.join(self.left(node), self.right(node));
    }

    /// Turns the children of a root into roots, to its left and in their order.
    pub(super) fn raise_children(&mut self, root: usize) {
        let Some(first) = self.arena[root].child.take() else { return };
        let last = self.left(first);
        let mut child = last;
        for _ in 0..self.arena[root].degree {
            self.arena[child].parent = None;
            child = self.left(child);
        }
        self.join(self.left(root), first);
        self.join(last, root);
    }

    /// Moves a root below another root, to the right of its child pointer, which stays.
    pub(super) fn link(&mut self, root: usize, parent: usize) {
        self.detach(root);
        match self.arena[parent].child {
            Some(child) => {
                self.join(root, self.right(child));
                self.join(child, root);
            }
            None => {
                self.arena[parent].child = Some(root);
                self.join(root, root);
            }
        }
        self.arena[root].parent = Some(parent);
        self.arena[root].mark = false;
        self.arena[parent].degree += 1;
    }

    /// Moves a node from its parent to the left of the minimum.
    pub(super) fn cut(&mut self, node: usize, parent: usize) {
        let next = self.right(node);
        self.detach(node);
        self.arena[parent].degree -= 1;
        if self.arena[parent].degree == 0 {
            self.arena[parent].child = None;
        } else if self.arena[parent].child == Some(node) {
            self.arena[parent].child = Some(next);
        }
        let min = self.min.expect("a heap with a node below another has a minimum");
        self.put_left_of(min, node);
        self.arena[node].parent = None;
        self.arena[node].mark = false;
    }
}
