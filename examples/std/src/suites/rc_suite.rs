//! A harness for `std_census::rc_type::Rc<u8>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Rc = std_census::rc_type::Rc<u8>;

// 21 of 24 public functions take part.
// Left out:
// - new_uninit_slice: it is a function of `Rc<[T]>`
// - new_zeroed_slice: it is a function of `Rc<[T]>`
// - downcast: it is a function of `Rc<a trait object>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct RcState {
    pub text: beget::heap::DebugText,
}

impl RcState {
    fn of(rc: &Rc) -> RcState {
        RcState { text: beget::heap::DebugText::of(rc) }
    }
}

beget::suite! {
    /// The public functions of `std_census::rc_type::Rc<u8>`.
    #[name = "std::rc"]
    pub suite RcSuite for Rc {
        abstraction |rc| -> RcState { RcState::of(rc) };
        fn new_uninit_slice(len: usize) -> usize = by_hand::new_uninit_slice;
        fn new_zeroed_slice(len: usize) -> usize = by_hand::new_zeroed_slice;
        fn downcast(self) -> bool = by_hand::downcast;
        fn new(value: u8) -> Self;
        fn new_cyclic(data_fn_gives: u8) -> Self = calls::new_cyclic;
        fn new_uninit() -> String = calls::new_uninit;
        fn new_zeroed() -> String = calls::new_zeroed;
        fn pin(value: u8) -> String = calls::pin;
        fn try_unwrap(this: Self) -> Result<u8, Self>;
        fn into_inner(this: Self) -> Option<u8>;
        fn into_raw(this: Self) -> String = calls::into_raw;
        fn as_ptr(this: &Self) -> String = calls::as_ptr;
        fn downgrade(this: &Self) -> String = calls::downgrade;
        fn weak_count(this: &Self) -> usize;
        fn strong_count(this: &Self) -> usize;
        fn get_mut(this: &mut Self) -> Option<&mut u8>;
        fn ptr_eq(this: &Self, other: &Self) -> bool;
        fn make_mut(this: &mut Self) -> &mut u8;
        fn unwrap_or_clone(this: Self) -> u8;
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
    use super::Rc;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn new_cyclic(data_fn_gives: u8) -> Rc {
        Rc::new_cyclic(move |_| data_fn_gives)
    }

    pub fn new_uninit() -> String {
        shown(&Rc::new_uninit())
    }

    pub fn new_zeroed() -> String {
        shown(&Rc::new_zeroed())
    }

    pub fn pin(value: u8) -> String {
        shown(&Rc::pin(value))
    }

    pub fn into_raw(this: Rc) -> String {
        shown(&Rc::into_raw(this))
    }

    pub fn as_ptr(this: &Rc) -> String {
        shown(&Rc::as_ptr(this))
    }

    pub fn downgrade(this: &Rc) -> String {
        shown(&Rc::downgrade(this))
    }
}

mod by_hand {
    pub fn new_uninit_slice(len: usize) -> usize {
        std::rc::Rc::<[u8]>::new_uninit_slice(len).len()
    }
    pub fn new_zeroed_slice(len: usize) -> usize {
        std::rc::Rc::<[u8]>::new_zeroed_slice(len).len()
    }
    pub fn downcast(this: super::Rc) -> bool {
        (this as std::rc::Rc<dyn std::any::Any>).downcast::<u8>().is_ok()
    }
}
