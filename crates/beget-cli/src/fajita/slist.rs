//! Singly linked list with a dummy header, `list.SinglyLinkedList` of the FAJITA benchmark.
//!
//! A null link ends the list; every node owns the next one.
//!
//! Defects kept: [`SinglyLinkedList::remove`] at position 0 drops the whole list. It does nothing
//! on an empty list, whatever the position, and follows a null link for a position beyond the end.
//! [`SinglyLinkedList::contains`] also looks at the header, which has no value, so "no value" is
//! always contained.

use std::fmt;
use std::iter;

use beget::{Heap, HeapView};

use crate::Misuse;

pub mod rep_ok;

/// A list of integers.
#[derive(Heap, HeapView)]
pub struct SinglyLinkedList {
    /// Invariant: present, without a value. The field is optional because the link is nullable in
    /// the published class, and its representation invariant checks it.
    header: Option<Box<Node>>,
}

/// A node of a [`SinglyLinkedList`].
#[derive(Debug, Default, Heap, HeapView)]
pub struct Node {
    next: Option<Box<Node>>,
    value: Option<i32>,
}

#[beget::api(name = "fajita::slist")]
impl SinglyLinkedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { header: Some(Box::default()) }
    }

    /// Appends the value.
    pub fn insert_back(&mut self, value: i32) {
        let mut end = &mut self.header;
        while let Some(node) = end {
            end = &mut node.next;
        }
        *end = Some(Box::new(Node { next: None, value: Some(value) }));
    }

    /// Removes the value at `index`. As published, index 0 removes all values, and nothing happens
    /// on an empty list.
    ///
    /// # Errors
    /// [`Misuse::MissingNode`] when the list is not empty and has no such position.
    pub fn remove(&mut self, index: i32) -> Result<(), Misuse> {
        let Some(header) = self.header.as_deref_mut() else { return Ok(()) };
        if header.next.is_none() {
            return Ok(());
        }
        if index == 0 {
            release(header.next.take());
            return Ok(());
        }
        let index = usize::try_from(index).map_err(|_| Misuse::MissingNode)?;
        let mut before = header;
        for _ in 0..index {
            before = before.next.as_deref_mut().ok_or(Misuse::MissingNode)?;
        }
        let removed = before.next.take().ok_or(Misuse::MissingNode)?;
        before.next = removed.next;
        Ok(())
    }

    /// Returns whether any node, including the header, holds this value.
    pub fn contains(&self, value: Option<i32>) -> bool {
        self.nodes().any(|node| node.value == value)
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        iter::successors(self.header.as_deref(), |node| node.next.as_deref())
    }
}

/// Drops a chain one node at a time: the default drop would recurse over the whole chain.
fn release(mut chain: Option<Box<Node>>) {
    while let Some(node) = chain {
        chain = node.next;
    }
}

impl Default for SinglyLinkedList {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for SinglyLinkedList {
    fn clone(&self) -> Self {
        let mut clone = Self { header: None };
        let mut end = &mut clone.header;
        for node in self.nodes() {
            end = &mut end.insert(Box::new(Node { next: None, value: node.value })).next;
        }
        clone
    }
}

impl Drop for SinglyLinkedList {
    fn drop(&mut self) {
        release(self.header.take());
    }
}

impl fmt::Debug for SinglyLinkedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.nodes().filter_map(|node| node.value)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn list(values: impl IntoIterator<Item = i32>) -> SinglyLinkedList {
        let mut list = SinglyLinkedList::new();
        values.into_iter().for_each(|value| list.insert_back(value));
        list
    }

    fn form(list: &SinglyLinkedList) -> Form {
        let mut form = Form::default();
        let mut link = list.header.as_deref();
        while let Some(node) = form.reference(link) {
            form.optional(node.value);
            link = node.next.as_deref();
        }
        form
    }

    fn insertions(k: i32) -> Search<SinglyLinkedList> {
        Search::new(k).starts(SinglyLinkedList::new).call_1(SinglyLinkedList::insert_back)
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(1, 3), (3, 9), (13, 43), (85, 345), (781, 3911), (9331, 55993)];
        assert_counts(&expected, |k| insertions(k).run(form).counts());
    }

    #[test]
    fn removing_reaches_nothing_more() {
        for k in 1..=4 {
            let all = insertions(k).call_1(SinglyLinkedList::remove);
            assert_eq!(all.run(form).forms, insertions(k).run(form).forms, "k = {k}");
        }
    }

    #[test]
    fn removing_at_position_0_drops_the_whole_list() {
        let mut list = list([7, 8, 9]);
        assert_eq!(list.remove(0), Ok(()));
        assert_eq!(format!("{list:?}"), "[]");
    }

    #[test]
    fn removing_elsewhere_unlinks_one_value() {
        let mut list = list([7, 8, 9]);
        assert_eq!(list.remove(1), Ok(()));
        assert_eq!(list.remove(1), Ok(()));
        assert_eq!(format!("{list:?}"), "[7]");
    }

    #[test]
    fn removing_beyond_the_end_fails_unless_the_list_is_empty() {
        for index in [-1, 2, 3] {
            assert_eq!(list([7, 8]).remove(index), Err(Misuse::MissingNode));
            assert_eq!(list([]).remove(index), Ok(()));
        }
    }

    #[test]
    fn no_value_is_always_contained() {
        assert!(list([]).contains(None));
        assert!(list([1]).contains(Some(1)) && !list([1]).contains(Some(2)));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let original = list([1, 2]);
        let mut clone = original.clone();
        clone.insert_back(3);
        assert_eq!(format!("{original:?} {clone:?}"), "[1, 2] [1, 2, 3]");
    }
}
