//! The ordered set of the standard library, [`BTreeSet`]. Its state is its contents.

pub use std::collections::BTreeSet;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the even elements.
    fn retain_even(&mut self);
    /// Counts the elements of `range(from..)`.
    fn count_from(&self, from: u8) -> usize;
}

impl More for BTreeSet<u8> {
    fn retain_even(&mut self) {
        self.retain(|element| *element % 2 == 0);
    }

    fn count_from(&self, from: u8) -> usize {
        self.range(from..).count()
    }
}

beget::suite! {
    /// The standard ordered set of small integers.
    #[name = "real::btreeset"]
    pub suite Btreeset for BTreeSet<u8> {
        fn new() -> Self;
        fn insert(&mut self, element: u8) -> bool;
        fn replace(&mut self, element: u8) -> Option<u8>;
        fn remove(&mut self, element: &u8) -> bool;
        fn take(&mut self, element: &u8) -> Option<u8>;
        fn pop_first(&mut self) -> Option<u8>;
        fn pop_last(&mut self) -> Option<u8>;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, element: &u8) -> Self;
        fn clear(&mut self);
        fn retain_even(&mut self);
        fn union(&self, other: &Self) -> Self = std::ops::BitOr::bitor;
        fn intersection(&self, other: &Self) -> Self = std::ops::BitAnd::bitand;
        fn difference(&self, other: &Self) -> Self = std::ops::Sub::sub;
        fn symmetric_difference(&self, other: &Self) -> Self = std::ops::BitXor::bitxor;
        fn clone(&self) -> Self;
        fn is_subset(&self, other: &Self) -> bool;
        fn is_superset(&self, other: &Self) -> bool;
        fn is_disjoint(&self, other: &Self) -> bool;
        fn contains(&self, element: &u8) -> bool;
        fn get(&self, element: &u8) -> Option<&u8>;
        fn first(&self) -> Option<&u8>;
        fn last(&self) -> Option<&u8>;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn count_from(&self, from: u8) -> usize;
        fn iter(&self) -> impl Iterator<Item = &u8>;
    }
}
