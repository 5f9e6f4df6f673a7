//! Values that hold all kinds of pointers beside each other are decoded as they are.
#![allow(missing_docs)]
#![deny(warnings)]
#![allow(clippy::vec_box, reason = "boxes in a list are pointers beside others")]

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use beget::Heap;
use beget_heap::{Bounds, HeapGraph, Layout, Schema, canonical_form, decode_form, laws};

fn decoded<T: Heap>(value: &T) -> T {
    let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
    decode_form(&layout, &canonical_form(value, &Bounds::unlimited()).unwrap()).unwrap()
}

#[derive(Debug, Heap)]
struct Mixed {
    unit: Box<()>,
    #[heap(plain)]
    plain: Box<u8>,
    items: Vec<Box<u8>>,
    first: Rc<u8>,
    second: Rc<u8>,
    other: Rc<u8>,
}

#[test]
fn what_is_shared_behind_other_pointers_is_shared_again() {
    let shared = Rc::new(3);
    let mixed = Mixed {
        unit: Box::new(()),
        plain: Box::new(4),
        items: vec![Box::new(5), Box::new(6)],
        first: shared.clone(),
        second: shared,
        other: Rc::new(3),
    };
    laws::check(&mixed).unwrap();
    let again = decoded(&mixed);
    assert!(Rc::ptr_eq(&again.first, &again.second) && !Rc::ptr_eq(&again.first, &again.other));
    assert_eq!((*again.plain, again.items), (4, mixed.items));
}

/// A node whose lists come before and after the node behind it, which refers back, before and after
/// its own.
#[derive(Debug, Heap)]
struct Node {
    before: Vec<u8>,
    #[heap(plain)]
    plain: Vec<u8>,
    unit: Box<()>,
    next: Option<Rc<RefCell<Node>>>,
    after: Vec<u8>,
    back: Weak<RefCell<Node>>,
    up: Weak<RefCell<Node>>,
}

fn chain(n: u8) -> Rc<RefCell<Node>> {
    let new = |value: u8| {
        let (before, plain, after) = (vec![value; 2], vec![value; 3], vec![value]);
        let (unit, next, back) = (Box::new(()), None, Weak::new());
        let up = back.clone();
        Rc::new(RefCell::new(Node { before, plain, unit, next, after, back, up }))
    };
    let nodes: Vec<_> = (0..n).map(new).collect();
    for pair in nodes.windows(2) {
        pair[0].borrow_mut().next = Some(pair[1].clone());
        pair[1].borrow_mut().back = Rc::downgrade(&pair[0]);
        pair[1].borrow_mut().up = Rc::downgrade(&pair[0]);
    }
    nodes[0].clone()
}

#[test]
fn references_back_to_the_object_before_are_decoded_behind_lists() {
    for n in [1, 2, 3, 20] {
        let first = chain(n);
        laws::check(&first).unwrap();
        let again = decoded(&first);
        assert_eq!(HeapGraph::of(&again).to_text(), HeapGraph::of(&first).to_text());
        let mut at = again;
        for value in 0..n - 1 {
            let next = at.borrow().next.clone().unwrap();
            assert!(Weak::ptr_eq(&next.borrow().back, &Rc::downgrade(&at)), "{value}");
            assert!(Weak::ptr_eq(&next.borrow().up, &Rc::downgrade(&at)), "{value}");
            at = next;
        }
        assert!(at.borrow().next.is_none());
    }
}

#[derive(Debug, Heap)]
struct IntoCounted {
    counted: Rc<u8>,
    #[heap(unsafe(pointer))]
    into: *const u8,
}

#[test]
fn a_raw_pointer_into_what_has_no_known_address_is_refused() {
    let counted = Rc::new(3);
    let into = Rc::as_ptr(&counted);
    let value = IntoCounted { counted, into };
    let layout = Layout::new(&Schema::of::<IntoCounted>(), &Bounds::unlimited());
    let form = canonical_form(&value, &Bounds::unlimited()).unwrap();
    let refused = decode_form::<IntoCounted>(&layout, &form).unwrap_err();
    assert_eq!(refused.to_string(), "an object is owned by a pointer of another kind");
}
