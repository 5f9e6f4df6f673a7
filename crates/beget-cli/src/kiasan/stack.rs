//! Linked stack, `stack.list.StackLi` of the Kiasan benchmark.
//!
//! A null-terminated list with neither a sentinel nor a size; every node owns the next one. No
//! defect is known.

use std::fmt;
use std::iter;

use beget::{Heap, HeapView};

use crate::Misuse;

pub mod rep_ok;

/// A stack of integers as a linked list.
#[derive(Default, Heap, HeapView)]
pub struct StackLi {
    top_of_stack: Option<Box<ListNode>>,
}

/// A node of a [`StackLi`].
#[derive(Debug, Heap, HeapView)]
pub struct ListNode {
    element: i32,
    next: Option<Box<ListNode>>,
}

#[beget::api(name = "kiasan::stack")]
impl StackLi {
    /// Creates an empty stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pushes the element onto the stack.
    pub fn push(&mut self, element: i32) {
        self.top_of_stack = Some(Box::new(ListNode { element, next: self.top_of_stack.take() }));
    }

    /// Removes the top element.
    ///
    /// # Errors
    /// [`Misuse::Empty`] when the stack is empty.
    pub fn pop(&mut self) -> Result<(), Misuse> {
        self.top_and_pop().map(drop).ok_or(Misuse::Empty)
    }

    /// Removes and returns the top element, if any.
    pub fn top_and_pop(&mut self) -> Option<i32> {
        let top = *self.top_of_stack.take()?;
        self.top_of_stack = top.next;
        Some(top.element)
    }

    /// Removes all elements.
    pub fn make_empty(&mut self) {
        // Removes one node at a time: the default drop would recurse over the whole chain.
        while self.top_and_pop().is_some() {}
    }

    /// Returns the top element, if any.
    pub fn top(&self) -> Option<i32> {
        self.elements().next()
    }

    /// Returns whether the stack is empty.
    pub fn is_empty(&self) -> bool {
        self.top_of_stack.is_none()
    }

    /// Returns false: a linked stack has no bound.
    pub fn is_full(&self) -> bool {
        false
    }

    /// Returns true: nodes that own each other form no cycle.
    pub fn is_acyclic(&self) -> bool {
        true
    }

    fn elements(&self) -> impl Iterator<Item = i32> {
        let top = self.top_of_stack.as_deref();
        iter::successors(top, |node| node.next.as_deref()).map(|node| node.element)
    }
}

impl Clone for StackLi {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        let mut end = &mut clone.top_of_stack;
        for element in self.elements() {
            end = &mut end.insert(Box::new(ListNode { element, next: None })).next;
        }
        clone
    }
}

impl Drop for StackLi {
    fn drop(&mut self) {
        self.make_empty();
    }
}

impl fmt::Debug for StackLi {
    /// Shows the elements from the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Form, Search, assert_counts};

    fn form(stack: &StackLi) -> Form {
        let mut form = Form::default();
        let mut link = stack.top_of_stack.as_deref();
        while let Some(node) = form.reference(link) {
            form.value(node.element);
            link = node.next.as_deref();
        }
        form
    }

    #[test]
    fn the_builders_reach_the_published_numbers() {
        let expected = [(2, 5), (7, 18), (40, 125), (341, 1370), (3906, 19537)];
        assert_counts(&expected, |k| {
            let search = Search::new(k).starts(StackLi::new).call_1(StackLi::push);
            search.run(form).counts()
        });
    }

    #[test]
    fn the_last_element_in_is_the_first_out() {
        let mut stack = StackLi::new();
        stack.push(1);
        stack.push(2);
        assert_eq!(stack.top(), Some(2));
        assert_eq!(stack.pop(), Ok(()));
        assert_eq!(stack.top_and_pop(), Some(1));
        assert!(stack.is_empty() && !stack.is_full() && stack.is_acyclic());
    }

    #[test]
    fn only_pop_complains_about_an_empty_stack() {
        let mut stack = StackLi::new();
        assert_eq!(stack.pop(), Err(Misuse::Empty));
        assert_eq!((stack.top(), stack.top_and_pop()), (None, None));
    }

    #[test]
    fn a_clone_is_independent_of_its_original() {
        let mut original = StackLi::new();
        original.push(1);
        original.push(2);
        let mut clone = original.clone();
        clone.push(3);
        assert_eq!(format!("{original:?} {clone:?}"), "[2, 1] [3, 2, 1]");
    }

    #[test]
    fn a_long_stack_is_dropped_without_recursion() {
        let mut stack = StackLi::new();
        (0..200_000).for_each(|element| stack.push(element));
        drop(stack);
    }
}
