//! Asking whether a concrete type has a trait, in emitted code that cannot ask by bounds.
//!
//! The modules that implement methods for [`Probe`] decide which traits are asked about.

use std::marker::PhantomData;

/// Carries the type asked about.
///
/// `(&Probe::<T>::new()).method()` picks the method of a trait that is implemented for `Probe<T>`
/// under a bound on `T`. Where `T` does not fulfil it, the call falls back to the method of that
/// name of another trait, which is implemented for `&Probe<T>` and needs one more reference.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    /// A probe for `T`.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Probe(PhantomData)
    }
}
