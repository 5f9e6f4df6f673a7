//! The table: a heap as numbered cells, and the note of which cells were read first.

use std::cell::Cell;

/// A heap laid out in cells of one integer each.
///
/// An object is a run of cells; a reference holds the number of its target's first cell, 0 for
/// null. Cell 0 belongs to no object, and the root starts at cell [`Table::ROOT`]. What the cells of a class
/// mean is said by its [`ClassShape`](super::ClassShape), which the table does not know.
///
/// While a search [records](Table::record), the first read of each cell is appended to the order
/// of reads. Tables that hold a finished structure record nothing.
#[derive(Debug, Default)]
pub struct Table {
    slots: Vec<Slot>,
    /// The cells read, in order of their first reads; room for every cell.
    order: Vec<Cell<u32>>,
    n_read: Cell<usize>,
    reads_left: Cell<u64>,
    texts: Vec<Box<str>>,
}

#[derive(Debug)]
struct Slot {
    value: Cell<i64>,
    /// Whether the cell is in the order of reads, or need not be.
    is_noted: Cell<bool>,
}

/// The payload of the unwinding that ends a predicate which reads more cells than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyReads;

impl Table {
    /// The first cell of the root.
    pub const ROOT: u32 = 1;

    /// An empty table, without a root yet.
    pub fn new() -> Self {
        let mut table = Table { reads_left: Cell::new(u64::MAX), ..Table::default() };
        table.clear();
        table
    }

    /// Forgets all objects; keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.order.clear();
        self.texts.clear();
        self.n_read.set(0);
        self.allocate(Self::ROOT);
    }

    /// Adds an object of `n_cells` cells, all 0, and returns its first cell.
    ///
    /// An object of no cells takes one all the same: it has an identity.
    pub fn allocate(&mut self, n_cells: u32) -> u32 {
        let start = self.slots.len();
        let end = start + n_cells.max(1) as usize;
        self.slots.resize_with(end, || Slot { value: Cell::new(0), is_noted: Cell::new(true) });
        self.order.resize_with(end, || Cell::new(0));
        u32::try_from(start).expect("a heap has less than 2^32 cells")
    }

    /// How many cells there are.
    pub fn n_cells(&self) -> usize {
        self.slots.len()
    }

    /// The root, in place.
    #[inline(always)]
    pub fn root(&self) -> Place<'_> {
        Place { table: self, cell: Self::ROOT }
    }

    /// Reads a cell without noting it.
    #[inline(always)]
    pub fn peek(&self, cell: u32) -> i64 {
        self.slots[cell as usize].value.get()
    }

    /// Changes a cell.
    #[inline(always)]
    pub fn set(&self, cell: u32, value: i64) {
        self.slots[cell as usize].value.set(value);
    }

    /// Keeps a text and returns the value of a cell that holds it.
    pub fn intern(&mut self, text: String) -> i64 {
        self.texts.push(text.into_boxed_str());
        self.texts.len() as i64 - 1
    }

    /// The text that a cell's value stands for.
    pub fn text(&self, value: i64) -> &str {
        usize::try_from(value).ok().and_then(|index| self.texts.get(index)).map_or("", |text| text)
    }

    /// Starts to record: no cell counts as read.
    pub fn record(&self) {
        self.slots.iter().for_each(|slot| slot.is_noted.set(false));
        self.n_read.set(0);
    }

    /// Leaves cells out of the order of reads.
    pub fn ignore(&self, is_ignored: impl Fn(u32) -> bool) {
        for (cell, slot) in (0..).zip(&self.slots) {
            slot.is_noted.set(slot.is_noted.get() || is_ignored(cell));
        }
    }

    /// How many cells were read, each counted once.
    #[inline(always)]
    pub fn n_read(&self) -> usize {
        self.n_read.get()
    }

    /// The cell that was number `index` to be read first.
    #[inline(always)]
    pub fn read_at(&self, index: usize) -> u32 {
        self.order[index].get()
    }

    /// Whether the cell is in the order of reads.
    #[inline(always)]
    pub fn is_noted(&self, cell: u32) -> bool {
        self.slots[cell as usize].is_noted.get()
    }

    /// Appends a cell to the order of reads. It must not be there already.
    #[inline(always)]
    pub fn note(&self, cell: u32) {
        let index = self.n_read.get();
        self.slots[cell as usize].is_noted.set(true);
        self.order[index].set(cell);
        self.n_read.set(index + 1);
    }

    /// Takes the last cell from the order of reads.
    #[inline(always)]
    pub fn forget_last(&self) {
        let index = self.n_read.get() - 1;
        self.n_read.set(index);
        self.slots[self.order[index].get() as usize].is_noted.set(false);
    }

    /// Allows `n` more reads, after which reading unwinds with [`TooManyReads`].
    #[inline(always)]
    pub fn allow_reads(&self, n: u64) {
        self.reads_left.set(n);
    }

    #[inline(always)]
    fn read(&self, cell: u32) -> i64 {
        let slot = &self.slots[cell as usize];
        if !slot.is_noted.get() {
            self.note(cell);
        }
        let left = self.reads_left.get();
        if left == 0 {
            too_many_reads();
        }
        self.reads_left.set(left - 1);
        slot.value.get()
    }
}

#[cold]
fn too_many_reads() -> ! {
    std::panic::resume_unwind(Box::new(TooManyReads))
}

/// A position in a table: where an object or a field starts. Equal by position.
#[derive(Clone, Copy)]
pub struct Place<'h> {
    table: &'h Table,
    cell: u32,
}

impl<'h> Place<'h> {
    /// The place of a cell.
    #[inline(always)]
    pub fn new(table: &'h Table, cell: u32) -> Self {
        Place { table, cell }
    }

    /// Reads the cell, which notes it.
    #[inline(always)]
    pub fn read(self) -> i64 {
        self.table.read(self.cell)
    }

    /// The place `n_cells` further on.
    #[inline(always)]
    pub fn offset(self, n_cells: u32) -> Self {
        Place { table: self.table, cell: self.cell + n_cells }
    }

    /// Reads the cell as a reference; `None` if it is null.
    #[inline(always)]
    pub fn follow(self) -> Option<Self> {
        let target = self.read();
        (target != 0).then_some(Place { table: self.table, cell: target as u32 })
    }

    /// The cell's number.
    #[inline(always)]
    pub fn cell(self) -> u32 {
        self.cell
    }

    /// The table it is in.
    #[inline(always)]
    pub fn table(self) -> &'h Table {
        self.table
    }
}

impl PartialEq for Place<'_> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.cell == other.cell
    }
}

impl Eq for Place<'_> {}

impl std::hash::Hash for Place<'_> {
    #[inline(always)]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.cell.hash(state);
    }
}

impl std::fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.cell)
    }
}
