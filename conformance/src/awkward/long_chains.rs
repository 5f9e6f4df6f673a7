//! Chains of very many boxes, one behind the other. A loop ends them: the drops of boxes within
//! boxes would overflow the stack.
//!
//! Not one of [`all`](super::all): whatever walks such a chain needs a large stack.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Chain { first: Option<Box<Link>> }
}

seen! {
    #[derive(Clone)]
    pub struct Link { next: Option<Box<Link>> }
}

impl Drop for Chain {
    fn drop(&mut self) {
        while let Some(mut link) = self.first.take() {
            self.first = link.next.take();
        }
    }
}

impl Chain {
    pub fn of(length: u32) -> Self {
        let mut chain = Chain { first: None };
        chain.grow(length);
        chain
    }

    pub fn grow(&mut self, by: u32) {
        for _ in 0..by {
            let next = self.first.take();
            self.first = Some(Box::new(Link { next }));
        }
    }

    pub fn turn(&mut self) {
        let mut rest = self.first.take();
        while let Some(mut link) = rest {
            rest = link.next.take();
            link.next = self.first.take();
            self.first = Some(link);
        }
    }

    /// Frees the boxes in the order in which they were made.
    pub fn clear(&mut self) {
        self.turn();
        while let Some(mut link) = self.first.take() {
            self.first = link.next.take();
        }
    }
}

both! {
    /// Chains.
    suite Chains "awkward::long_chains" {
        for Chain {
            fn of(length: u32) -> Self;
            fn grow(&mut self, by: u32);
            fn turn(&mut self);
            fn clear(&mut self);
        }
    }
}

/// Chains of up to `links` links.
pub fn case(links: u32) -> Case {
    let ints = vec![0, i128::from(links / 2), i128::from(links)];
    crate::case!(Chains, Scope { ints, ..Scope::of(links) })
}
