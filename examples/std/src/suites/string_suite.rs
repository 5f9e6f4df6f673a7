//! A harness for `std_census::string_type::String`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type StdCensusString = std_census::string_type::String;

// 41 of 41 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StdCensusStringState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
}

impl StdCensusStringState {
    fn of(std_census_string: &StdCensusString) -> StdCensusStringState {
        StdCensusStringState {
            text: beget::heap::DebugText::of(std_census_string),
            len: std_census_string.len(),
            is_empty: std_census_string.is_empty(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::string_type::String`.
    #[name = "std::string"]
    pub suite StdCensusStringSuite for StdCensusString {
        abstraction |std_census_string| -> StdCensusStringState { StdCensusStringState::of(std_census_string) };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn from_utf8(vec: Vec<u8>) -> Result<Self, String> = calls::from_utf8;
        fn from_utf8_lossy(v: &[u8]) -> String = calls::from_utf8_lossy;
        fn from_utf16(v: &[u16]) -> Result<Self, String> = calls::from_utf16;
        fn from_utf16_lossy(v: &[u16]) -> Self;
        fn into_raw_parts(self) -> String = calls::into_raw_parts;
        fn into_bytes(self) -> Vec<u8>;
        fn as_str(&self) -> &str;
        fn as_mut_str(&mut self) -> &mut str;
        fn push_str(&mut self, string: &str);
        fn extend_from_within(&mut self, src: std::ops::Range<usize>);
        fn capacity(&self) -> usize;
        fn reserve(&mut self, additional: usize);
        fn reserve_exact(&mut self, additional: usize);
        fn try_reserve(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve;
        fn try_reserve_exact(&mut self, additional: usize) -> Result<(), String> = calls::try_reserve_exact;
        fn shrink_to_fit(&mut self);
        fn shrink_to(&mut self, min_capacity: usize);
        fn push(&mut self, ch: char);
        fn as_bytes(&self) -> &[u8];
        fn truncate(&mut self, new_len: usize);
        fn pop(&mut self) -> Option<char>;
        fn remove(&mut self, idx: usize) -> char;
        fn retain(&mut self, f_gives: bool) = calls::retain;
        fn insert(&mut self, idx: usize, ch: char);
        fn insert_str(&mut self, idx: usize, string: &str);
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn split_off(&mut self, at: usize) -> Self;
        fn clear(&mut self);
        fn drain(&mut self, range: std::ops::Range<usize>) -> Vec<String> = calls::drain;
        fn replace_range(&mut self, range: std::ops::Range<usize>, replace_with: &str);
        fn into_boxed_str(self) -> String = calls::into_boxed_str;
        fn leak(self) -> &mut str;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(text: &str) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::StdCensusString;

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

    pub fn from_utf8(vec: Vec<u8>) -> Result<StdCensusString, String> {
        StdCensusString::from_utf8(vec).map_err(|error| shown(&error))
    }

    pub fn from_utf8_lossy(v: &[u8]) -> String {
        shown(&StdCensusString::from_utf8_lossy(v))
    }

    pub fn from_utf16(v: &[u16]) -> Result<StdCensusString, String> {
        StdCensusString::from_utf16(v).map_err(|error| shown(&error))
    }

    pub fn into_raw_parts(std_census_string: StdCensusString) -> String {
        shown(&std_census_string.into_raw_parts())
    }

    pub fn try_reserve(
        std_census_string: &mut StdCensusString,
        additional: usize,
    ) -> Result<(), String> {
        std_census_string.try_reserve(additional).map_err(|error| shown(&error))
    }

    pub fn try_reserve_exact(
        std_census_string: &mut StdCensusString,
        additional: usize,
    ) -> Result<(), String> {
        std_census_string.try_reserve_exact(additional).map_err(|error| shown(&error))
    }

    pub fn retain(std_census_string: &mut StdCensusString, f_gives: bool) {
        std_census_string.retain(move |_| f_gives)
    }

    pub fn drain(
        std_census_string: &mut StdCensusString,
        range: std::ops::Range<usize>,
    ) -> Vec<String> {
        driven(std_census_string.drain(range))
    }

    pub fn into_boxed_str(std_census_string: StdCensusString) -> String {
        shown(&std_census_string.into_boxed_str())
    }

    pub fn from(text: &str) -> StdCensusString {
        <StdCensusString as From<_>>::from(text)
    }
}
