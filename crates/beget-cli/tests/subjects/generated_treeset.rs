//! `kiasan::treeset` at k = 3: 11 tests of structures, 0 tests of failures.
//!
//! Written by this command, which overwrites it:
//!
//! ```sh
//! beget emit scopes/kiasan/treeset.ron -k 3 \
//!     -o crates/beget-cli/tests/subjects/generated_treeset.rs
//! ```
#![allow(clippy::all, deprecated)]

use beget_subjects::kiasan::treeset::TreeSet;

#[test]
fn structure_0_new() {
    let tree_set = TreeSet::new();
    assert!(!tree_set.contains(0));
    assert!(!tree_set.contains(1));
    assert!(!tree_set.contains(2));
}

#[test]
fn structure_1_new_add_0() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(0));
    assert!(tree_set.contains(0));
    assert!(!tree_set.contains(1));
    assert!(!tree_set.contains(2));
}

#[test]
fn structure_2_new_add_1() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(1));
    assert!(!tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(!tree_set.contains(2));
}

#[test]
fn structure_3_new_add_2() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(2));
    assert!(!tree_set.contains(0));
    assert!(!tree_set.contains(1));
    assert!(tree_set.contains(2));
}

#[test]
fn structure_4_new_add_0_add_1() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(0));
    assert!(!tree_set.add(1));
    assert!(tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(!tree_set.contains(2));
}

#[test]
fn structure_5_new_add_0_add_2() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(0));
    assert!(!tree_set.add(2));
    assert!(tree_set.contains(0));
    assert!(!tree_set.contains(1));
    assert!(tree_set.contains(2));
}

#[test]
fn structure_6_new_add_1_add_0() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(1));
    assert!(!tree_set.add(0));
    assert!(tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(!tree_set.contains(2));
}

#[test]
fn structure_7_new_add_1_add_2() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(1));
    assert!(!tree_set.add(2));
    assert!(!tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(tree_set.contains(2));
}

#[test]
fn structure_8_new_add_2_add_0() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(2));
    assert!(!tree_set.add(0));
    assert!(tree_set.contains(0));
    assert!(!tree_set.contains(1));
    assert!(tree_set.contains(2));
}

#[test]
fn structure_9_new_add_2_add_1() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(2));
    assert!(!tree_set.add(1));
    assert!(!tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(tree_set.contains(2));
}

#[test]
fn structure_10_new_add_0_add_1_add_2() {
    let mut tree_set = TreeSet::new();
    assert!(!tree_set.add(0));
    assert!(!tree_set.add(1));
    assert!(!tree_set.add(2));
    assert!(tree_set.contains(0));
    assert!(tree_set.contains(1));
    assert!(tree_set.contains(2));
}
