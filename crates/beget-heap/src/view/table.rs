//! The table: a heap as numbered cells, with the order in which they were first read.

use std::cell::Cell;

/// A heap laid out in cells of one integer each.
///
/// An object is a run of cells; a reference holds the number of its target's first cell, 0 for
/// null. Cell 0 belongs to no object, and the root starts at cell [`Table::ROOT`]. The meaning of a
/// class's cells is in its [`ClassShape`](super::ClassShape), which the table does not know.
///
/// While a search [records](Table::record), the first read of each cell is appended to the order
/// of reads. Tables that hold a finished structure record nothing.
///
/// A predicate that reads without end is unwound, by [`TooManyReads`]. One counter for all cells
/// would halve the speed of a search, because each read would wait for the one before. So a
/// recording table lets each cell be read often, over many runs, and unwinds when one cell's
/// allowance is used up. Such a run is *suspect*: running it again while
/// [counting](Table::count_reads) shows whether it is endless.
#[derive(Debug)]
pub struct Table {
    /// The cells, if they are few. They are stored in the table itself: otherwise the compiler
    /// would reload their address after each read, since any read may have changed it.
    /// Invariant: those that the heap does not use are as in a new table.
    near: NearCells,
    /// The cells, if there are more.
    far: Vec<TableSlot>,
    n_cells: usize,
    /// The cells read, in order of their first reads; room for every cell, and for those of larger
    /// heaps before.
    order: Vec<Cell<u32>>,
    n_read: Cell<usize>,
    /// How often a cell may be read before a run is suspect, while reads are not counted.
    allowance: Cell<u32>,
    /// The reads left, while they are counted.
    reads_left: Cell<Option<u64>>,
    texts: Vec<Box<str>>,
}

/// Few cells, with an array for each of their properties: one instruction then loads an entry, and
/// an index of one byte is never out of bounds.
#[derive(Debug)]
struct NearCells {
    values: [Cell<i64>; NEAR_CELLS],
    /// The reads left, as in [`TableSlot`]; all 0 if the cells are elsewhere.
    reads_left: [Cell<u32>; NEAR_CELLS],
    are_noted: [Cell<bool>; NEAR_CELLS],
}

#[derive(Debug)]
struct TableSlot {
    value: Cell<i64>,
    /// Reads until the next one that takes the slow path. Invariant: 0 if the cell is not noted, or
    /// reads are counted.
    reads_left: Cell<u32>,
    /// True if the cell is in the order of reads, or need not be.
    is_noted: Cell<bool>,
}

/// The parts of a cell's [`TableSlot`], or their near counterparts.
#[derive(Clone, Copy)]
struct SlotRef<'t> {
    value: &'t Cell<i64>,
    reads_left: &'t Cell<u32>,
    is_noted: &'t Cell<bool>,
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}

/// The cells of a table that are read fastest: more than any reasonable search has.
const NEAR_CELLS: usize = 1 << u8::BITS;

impl NearCells {
    const fn new() -> Self {
        NearCells {
            values: [const { Cell::new(0) }; NEAR_CELLS],
            reads_left: [const { Cell::new(0) }; NEAR_CELLS],
            are_noted: [const { Cell::new(true) }; NEAR_CELLS],
        }
    }

    /// Makes the first cells as new.
    fn reset(&mut self, n_cells: usize) {
        self.values[..n_cells].fill_with(Cell::default);
        self.reads_left[..n_cells].fill_with(Cell::default);
        self.are_noted[..n_cells].fill_with(|| Cell::new(true));
    }

    #[inline(always)]
    fn slot(&self, cell: u8) -> SlotRef<'_> {
        let cell = usize::from(cell);
        SlotRef {
            value: &self.values[cell],
            reads_left: &self.reads_left[cell],
            is_noted: &self.are_noted[cell],
        }
    }
}

impl TableSlot {
    const fn new() -> Self {
        TableSlot { value: Cell::new(0), reads_left: Cell::new(0), is_noted: Cell::new(true) }
    }

    #[inline(always)]
    fn as_ref(&self) -> SlotRef<'_> {
        SlotRef { value: &self.value, reads_left: &self.reads_left, is_noted: &self.is_noted }
    }
}

/// The payload of the unwinding that ends a predicate which reads, or may have read, more cells
/// than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyReads;

impl Table {
    /// The first cell of the root.
    pub const ROOT: u32 = 1;

    /// An empty table, without a root yet.
    pub fn new() -> Self {
        let mut table = Table {
            near: NearCells::new(),
            far: Vec::new(),
            n_cells: 0,
            order: Vec::new(),
            n_read: Cell::new(0),
            allowance: Cell::new(0),
            reads_left: Cell::new(Some(u64::MAX)),
            texts: Vec::new(),
        };
        table.allocate(Self::ROOT);
        table
    }

    /// Forgets all objects, and that reads were recorded; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.allowance.set(0);
        self.reads_left.set(Some(u64::MAX));
        if self.far.is_empty() {
            self.near.reset(self.n_cells);
        }
        self.far.clear();
        self.n_cells = 0;
        self.texts.clear();
        self.n_read.set(0);
        self.allocate(Self::ROOT);
    }

    /// Adds an object of `n_cells` cells, all 0, and returns its first cell.
    ///
    /// An object without cells still takes one, because it has an identity.
    pub fn allocate(&mut self, n_cells: u32) -> u32 {
        let start = self.n_cells;
        let end = start + n_cells.max(1) as usize;
        if end > NEAR_CELLS {
            self.make_far(end);
        }
        self.n_cells = end;
        if self.order.len() < end {
            self.order.resize_with(end, || Cell::new(0));
        }
        u32::try_from(start).expect("a heap has less than 2^32 cells")
    }

    /// Makes room for `end` cells, too many to be near.
    #[cold]
    fn make_far(&mut self, end: usize) {
        if self.far.is_empty() {
            // All slots, even unused ones: from now on no near read is left.
            self.far.extend((0..=u8::MAX).map(|cell| self.near.slot(cell).take()));
            self.far.truncate(self.n_cells);
        }
        self.far.resize_with(end, TableSlot::new);
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.n_cells
    }

    #[inline(always)]
    fn slot(&self, cell: u32) -> SlotRef<'_> {
        debug_assert!((cell as usize) < self.n_cells, "there is no cell {cell}");
        if self.far.is_empty() {
            self.near.slot(cell as u8)
        } else {
            self.far[cell as usize].as_ref()
        }
    }

    fn slots(&self) -> impl Iterator<Item = SlotRef<'_>> {
        (0..self.n_cells as u32).map(|cell| self.slot(cell))
    }

    /// The root, in place.
    #[inline(always)]
    pub fn root(&self) -> Place<'_> {
        Place { table: self, cell: Self::ROOT }
    }

    /// Reads a cell without noting it.
    #[inline(always)]
    pub fn peek(&self, cell: u32) -> i64 {
        self.slot(cell).value.get()
    }

    /// Changes a cell.
    #[inline(always)]
    pub fn set(&self, cell: u32, value: i64) {
        self.slot(cell).value.set(value);
    }

    /// Keeps a text and returns the value of a cell that holds it.
    pub(crate) fn intern(&mut self, text: String) -> i64 {
        self.texts.push(text.into_boxed_str());
        self.texts.len() as i64 - 1
    }

    /// The text that a cell's value stands for.
    pub(crate) fn text(&self, value: i64) -> &str {
        usize::try_from(value).ok().and_then(|index| self.texts.get(index)).map_or("", |text| text)
    }

    /// Starts to record: all cells become unread, except those to be ignored, which are left out of
    /// the order of reads.
    ///
    /// Any run of more than `max_reads` reads, which is at least the number of cells, will be
    /// suspect.
    pub fn record(&self, max_reads: u64, is_ignored: impl Fn(u32) -> bool) {
        let share = (max_reads / self.n_cells as u64).saturating_sub(1);
        self.allowance.set(u32::try_from(share).unwrap_or(u32::MAX));
        self.reads_left.set(None);
        self.n_read.set(0);
        for (cell, slot) in (0..).zip(self.slots()) {
            slot.is_noted.set(is_ignored(cell));
            slot.reads_left.set(if is_ignored(cell) { self.allowance.get() } else { 0 });
        }
    }

    /// The number of cells read, each counted once.
    #[inline(always)]
    pub fn n_read(&self) -> usize {
        self.n_read.get()
    }

    /// The cell that was read first as number `index`.
    #[inline(always)]
    pub fn read_at(&self, index: usize) -> u32 {
        self.order[index].get()
    }

    /// Returns whether the cell is in the order of reads.
    #[inline(always)]
    pub fn is_noted(&self, cell: u32) -> bool {
        self.slot(cell).is_noted.get()
    }

    /// Appends a cell to the order of reads. It must not be there already.
    #[inline(always)]
    pub fn note(&self, cell: u32) {
        let index = self.n_read.get();
        let slot = self.slot(cell);
        slot.is_noted.set(true);
        slot.reads_left.set(self.allowance.get());
        self.order[index].set(cell);
        self.n_read.set(index + 1);
    }

    /// Takes the last cell from the order of reads.
    #[inline(always)]
    pub fn forget_last(&self) {
        let index = self.n_read.get() - 1;
        self.n_read.set(index);
        let slot = self.slot(self.order[index].get());
        slot.is_noted.set(false);
        slot.reads_left.set(0);
    }

    /// Counts reads, and unwinds after `n`. A table that does not record always counts, with no
    /// limit unless one is given here.
    pub fn count_reads(&self, n: u64) {
        self.reads_left.set(Some(n));
        self.allowance.set(0);
        self.slots().for_each(|slot| slot.reads_left.set(0));
    }

    /// Returns whether reads are counted.
    pub fn is_counting(&self) -> bool {
        self.reads_left.get().is_some()
    }

    /// The fast path of nearly all reads, inlined in many places. If the cells are not near, no
    /// near cell has reads left, whatever its number.
    #[inline(always)]
    fn read(&self, cell: u32) -> i64 {
        debug_assert!((cell as usize) < self.n_cells, "there is no cell {cell}");
        let slot = self.near.slot(cell as u8);
        if let Some(left) = slot.reads_left.get().checked_sub(1) {
            slot.reads_left.set(left);
            return slot.value.get();
        }
        self.read_slowly(cell)
    }

    #[inline(never)]
    fn read_slowly(&self, cell: u32) -> i64 {
        let slot = self.slot(cell);
        match slot.reads_left.get().checked_sub(1) {
            Some(left) => slot.reads_left.set(left),
            None => self.note_read(slot, cell),
        }
        slot.value.get()
    }

    fn note_read(&self, slot: SlotRef<'_>, cell: u32) {
        let is_noted = slot.is_noted.get();
        if !is_noted {
            self.note(cell);
        }
        match self.reads_left.get() {
            Some(left) if left > 0 => self.reads_left.set(Some(left - 1)),
            None if !is_noted => {}
            _ => too_many_reads(),
        }
    }
}

impl SlotRef<'_> {
    /// Takes the slot, leaving a new one.
    fn take(self) -> TableSlot {
        TableSlot {
            value: Cell::new(self.value.take()),
            reads_left: Cell::new(self.reads_left.take()),
            is_noted: Cell::new(self.is_noted.replace(true)),
        }
    }
}

#[cold]
fn too_many_reads() -> ! {
    beget_process::guard::stop_with(TooManyReads)
}

/// A position in a table: the start of an object or a field. Equal by position.
#[derive(Clone, Copy)]
pub struct Place<'h> {
    table: &'h Table,
    cell: u32,
}

impl<'h> Place<'h> {
    /// The place of a cell.
    #[inline(always)]
    pub(crate) fn new(table: &'h Table, cell: u32) -> Self {
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
    pub(crate) fn follow(self) -> Option<Self> {
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
    pub(crate) fn table(self) -> &'h Table {
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

#[cfg(test)]
mod tests {
    use beget_process::guard::stoppable;

    use super::*;

    /// Reads every third cell of a table with `n_cells` more cells than an empty one, twice.
    fn check(table: &mut Table, n_cells: u32) {
        let start = table.allocate(n_cells);
        assert_eq!((start, table.n_cells()), (Table::ROOT, (start + n_cells) as usize));
        let cells = start..start + n_cells;
        assert!(cells.clone().all(|cell| table.peek(cell) == 0 && table.is_noted(cell)));
        let value_of = |cell: u32| i64::from(cell) << 33 | 1;
        cells.clone().for_each(|cell| table.set(cell, value_of(cell)));
        table.record(u64::from(4 * n_cells), |cell| cell.is_multiple_of(2));
        let read: Vec<u32> = cells.step_by(3).collect();
        for cell in read.iter().chain(&read) {
            assert_eq!(Place::new(table, *cell).read(), value_of(*cell));
        }
        let noted: Vec<u32> = read.into_iter().filter(|cell| cell % 2 == 1).collect();
        let order: Vec<u32> = (0..table.n_read()).map(|at| table.read_at(at)).collect();
        assert_eq!(order, noted);
        assert!(noted.iter().all(|&cell| table.is_noted(cell)));
        noted.iter().for_each(|_| table.forget_last());
        assert!(noted.iter().all(|&cell| !table.is_noted(cell)));
    }

    #[test]
    fn all_cells_are_read_alike_near_and_far_and_after_a_heap_of_another_size() {
        let near = NEAR_CELLS as u32;
        let mut table = Table::new();
        for n_cells in [1, 700, 12, near - 2, near - 1, near, near + 1, 3] {
            check(&mut table, n_cells);
            table.clear();
        }
    }

    #[test]
    fn a_cell_is_read_as_often_as_its_share_of_all_reads() {
        let mut table = Table::new();
        let cell = table.allocate(3);
        table.record(10 * table.n_cells() as u64, |_| false);
        let read = || stoppable::<TooManyReads, _>(|| Place::new(&table, cell).read());
        assert!((0..10).all(|_| read().is_ok()));
        assert_eq!(read(), Err(TooManyReads));
    }

    #[test]
    fn a_cleared_table_does_not_record() {
        let mut table = Table::new();
        table.allocate(1);
        table.record(2, |_| true);
        table.clear();
        let cell = table.allocate(1);
        (0..100).for_each(|_| _ = Place::new(&table, cell).read());
        assert!(table.is_counting());
        assert_eq!(table.n_read(), 0);
    }

    #[test]
    fn cells_go_far_with_what_they_hold_and_leave_nothing() {
        let mut table = Table::new();
        table.allocate(200);
        table.record(1_000_000, |_| true);
        table.clear();
        let few = table.allocate(5);
        (few..few + 5).for_each(|cell| table.set(cell, i64::from(cell) + 100));
        table.allocate(600);
        table.record(1_000_000, |_| false);
        let cells = 0..table.n_cells() as u32;
        for cell in cells.clone() {
            let expected = if (few..few + 5).contains(&cell) { i64::from(cell) + 100 } else { 0 };
            assert_eq!(Place::new(&table, cell).read(), expected);
        }
        assert!(cells.eq((0..table.n_read()).map(|at| table.read_at(at))));
    }
}
