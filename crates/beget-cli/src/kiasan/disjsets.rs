//! Disjoint sets in an array, `disjointSet.orig.DisjSets` of the Kiasan benchmark.
//!
//! The plain version, without ranks and path compression. A cell holds -1 for a root, otherwise the
//! position of the element's parent.
//!
//! Defect kept: [`DisjSets::union`] checks neither that its arguments are roots nor that the first
//! is in the array; the published class switches these checks off. Cycles and parents outside the
//! array can occur, and [`DisjSets::find`] then fails or never returns.

use beget::{Heap, HeapView};

use crate::Misuse;

pub mod rep_ok;

/// A forest of sets over the positions of an array.
#[derive(Clone, Debug, Heap, HeapView)]
pub struct DisjSets {
    s: Vec<i32>,
}

const ROOT: i32 = -1;

#[beget::api(name = "kiasan::disjsets")]
impl DisjSets {
    /// Creates this many sets of one element each.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when the number is not positive.
    pub fn new(n_elements: i32) -> Result<Self, Misuse> {
        match usize::try_from(n_elements) {
            Ok(len) if len > 0 => Ok(Self { s: vec![ROOT; len] }),
            _ => Err(Misuse::Argument("there must be at least one element")),
        }
    }

    /// Makes `a` the parent of `b` without checking that they are roots.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when `a` equals `b`; [`Misuse::OutOfRange`] when `b` is outside the
    /// array.
    pub fn union(&mut self, a: i32, b: i32) -> Result<(), Misuse> {
        if a == b {
            return Err(Misuse::Argument("a set cannot be united with itself"));
        }
        let len = self.s.len();
        let cell = self.position(b).ok_or(Misuse::OutOfRange { index: b.into(), len })?;
        self.s[cell] = a;
        Ok(())
    }

    /// Returns the root of the element's set.
    ///
    /// If the parents form a cycle, this call does not return. It recurses until the stack
    /// overflows, or runs forever if the compiler turned the recursion into a loop.
    ///
    /// # Errors
    /// [`Misuse::Argument`] when the element is outside the array; [`Misuse::OutOfRange`] when a
    /// parent on its path is.
    pub fn find(&self, x: i32) -> Result<i32, Misuse> {
        match self.position(x) {
            Some(_) => self.root_of(x),
            None => Err(Misuse::Argument("there is no such element")),
        }
    }

    fn root_of(&self, x: i32) -> Result<i32, Misuse> {
        let len = self.s.len();
        let cell = self.position(x).ok_or(Misuse::OutOfRange { index: x.into(), len })?;
        if self.s[cell] < 0 { Ok(x) } else { self.root_of(self.s[cell]) }
    }

    fn position(&self, x: i32) -> Option<usize> {
        usize::try_from(x).ok().filter(|&cell| cell < self.s.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn sets(n_elements: i32, unions: &[(i32, i32)]) -> DisjSets {
        let mut sets = DisjSets::new(n_elements).unwrap();
        unions.iter().for_each(|&(a, b)| sets.union(a, b).unwrap());
        sets
    }

    fn form(sets: &DisjSets) -> Form {
        let mut form = Form::default();
        form.size(sets.s.len());
        sets.s.iter().for_each(|&cell| form.value(cell));
        form
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(0, 1), (2, 14), (12, 120), (84, 1364), (780, 19530)];
        assert_counts(&expected, |k| {
            let search = Search::new(k).starts_with(DisjSets::new).call_2(DisjSets::union);
            search.run(form).counts()
        });
    }

    #[test]
    fn with_the_checks_switched_on_the_published_numbers_are_the_smaller_ones() {
        fn union_of_roots(sets: &mut DisjSets, a: i32, b: i32) -> Result<(), Misuse> {
            let is_root = |x| sets.position(x).is_some_and(|cell| sets.s[cell] == ROOT);
            if !is_root(a) || !is_root(b) {
                return Err(Misuse::Argument("both must be roots"));
            }
            sets.union(a, b)
        }
        let expected = [(0, 1), (1, 8), (4, 45), (20, 336), (145, 3650)];
        assert_counts(&expected, |k| {
            let search = Search::new(k).starts_with(DisjSets::new).call_2(union_of_roots);
            search.run(form).counts()
        });
    }

    #[test]
    fn the_root_of_a_united_element_is_that_of_its_set() {
        let sets = sets(3, &[(0, 1), (1, 2)]);
        assert_eq!((sets.find(2), sets.find(0)), (Ok(0), Ok(0)));
    }

    #[test]
    fn a_parent_outside_of_the_array_is_stored_and_found_out_later() {
        let sets = sets(2, &[(5, 0)]);
        assert_eq!(sets.find(0), Err(Misuse::OutOfRange { index: 5, len: 2 }));
    }

    #[test]
    fn an_element_that_has_a_parent_can_be_given_another_one_and_a_cycle_be_made() {
        assert_eq!(sets(3, &[(0, 1), (2, 1)]).s, [-1, 2, -1]);
        assert_eq!(sets(2, &[(0, 1), (1, 0)]).s, [1, 0]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(matches!(DisjSets::new(0), Err(Misuse::Argument(_))));
        let mut sets = sets(2, &[]);
        assert!(matches!(sets.union(1, 1), Err(Misuse::Argument(_))));
        assert_eq!(sets.union(1, 2), Err(Misuse::OutOfRange { index: 2, len: 2 }));
        assert!(matches!(sets.find(-1), Err(Misuse::Argument(_))));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = sets(2, &[]);
        let mut clone = original.clone();
        clone.union(0, 1).unwrap();
        assert_eq!((original.s, clone.s), (vec![-1, -1], vec![-1, 0]));
    }
}
