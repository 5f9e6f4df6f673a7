//! `roops::fibheap` at k = 2: 6 tests of structures, 0 tests of failures.
//!
//! Written by this command, which overwrites it:
//!
//! ```sh
//! beget emit scopes/roops/fibheap.ron -k 2 \
//!     -o crates/beget-cli/tests/subjects/generated_fibheap.rs
//! ```
#![allow(clippy::all, deprecated)]

use beget_subjects::roops::fibheap::FibHeap;

#[test]
fn structure_0_new() {
    let fib_heap = FibHeap::new();
    assert!(fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 0);
    assert_eq!(format!("{:?}", fib_heap.min()), "Err(Empty)");
}

#[test]
fn structure_1_new_insert_0() {
    let mut fib_heap = FibHeap::new();
    fib_heap.insert(0);
    assert!(!fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 1);
    assert_eq!(fib_heap.min().ok(), Some(0));
}

#[test]
fn structure_2_new_insert_1() {
    let mut fib_heap = FibHeap::new();
    fib_heap.insert(1);
    assert!(!fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 1);
    assert_eq!(fib_heap.min().ok(), Some(1));
}

#[test]
fn structure_3_new_insert_0_insert_0() {
    let mut fib_heap = FibHeap::new();
    fib_heap.insert(0);
    fib_heap.insert(0);
    assert!(!fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 2);
    assert_eq!(fib_heap.min().ok(), Some(0));
}

#[test]
fn structure_4_new_insert_0_insert_1() {
    let mut fib_heap = FibHeap::new();
    fib_heap.insert(0);
    fib_heap.insert(1);
    assert!(!fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 2);
    assert_eq!(fib_heap.min().ok(), Some(0));
}

#[test]
fn structure_5_new_insert_1_insert_1() {
    let mut fib_heap = FibHeap::new();
    fib_heap.insert(1);
    fib_heap.insert(1);
    assert!(!fib_heap.is_empty());
    assert_eq!(fib_heap.size(), 2);
    assert_eq!(fib_heap.min().ok(), Some(1));
}
