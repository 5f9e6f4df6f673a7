//! Values whose forms do not tell all that decides how they behave are replayed, not decoded.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::{CopyOptions, Corpus, Run, Settings};
use beget_plan::scope::{Overrides, ScopeFile};

fn run(suite: Suite, k: u32, copy_options: CopyOptions) -> Corpus {
    let name = suite.name.clone();
    let scope = format!(
        r#"Scope(suite: "{name}", k: {k}, objects: {{"*": "k"}}, arrays: "k", ints: "0..k")"#
    );
    let file = ScopeFile::parse("scope.ron", &scope).expect("a scope");
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &Overrides::default(), &no_files);
    Run::new(resolved.expect("a plan").plan).settings(Settings { threads: 2, copy_options }).go()
}

/// The number of structures, which must be the same however they are reconstructed.
#[track_caller]
fn check(suite: fn() -> Suite, k: u32, n: u64) {
    // Making each structure for every call takes long: not for the larger runs.
    for bits in if k > 3 { 0..1 } else { 0..4 } {
        let copy_options = CopyOptions {
            no_decode: bits & 1 != 0,
            no_clone: bits & 2 != 0,
            ..CopyOptions::default()
        };
        let corpus = run(suite(), k, copy_options);
        assert_eq!(corpus.report.findings, [], "{copy_options:?}");
        assert_eq!(corpus.totals().unwrap().by_type, [n], "{copy_options:?}");
    }
}

/// A heap, and the order in memory that it had once.
#[derive(Clone, Heap)]
pub struct Recorded {
    heap: BinaryHeap<u8>,
    order: Vec<u8>,
}

#[beget::api]
impl Recorded {
    pub fn new() -> Self {
        Recorded { heap: BinaryHeap::new(), order: Vec::new() }
    }

    pub fn push(&mut self, element: u8) {
        self.heap.push(element);
    }

    pub fn pop(&mut self) {
        self.heap.pop();
    }

    pub fn record(&mut self) {
        self.order = self.heap.as_slice().to_vec();
    }
}

#[test]
fn orders_in_memory_are_those_of_the_recipes() {
    // Multisets of at most k of k values, and arrays of at most k in which no child is above its
    // parent. For 3: 1 + 3 + 6 + 10, and 1 + 3 + 6 + (1 + 4 + 9).
    check(Recorded::suite, 3, 20 * 24);
    // For 4: 8 over 4, and 1 + 4 + 10 + 30 + 65.
    check(Recorded::suite, 4, 70 * 110);
}

/// Equal to all of its priority.
#[derive(Clone, Heap)]
struct Task {
    name: u8,
    priority: u8,
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Task {}

impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Task {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.cmp(&other.priority)
    }
}

/// Tasks by priority.
#[derive(Clone, Heap)]
pub struct Queue {
    tasks: BinaryHeap<Task>,
}

#[beget::api]
impl Queue {
    pub fn new() -> Self {
        Queue { tasks: BinaryHeap::new() }
    }

    pub fn push(&mut self, name: u8) {
        self.tasks.push(Task { name, priority: 0 });
    }
}

#[test]
fn elements_of_one_priority_stay_in_the_order_of_their_memory() {
    // Sequences of at most k of k names: nothing moves in a heap of equal elements.
    check(Queue::suite, 3, 1 + 3 + 9 + 27);
}
