//! Sets and worklists of objects that a predicate can use without allocating.

use super::{NodeView, Place, Table};

/// The words after the first that need no allocation.
const FAR_WORDS: usize = 7;

/// A set of objects, by identity. Heaps of up to 512 cells need no allocation; the first 64 cells
/// are in one word, which fits a register.
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
    /// The members among the first 64 cells.
    near: u64,
    far: FarCells,
    n_nodes: usize,
}

/// The members of a set from cell 64 on.
#[derive(Clone, Debug)]
struct FarCells {
    words: [u64; FAR_WORDS],
    more: Vec<u64>,
}

impl FarCells {
    const fn new() -> Self {
        FarCells { words: [0; FAR_WORDS], more: Vec::new() }
    }
}

impl NodeSet {
    /// An empty set.
    #[inline(always)]
    pub fn new() -> Self {
        NodeSet { near: 0, far: FarCells::new(), n_nodes: 0 }
    }

    /// Adds an object; returns whether it is new.
    #[inline(always)]
    pub fn insert<'h>(&mut self, node: impl NodeView<'h>) -> bool {
        self.insert_place(node.place())
    }

    /// Returns whether the object is in the set.
    #[inline(always)]
    pub fn contains<'h>(&self, node: impl NodeView<'h>) -> bool {
        match node.place().cell() {
            cell @ 0..u64::BITS => self.near >> cell & 1 == 1,
            cell => contains_far(self.far.words, &self.far.more, cell - u64::BITS),
        }
    }

    /// The number of objects in it.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n_nodes
    }

    /// Returns whether it is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Like [`NodeSet::insert`], by the object's place.
    #[inline(always)]
    pub fn insert_place(&mut self, place: Place<'_>) -> bool {
        let is_new = match place.cell() {
            cell @ 0..u64::BITS => {
                let is_new = self.near >> cell & 1 == 0;
                self.near |= 1 << cell;
                is_new
            }
            cell => {
                let far = std::mem::replace(&mut self.far, FarCells::new());
                let (far, is_new) = insert_far(far, cell - u64::BITS);
                self.far = far;
                is_new
            }
        };
        if is_new {
            self.n_nodes += 1;
        }
        is_new
    }
}

impl Default for NodeSet {
    fn default() -> Self {
        NodeSet::new()
    }
}

/// Adds cell number `cell` of the far ones; returns whether it is new.
///
/// Takes the words and gives them back: the compiler keeps a set in registers if no other function
/// holds a reference into it.
#[inline(never)]
fn insert_far(mut far: FarCells, cell: u32) -> (FarCells, bool) {
    let (index, bit) = (cell as usize / 64, 1 << (cell % 64));
    let word = match far.words.get_mut(index) {
        Some(word) => word,
        None => {
            let index = index - FAR_WORDS;
            if far.more.len() <= index {
                far.more.resize(index + 1, 0);
            }
            &mut far.more[index]
        }
    };
    let is_new = *word & bit == 0;
    *word |= bit;
    (far, is_new)
}

#[inline(never)]
fn contains_far(words: [u64; FAR_WORDS], more: &[u64], cell: u32) -> bool {
    let index = cell as usize / 64;
    let word = words.get(index).or_else(|| more.get(index - FAR_WORDS));
    word.is_some_and(|word| word >> (cell % 64) & 1 == 1)
}

const NEAR_NODES: usize = 32;

/// Objects still to be visited, taken from either end. The first 32 pushed need no allocation.
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
        // Loaded once: the compiler assumes that a write to `near` may change it.
        let end = self.end;
        match self.near.get_mut(end) {
            Some(near) => *near = place.cell(),
            None => {
                let far = std::mem::take(&mut self.far);
                self.far = push_far(far, end - NEAR_NODES, place.cell());
            }
        }
        self.end = end + 1;
    }

    /// Takes the object that was pushed first: a queue.
    #[inline(always)]
    pub fn pop_first(&mut self) -> Option<N> {
        if self.first == self.end {
            return None;
        }
        let first = self.first;
        self.first = first + 1;
        self.at(first)
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

    /// The number of waiting objects.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.end - self.first
    }

    /// Returns whether none is waiting.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    #[inline(always)]
    fn at(&self, index: usize) -> Option<N> {
        let cell = match self.near.get(index) {
            Some(&cell) => cell,
            None => far_node(&self.far, index - NEAR_NODES),
        };
        self.table.map(|table| N::at(Place::new(table, cell)))
    }
}

impl<'h, N: NodeView<'h>> Default for Worklist<'h, N> {
    fn default() -> Self {
        Worklist::new()
    }
}

/// Gives the nodes back, as `insert_far` does.
#[cold]
#[inline(never)]
fn push_far(mut far: Vec<u32>, index: usize, cell: u32) -> Vec<u32> {
    far.truncate(index);
    far.push(cell);
    far
}

#[cold]
#[inline(never)]
fn far_node(far: &[u32], index: usize) -> u32 {
    far[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Node<'h>(Place<'h>);

    impl<'h> NodeView<'h> for Node<'h> {
        fn at(place: Place<'h>) -> Self {
            Node(place)
        }

        fn place(self) -> Place<'h> {
            self.0
        }
    }

    #[test]
    fn each_cell_is_in_a_set_once_near_and_far() {
        let table = Table::new();
        let mut set = NodeSet::new();
        for step in [7, 3, 1] {
            for cell in (1..1_500).step_by(step) {
                let node = Node(Place::new(&table, cell));
                let (is_known, n_nodes) = (set.contains(node), set.len());
                assert_eq!(set.insert(node), !is_known);
                assert_eq!(set.len(), n_nodes + usize::from(!is_known));
                assert!(set.contains(node) && !set.insert(node));
            }
        }
        assert_eq!(set.len(), 1_499);
        assert!((1_500..2_000).all(|cell| !set.contains(Node(Place::new(&table, cell)))));
    }

    #[test]
    fn a_worklist_is_a_queue_and_a_stack_near_and_far() {
        let table = Table::new();
        let mut worklist = Worklist::new();
        (0..100).for_each(|cell| worklist.push(Node(Place::new(&table, cell))));
        let cell = |node: Option<Node<'_>>| node.map(|node| node.0.cell());
        for index in 0..50 {
            assert_eq!(cell(worklist.pop_first()), Some(index));
            assert_eq!(cell(worklist.pop_last()), Some(99 - index));
        }
        assert_eq!((cell(worklist.pop_first()), worklist.len()), (None, 0));
    }
}
