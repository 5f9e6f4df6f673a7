//! A harness for `std_census::cow_type::Cow`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Cow = std_census::cow_type::Cow;

// 8 of 8 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct CowState {
    pub text: beget::heap::DebugText,
}

impl CowState {
    fn of(cow: &Cow) -> CowState {
        CowState { text: beget::heap::DebugText::of(cow) }
    }
}

beget::suite! {
    /// The public functions of `std_census::cow_type::Cow`.
    #[name = "std::cow"]
    pub suite CowSuite for Cow {
        abstraction |cow| -> CowState { CowState::of(cow) };
        fn to_mut(&mut self) -> &mut String;
        fn into_owned(self) -> String;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(text: String) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Cow;

    pub fn from(text: String) -> Cow {
        <Cow as From<_>>::from(text)
    }
}
