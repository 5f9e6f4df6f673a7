//! Disjoint sets in one array, with union by rank and path compression.
//!
//! The subject is DisjSetsFast of the Kiasan examples. A cell that is not negative holds the index
//! of the parent. A negative cell marks a root, and its absolute value is the rank, 1 for a single
//! element. The operations have no known defect. (The published `repOK` accepts any rank, but the
//! class does not build such sets.)

use beget::{Heap, HeapView};
use std::fmt;

use crate::Misuse;

pub mod rep_ok;

/// A partition of `0..n`.
#[derive(Clone, Heap, HeapView)]
pub struct DisjSetsFast {
    s: Vec<i32>,
}

/// The disjoint sets with union by rank, from the Kiasan examples.
#[beget::api(name = "kiasan::disjsets_fast")]
impl DisjSetsFast {
    /// Puts each of `n` elements in a separate set. It is misuse if `n` is 0 or larger than a cell
    /// can hold.
    pub fn new(n: usize) -> Result<Self, Misuse> {
        match i32::try_from(n) {
            Ok(1..) => Ok(DisjSetsFast { s: vec![-1; n] }),
            Ok(_) => Err(Misuse::Argument("there must be an element")),
            Err(_) => Err(Misuse::Argument("there are more elements than a cell can name")),
        }
    }

    /// Unites the sets of two different roots. If their ranks are equal, `a` becomes the root.
    pub fn union(&mut self, a: usize, b: usize) -> Result<(), Misuse> {
        self.check_root(a)?;
        self.check_root(b)?;
        if a == b {
            return Err(Misuse::Argument("the roots must differ"));
        }
        if self.s[b] < self.s[a] {
            self.s[a] = cell(b);
        } else {
            if self.s[a] == self.s[b] {
                self.s[a] -= 1;
            }
            self.s[b] = cell(a);
        }
        Ok(())
    }

    /// Returns the root of the set of `x`. This is not an observer: it compresses the path from
    /// `x`, so that the root becomes the parent of each element on the path.
    pub fn find(&mut self, x: usize) -> Result<usize, Misuse> {
        self.check_index(x)?;
        let mut root = x;
        while let Some(parent) = self.parent(root) {
            root = parent;
        }
        let mut element = x;
        while let Some(parent) = self.parent(element) {
            self.s[element] = cell(root);
            element = parent;
        }
        Ok(root)
    }

    /// Counts the elements whose parent is `x`.
    pub fn number_of_children(&self, x: usize) -> usize {
        (0..self.s.len()).filter(|&element| self.parent(element) == Some(x)).count()
    }

    /// Returns whether the first root with exactly one child has rank 2, or no such root exists.
    pub fn balance(&self) -> bool {
        let is_decisive = |&x: &usize| self.s[x] < 0 && self.number_of_children(x) == 1;
        (0..self.s.len()).find(is_decisive).is_none_or(|root| self.s[root] == -2)
    }

    /// Returns whether every element is a root.
    pub fn all_diff_set(&self) -> bool {
        self.s.iter().all(|&cell| cell < 0)
    }

    /// Returns whether every element is a root of rank 1.
    pub fn initial(&self) -> bool {
        self.s.iter().all(|&cell| cell == -1)
    }

    /// Returns the parent of `x`, or `None` if `x` is a root.
    fn parent(&self, x: usize) -> Option<usize> {
        usize::try_from(self.s[x]).ok()
    }

    fn check_index(&self, index: usize) -> Result<(), Misuse> {
        let len = self.s.len();
        if index < len { Ok(()) } else { Err(Misuse::out_of_range(index, len)) }
    }

    fn check_root(&self, index: usize) -> Result<(), Misuse> {
        self.check_index(index)?;
        match self.parent(index) {
            None => Ok(()),
            Some(_) => Err(Misuse::Argument("the element must be a root")),
        }
    }
}

/// Converts an index to the value of a cell.
fn cell(index: usize) -> i32 {
    i32::try_from(index).expect("the constructor bounds the number of elements")
}

impl fmt::Debug for DisjSetsFast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.s.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn sets(n: usize, unions: &[(usize, usize)]) -> DisjSetsFast {
        let mut sets = DisjSetsFast::new(n).expect("a positive number of elements");
        unions.iter().for_each(|&(a, b)| assert_eq!(sets.union(a, b), Ok(())));
        sets
    }

    fn form(sets: &DisjSetsFast) -> Form {
        let mut form = Form::default();
        form.size(sets.s.len());
        sets.s.iter().for_each(|&cell| form.value(cell));
        form
    }

    #[test]
    fn the_first_root_wins_on_equal_ranks() {
        assert_eq!(sets(2, &[(1, 0)]).s, [1, -2]);
    }

    #[test]
    fn the_root_of_higher_rank_wins() {
        assert_eq!(sets(3, &[(0, 1), (2, 0)]).s, [-2, 0, 0]);
        assert_eq!(sets(3, &[(0, 1), (0, 2)]).s, [-2, 0, 0]);
    }

    #[test]
    fn find_compresses_the_path() {
        let mut sets = sets(4, &[(0, 1), (2, 3), (0, 2)]);
        assert_eq!(sets.s, [-3, 0, 0, 2]);
        assert_eq!(sets.find(3), Ok(0));
        assert_eq!(sets.s, [-3, 0, 0, 0]);
        assert_eq!(sets.find(0), Ok(0));
    }

    #[test]
    fn illegal_arguments_are_misuse_in_the_order_of_the_checks() {
        let mut sets = sets(3, &[(0, 1)]);
        let no_root = Err(Misuse::Argument("the element must be a root"));
        assert!(DisjSetsFast::new(0).is_err());
        assert_eq!(sets.union(3, 1), Err(Misuse::OutOfRange { index: 3, len: 3 }));
        assert_eq!(sets.union(1, 4), no_root);
        assert_eq!(sets.union(0, 4), Err(Misuse::OutOfRange { index: 4, len: 3 }));
        assert_eq!(sets.union(0, 1), no_root);
        assert_eq!(sets.union(0, 0), Err(Misuse::Argument("the roots must differ")));
        assert_eq!(sets.find(3), Err(Misuse::OutOfRange { index: 3, len: 3 }));
        assert_eq!(sets.s, [-2, 0, -1]);
    }

    #[test]
    fn observers_tell_what_the_cells_hold() {
        let fresh = sets(3, &[]);
        assert!(fresh.initial() && fresh.all_diff_set() && fresh.balance());
        let united = sets(3, &[(0, 1)]);
        assert!(!united.initial() && !united.all_diff_set() && united.balance());
        assert_eq!([0, 1, 9].map(|x| united.number_of_children(x)), [1, 0, 0]);
        assert!(!DisjSetsFast { s: vec![-1, 0, -1] }.balance());
        let of_rank_2 = DisjSetsFast { s: vec![-1, -2] };
        assert!(of_rank_2.all_diff_set() && !of_rank_2.initial());
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = sets(2, &[]);
        let copy = original.clone();
        assert_eq!(original.union(0, 1), Ok(()));
        assert_eq!(format!("{original:?} {copy:?}"), "[-2, 0] [-1, -1]");
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let published = [(0, 1), (1, 10), (4, 57), (14, 296), (83, 2520), (544, 22890)];
        assert_counts(&published, |k| {
            let search = Search::new(k)
                .starts_with(|n| DisjSetsFast::new(n as usize))
                .call_2(|sets, a, b| sets.union(a as usize, b as usize))
                .call_1(|sets, x| sets.find(x as usize));
            search.run(form).counts()
        });
    }
}
