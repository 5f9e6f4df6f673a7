//! A harness for `std_census::rangetoinclusive_type::RangeToInclusive<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type RangeToInclusive = std_census::rangetoinclusive_type::RangeToInclusive<u8>;

// 3 of 3 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RangeToInclusiveState {
    pub text: beget::heap::DebugText,
}

impl RangeToInclusiveState {
    fn of(range_to_inclusive: &RangeToInclusive) -> RangeToInclusiveState {
        RangeToInclusiveState { text: beget::heap::DebugText::of(range_to_inclusive) }
    }
}

beget::suite! {
    /// The public functions of `std_census::rangetoinclusive_type::RangeToInclusive<u8>`.
    #[name = "std::rangetoinclusive"]
    pub suite RangeToInclusiveSuite for RangeToInclusive {
        abstraction |range_to_inclusive| -> RangeToInclusiveState { RangeToInclusiveState::of(range_to_inclusive) };
        fn made_to(end: u8) -> Self = by_hand::made_to;
        fn contains(&self, item: &u8) -> bool;
        fn clone(&self) -> Self;
        fn eq(&self, other: &Self) -> bool;
    }
}

mod by_hand {
    pub fn made_to(end: u8) -> super::RangeToInclusive {
        ..=end
    }
}
