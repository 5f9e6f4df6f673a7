//! The tree of a depth-first walk: which reference found each box first.

use super::{BoxGraph, BoxLink};

/// The references that a depth-first walk from the first box follows to boxes it has not seen.
pub(super) struct SpanningTree {
    /// The reference by which each box was found; `None` for roots.
    pub(super) parent_link: Vec<Option<usize>>,
    /// The references to children of each box, in the order of the walk.
    pub(super) children: Vec<Vec<usize>>,
    pub(super) roots: Vec<usize>,
}

impl SpanningTree {
    /// Boxes have the numbers of a depth-first walk, so the child with the least number comes
    /// first.
    pub(super) fn of(shape: BoxGraph<'_>) -> SpanningTree {
        let n = shape.nodes.len();
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (number, link) in shape.links.iter().enumerate() {
            outgoing[link.from].push(number);
        }
        outgoing.iter_mut().for_each(|links| links.sort_by_key(|&link| shape.links[link].to));
        let mut tree = SpanningTree {
            parent_link: vec![None; n],
            children: vec![Vec::new(); n],
            roots: Vec::new(),
        };
        let mut seen = vec![false; n];
        for root in 0..n {
            if !seen[root] {
                seen[root] = true;
                tree.roots.push(root);
                tree.walk(shape.links, &outgoing, &mut seen, root);
            }
        }
        tree
    }

    fn walk(&mut self, links: &[BoxLink], outgoing: &[Vec<usize>], seen: &mut [bool], root: usize) {
        let mut path = vec![(root, 0)];
        while let Some((object, next)) = path.last_mut() {
            let Some(&link) = outgoing[*object].get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            let to = links[link].to;
            if !std::mem::replace(&mut seen[to], true) {
                self.parent_link[to] = Some(link);
                self.children[*object].push(link);
                path.push((to, 0));
            }
        }
    }

    /// Returns whether the walk found its target by this reference.
    pub(super) fn has(&self, links: &[BoxLink], link: usize) -> bool {
        self.parent_link[links[link].to] == Some(link)
    }

    pub(super) fn parent(&self, links: &[BoxLink], object: usize) -> Option<usize> {
        self.parent_link[object].map(|link| links[link].from)
    }
}
