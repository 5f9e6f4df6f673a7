//! `roops::ncl` at k = 3: 18 tests of structures, 0 tests of failures.
//!
//! Written by this command, which overwrites it:
//!
//! ```sh
//! beget emit scopes/roops/ncl.ron -k 3 -o crates/beget-cli/tests/subjects/generated_ncl.rs
//! ```
#![allow(clippy::all, deprecated)]

use beget_subjects::roops::ncl::NodeCachingLinkedList;

#[test]
fn structure_0_new() {
    let node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_1_new_add_last_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_2_new_add_last_1() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(1));
    assert!(!node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_3_new_add_last_2() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(2));
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_4_new_add_last_0_add_last_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_5_new_add_last_0_add_last_1() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(1));
    assert!(node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_6_new_add_last_0_add_last_2() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(2));
    assert!(node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_7_new_add_last_0_remove_index_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_8_new_add_last_1_add_last_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(1));
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_9_new_add_last_1_add_last_1() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(1));
    assert!(node_caching_linked_list.add_last(1));
    assert!(!node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_10_new_add_last_1_add_last_2() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(1));
    assert!(node_caching_linked_list.add_last(2));
    assert!(!node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_11_new_add_last_2_add_last_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(2));
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_12_new_add_last_2_add_last_1() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(2));
    assert!(node_caching_linked_list.add_last(1));
    assert!(!node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_13_new_add_last_2_add_last_2() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(2));
    assert!(node_caching_linked_list.add_last(2));
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_14_new_add_last_0_add_last_0_remove_index_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(0));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert!(node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_15_new_add_last_0_add_last_1_remove_index_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(1));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert!(!node_caching_linked_list.contains(0));
    assert!(node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}

#[test]
fn structure_16_new_add_last_0_add_last_2_remove_index_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(2));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(node_caching_linked_list.contains(2));
}

#[test]
fn structure_17_new_add_last_0_add_last_0_remove_index_0_remove_index_0() {
    let mut node_caching_linked_list = NodeCachingLinkedList::new();
    assert!(node_caching_linked_list.add_last(0));
    assert!(node_caching_linked_list.add_last(0));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert_eq!(node_caching_linked_list.remove_index(0).ok(), Some(Some(0)));
    assert!(!node_caching_linked_list.contains(0));
    assert!(!node_caching_linked_list.contains(1));
    assert!(!node_caching_linked_list.contains(2));
}
