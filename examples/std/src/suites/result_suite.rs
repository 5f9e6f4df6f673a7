//! A harness for `std_census::result_type::Result<u8, u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type StdCensusResult = std_census::result_type::Result<u8, u8>;

// 29 of 39 public functions take part.
// Left out:
// - as_deref: rustc: E0599: the method `as_deref` exists for reference `&Result<u8, u8>`, but its trait bounds were not satisfied
// - as_deref_mut: rustc: E0599: the method `as_deref_mut` exists for mutable reference `&mut Result<u8, u8>`, but its trait bounds were not satisfied
// - and_then: it needs a function that returns `Self`
// - or_else: it needs a function that returns `Self`
// - copied: it is a function of `Result<&T, E>`
// - cloned: it is a function of `Result<&T, E>`
// - copied: it is a function of `Result<&mut T, E>`
// - cloned: it is a function of `Result<&mut T, E>`
// - transpose: it is a function of `Result<Option<T>, E>`
// - flatten: it is a function of `Result<Result<T, E>, E>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StdCensusResultState {
    pub text: beget::heap::DebugText,
    pub is_ok: bool,
    pub is_err: bool,
}

impl StdCensusResultState {
    fn of(std_census_result: &StdCensusResult) -> StdCensusResultState {
        StdCensusResultState {
            text: beget::heap::DebugText::of(std_census_result),
            is_ok: std_census_result.is_ok(),
            is_err: std_census_result.is_err(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::result_type::Result<u8, u8>`.
    #[name = "std::result"]
    pub suite StdCensusResultSuite for StdCensusResult {
        abstraction |std_census_result| -> StdCensusResultState { StdCensusResultState::of(std_census_result) };
        fn made_ok(value: u8) -> Self = by_hand::made_ok;
        fn made_err(error: u8) -> Self = by_hand::made_err;
        fn as_deref(&self) -> bool = by_hand::as_deref;
        fn as_deref_mut(&self) -> bool = by_hand::as_deref_mut;
        fn and_then(self) -> Self = by_hand::and_then;
        fn or_else(self) -> Self = by_hand::or_else;
        fn copied(&self) -> bool = by_hand::copied;
        fn copied_2(&mut self) -> bool = by_hand::copied_2;
        fn cloned(&self) -> bool = by_hand::cloned;
        fn cloned_2(&mut self) -> bool = by_hand::cloned_2;
        fn transpose(self) -> bool = by_hand::transpose;
        fn flatten(self) -> Self = by_hand::flatten;
        fn is_ok(&self) -> bool;
        fn is_ok_and(self) -> bool = calls::is_ok_and;
        fn is_err(&self) -> bool;
        fn is_err_and(self) -> bool = calls::is_err_and;
        fn ok(self) -> Option<u8>;
        fn err(self) -> Option<u8>;
        fn as_ref(&self) -> String = calls::as_ref;
        fn as_mut(&mut self) -> String = calls::as_mut;
        fn map(self) -> Self = calls::map;
        fn map_or(self, default: u8) -> u8 = calls::map_or;
        fn map_or_else(self) -> u8 = calls::map_or_else;
        fn map_err(self) -> Self = calls::map_err;
        fn inspect(self) -> Self = calls::inspect;
        fn inspect_err(self) -> Self = calls::inspect_err;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn expect(self, msg: &str) -> u8;
        fn unwrap(self) -> u8;
        fn unwrap_or_default(self) -> u8;
        fn expect_err(self, msg: &str) -> u8;
        fn unwrap_err(self) -> u8;
        fn and(self, res: Self) -> Self;
        fn or(self, res: Self) -> Self;
        fn unwrap_or(self, default: u8) -> u8;
        fn unwrap_or_else(self) -> u8 = calls::unwrap_or_else;
        fn clone(&self) -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::StdCensusResult;

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

    pub fn is_ok_and(std_census_result: StdCensusResult) -> bool {
        std_census_result.is_ok_and(|a| a % 2 == 0)
    }

    pub fn is_err_and(std_census_result: StdCensusResult) -> bool {
        std_census_result.is_err_and(|a| a % 2 == 0)
    }

    pub fn as_ref(std_census_result: &StdCensusResult) -> String {
        shown(&std_census_result.as_ref())
    }

    pub fn as_mut(std_census_result: &mut StdCensusResult) -> String {
        shown(&std_census_result.as_mut())
    }

    pub fn map(std_census_result: StdCensusResult) -> StdCensusResult {
        std_census_result.map(|a| a)
    }

    pub fn map_or(std_census_result: StdCensusResult, default: u8) -> u8 {
        std_census_result.map_or(default, |a| a)
    }

    pub fn map_or_else(std_census_result: StdCensusResult) -> u8 {
        std_census_result.map_or_else(|a| a, |a| a)
    }

    pub fn map_err(std_census_result: StdCensusResult) -> StdCensusResult {
        std_census_result.map_err(|a| a)
    }

    pub fn inspect(std_census_result: StdCensusResult) -> StdCensusResult {
        std_census_result.inspect(|_| {})
    }

    pub fn inspect_err(std_census_result: StdCensusResult) -> StdCensusResult {
        std_census_result.inspect_err(|_| {})
    }

    pub fn iter(std_census_result: &StdCensusResult) -> Vec<String> {
        driven(std_census_result.iter())
    }

    pub fn iter_mut(std_census_result: &mut StdCensusResult) -> Vec<String> {
        driven(std_census_result.iter_mut())
    }

    pub fn unwrap_or_else(std_census_result: StdCensusResult) -> u8 {
        std_census_result.unwrap_or_else(|a| a)
    }
}

mod by_hand {
    pub fn made_ok(value: u8) -> super::StdCensusResult {
        Ok(value)
    }
    pub fn made_err(error: u8) -> super::StdCensusResult {
        Err(error)
    }
    pub fn as_deref(this: &super::StdCensusResult) -> bool {
        this.map(Box::new).as_deref().is_ok()
    }
    pub fn as_deref_mut(this: &super::StdCensusResult) -> bool {
        this.map(Box::new).as_deref_mut().is_ok()
    }
    pub fn and_then(this: super::StdCensusResult) -> super::StdCensusResult {
        this.and_then(|value| value.checked_sub(1).ok_or(0))
    }
    pub fn or_else(this: super::StdCensusResult) -> super::StdCensusResult {
        this.or_else(|error| error.checked_sub(1).ok_or(0))
    }
    pub fn copied(this: &super::StdCensusResult) -> bool {
        this.as_ref().copied().is_ok()
    }
    pub fn copied_2(this: &mut super::StdCensusResult) -> bool {
        this.as_mut().copied().is_ok()
    }
    pub fn cloned(this: &super::StdCensusResult) -> bool {
        this.as_ref().cloned().is_ok()
    }
    pub fn cloned_2(this: &mut super::StdCensusResult) -> bool {
        this.as_mut().cloned().is_ok()
    }
    pub fn transpose(this: super::StdCensusResult) -> bool {
        this.map(Some).transpose() == Some(this)
    }
    pub fn flatten(this: super::StdCensusResult) -> super::StdCensusResult {
        this.map(Ok::<u8, u8>).flatten()
    }
}
