//! A harness for `std_census::rangefrom_type::RangeFrom<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type RangeFrom = std_census::rangefrom_type::RangeFrom<u8>;

// 3 of 3 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RangeFromState {
    pub text: beget::heap::DebugText,
}

impl RangeFromState {
    fn of(range_from: &RangeFrom) -> RangeFromState {
        RangeFromState { text: beget::heap::DebugText::of(range_from) }
    }
}

beget::suite! {
    /// The public functions of `std_census::rangefrom_type::RangeFrom<u8>`.
    #[name = "std::rangefrom"]
    pub suite RangeFromSuite for RangeFrom {
        abstraction |range_from| -> RangeFromState { RangeFromState::of(range_from) };
        fn made_from(start: u8) -> Self = by_hand::made_from;
        fn contains(&self, item: &u8) -> bool;
        fn clone(&self) -> Self;
        fn eq(&self, other: &Self) -> bool = calls::eq;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::RangeFrom;

    pub fn eq(range_from: &RangeFrom, other: &RangeFrom) -> bool {
        <RangeFrom as PartialEq>::eq(range_from, other)
    }
}

mod by_hand {
    pub fn made_from(start: u8) -> super::RangeFrom {
        start..
    }
}
