//! A harness for `std_census::bool_type::Bool`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Bool = std_census::bool_type::Bool;

// 8 of 8 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct BoolState {
    pub text: beget::heap::DebugText,
}

impl BoolState {
    fn of(bool: &Bool) -> BoolState {
        BoolState { text: beget::heap::DebugText::of(bool) }
    }
}

beget::suite! {
    /// The public functions of `std_census::bool_type::Bool`.
    #[name = "std::bool"]
    pub suite BoolSuite for Bool {
        abstraction |bool| -> BoolState { BoolState::of(bool) };
        fn then_some(self, t: u8) -> Option<u8>;
        fn then(self, f_gives: u8) -> Option<u8> = calls::then;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(value: bool) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Bool;

    pub fn then(bool: Bool, f_gives: u8) -> Option<u8> {
        bool.then(move || f_gives)
    }

    pub fn from(value: bool) -> Bool {
        <Bool as From<_>>::from(value)
    }
}
