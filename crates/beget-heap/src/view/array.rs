//! The view of an array.

use std::marker::PhantomData;

use super::{Place, Viewed};

/// The view of an array or sequence. Reading its length notes the length, reading an element notes
/// the element.
pub struct ArrayView<'h, T> {
    place: Place<'h>,
    element: PhantomData<fn() -> T>,
}

impl<'h, T: Viewed> ArrayView<'h, T> {
    /// The array object at `place`.
    #[inline(always)]
    pub(crate) fn new(place: Place<'h>) -> Self {
        ArrayView { place, element: PhantomData }
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.place.read() as usize
    }

    /// Returns whether there are no elements.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns element number `index`. Reads the length, then the element.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline(always)]
    pub fn at(self, index: usize) -> T::View<'h> {
        match self.get(index) {
            Some(element) => element,
            None => panic!("the array has {} elements, there is none at {index}", self.len()),
        }
    }

    /// Element number `index`, if there is one. Reads the length, then the element.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<T::View<'h>> {
        (index < self.len()).then(|| T::view(self.place.offset(1 + index as u32 * T::CELLS)))
    }

    /// The elements in order, each read when it is asked for.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T::View<'h>> {
        (0..self.len()).map(move |index| self.at(index))
    }
}

impl<T> Clone for ArrayView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ArrayView<'_, T> {}

impl<T> PartialEq for ArrayView<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<T> Eq for ArrayView<'_, T> {}

impl<T> std::hash::Hash for ArrayView<'_, T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.place.hash(state);
    }
}

impl<T> std::fmt::Debug for ArrayView<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "array{:?}", self.place)
    }
}
