//! Sets and worklists of objects that a predicate can use without allocating.

use super::{NodeView, Place, Table};

const SET_WORDS: usize = 8;

/// A set of objects, by identity. Heaps of up to 512 cells need no allocation.
///
/// ```
/// # use beget_heap::view::{NodeSet, Table};
/// let table = Table::new();
/// let mut seen = NodeSet::new();
/// assert!(seen.insert_place(table.root()));
/// assert!(!seen.insert_place(table.root()));
/// ```
#[derive(Clone, Debug)]
pub struct NodeSet {
    words: [u64; SET_WORDS],
    more: Vec<u64>,
    n_nodes: usize,
}

impl NodeSet {
    /// An empty set.
    #[inline(always)]
    pub fn new() -> Self {
        NodeSet { words: [0; SET_WORDS], more: Vec::new(), n_nodes: 0 }
    }

    /// Adds an object; whether it is new.
    #[inline(always)]
    pub fn insert<'h>(&mut self, node: impl NodeView<'h>) -> bool {
        self.insert_place(node.place())
    }

    /// Whether the object is in the set.
    #[inline(always)]
    pub fn contains<'h>(&self, node: impl NodeView<'h>) -> bool {
        let cell = node.place().cell() as usize;
        let word = self.words.get(cell / 64).or_else(|| self.more.get(cell / 64 - SET_WORDS));
        word.is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// How many objects are in it.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n_nodes
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`NodeSet::insert`], by the object's place.
    #[inline(always)]
    pub fn insert_place(&mut self, place: Place<'_>) -> bool {
        let cell = place.cell() as usize;
        let (index, bit) = (cell / 64, 1 << (cell % 64));
        let is_new = match self.words.get_mut(index) {
            Some(word) => add_bit(word, bit),
            None => {
                let far = insert_far(std::mem::take(&mut self.more), index - SET_WORDS, bit);
                self.more = far.0;
                far.1
            }
        };
        self.n_nodes += usize::from(is_new);
        is_new
    }
}

impl Default for NodeSet {
    fn default() -> Self {
        NodeSet::new()
    }
}

/// Sets a bit; whether it was not set.
#[inline(always)]
fn add_bit(word: &mut u64, bit: u64) -> bool {
    let is_new = *word & bit == 0;
    *word |= bit;
    is_new
}

/// Takes the words and gives them back: of a set that no other function has a reference into, the
/// compiler keeps the rest in registers. So it is with worklists.
#[cold]
#[inline(never)]
fn insert_far(mut words: Vec<u64>, index: usize, bit: u64) -> (Vec<u64>, bool) {
    if words.len() <= index {
        words.resize(index + 1, 0);
    }
    let is_new = add_bit(&mut words[index], bit);
    (words, is_new)
}

const NEAR_NODES: usize = 32;

/// Objects still to be looked at, taken from either end. The first 32 pushed need no allocation.
#[derive(Clone, Debug)]
pub struct Worklist<'h, N> {
    table: Option<&'h Table>,
    near: [u32; NEAR_NODES],
    far: Vec<u32>,
    first: usize,
    end: usize,
    nodes: std::marker::PhantomData<N>,
}

impl<'h, N: NodeView<'h>> Worklist<'h, N> {
    /// An empty worklist.
    #[inline(always)]
    pub fn new() -> Self {
        let nodes = std::marker::PhantomData;
        Worklist { table: None, near: [0; NEAR_NODES], far: Vec::new(), first: 0, end: 0, nodes }
    }

    /// Appends an object.
    #[inline(always)]
    pub fn push(&mut self, node: N) {
        let place = node.place();
        self.table = Some(place.table());
        match self.near.get_mut(self.end) {
            Some(near) => *near = place.cell(),
            None => {
                let far = std::mem::take(&mut self.far);
                self.far = push_far(far, self.end - NEAR_NODES, place.cell());
            }
        }
        self.end += 1;
    }

    /// Takes the object that was pushed first: a queue.
    #[inline(always)]
    pub fn pop_first(&mut self) -> Option<N> {
        if self.first == self.end {
            return None;
        }
        self.first += 1;
        self.at(self.first - 1)
    }

    /// Takes the object that was pushed last: a stack.
    #[inline(always)]
    pub fn pop_last(&mut self) -> Option<N> {
        if self.first == self.end {
            return None;
        }
        self.end -= 1;
        self.at(self.end)
    }

    /// How many objects are waiting.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.end - self.first
    }

    /// Whether none is waiting.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    #[inline(always)]
    fn at(&self, index: usize) -> Option<N> {
        let cell = match self.near.get(index) {
            Some(&cell) => cell,
            None => self.far[index - NEAR_NODES],
        };
        self.table.map(|table| N::at(Place::new(table, cell)))
    }
}

impl<'h, N: NodeView<'h>> Default for Worklist<'h, N> {
    fn default() -> Self {
        Worklist::new()
    }
}

#[cold]
#[inline(never)]
fn push_far(mut far: Vec<u32>, index: usize, cell: u32) -> Vec<u32> {
    far.truncate(index);
    far.push(cell);
    far
}
