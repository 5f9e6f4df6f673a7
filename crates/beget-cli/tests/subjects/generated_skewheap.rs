//! `ours::skewheap` at k = 3: 34 tests of structures, 0 tests of failures.
//!
//! Written by this command, which overwrites it:
//!
//! ```sh
//! beget emit scopes/ours/skewheap.ron -k 3 --methods new,insert,merge,split \
//!     -o crates/beget-cli/tests/subjects/generated_skewheap.rs
//! ```
#![allow(clippy::all, deprecated)]

use beget_subjects::ours::skewheap::SkewHeap;

#[test]
fn structure_0_new() {
    let skew_heap = SkewHeap::new();
    assert_eq!(skew_heap.peek_min(), None);
    assert_eq!(skew_heap.len(), 0);
    assert!(skew_heap.is_empty());
}

#[test]
fn structure_1_new_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 1);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_2_new_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 1);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_3_new_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(2));
    assert_eq!(skew_heap.len(), 1);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_4_new_insert_0_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_5_new_insert_0_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_6_new_insert_0_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_7_new_insert_1_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_8_new_insert_1_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_9_new_insert_2_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(2));
    assert_eq!(skew_heap.len(), 2);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_10_new_insert_0_insert_0_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(0);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_11_new_insert_0_insert_0_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(0);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_12_new_insert_0_insert_0_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(0);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_13_new_insert_0_insert_1_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(1);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_14_new_insert_0_insert_1_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(1);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_15_new_insert_0_insert_1_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(1);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_16_new_insert_0_insert_2_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(2);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_17_new_insert_0_insert_2_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(2);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_18_new_insert_0_insert_2_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    skew_heap.insert(2);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_19_new_insert_1_insert_1_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(1);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_20_new_insert_1_insert_1_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(1);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_21_new_insert_1_insert_1_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(1);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_22_new_insert_1_insert_2_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(2);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_23_new_insert_1_insert_2_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(2);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_24_new_insert_1_insert_2_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    skew_heap.insert(2);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_25_new_insert_2_insert_2_insert_0() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    skew_heap.insert(2);
    skew_heap.insert(0);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_26_new_insert_2_insert_2_insert_1() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    skew_heap.insert(2);
    skew_heap.insert(1);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_27_new_insert_2_insert_2_insert_2() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    skew_heap.insert(2);
    skew_heap.insert(2);
    assert_eq!(skew_heap.peek_min(), Some(2));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_28_new_insert_0_new_insert_0_insert_0_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(0);
    skew_heap_2.insert(0);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_29_new_insert_0_new_insert_0_insert_1_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(0);
    skew_heap_2.insert(1);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_30_new_insert_0_new_insert_0_insert_2_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(0);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(0);
    skew_heap_2.insert(2);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(0));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_31_new_insert_1_new_insert_1_insert_1_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(1);
    skew_heap_2.insert(1);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_32_new_insert_1_new_insert_1_insert_2_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(1);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(1);
    skew_heap_2.insert(2);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(1));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}

#[test]
fn structure_33_new_insert_2_new_insert_2_insert_2_merge() {
    let mut skew_heap = SkewHeap::new();
    skew_heap.insert(2);
    let mut skew_heap_2 = SkewHeap::new();
    skew_heap_2.insert(2);
    skew_heap_2.insert(2);
    skew_heap.merge(skew_heap_2);
    assert_eq!(skew_heap.peek_min(), Some(2));
    assert_eq!(skew_heap.len(), 3);
    assert!(!skew_heap.is_empty());
}
