//! A harness for `std_census::refcell_type::RefCell<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type RefCell = std_census::refcell_type::RefCell<u8>;

// 17 of 17 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RefCellState {
    pub text: beget::heap::DebugText,
    pub take: u8,
}

impl RefCellState {
    fn of(ref_cell: &RefCell) -> RefCellState {
        RefCellState { text: beget::heap::DebugText::of(ref_cell), take: ref_cell.take() }
    }
}

beget::suite! {
    /// The public functions of `std_census::refcell_type::RefCell<u8>`.
    #[name = "std::refcell"]
    pub suite RefCellSuite for RefCell {
        abstraction |ref_cell| -> RefCellState { RefCellState::of(ref_cell) };
        fn new(value: u8) -> Self;
        fn into_inner(self) -> u8;
        fn replace(&self, t: u8) -> u8;
        fn replace_with(&self) -> u8 = calls::replace_with;
        fn swap(&self, other: &Self);
        fn borrow(&self) -> String = calls::borrow;
        fn try_borrow(&self) -> Result<String, String> = calls::try_borrow;
        fn borrow_mut(&self) -> String = calls::borrow_mut;
        fn try_borrow_mut(&self) -> Result<String, String> = calls::try_borrow_mut;
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn get_mut(&mut self) -> &mut u8;
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
    use super::RefCell;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn replace_with(ref_cell: &RefCell) -> u8 {
        ref_cell.replace_with(|a| (*a))
    }

    pub fn borrow(ref_cell: &RefCell) -> String {
        shown(&ref_cell.borrow())
    }

    pub fn try_borrow(ref_cell: &RefCell) -> Result<String, String> {
        ref_cell.try_borrow().map(|value| shown(&value)).map_err(|error| shown(&error))
    }

    pub fn borrow_mut(ref_cell: &RefCell) -> String {
        shown(&ref_cell.borrow_mut())
    }

    pub fn try_borrow_mut(ref_cell: &RefCell) -> Result<String, String> {
        ref_cell.try_borrow_mut().map(|value| shown(&value)).map_err(|error| shown(&error))
    }

    pub fn as_ptr(ref_cell: &RefCell) -> String {
        shown(&ref_cell.as_ptr())
    }
}
