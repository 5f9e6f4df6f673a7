//! Iterators over elements, which may be wrong about their length.

use std::iter::FusedIterator;
use std::slice;

use super::watch;

/// The name of the use that asks an iterator for its length.
pub(super) const SIZE_HINT: &str = "size_hint";

/// Clones of some elements, one after another.
///
/// Its `size_hint` is a use, as those of the elements' traits are, so a watch can make it panic or
/// lie: then it says one item too many or, of an odd number, one too few. `IS_EXACT` iterators say
/// their length otherwise, the others only that there are no more.
#[derive(Debug)]
pub struct ElementItems<'e, T, const IS_EXACT: bool> {
    left: slice::Iter<'e, T>,
}

/// The items of an iterator that says no more than the most that are left.
pub fn items<T: Clone>(elements: &[T]) -> ElementItems<'_, T, false> {
    ElementItems { left: elements.iter() }
}

/// The items of an iterator that says how many are left.
pub fn exact_items<T: Clone>(elements: &[T]) -> ElementItems<'_, T, true> {
    ElementItems { left: elements.iter() }
}

impl<T, const IS_EXACT: bool> Clone for ElementItems<'_, T, IS_EXACT> {
    fn clone(&self) -> Self {
        ElementItems { left: self.left.clone() }
    }
}

impl<T: Clone, const IS_EXACT: bool> Iterator for ElementItems<'_, T, IS_EXACT> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left.next().cloned()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = self.left.len();
        let lies = watch::used(SIZE_HINT);
        match (lies, n_left % 2) {
            (true, 0) => (n_left + 1, Some(n_left + 1)),
            (true, _) => (n_left - 1, Some(n_left - 1)),
            (false, _) => (if IS_EXACT { n_left } else { 0 }, Some(n_left)),
        }
    }
}

impl<T: Clone, const IS_EXACT: bool> DoubleEndedIterator for ElementItems<'_, T, IS_EXACT> {
    fn next_back(&mut self) -> Option<T> {
        self.left.next_back().cloned()
    }
}

impl<T: Clone> ExactSizeIterator for ElementItems<'_, T, true> {}

impl<T: Clone, const IS_EXACT: bool> FusedIterator for ElementItems<'_, T, IS_EXACT> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::{ElementWatch, Tracked};

    fn elements(n: i32) -> Vec<Tracked> {
        (0..n).map(Tracked::new).collect()
    }

    #[test]
    fn they_are_clones_from_both_ends() {
        let all = elements(3);
        let mut left = items(&all);
        let values = [left.next(), left.next_back(), left.next(), left.next(), left.next_back()];
        assert_eq!(
            values.map(|one| one.map(|one| one.value())),
            [Some(0), Some(2), Some(1), None, None]
        );
        assert!(exact_items(&all).clone().eq(all.clone()));
    }

    #[test]
    fn only_an_exact_one_says_how_many_are_left() {
        let all = elements(2);
        let (mut unsure, mut exact) = (items(&all), exact_items(&all));
        for n_left in [2, 1, 0, 0] {
            assert_eq!(unsure.size_hint(), (0, Some(n_left)));
            assert_eq!((exact.size_hint(), exact.len()), ((n_left, Some(n_left)), n_left));
            let _ = (unsure.next(), exact.next());
        }
    }

    #[test]
    fn the_length_that_is_due_is_wrong_and_no_other() {
        let watch = ElementWatch::begin();
        for (n, wrong) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
            let all = elements(n);
            watch.let_lie(2);
            let hints = [(); 3].map(|()| items(&all).size_hint());
            let n = all.len();
            assert_eq!(hints, [(0, Some(n)), (wrong, Some(wrong)), (0, Some(n))]);
            assert_eq!((watch.uses(), watch.lied()), (3, Some("size_hint")));
        }
        watch.let_panic(1);
        let all = elements(1);
        let asked = std::panic::catch_unwind(|| exact_items(&all).len());
        assert!(asked.is_err());
        assert_eq!(watch.panicked(), Some("size_hint"));
    }
}
