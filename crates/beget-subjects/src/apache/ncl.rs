//! `NodeCachingLinkedList` of the Apache Commons Collections, with its whole public API: 34
//! methods, of which three build every list.
//!
//! It is the running example of Ponzio et al. (FASE 2019). The elements form a ring through a
//! header; nodes of removed elements go to a stack, linked by `next`, and are used again. The
//! benchmarks have excerpts of the class: [`crate::roops::ncl`] with a seeded defect,
//! [`crate::fajita::ncl`] without. This one is written after the documentation of the class and of
//! `AbstractLinkedList`, from which it inherits most methods; it has no known defect.
//!
//! Differences in Rust:
//!
//! - The names are the original ones, with a suffix for overloads: `add_at`, `remove_at`,
//!   `to_array_in`. The methods stand in the alphabetical order of the original names, as the paper
//!   numbers them: the constructor without parameters is number 0, `add_first` 7, and
//!   `remove_first` 25. For that and for 34 in all, the documented methods are one too many:
//!   `listIterator()`, which is `listIterator(0)`, is left out.
//! - An argument that may be any collection in the original is another list here.
//! - `sub_list` returns a separate list. The original returns a view, which a borrow could not hand
//!   out together with the list.
//! - An element is never null, and [`Misuse`] replaces the original's exceptions.

use std::ptr::NonNull;

use beget::Heap;

use crate::Misuse;
use crate::shared::ring;

mod nodes;

/// A list of integers with a cache of nodes.
#[derive(Heap)]
pub struct NodeCachingLinkedList {
    /// Invariant: part of a ring that this list owns alone, and without a value.
    #[heap(unsafe(pointer))]
    header: NonNull<Node>,
    /// Invariant: the number of nodes of the ring without the header.
    size: usize,
    /// How often a value was added or removed. It says nothing about the contents.
    #[heap(skip)]
    mod_count: usize,
    /// Invariant: the top of a stack of nodes that this list owns alone, each without a value and
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

    /// The empty list.
    pub fn new() -> Self {
        Self::with_maximum_cache_size(Self::DEFAULT_MAXIMUM_CACHE_SIZE)
    }

    /// A list of the values of another one.
    pub fn from_collection(collection: &Self) -> Self {
        let mut list = Self::new();
        list.add_all(collection);
        list
    }

    /// The empty list, which keeps at most this many nodes.
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

    /// Appends the value; always true.
    pub fn add(&mut self, value: i32) -> bool {
        self.add_last(value)
    }

    /// Inserts the value before the one at a position.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the position is larger than the size.
    pub fn add_at(&mut self, index: usize, value: i32) -> Result<(), Misuse> {
        let place = self.place(index)?;
        self.insert_before(place, value);
        Ok(())
    }

    /// Appends the values of another list; always true.
    pub fn add_all(&mut self, collection: &Self) -> bool {
        collection.iterator().for_each(|value| self.insert_before(self.header, value));
        true
    }

    /// Inserts the values of another list before the one at a position; always true.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the position is larger than the size.
    pub fn add_all_at(&mut self, index: usize, collection: &Self) -> Result<bool, Misuse> {
        let place = self.place(index)?;
        collection.iterator().for_each(|value| self.insert_before(place, value));
        Ok(true)
    }

    /// Prepends the value; always true.
    pub fn add_first(&mut self, value: i32) -> bool {
        let place = self.nodes().next().unwrap_or(self.header);
        self.insert_before(place, value);
        true
    }

    /// Appends the value; always true.
    pub fn add_last(&mut self, value: i32) -> bool {
        self.insert_before(self.header, value);
        true
    }

    /// Removes everything. The nodes are kept as far as the cache has room.
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

    /// The value at a position.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when there is no such position.
    pub fn get(&self, index: usize) -> Result<i32, Misuse> {
        self.iterator().nth(index).ok_or(self.out_of_range(index))
    }

    /// The first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when there is none.
    pub fn get_first(&self) -> Result<i32, Misuse> {
        self.iterator().next().ok_or(Misuse::Empty)
    }

    /// The last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when there is none.
    pub fn get_last(&self) -> Result<i32, Misuse> {
        self.iterator().last().ok_or(Misuse::Empty)
    }

    /// A hash: equal lists have the same number.
    pub fn hash_code(&self) -> i32 {
        self.iterator().fold(1, |hash: i32, value| hash.wrapping_mul(31).wrapping_add(value))
    }

    /// The first position of the value.
    pub fn index_of(&self, value: i32) -> Option<usize> {
        self.iterator().position(|other| other == value)
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The values in order.
    pub fn iterator(&self) -> impl Iterator<Item = i32> {
        self.values()
    }

    /// The last position of the value.
    pub fn last_index_of(&self, value: i32) -> Option<usize> {
        let positions = self.iterator().enumerate().filter(|&(_, other)| other == value);
        positions.map(|(index, _)| index).last()
    }

    /// The values in order from a position on.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when the position is larger than the size.
    pub fn list_iterator(&self, index: usize) -> Result<impl Iterator<Item = i32>, Misuse> {
        self.place(index).map(|_| self.iterator().skip(index))
    }

    /// Removes and returns the value at a position.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when there is no such position.
    pub fn remove_at(&mut self, index: usize) -> Result<i32, Misuse> {
        let node = self.nodes().nth(index);
        node.and_then(|node| self.take(node)).ok_or(self.out_of_range(index))
    }

    /// Removes the first occurrence of the value; returns whether there was one.
    pub fn remove(&mut self, value: i32) -> bool {
        self.index_of(value).is_some_and(|index| self.remove_at(index).is_ok())
    }

    /// Removes every value that another list has; returns whether there was one.
    pub fn remove_all(&mut self, collection: &Self) -> bool {
        self.keep(|value| !collection.contains(value))
    }

    /// Removes and returns the first value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when there is none.
    pub fn remove_first(&mut self) -> Result<i32, Misuse> {
        self.remove_at(0).map_err(|_| Misuse::Empty)
    }

    /// Removes and returns the last value.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when there is none.
    pub fn remove_last(&mut self) -> Result<i32, Misuse> {
        let last = self.size.checked_sub(1).ok_or(Misuse::Empty)?;
        self.remove_at(last)
    }

    /// Removes every value that another list does not have; returns whether there was one.
    pub fn retain_all(&mut self, collection: &Self) -> bool {
        self.keep(|value| collection.contains(value))
    }

    /// Replaces the value at a position, and returns the old one.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when there is no such position.
    pub fn set(&mut self, index: usize, value: i32) -> Result<i32, Misuse> {
        let node = self.nodes().nth(index);
        node.and_then(|node| self.replace(node, value)).ok_or(self.out_of_range(index))
    }

    /// The number of values.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A list of the values at positions `from..to`.
    ///
    /// # Errors
    /// [`Misuse::OutOfRange`] when `to` is larger than the size, [`Misuse::Argument`] when `from`
    /// is larger than `to`.
    pub fn sub_list(&self, from: usize, to: usize) -> Result<Self, Misuse> {
        self.place(to)?;
        let len = to.checked_sub(from).ok_or(Misuse::Argument("the end is before the start"))?;
        Ok(self.iterator().skip(from).take(len).collect())
    }

    /// The values as an array.
    pub fn to_array(&self) -> Vec<i32> {
        self.iterator().collect()
    }

    /// The values as an array, in the memory of another one that they replace.
    pub fn to_array_in(&self, mut array: Vec<i32>) -> Vec<i32> {
        array.clear();
        array.extend(self.iterator());
        array
    }

    /// The values as text: `[1, 2]`.
    pub fn to_text(&self) -> String {
        format!("{self:?}")
    }
}

#[cfg(test)]
mod tests;
