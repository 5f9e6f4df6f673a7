//! Union of two lists of binomial trees.

use super::{BinomialHeap, Merge, Variant};

impl<T: Variant> BinomialHeap<T> {
    /// Adds a list of trees, given by its first root, to the heap.
    pub(super) fn unite(&mut self, other: usize) {
        match self.nodes {
            Some(head) => {
                self.merge(head, other);
                self.consolidate();
            }
            None => self.nodes = Some(other),
        }
    }

    /// Merges a list of trees into the heap's list by increasing degree. Trees of equal degree
    /// become neighbours, the heap's own first.
    fn merge(&mut self, head: usize, other: usize) {
        let (mut mine, mut theirs) = (Some(head), Some(other));
        while let (Some(a), Some(b)) = (mine, theirs) {
            let (degree_a, degree_b) = (self.arena[a].degree, self.arena[b].degree);
            if degree_a > degree_b {
                theirs = self.arena[b].sibling.replace(a);
                if self.nodes == Some(a) {
                    self.nodes = Some(b);
                }
                mine = Some(b);
            } else if degree_a == degree_b || self.is_last_up_to(a, degree_b) {
                let behind = self.arena[a].sibling.replace(b);
                theirs = std::mem::replace(&mut self.arena[b].sibling, behind);
                mine = match T::MERGE {
                    Merge::FromInserted => Some(b),
                    Merge::FromSuccessor => behind,
                };
            } else {
                mine = self.arena[a].sibling;
            }
        }
        if mine.is_none() {
            let last = self.list(self.nodes).last().expect("the heap is not empty");
            self.arena[last].sibling = theirs;
        }
    }

    /// Returns whether the next tree has a larger degree than `degree`, or is absent.
    fn is_last_up_to(&self, root: usize, degree: usize) -> bool {
        self.arena[root].sibling.is_none_or(|next| self.arena[next].degree > degree)
    }

    /// Links neighbours of equal degree. Of three in a row, it links the last two.
    fn consolidate(&mut self) {
        let mut before = None;
        let mut tree = self.nodes.expect("the heap is not empty");
        while let Some(next) = self.arena[tree].sibling {
            let degree = self.arena[tree].degree;
            let behind = self.arena[next].sibling;
            let is_third_alike = behind.is_some_and(|third| self.arena[third].degree == degree);
            if self.arena[next].degree != degree || is_third_alike {
                before = Some(tree);
                tree = next;
            } else if self.arena[tree].key <= self.arena[next].key {
                self.arena[tree].sibling = behind;
                self.adopt(tree, next);
            } else {
                match before {
                    Some(before) => self.arena[before].sibling = Some(next),
                    None => self.nodes = Some(next),
                }
                self.adopt(next, tree);
                tree = next;
            }
        }
    }

    /// Makes a root the first child of another root.
    fn adopt(&mut self, parent: usize, child: usize) {
        self.arena[child].parent = Some(parent);
        self.arena[child].sibling = self.arena[parent].child.replace(child);
        self.arena[parent].degree += 1;
    }
}
