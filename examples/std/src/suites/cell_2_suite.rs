//! A harness for `std_census::cell_type::Cell<[u8; 2]>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Cell = std_census::cell_type::Cell<[u8; 2]>;

// 17 of 18 public functions take part.
// Left out:
// - as_slice_of_cells: it is a function of `Cell<[T]>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct CellState {
    pub text: beget::heap::DebugText,
}

impl CellState {
    fn of(cell: &Cell) -> CellState {
        CellState { text: beget::heap::DebugText::of(cell) }
    }
}

beget::suite! {
    /// The public functions of `std_census::cell_type::Cell<[u8; 2]>`.
    #[name = "std::cell_2"]
    pub suite CellSuite for Cell {
        abstraction |cell| -> CellState { CellState::of(cell) };
        fn new(value: [u8; 2]) -> Self;
        fn set(&self, val: [u8; 2]);
        fn swap(&self, other: &Self);
        fn replace(&self, val: [u8; 2]) -> [u8; 2];
        fn into_inner(self) -> [u8; 2];
        fn get(&self) -> [u8; 2];
        fn update(&self) = calls::update;
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn get_mut(&mut self) -> &mut [u8; 2];
        fn from_mut(t: &mut [u8; 2]) -> &Self;
        fn take(&self) -> [u8; 2];
        fn as_array_of_cells(&self) -> String = calls::as_array_of_cells;
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
        cell.update(|a| a.clone())
    }

    pub fn as_ptr(cell: &Cell) -> String {
        shown(&cell.as_ptr())
    }

    pub fn as_array_of_cells(cell: &Cell) -> String {
        shown(&cell.as_array_of_cells())
    }
}
