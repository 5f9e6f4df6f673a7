//! A harness for `std_census::vec_type::Vec<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type StdCensusVec = std_census::vec_type::Vec<u8>;

// 48 of 49 public functions take part.
// Left out:
// - into_flattened: it is a function of `Vec<a type for `T>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StdCensusVecState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl StdCensusVecState {
    fn of(std_census_vec: &StdCensusVec) -> StdCensusVecState {
        StdCensusVecState {
            text: beget::heap::DebugText::of(std_census_vec),
            len: std_census_vec.len(),
            is_empty: std_census_vec.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::vec_type::Vec<u8>`.
    #[name = "std::vec"]
    pub suite StdCensusVecSuite for StdCensusVec {
        abstraction |std_census_vec| -> StdCensusVecState { StdCensusVecState::of(std_census_vec) };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn into_raw_parts(self) -> String = calls::into_raw_parts;
        fn push(&mut self, value: u8);
        fn push_mut(&mut self, value: u8) -> &mut u8;
        fn capacity(&self) -> usize;
        fn reserve(&mut self, additional: usize);
        fn reserve_exact(&mut self, additional: usize);
        fn try_reserve(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve;
        fn try_reserve_exact(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve_exact;
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, min_capacity: usize);
        fn into_boxed_slice(self) -> String = calls::into_boxed_slice;
        fn truncate(&mut self, len: usize);
        fn as_slice(&self) -> &[u8];
        fn as_mut_slice(&mut self) -> &mut [u8];
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn as_mut_ptr(&mut self) -> String = calls::as_mut_ptr;
        fn swap_remove(&mut self, index: usize) -> u8;
        fn insert(&mut self, index: usize, element: u8);
        fn insert_mut(&mut self, index: usize, element: u8) -> &mut u8;
        fn remove(&mut self, index: usize) -> u8;
        fn retain(&mut self) = calls::retain;
        fn retain_mut(&mut self) = calls::retain_mut;
        fn dedup_by_key(&mut self) = calls::dedup_by_key;
        fn dedup_by(&mut self) = calls::dedup_by;
        fn pop(&mut self) -> Option<u8>;
        fn pop_if(&mut self) -> Option<u8> = calls::pop_if;
        fn append(&mut self, other: &mut Self);
        fn drain(&mut self, range: std::ops::Range<usize>) -> Vec<String> = calls::drain;
        fn clear(&mut self);
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn split_off(&mut self, at: usize) -> Self;
        fn resize_with(&mut self, new_len: usize, f_gives: u8) = calls::resize_with;
        fn leak(self) -> &mut [u8];
        fn spare_capacity_mut(&mut self) -> String = calls::spare_capacity_mut;
        fn resize(&mut self, new_len: usize, value: u8);
        fn extend_from_slice(&mut self, other: &[u8]);
        fn extend_from_within(&mut self, src: std::ops::Range<usize>);
        fn dedup(&mut self);
        fn splice(&mut self, range: std::ops::Range<usize>, replace_with: Vec<u8>) -> String = calls::splice;
        fn extract_if(&mut self, range: std::ops::Range<usize>) -> String = calls::extract_if;
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
    use super::StdCensusVec;

    /// The most items that are taken of an iterator.
    const MOST_ITEMS: usize = 16;

    /// What an iterator gives, shown by `Debug`.
    fn driven<I: IntoIterator<Item: std::fmt::Debug>>(items: I) -> Vec<String> {
        items.into_iter().take(MOST_ITEMS).map(|item| format!("{item:?}")).collect()
    }

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn into_raw_parts(std_census_vec: StdCensusVec) -> String {
        shown(&std_census_vec.into_raw_parts())
    }

    pub fn try_reserve(std_census_vec: &mut StdCensusVec, additional: usize) -> Result<(), String> {
        std_census_vec.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn try_reserve_exact(
        std_census_vec: &mut StdCensusVec,
        additional: usize,
    ) -> Result<(), String> {
        std_census_vec.try_reserve_exact(additional).map_err(|error| shown(&error))
    }

    pub fn into_boxed_slice(std_census_vec: StdCensusVec) -> String {
        shown(&std_census_vec.into_boxed_slice())
    }

    pub fn as_ptr(std_census_vec: &StdCensusVec) -> String {
        shown(&std_census_vec.as_ptr())
    }

    pub fn as_mut_ptr(std_census_vec: &mut StdCensusVec) -> String {
        shown(&std_census_vec.as_mut_ptr())
    }

    pub fn retain(std_census_vec: &mut StdCensusVec) {
        std_census_vec.retain(|a| (*a) % 2 == 0)
    }

    pub fn retain_mut(std_census_vec: &mut StdCensusVec) {
        std_census_vec.retain_mut(|a| (*a) % 2 == 0)
    }

    pub fn dedup_by_key(std_census_vec: &mut StdCensusVec) {
        std_census_vec.dedup_by_key(|a| (*a))
    }

    pub fn dedup_by(std_census_vec: &mut StdCensusVec) {
        std_census_vec.dedup_by(|a, b| (*a) == (*b))
    }

    pub fn pop_if(std_census_vec: &mut StdCensusVec) -> Option<u8> {
        std_census_vec.pop_if(|a| (*a) % 2 == 0)
    }

    pub fn drain(std_census_vec: &mut StdCensusVec, range: std::ops::Range<usize>) -> Vec<String> {
        driven(std_census_vec.drain(range))
    }

    pub fn resize_with(std_census_vec: &mut StdCensusVec, new_len: usize, f_gives: u8) {
        std_census_vec.resize_with(new_len, move || f_gives)
    }

    pub fn spare_capacity_mut(std_census_vec: &mut StdCensusVec) -> String {
        shown(&std_census_vec.spare_capacity_mut())
    }

    pub fn splice(
        std_census_vec: &mut StdCensusVec,
        range: std::ops::Range<usize>,
        replace_with: Vec<u8>,
    ) -> String {
        shown(&std_census_vec.splice(range, replace_with.into_iter()))
    }

    pub fn extract_if(std_census_vec: &mut StdCensusVec, range: std::ops::Range<usize>) -> String {
        shown(&std_census_vec.extract_if(range, |a| (*a) % 2 == 0))
    }
}
