//! A harness for `std_census::range_type::Range<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Range = std_census::range_type::Range<u8>;

// 5 of 5 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RangeState {
    pub text: beget::heap::DebugText,
    pub is_empty: bool,
}

impl RangeState {
    fn of(range: &Range) -> RangeState {
        RangeState { text: beget::heap::DebugText::of(range), is_empty: range.is_empty() }
    }
}

beget::suite! {
    /// The public functions of `std_census::range_type::Range<u8>`.
    #[name = "std::range"]
    pub suite RangeSuite for Range {
        abstraction |range| -> RangeState { RangeState::of(range) };
        fn made_from_to(start: u8, end: u8) -> Self = by_hand::made_from_to;
        fn contains(&self, item: &u8) -> bool;
        fn is_empty(&self) -> bool;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool = calls::eq;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Range;

    pub fn eq(range: &Range, other: &Range) -> bool {
        <Range as PartialEq>::eq(range, other)
    }
}

mod by_hand {
    pub fn made_from_to(start: u8, end: u8) -> super::Range {
        start..end
    }
}
