//! Binary heap in an array of fixed length, `binaryheap.BinaryHeap` of the Kiasan benchmark.
//!
//! The smallest element is on top; cell 0 is a dummy. The published flaw of this case study is in
//! its representation invariant, which says nothing about cell 0.
//!
//! Behaviour kept: removing one or all elements leaves their values in the cells beyond the last
//! element. The canonical form includes these stale cells.

use std::fmt;

use beget::{Heap, HeapView};

use crate::Misuse;

pub mod rep_ok;

/// A priority queue of integers with a fixed capacity.
#[derive(Clone, Heap, HeapView)]
pub struct BinaryHeap {
    /// Invariant: less than the length of the array.
    current_size: usize,
    /// Invariant: no cell from 2 to `current_size` is smaller than the cell at half its position.
    array: Vec<i32>,
}

#[beget::api(name = "kiasan::binaryheap")]
impl BinaryHeap {
    const DEFAULT_CAPACITY: usize = 100;

    /// Creates an empty heap with room for 100 elements.
    pub fn new() -> Self {
        Self::with_capacity(Self::DEFAULT_CAPACITY)
    }

    /// Creates an empty heap with room for this many elements.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { current_size: 0, array: vec![0; capacity + 1] }
    }

    /// Adds the element.
    ///
    /// # Errors
    /// [`Misuse::Full`] when the heap is full.
    pub fn insert(&mut self, element: i32) -> Result<(), Misuse> {
        if self.is_full() {
            return Err(Misuse::Full);
        }
        self.current_size += 1;
        let mut hole = self.current_size;
        while hole > 1 && element < self.array[hole / 2] {
            self.array[hole] = self.array[hole / 2];
            hole /= 2;
        }
        self.array[hole] = element;
        Ok(())
    }

    /// Removes and returns the smallest element, or returns -1 if the heap is empty.
    pub fn delete_min(&mut self) -> i32 {
        let smallest = self.find_min();
        if !self.is_empty() {
            self.array[1] = self.array[self.current_size];
            self.current_size -= 1;
            self.percolate_down(1);
        }
        smallest
    }

    /// Removes all elements.
    pub fn make_empty(&mut self) {
        self.current_size = 0;
    }

    /// Returns the smallest element, or -1 if the heap is empty.
    pub fn find_min(&self) -> i32 {
        if self.is_empty() { -1 } else { self.array[1] }
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.current_size == 0
    }

    /// Returns whether the heap is full.
    pub fn is_full(&self) -> bool {
        self.current_size == self.array.len() - 1
    }

    fn percolate_down(&mut self, mut hole: usize) {
        let sinking = self.array[hole];
        while 2 * hole <= self.current_size {
            let mut child = 2 * hole;
            if child != self.current_size && self.array[child + 1] < self.array[child] {
                child += 1;
            }
            if self.array[child] >= sinking {
                break;
            }
            self.array[hole] = self.array[child];
            hole = child;
        }
        self.array[hole] = sinking;
    }
}

impl Default for BinaryHeap {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for BinaryHeap {
    /// Shows the elements in the order of their cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.array[1..=self.current_size]).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn heap(capacity: usize, elements: impl IntoIterator<Item = i32>) -> BinaryHeap {
        let mut heap = BinaryHeap::with_capacity(capacity);
        elements.into_iter().for_each(|element| heap.insert(element).unwrap());
        heap
    }

    /// Arrays longer than the scope cannot occur, because no literal is that large.
    fn form(heap: &BinaryHeap) -> Form {
        let mut form = Form::default();
        form.size(heap.array.len());
        heap.array.iter().for_each(|&cell| form.value(cell));
        form.size(heap.current_size);
        form
    }

    fn insertions(k: i32) -> Search<BinaryHeap> {
        Search::new(k)
            .starts_with(|capacity| Ok(BinaryHeap::with_capacity(capacity as usize)))
            .call_1(BinaryHeap::insert)
    }

    fn empty(heap: &mut BinaryHeap) -> Result<(), Misuse> {
        heap.make_empty();
        Ok(())
    }

    fn delete(heap: &mut BinaryHeap) -> Result<(), Misuse> {
        heap.delete_min();
        Ok(())
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(1, 4), (5, 23), (31, 145), (249, 1277), (2496, 15036)];
        assert_counts(&expected, |k| insertions(k).call(empty).run(form).counts());
    }

    #[test]
    fn with_deletion_in_place_of_emptying_the_set_is_the_same_but_not_the_effort() {
        let expected = [(1, 4), (5, 23), (31, 148), (249, 1301), (2496, 15056)];
        assert_counts(&expected, |k| insertions(k).call(delete).run(form).counts());
        for k in 1..=4 {
            let emptying = insertions(k).call(empty).run(form);
            assert_eq!(insertions(k).call(delete).run(form).forms, emptying.forms, "k = {k}");
        }
    }

    #[test]
    fn elements_come_out_in_order() {
        let mut heap = heap(5, [3, 1, 2, 1, 0]);
        let sorted: Vec<i32> = (0..5).map(|_| heap.delete_min()).collect();
        assert_eq!(sorted, [0, 1, 1, 2, 3]);
        assert_eq!((heap.delete_min(), heap.find_min()), (-1, -1));
    }

    #[test]
    fn removed_values_stay_in_the_array() {
        let mut heap = heap(2, [1, 2]);
        heap.delete_min();
        assert_eq!(heap.array, [0, 2, 2]);
        heap.make_empty();
        assert_eq!((heap.array, heap.current_size), (vec![0, 2, 2], 0));
    }

    #[test]
    fn a_full_heap_refuses_elements() {
        let mut heap = heap(1, [4]);
        assert!(heap.is_full());
        assert_eq!(heap.insert(3), Err(Misuse::Full));
        assert_eq!(format!("{heap:?}"), "[4]");
        assert_eq!(BinaryHeap::new().array.len(), 101);
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = heap(2, [1]);
        let mut clone = original.clone();
        clone.insert(0).unwrap();
        assert_eq!(format!("{original:?} {clone:?}"), "[1] [0, 1]");
    }
}
