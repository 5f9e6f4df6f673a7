//! A harness for `std_census::option_type::Option<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type StdCensusOption = std_census::option_type::Option<u8>;

// 39 of 52 public functions take part.
// Left out:
// - as_pin_ref: its receiver is `Pin<&Self>`
// - as_pin_mut: its receiver is `Pin<&mut Self>`
// - as_deref: rustc: E0599: the method `as_deref` exists for reference `&Option<u8>`, but its trait bounds were not satisfied
// - as_deref_mut: rustc: E0599: the method `as_deref_mut` exists for mutable reference `&mut Option<u8>`, but its trait bounds were not satisfied
// - and_then: it needs a function that returns `Self`
// - or_else: it needs a function that returns `Self`
// - unzip: it is a function of `Option<a type for `T>`
// - copied: it is a function of `Option<&T>`
// - cloned: it is a function of `Option<&T>`
// - copied: it is a function of `Option<&mut T>`
// - cloned: it is a function of `Option<&mut T>`
// - transpose: it is a function of `Option<Result<T, E>>`
// - flatten: it is a function of `Option<Option<T>>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StdCensusOptionState {
    pub text: beget::heap::DebugText,
    pub is_some: bool,
    pub is_none: bool,
}

impl StdCensusOptionState {
    fn of(std_census_option: &StdCensusOption) -> StdCensusOptionState {
        StdCensusOptionState {
            text: beget::heap::DebugText::of(std_census_option),
            is_some: std_census_option.is_some(),
            is_none: std_census_option.is_none(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::option_type::Option<u8>`.
    #[name = "std::option"]
    pub suite StdCensusOptionSuite for StdCensusOption {
        abstraction |std_census_option| -> StdCensusOptionState { StdCensusOptionState::of(std_census_option) };
        fn as_pin_ref(&self) -> Option<u8> = by_hand::as_pin_ref;
        fn as_pin_mut(&mut self) -> Option<u8> = by_hand::as_pin_mut;
        fn as_deref(&self) -> Option<u8> = by_hand::as_deref;
        fn as_deref_mut(&self) -> Option<u8> = by_hand::as_deref_mut;
        fn and_then(self) -> Self = by_hand::and_then;
        fn or_else(self) -> Self = by_hand::or_else;
        fn unzip(&self) -> bool = by_hand::unzip;
        fn copied(&self) -> Option<u8> = by_hand::copied;
        fn copied_2(&mut self) -> Option<u8> = by_hand::copied_2;
        fn cloned(&self) -> Option<u8> = by_hand::cloned;
        fn cloned_2(&mut self) -> Option<u8> = by_hand::cloned_2;
        fn transpose(self) -> bool = by_hand::transpose;
        fn flatten(self) -> Self = by_hand::flatten;
        fn is_some(&self) -> bool;
        fn is_some_and(self) -> bool = calls::is_some_and;
        fn is_none(&self) -> bool;
        fn is_none_or(self) -> bool = calls::is_none_or;
        fn as_ref(&self) -> String = calls::as_ref;
        fn as_mut(&mut self) -> String = calls::as_mut;
        fn as_slice(&self) -> &[u8];
        fn as_mut_slice(&mut self) -> &mut [u8];
        fn expect(self, msg: &str) -> u8;
        fn unwrap(self) -> u8;
        fn unwrap_or(self, default: u8) -> u8;
        fn unwrap_or_else(self, f_gives: u8) -> u8 = calls::unwrap_or_else;
        fn unwrap_or_default(self) -> u8;
        fn map(self) -> Self = calls::map;
        fn inspect(self) -> Self = calls::inspect;
        fn map_or(self, default: u8) -> u8 = calls::map_or;
        fn map_or_else(self, default_gives: u8) -> u8 = calls::map_or_else;
        fn ok_or(self, err: u8) -> Result<u8, u8>;
        fn ok_or_else(self, err_gives: u8) -> Result<u8, u8> = calls::ok_or_else;
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn and(self, optb: Self) -> Self;
        fn filter(self) -> Self = calls::filter;
        fn or(self, optb: Self) -> Self;
        fn xor(self, optb: Self) -> Self;
        fn insert(&mut self, value: u8) -> &mut u8;
        fn get_or_insert(&mut self, value: u8) -> &mut u8;
        fn get_or_insert_default(&mut self) -> &mut u8;
        fn get_or_insert_with(&mut self, f_gives: u8) -> &mut u8 = calls::get_or_insert_with;
        fn take(&mut self) -> Self;
        fn take_if(&mut self) -> Self = calls::take_if;
        fn replace(&mut self, value: u8) -> Self;
        fn zip(self, other: Self) -> String = calls::zip;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(value: u8) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::StdCensusOption;

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

    pub fn is_some_and(std_census_option: StdCensusOption) -> bool {
        std_census_option.is_some_and(|a| a % 2 == 0)
    }

    pub fn is_none_or(std_census_option: StdCensusOption) -> bool {
        std_census_option.is_none_or(|a| a % 2 == 0)
    }

    pub fn as_ref(std_census_option: &StdCensusOption) -> String {
        shown(&std_census_option.as_ref())
    }

    pub fn as_mut(std_census_option: &mut StdCensusOption) -> String {
        shown(&std_census_option.as_mut())
    }

    pub fn unwrap_or_else(std_census_option: StdCensusOption, f_gives: u8) -> u8 {
        std_census_option.unwrap_or_else(move || f_gives)
    }

    pub fn map(std_census_option: StdCensusOption) -> StdCensusOption {
        std_census_option.map(|a| a)
    }

    pub fn inspect(std_census_option: StdCensusOption) -> StdCensusOption {
        std_census_option.inspect(|_| {})
    }

    pub fn map_or(std_census_option: StdCensusOption, default: u8) -> u8 {
        std_census_option.map_or(default, |a| a)
    }

    pub fn map_or_else(std_census_option: StdCensusOption, default_gives: u8) -> u8 {
        std_census_option.map_or_else(move || default_gives, |a| a)
    }

    pub fn ok_or_else(std_census_option: StdCensusOption, err_gives: u8) -> Result<u8, u8> {
        std_census_option.ok_or_else(move || err_gives)
    }

    pub fn iter(std_census_option: &StdCensusOption) -> Vec<String> {
        driven(std_census_option.iter())
    }

    pub fn iter_mut(std_census_option: &mut StdCensusOption) -> Vec<String> {
        driven(std_census_option.iter_mut())
    }

    pub fn filter(std_census_option: StdCensusOption) -> StdCensusOption {
        std_census_option.filter(|a| (*a) % 2 == 0)
    }

    pub fn get_or_insert_with<'a>(
        std_census_option: &'a mut StdCensusOption,
        f_gives: u8,
    ) -> &'a mut u8 {
        std_census_option.get_or_insert_with(move || f_gives)
    }

    pub fn take_if(std_census_option: &mut StdCensusOption) -> StdCensusOption {
        std_census_option.take_if(|a| (*a) % 2 == 0)
    }

    pub fn zip(std_census_option: StdCensusOption, other: StdCensusOption) -> String {
        shown(&std_census_option.zip(other))
    }

    pub fn from(value: u8) -> StdCensusOption {
        <StdCensusOption as From<_>>::from(value)
    }
}

mod by_hand {
    pub fn as_pin_ref(this: &super::StdCensusOption) -> Option<u8> {
        std::pin::Pin::new(this).as_pin_ref().map(|value| *value)
    }
    pub fn as_pin_mut(this: &mut super::StdCensusOption) -> Option<u8> {
        std::pin::Pin::new(this).as_pin_mut().map(|value| *value)
    }
    pub fn as_deref(this: &super::StdCensusOption) -> Option<u8> {
        this.map(Box::new).as_deref().copied()
    }
    pub fn as_deref_mut(this: &super::StdCensusOption) -> Option<u8> {
        this.map(Box::new).as_deref_mut().copied()
    }
    pub fn and_then(this: super::StdCensusOption) -> super::StdCensusOption {
        this.and_then(|value| value.checked_sub(1))
    }
    pub fn or_else(this: super::StdCensusOption) -> super::StdCensusOption {
        this.or_else(|| Some(1))
    }
    pub fn unzip(this: &super::StdCensusOption) -> bool {
        this.map(|value| (value, value)).unzip() == (*this, *this)
    }
    pub fn copied(this: &super::StdCensusOption) -> Option<u8> {
        this.as_ref().copied()
    }
    pub fn copied_2(this: &mut super::StdCensusOption) -> Option<u8> {
        this.as_mut().copied()
    }
    pub fn cloned(this: &super::StdCensusOption) -> Option<u8> {
        this.as_ref().cloned()
    }
    pub fn cloned_2(this: &mut super::StdCensusOption) -> Option<u8> {
        this.as_mut().cloned()
    }
    pub fn transpose(this: super::StdCensusOption) -> bool {
        this.map(Ok::<u8, u8>).transpose() == Ok(this)
    }
    pub fn flatten(this: super::StdCensusOption) -> super::StdCensusOption {
        Some(this).flatten()
    }
}
