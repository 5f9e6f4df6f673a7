//! A harness for `std_census::rangeinclusive_type::RangeInclusive<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type RangeInclusive = std_census::rangeinclusive_type::RangeInclusive<u8>;

// 8 of 8 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RangeInclusiveState {
    pub text: beget::heap::DebugText,
    pub is_empty: bool,
}

impl RangeInclusiveState {
    fn of(range_inclusive: &RangeInclusive) -> RangeInclusiveState {
        RangeInclusiveState {
            text: beget::heap::DebugText::of(range_inclusive),
            is_empty: range_inclusive.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::rangeinclusive_type::RangeInclusive<u8>`.
    #[name = "std::rangeinclusive"]
    pub suite RangeInclusiveSuite for RangeInclusive {
        abstraction |range_inclusive| -> RangeInclusiveState { RangeInclusiveState::of(range_inclusive) };
        fn new(start: u8, end: u8) -> Self;
        fn start(&self) -> &u8;
        fn end(&self) -> &u8;
        fn into_inner(self) -> (u8, u8);
        fn contains(&self, item: &u8) -> bool;
        fn is_empty(&self) -> bool;
        fn clone(&self) -> Self;
        fn eq(&self, other: &Self) -> bool = calls::eq;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::RangeInclusive;

    pub fn eq(range_inclusive: &RangeInclusive, other: &RangeInclusive) -> bool {
        <RangeInclusive as PartialEq>::eq(range_inclusive, other)
    }
}
