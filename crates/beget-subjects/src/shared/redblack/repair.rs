//! Rotations, and what restores the rules after an insertion or a removal.
//!
//! The rules: the root is black, a red node has no red child, and each way down from the root to
//! an absent child passes equally many black nodes. An absent node counts as black.

use super::{Color, Side, Tree};

impl<C: Color, V> Tree<C, V> {
    /// Restores the rules after `x`, a red leaf, was added.
    pub(super) fn repair_insertion(&mut self, mut x: usize) {
        while let Some(parent) = self.arena[x].parent
            && self.arena[parent].color == C::RED
            && let Some(grandparent) = self.arena[parent].parent
        {
            let side = self.side_of(parent, grandparent);
            let uncle = self.child(grandparent, side.opposite());
            if let Some(uncle) = uncle.filter(|&uncle| self.arena[uncle].color == C::RED) {
                self.arena[parent].color = C::BLACK;
                self.arena[uncle].color = C::BLACK;
                self.arena[grandparent].color = C::RED;
                x = grandparent;
                continue;
            }
            let mut upper = parent;
            if self.side_of(x, parent) != side {
                self.rotate(parent, side);
                (x, upper) = (parent, x);
            }
            self.arena[upper].color = C::BLACK;
            self.arena[grandparent].color = C::RED;
            self.rotate(grandparent, side.opposite());
        }
        self.paint(self.root, C::BLACK);
    }

    /// Restores the rules where the ways through `x` lack a black node.
    pub(super) fn repair_removal(&mut self, mut x: usize) {
        while let Some(parent) = self.arena[x].parent
            && self.arena[x].color == C::BLACK
        {
            let side = self.side_of(x, parent);
            let sibling = self.black_sibling(parent, side);
            if self.has_black_children(sibling) {
                self.arena[sibling].color = C::RED;
                x = parent;
            } else {
                self.lend_from_sibling(parent, sibling, side);
                return self.paint(self.root, C::BLACK);
            }
        }
        self.arena[x].color = C::BLACK;
    }

    /// The sibling of the child at `side`; a red one is first rotated above the parent.
    fn black_sibling(&mut self, parent: usize, side: Side) -> usize {
        let sibling = self.sibling(parent, side);
        if self.arena[sibling].color == C::BLACK {
            return sibling;
        }
        self.arena[sibling].color = C::BLACK;
        self.arena[parent].color = C::RED;
        self.rotate(parent, side);
        self.sibling(parent, side)
    }

    /// Turns a red node of the sibling's family over to `side`, which ends the repair.
    fn lend_from_sibling(&mut self, parent: usize, mut sibling: usize, side: Side) {
        let far = side.opposite();
        if self.is_black(self.child(sibling, far)) {
            self.paint(self.child(sibling, side), C::BLACK);
            self.arena[sibling].color = C::RED;
            self.rotate(sibling, far);
            sibling = self.sibling(parent, side);
        }
        self.arena[sibling].color = self.arena[parent].color;
        self.arena[parent].color = C::BLACK;
        self.paint(self.child(sibling, far), C::BLACK);
        self.rotate(parent, side);
    }

    /// Turns `top` down towards `side`; its other child takes its place.
    fn rotate(&mut self, top: usize, side: Side) {
        let rising = self.child(top, side.opposite()).expect("a rotation lifts a child");
        let crossing = self.child(rising, side);
        *self.child_mut(top, side.opposite()) = crossing;
        if let Some(crossing) = crossing {
            self.arena[crossing].parent = Some(top);
        }
        self.replace(top, Some(rising));
        *self.child_mut(rising, side) = Some(top);
        self.arena[top].parent = Some(rising);
    }

    fn sibling(&self, parent: usize, side: Side) -> usize {
        self.child(parent, side.opposite()).expect("a black node below the root has a sibling")
    }

    pub(super) fn has_black_children(&self, node: usize) -> bool {
        self.is_black(self.arena[node].left) && self.is_black(self.arena[node].right)
    }

    pub(super) fn is_black(&self, node: Option<usize>) -> bool {
        node.is_none_or(|node| self.arena[node].color == C::BLACK)
    }

    fn paint(&mut self, node: Option<usize>, color: C) {
        if let Some(node) = node {
            self.arena[node].color = color;
        }
    }
}
