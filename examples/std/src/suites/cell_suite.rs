//! A harness for `std_census::cell_type::Cell<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Cell = std_census::cell_type::Cell<u8>;

// 16 of 18 public functions take part.
// Left out:
// - as_slice_of_cells: it is a function of `Cell<[T]>`
// - as_array_of_cells: it is a function of `Cell<a type for `T>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct CellState {
    pub text: beget::heap::DebugText,
    pub get: u8,
    pub take: u8,
}

impl CellState {
    fn of(cell: &Cell) -> CellState {
        CellState { text: beget::heap::DebugText::of(cell), get: cell.get(), take: cell.take() }
    }
}

beget::suite! {
    /// The public functions of `std_census::cell_type::Cell<u8>`.
    #[name = "std::cell"]
    pub suite CellSuite for Cell {
        abstraction |cell| -> CellState { CellState::of(cell) };
        fn as_slice_of_cells(&self) -> usize = by_hand::as_slice_of_cells;
        fn new(value: u8) -> Self;
        fn set(&self, val: u8);
        fn swap(&self, other: &Self);
        fn replace(&self, val: u8) -> u8;
        fn into_inner(self) -> u8;
        fn get(&self) -> u8;
        fn update(&self) = calls::update;
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn get_mut(&mut self) -> &mut u8;
        fn from_mut(t: &mut u8) -> &Self;
        fn take(&self) -> u8;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Cell;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn update(cell: &Cell) {
        cell.update(|a| a)
    }

    pub fn as_ptr(cell: &Cell) -> String {
        shown(&cell.as_ptr())
    }
}

mod by_hand {
    pub fn as_slice_of_cells(this: &super::Cell) -> usize {
        let cells: &std::cell::Cell<[u8]> = &std::cell::Cell::new([this.get(); 2]);
        cells.as_slice_of_cells().len()
    }
}
