//! A harness for `std_census::box_type::Box<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type StdCensusBox = std_census::box_type::Box<u8>;

// 12 of 18 public functions take part.
// Left out:
// - downcast: it is a function of `Box<a trait object>`
// - downcast: it is a function of `Box<a trait object>`
// - downcast: it is a function of `Box<a trait object>`
// - new_uninit_slice: it is a function of `Box<[T]>`
// - new_zeroed_slice: it is a function of `Box<[T]>`
// - write: it is a function of `Box<MaybeUninit<T>>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StdCensusBoxState {
    pub text: beget::heap::DebugText,
}

impl StdCensusBoxState {
    fn of(std_census_box: &StdCensusBox) -> StdCensusBoxState {
        StdCensusBoxState { text: beget::heap::DebugText::of(std_census_box) }
    }
}

beget::suite! {
    /// The public functions of `std_census::box_type::Box<u8>`.
    #[name = "std::box"]
    pub suite StdCensusBoxSuite for StdCensusBox {
        abstraction |std_census_box| -> StdCensusBoxState { StdCensusBoxState::of(std_census_box) };
        fn new_uninit_slice(len: usize) -> usize = by_hand::new_uninit_slice;
        fn new_zeroed_slice(len: usize) -> usize = by_hand::new_zeroed_slice;
        fn downcast(self) -> bool = by_hand::downcast;
        fn downcast_2(self) -> bool = by_hand::downcast_2;
        fn downcast_3(self) -> bool = by_hand::downcast_3;
        fn write(value: u8) -> u8 = by_hand::write;
        fn new(x: u8) -> Self;
        fn new_uninit() -> String = calls::new_uninit;
        fn new_zeroed() -> String = calls::new_zeroed;
        fn pin(x: u8) -> String = calls::pin;
        fn into_raw(b: Self) -> String = calls::into_raw;
        fn leak(b: Self) -> &mut u8;
        fn into_pin(boxed: Self) -> String = calls::into_pin;
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
    use super::StdCensusBox;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn new_uninit() -> String {
        shown(&StdCensusBox::new_uninit())
    }

    pub fn new_zeroed() -> String {
        shown(&StdCensusBox::new_zeroed())
    }

    pub fn pin(x: u8) -> String {
        shown(&StdCensusBox::pin(x))
    }

    pub fn into_raw(b: StdCensusBox) -> String {
        shown(&StdCensusBox::into_raw(b))
    }

    pub fn into_pin(boxed: StdCensusBox) -> String {
        shown(&StdCensusBox::into_pin(boxed))
    }
}

mod by_hand {
    pub fn new_uninit_slice(len: usize) -> usize {
        Box::<[u8]>::new_uninit_slice(len).len()
    }
    pub fn new_zeroed_slice(len: usize) -> usize {
        Box::<[u8]>::new_zeroed_slice(len).len()
    }
    pub fn downcast(this: super::StdCensusBox) -> bool {
        (this as Box<dyn std::any::Any>).downcast::<u8>().is_ok()
    }
    pub fn downcast_2(this: super::StdCensusBox) -> bool {
        (this as Box<dyn std::any::Any + Send>).downcast::<u8>().is_ok()
    }
    pub fn downcast_3(this: super::StdCensusBox) -> bool {
        (this as Box<dyn std::any::Any + Send + Sync>).downcast::<u8>().is_ok()
    }
    pub fn write(value: u8) -> u8 {
        *Box::write(Box::<u8>::new_uninit(), value)
    }
}
