//! The bound on lengths: elements of what is too long are not walked.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};

use beget_heap::{Bounds, Heap, OutOfScope, Schema, Walker, canonical_form};

thread_local! {
    static TICKETS: Cell<usize> = const { Cell::new(0) };
}

/// An element that counts how often it is walked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ticket(u8);

impl Heap for Ticket {
    fn describe(schema: &mut Schema) {
        u8::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        TICKETS.set(TICKETS.get() + 1);
        self.0.walk(walker);
    }
}

record! {
    /// A field with a rule of its own, for which there is another encoder.
    Booth { tickets: Vec<Ticket>, price: u8 }
}

/// Of at most three elements all are walked, of four none.
#[track_caller]
fn check_length<T: Heap>(make: impl Fn(Vec<Ticket>) -> T, bounds: &Bounds) {
    for (length, found) in [(3, Ok(3)), (4, Err(OutOfScope::Array(4)))] {
        let value = make((0..length).map(Ticket).collect());
        TICKETS.set(0);
        let walked = canonical_form(&value, bounds).map(|_| TICKETS.get());
        assert_eq!(walked, found);
        assert_eq!(TICKETS.get(), walked.unwrap_or(0));
    }
}

#[test]
fn elements_of_what_is_too_long_are_not_walked() {
    let bounds = Bounds { arrays: 3, ..Bounds::unlimited() };
    check_length(|all| all, &bounds);
    check_length(Vec::into_boxed_slice, &bounds);
    check_length(VecDeque::from, &bounds);
    check_length(LinkedList::from_iter, &bounds);
    check_length(BTreeSet::from_iter, &bounds);
    check_length(|all| BTreeMap::from_iter(all.into_iter().map(|key| (key, ()))), &bounds);
    check_length(BinaryHeap::from, &bounds);
    let field_ints = [(("Booth".to_owned(), "price".to_owned()), vec![0..=3])].into();
    let bounds = Bounds { field_ints, ..bounds };
    check_length(|tickets| Booth { tickets, price: 1 }, &bounds);
}
