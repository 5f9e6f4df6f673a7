//! Rotations and repairs, which restore the rules after an insertion or a removal.
//!
//! The rules: the root is black, a red node has no red child, and all paths from the root to an
//! absent child have the same number of black nodes. An absent node counts as black.

use super::{Color, Node, Side, Tree};

impl<N: Node> Tree<N> {
    /// Restores the rules after adding `x`, a red leaf.
    pub(super) fn repair_insertion(&mut self, mut x: usize) {
        while let Some(parent) = self.at(x).parent
            && self.at(parent).color == N::Color::RED
            && let Some(grandparent) = self.at(parent).parent
        {
            let side = self.side_of(parent, grandparent);
            let uncle = self.child(grandparent, side.opposite());
            if let Some(uncle) = uncle.filter(|&uncle| self.at(uncle).color == N::Color::RED) {
                *self.at_mut(parent).color = N::Color::BLACK;
                *self.at_mut(uncle).color = N::Color::BLACK;
                *self.at_mut(grandparent).color = N::Color::RED;
                x = grandparent;
                continue;
            }
            let mut upper = parent;
            if self.side_of(x, parent) != side {
                self.rotate(parent, side);
                (x, upper) = (parent, x);
            }
            *self.at_mut(upper).color = N::Color::BLACK;
            *self.at_mut(grandparent).color = N::Color::RED;
            self.rotate(grandparent, side.opposite());
        }
        self.paint(self.root, N::Color::BLACK);
    }

    /// Restores the rules when the paths through `x` lack a black node.
    pub(super) fn repair_removal(&mut self, mut x: usize) {
        while let Some(parent) = self.at(x).parent
            && self.at(x).color == N::Color::BLACK
        {
            let side = self.side_of(x, parent);
            let sibling = self.black_sibling(parent, side);
            if self.has_black_children(sibling) {
                *self.at_mut(sibling).color = N::Color::RED;
                x = parent;
            } else {
                self.lend_from_sibling(parent, sibling, side);
                return self.paint(self.root, N::Color::BLACK);
            }
        }
        *self.at_mut(x).color = N::Color::BLACK;
    }

    /// Returns the sibling of the child at `side`. If it is red, rotates it above the parent first.
    fn black_sibling(&mut self, parent: usize, side: Side) -> usize {
        let sibling = self.sibling(parent, side);
        if self.at(sibling).color == N::Color::BLACK {
            return sibling;
        }
        *self.at_mut(sibling).color = N::Color::BLACK;
        *self.at_mut(parent).color = N::Color::RED;
        self.rotate(parent, side);
        self.sibling(parent, side)
    }

    /// Moves a red node from the sibling's subtree to `side`, which ends the repair.
    fn lend_from_sibling(&mut self, parent: usize, mut sibling: usize, side: Side) {
        let far = side.opposite();
        if self.is_black(self.child(sibling, far)) {
            self.paint(self.child(sibling, side), N::Color::BLACK);
            *self.at_mut(sibling).color = N::Color::RED;
            self.rotate(sibling, far);
            sibling = self.sibling(parent, side);
        }
        *self.at_mut(sibling).color = self.at(parent).color;
        *self.at_mut(parent).color = N::Color::BLACK;
        self.paint(self.child(sibling, far), N::Color::BLACK);
        self.rotate(parent, side);
    }

    /// Rotates `top` down towards `side`; its other child takes its place.
    fn rotate(&mut self, top: usize, side: Side) {
        let rising = self.child(top, side.opposite()).expect("a rotation lifts a child");
        let crossing = self.child(rising, side);
        *self.child_mut(top, side.opposite()) = crossing;
        if let Some(crossing) = crossing {
            *self.at_mut(crossing).parent = Some(top);
        }
        self.replace(top, Some(rising));
        *self.child_mut(rising, side) = Some(top);
        *self.at_mut(top).parent = Some(rising);
    }

    fn sibling(&self, parent: usize, side: Side) -> usize {
        self.child(parent, side.opposite()).expect("a black node below the root has a sibling")
    }

    pub(super) fn has_black_children(&self, node: usize) -> bool {
        self.is_black(self.at(node).left) && self.is_black(self.at(node).right)
    }

    pub(super) fn is_black(&self, node: Option<usize>) -> bool {
        node.is_none_or(|node| self.at(node).color == N::Color::BLACK)
    }

    fn paint(&mut self, node: Option<usize>, color: N::Color) {
        if let Some(node) = node {
            *self.at_mut(node).color = color;
        }
    }
}
