//! Nodes in an arena, linked by index; slots are freed and used again, so equal structures lie
//! differently.

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight, Token};

#[derive(Clone, beget::Heap)]
pub struct Chain {
    #[heap(arena(any_order))]
    nodes: Vec<Knot>,
    #[heap(link = Knot, null = usize::MAX)]
    first: usize,
    #[heap(link = Knot)]
    free: Option<u16>,
}

#[derive(Clone, beget::Heap)]
pub struct Knot {
    value: u8,
    #[heap(link = Knot)]
    next: Option<u16>,
}

impl Chain {
    fn see(&self, slot: Option<usize>, sight: &mut Sight<'_>) {
        sight.put(Token::Flag(slot.is_some()));
        let Some(slot) = slot else { return };
        let knot = &self.nodes[slot];
        sight.object_by::<Knot>(Some(std::ptr::from_ref(knot).addr()), |sight| {
            knot.value.show(sight);
            self.see(knot.next.map(usize::from), sight);
        });
    }

    fn slot(&mut self, knot: Knot) -> usize {
        match self.free {
            Some(free) => {
                self.free = self.nodes[usize::from(free)].next;
                self.nodes[usize::from(free)] = knot;
                free.into()
            }
            None => {
                self.nodes.push(knot);
                self.nodes.len() - 1
            }
        }
    }

    fn next_of(&self) -> Option<u16> {
        u16::try_from(self.first).ok().filter(|_| self.first != usize::MAX)
    }

    pub fn new() -> Self {
        Chain { nodes: Vec::new(), first: usize::MAX, free: None }
    }

    pub fn push(&mut self, value: u8) {
        let next = self.next_of();
        self.first = self.slot(Knot { value, next });
    }

    pub fn pop(&mut self) -> Option<u8> {
        let slot = self.next_of()?;
        let free = self.free;
        let knot = &mut self.nodes[usize::from(slot)];
        let next = std::mem::replace(&mut knot.next, free);
        self.free = Some(slot);
        self.first = next.map_or(usize::MAX, usize::from);
        Some(self.nodes[usize::from(slot)].value)
    }

    /// Links the free list to itself.
    pub fn tie(&mut self) {
        if let Some(free) = self.free {
            self.nodes[usize::from(free)].next = Some(free);
        }
    }

    /// Makes both lists one.
    pub fn join(&mut self) {
        self.free = self.next_of();
    }
}

impl Show for Knot {
    fn show(&self, _: &mut Sight<'_>) {
        panic!("a knot is shown by its chain");
    }
}

impl Show for Chain {
    fn show(&self, sight: &mut Sight<'_>) {
        self.see(self.next_of().map(usize::from), sight);
        self.see(self.free.map(usize::from), sight);
    }
}

both! {
    /// Chains.
    suite Chains "awkward::arena" {
        for Chain {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn pop(&mut self) -> Option<u8>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Chains, Scope { ints: vec![0, 1], ..Scope::of(3) })
}
