//! `NodeCachingLinkedList` of the Apache Commons Collections, with its whole public API: 34
//! methods, three of which suffice to build every list.
//!
//! It is the running example of Ponzio et al. (FASE 2019). The elements form a ring through a
//! header. Nodes of removed elements go to a stack, linked by `next`, for reuse. The benchmarks
//! contain excerpts of the class: [`crate::roops::ncl`] with a seeded defect,
//! [`crate::fajita::ncl`] without it. This version follows the documentation of the class and of
//! `AbstractLinkedList`, from which the class inherits most methods. It has no known defect.
//!
//! Differences in Rust:
//!
//! - The names are the original ones, with a suffix for overloads: `add_at`, `remove_at`,
//!   `to_array_in`. The methods are in the alphabetical order of the original names, as the paper
//!   numbers them: the constructor without parameters is number 0, `add_first` 7, and
//!   `remove_first` 25. The documentation has one method more than this numbering and the total of
//!   34 allow. We leave out `listIterator()`, which is `listIterator(0)`.
//! - Where the original accepts any collection as an argument, the argument is another list here.
//! - `sub_list` returns a separate list. The original returns a view, but a borrow could not hand
//!   out both the view and the list.
//! - An element is never null, and [`Misuse`] replaces the original's exceptions.

use std::ptr::NonNull;

use beget::Heap;

use crate::Misuse;
use crate::shared::ring;

mod nodes;

/// A list of integers with a cache of nodes.
#[derive(Heap)]
pub struct NodeCachingLinkedList {
    /// Invariant: part of a ring that only this list owns, and without a value.
    #[heap(unsafe(pointer))]
    header: NonNull<Node>,
    /// Invariant: the number of nodes of the ring without the header.
    size: usize,
    /// The number of additions and removals so far. It says nothing about the contents.
    #[heap(skip)]
    mod_count: usize,
    /// Invariant: the top of a stack of nodes that only this list owns, each without a value and
    /// without a link back.
    #[heap(unsafe(pointer))]
    first_cached_node: Option<NonNull<Node>>,
    /// Invariant: the number of nodes of the stack, at most `maximum_cache_size`.
    cache_size: usize,
    maximum_cache_size: usize,
}

/// A node of a [`NodeCachingLinkedList`].
#[derive(Debug, Heap)]
struct Node {
    #[heap(unsafe(pointer))]
    previous: Option<NonNull<Node>>,
    #[heap(unsafe(pointer))]
    next: Option<NonNull<Node>>,
    value: Option<i32>,
}

/// The caching list of the Apache Commons Collections, with all its methods.
#[beget::api(name = "apache::ncl")]
impl NodeCachingLinkedList {
    /// The maximum cache size of a list created without one.
    pub const DEFAULT_MAXIMUM_CACHE_SIZE: usize = 20;

    /// Creates an empty list with the default maximum cache size.
    pub fn new() -> Self {
        Self::with_maximum_cache_size(Self::DEFAULT_MAXIMUM_CACHE_SIZE)
    }

    /// Creates a list of the values of another list.
    pub fn from_collection(collection: &Self) -> Self {
        let mut list = Self::new();
        list.add_all(collection);
        list
    }

    /// Creates an empty list that caches at most this many nodes.
    pub fn with_maximum_cache_size(maximum_cache_size: usize) -> Self {
        Self {
            header: ring::empty(),
            size: 0,
            mod_count: 0,
            first_cached_node: None,
            cache_size: 0,
            maximum_cache_size,
        }
    }

    /// Appends the value; always returns true.
    pub fn add(&mut self, value: i32) -> bool {
        self.add_last(value)
    }

    /// Inserts the value before the one at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `index` is larger than the size.
    pub fn add_at(&mut self, index: usize, value: i32) -> Result<(), Misuse> {
        let place = self.place(index)?;
        self.insert_before(place, value);
        Ok(())
    }

    /// Appends the values of another list; always returns true.
    pub fn add_all(&mut self, collection: &Self) -> bool {
        collection.iterator().for_each(|value| self.insert_before(self.header, value));
        true
    }

    /// Inserts the values of another list before the one at `index`; always returns true.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `index` is larger than the size.
    pub fn add_all_at(&mut self, index: usize, collection: &Self) -> Result<bool, Misuse> {
        let place = self.place(index)?;
        collection.iterator().for_each(|value| self.insert_before(place, value));
        Ok(true)
    }

    /// Prepends the value; always returns true.
    pub fn add_first(&mut self, value: i32) -> bool {
        let place = self.nodes().next().unwrap_or(self.header);
        self.insert_before(place, value);
        true
    }

    /// Appends the value; always returns true.
    pub fn add_last(&mut self, value: i32) -> bool {
        self.insert_before(self.header, value);
        true
    }

    /// Removes all values and caches their nodes as far as the cache has room.
    pub fn clear(&mut self) {
        self.keep(|_| false);
    }

    /// Returns whether the list contains the value.
    pub fn contains(&self, value: i32) -> bool {
        self.index_of(value).is_some()
    }

    /// Returns whether the list contains every value of another list.
    pub fn contains_all(&self, collection: &Self) -> bool {
        collection.iterator().all(|value| self.contains(value))
    }

    /// Returns whether another list has the same values in the same order.
    pub fn equals(&self, other: &Self) -> bool {
        self == other
    }

    /// Returns the value at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn get(&self, index: usize) -> Result<i32, Misuse> {
        self.iterator().nth(index).ok_or(self.out_of_range(index))
    }

    /// Returns the first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_first(&self) -> Result<i32, Misuse> {
        self.iterator().next().ok_or(Misuse::Empty)
    }

    /// Returns the last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn get_last(&self) -> Result<i32, Misuse> {
        self.iterator().last().ok_or(Misuse::Empty)
    }

    /// Returns a hash; equal lists have equal hashes.
    pub fn hash_code(&self) -> i32 {
        self.iterator().fold(1, |hash: i32, value| hash.wrapping_mul(31).wrapping_add(value))
    }

    /// Returns the first position of the value.
    pub fn index_of(&self, value: i32) -> Option<usize> {
        self.iterator().position(|other| other == value)
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Iterates over the values in order.
    pub fn iterator(&self) -> impl Iterator<Item = i32> {
        self.values()
    }

    /// Returns the last position of the value.
    pub fn last_index_of(&self, value: i32) -> Option<usize> {
        let positions = self.iterator().enumerate().filter(|&(_, other)| other == value);
        positions.map(|(index, _)| index).last()
    }

    /// Iterates over the values in order, starting at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `index` is larger than the size.
    pub fn list_iterator(&self, index: usize) -> Result<impl Iterator<Item = i32>, Misuse> {
        self.place(index).map(|_| self.iterator().skip(index))
    }

    /// Removes and returns the value at `index`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn remove_at(&mut self, index: usize) -> Result<i32, Misuse> {
        let node = self.nodes().nth(index);
        node.and_then(|node| self.take(node)).ok_or(self.out_of_range(index))
    }

    /// Removes the first occurrence of the value and returns whether it was present.
    pub fn remove(&mut self, value: i32) -> bool {
        self.index_of(value).is_some_and(|index| self.remove_at(index).is_ok())
    }

    /// Removes the values that are in another list; returns whether there were any.
    pub fn remove_all(&mut self, collection: &Self) -> bool {
        self.keep(|value| !collection.contains(value))
    }

    /// Removes and returns the first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_first(&mut self) -> Result<i32, Misuse> {
        self.remove_at(0).map_err(|_| Misuse::Empty)
    }

    /// Removes and returns the last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the list is empty.
    pub fn remove_last(&mut self) -> Result<i32, Misuse> {
        let last = self.size.checked_sub(1).ok_or(Misuse::Empty)?;
        self.remove_at(last)
    }

    /// Removes the values that are not in another list; returns whether there were any.
    pub fn retain_all(&mut self, collection: &Self) -> bool {
        self.keep(|value| collection.contains(value))
    }

    /// Replaces the value at `index` and returns the old one.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the list has no such position.
    pub fn set(&mut self, index: usize, value: i32) -> Result<i32, Misuse> {
        let node = self.nodes().nth(index);
        node.and_then(|node| self.replace(node, value)).ok_or(self.out_of_range(index))
    }

    /// Returns the number of values.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns a list of the values at positions `from..to`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `to` is larger than the size; [`Misuse::Argument`] when `from`
    /// is larger than `to`.
    pub fn sub_list(&self, from: usize, to: usize) -> Result<Self, Misuse> {
        self.place(to)?;
        let len = to.checked_sub(from).ok_or(Misuse::Argument("the end is before the start"))?;
        Ok(self.iterator().skip(from).take(len).collect())
    }

    /// Returns the values as an array.
    pub fn to_array(&self) -> Vec<i32> {
        self.iterator().collect()
    }

    /// Returns the values as an array, in the memory of a given array that they replace.
    pub fn to_array_in(&self, mut array: Vec<i32>) -> Vec<i32> {
        array.clear();
        array.extend(self.iterator());
        array
    }

    /// Returns the values as text: `[1, 2]`.
    pub fn to_text(&self) -> String {
        format!("{self:?}")
    }
}

#[cfg(test)]
mod tests;
