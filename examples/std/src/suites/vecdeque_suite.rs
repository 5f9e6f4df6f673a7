//! A harness for `std_census::vecdeque_type::VecDeque<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type VecDeque = std_census::vecdeque_type::VecDeque<u8>;

// 59 of 59 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct VecDequeState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl VecDequeState {
    fn of(vec_deque: &VecDeque) -> VecDequeState {
        VecDequeState {
            text: beget::heap::DebugText::of(vec_deque),
            len: vec_deque.len(),
            is_empty: vec_deque.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::vecdeque_type::VecDeque<u8>`.
    #[name = "std::vecdeque"]
    pub suite VecDequeSuite for VecDeque {
        abstraction |vec_deque| -> VecDequeState { VecDequeState::of(vec_deque) };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn get(&self, index: usize) -> Option<&u8>;
        fn get_mut(&mut self, index: usize) -> Option<&mut u8>;
        fn swap(&mut self, i: usize, j: usize);
        fn capacity(&self) -> usize;
        fn reserve_exact(&mut self, additional: usize);
        fn reserve(&mut self, additional: usize);
        fn try_reserve_exact(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve_exact;
        fn try_reserve(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve;
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, min_capacity: usize);
        fn truncate(&mut self, len: usize);
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn as_slices(&self) -> (&[u8], &[u8]);
        fn as_mut_slices(&mut self) -> (&mut [u8], &mut [u8]);
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn range(&self, range: std::ops::Range<usize>) -> Vec<String> = calls::range;
        fn range_mut(&mut self, range: std::ops::Range<usize>) -> Vec<String> = calls::range_mut;
        fn drain(&mut self, range: std::ops::Range<usize>) -> Vec<String> = calls::drain;
        fn clear(&mut self);
        fn contains(&self, x: &u8) -> bool;
        fn front(&self) -> Option<&u8>;
        fn front_mut(&mut self) -> Option<&mut u8>;
        fn back(&self) -> Option<&u8>;
        fn back_mut(&mut self) -> Option<&mut u8>;
        fn pop_front(&mut self) -> Option<u8>;
        fn pop_back(&mut self) -> Option<u8>;
        fn pop_front_if(&mut self) -> Option<u8> = calls::pop_front_if;
        fn pop_back_if(&mut self) -> Option<u8> = calls::pop_back_if;
        fn push_front(&mut self, value: u8);
        fn push_front_mut(&mut self, value: u8) -> &mut u8;
        fn push_back(&mut self, value: u8);
        fn push_back_mut(&mut self, value: u8) -> &mut u8;
        fn swap_remove_front(&mut self, index: usize) -> Option<u8>;
        fn swap_remove_back(&mut self, index: usize) -> Option<u8>;
        fn insert(&mut self, index: usize, value: u8);
        fn insert_mut(&mut self, index: usize, value: u8) -> &mut u8;
        fn remove(&mut self, index: usize) -> Option<u8>;
        fn split_off(&mut self, at: usize) -> Self;
        fn append(&mut self, other: &mut Self);
        fn retain(&mut self) = calls::retain;
        fn retain_mut(&mut self) = calls::retain_mut;
        fn resize_with(&mut self, new_len: usize, generator_gives: u8) = calls::resize_with;
        fn make_contiguous(&mut self) -> &mut [u8];
        fn rotate_left(&mut self, n: usize);
        fn rotate_right(&mut self, n: usize);
        fn binary_search(&self, x: &u8) -> Result<usize, usize>;
        fn binary_search_by(&self) -> Result<usize, usize> = calls::binary_search_by;
        fn binary_search_by_key(&self, b: &u8) -> Result<usize, usize> = calls::binary_search_by_key;
        fn partition_point(&self) -> usize = calls::partition_point;
        fn resize(&mut self, new_len: usize, value: u8);
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
    use super::VecDeque;

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

    pub fn try_reserve_exact(vec_deque: &mut VecDeque, additional: usize) -> Result<(), String> {
        vec_deque.try_reserve_exact(additional).map_err(|error| shown(&error))
    }

    pub fn try_reserve(vec_deque: &mut VecDeque, additional: usize) -> Result<(), String> {
        vec_deque.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn iter(vec_deque: &VecDeque) -> Vec<String> {
        driven(vec_deque.iter())
    }

    pub fn iter_mut(vec_deque: &mut VecDeque) -> Vec<String> {
        driven(vec_deque.iter_mut())
    }

    pub fn range(vec_deque: &VecDeque, range: std::ops::Range<usize>) -> Vec<String> {
        driven(vec_deque.range(range))
    }

    pub fn range_mut(vec_deque: &mut VecDeque, range: std::ops::Range<usize>) -> Vec<String> {
        driven(vec_deque.range_mut(range))
    }

    pub fn drain(vec_deque: &mut VecDeque, range: std::ops::Range<usize>) -> Vec<String> {
        driven(vec_deque.drain(range))
    }

    pub fn pop_front_if(vec_deque: &mut VecDeque) -> Option<u8> {
        vec_deque.pop_front_if(|a| (*a) % 2 == 0)
    }

    pub fn pop_back_if(vec_deque: &mut VecDeque) -> Option<u8> {
        vec_deque.pop_back_if(|a| (*a) % 2 == 0)
    }

    pub fn retain(vec_deque: &mut VecDeque) {
        vec_deque.retain(|a| (*a) % 2 == 0)
    }

    pub fn retain_mut(vec_deque: &mut VecDeque) {
        vec_deque.retain_mut(|a| (*a) % 2 == 0)
    }

    pub fn resize_with(vec_deque: &mut VecDeque, new_len: usize, generator_gives: u8) {
        vec_deque.resize_with(new_len, move || generator_gives)
    }

    pub fn binary_search_by(vec_deque: &VecDeque) -> Result<usize, usize> {
        vec_deque.binary_search_by(|a| (*a).cmp(&1))
    }

    pub fn binary_search_by_key(vec_deque: &VecDeque, b: &u8) -> Result<usize, usize> {
        vec_deque.binary_search_by_key(b, |a| (*a))
    }

    pub fn partition_point(vec_deque: &VecDeque) -> usize {
        vec_deque.partition_point(|a| (*a) % 2 == 0)
    }
}
