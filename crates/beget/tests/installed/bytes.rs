//! Structures by their memory, beside what their fields and texts tell.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use beget::{HasSuite, Heap};
use beget_engine::store::{Store as _, StructureId, UnmatchedStore};
use beget_engine::{Corpus, Run, Settings};
use beget_heap::{CanonicalForm, Encoder};
use beget_plan::scope::Plan;
use beget_suite::{StateKind, Suite};
use common::{REPLAY, plan};

/// A queue of two stacks, of which each may share items with others.
#[derive(Debug, Heap)]
pub struct Queue {
    front: Vec<Option<Box<u8>>>,
    back: Vec<u8>,
    last: Option<Box<(bool, u32)>>,
}

impl Queue {
    pub fn new() -> Self {
        Queue { front: Vec::new(), back: Vec::new(), last: None }
    }

    pub fn push(&mut self, item: u8) {
        self.back.push(item);
        self.last = Some(Box::new((item > 0, u32::from(item))));
    }

    pub fn pop(&mut self) -> Option<u8> {
        if self.front.is_empty() {
            self.front.extend(self.back.drain(..).rev().map(|item| Some(Box::new(item))));
        }
        self.front.pop().flatten().map(|item| *item)
    }

    pub fn take_last(&mut self) -> Option<u32> {
        self.last.take().map(|last| last.1)
    }
}

beget::suite! {
    /// Queues.
    #[name = "queues"]
    pub suite Queues for Queue {
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn pop(&mut self) -> Option<u8>;
        fn take_last(&mut self) -> Option<u32>;
    }
}

const SCOPE: &str = r#"k: 3, ints: "0..2", budget: (max_levels: Some(6))"#;

/// The form of each structure by `state`.
fn forms_by(state: StateKind, corpus: &Corpus<UnmatchedStore>) -> Vec<CanonicalForm> {
    let suite = Arc::new(corpus.plan.suite.seen_by(state).expect("it can be"));
    let all = plan_by(&suite);
    let ty = &all.suite.types[0];
    let mut encoder = Encoder::new(all.coding());
    let forms = (0..corpus.store.len()).map(|id| {
        let value = corpus.reconstruct(StructureId::new(id)).expect("a store in memory");
        encoder.begin(0);
        (ty.walk)(&*value.expect("it can be made again"), &mut encoder);
        encoder.finish().expect("nothing is bounded").to_canonical()
    });
    forms.collect()
}

fn plan_by(suite: &Arc<Suite>) -> Plan {
    plan((**suite).clone(), r#"k: 9, objects: {"*": "k"}, arrays: "k", ints: "0..2""#)
}

/// The structures that sequences of at most six calls leave which each change something, none
/// matched. Where a change is one of memory alone may be another in each run.
fn all_sequences(plan: Plan) -> Corpus<UnmatchedStore> {
    let settings = Settings { threads: 1, copy_options: REPLAY };
    let store = UnmatchedStore::of(&plan);
    Run::new(plan).settings(settings).go_into(store)
}

/// The twin of a state: whatever two sequences of calls leave that is one by memory is one by its
/// fields, and by all that it shows.
#[test]
fn what_is_one_by_memory_is_one_by_fields_and_by_what_it_shows() {
    let suite = Queues::suite().seen_by(StateKind::Bytes).expect("every type can be");
    let corpus = all_sequences(plan(suite, SCOPE));
    let bytes = forms_by(StateKind::Bytes, &corpus);
    let n_bytes = bytes.iter().collect::<BTreeSet<_>>().len();
    // Two items, and both ways of taking one. Without an item there is none to pop, and the last
    // one is taken once: so much changes by fields. Memory changes where fields do, and elsewhere.
    assert!(bytes.len() >= 1 + 2 + 8 + 28 + 100 + 368, "{}", bytes.len());
    for state in [StateKind::Fields, StateKind::Shown] {
        let forms = forms_by(state, &corpus);
        let mut coarser = BTreeMap::new();
        for (form, by_memory) in forms.iter().zip(&bytes) {
            assert_eq!(coarser.entry(by_memory).or_insert(form), &form, "{state}");
        }
        let n = forms.iter().collect::<BTreeSet<_>>().len();
        assert!(n < n_bytes && n_bytes < bytes.len(), "{state}: {n}, {n_bytes}");
    }
}

/// A test makes its run in one process.
#[test]
fn a_check_refuses_memory() {
    let scope = concat!(env!("CARGO_TARGET_TMPDIR"), "/bytes.ron");
    let text = r#"Scope(suite: "queues", state: Bytes, k: 1)"#;
    std::fs::write(scope, text).expect("the directory is for tests");
    let refused = std::panic::catch_unwind(|| beget::check!(Queues, scope));
    let message = refused.expect_err("it is refused");
    let message = message.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(message.contains("`state: Bytes` is for `generate` and `check`"), "{message}");
}

/// A queue with an item has two blocks: a buffer and the last item.
#[test]
fn a_bound_of_blocks_counts_those_that_a_value_leads_to() {
    let suite = Queues::suite().seen_by(StateKind::Bytes).expect("every type can be");
    let n_structures = |most: u32| {
        let fields = format!(
            r#"k: 3, ints: "0..2", methods: Only(["new", "push"]), budget: (max_levels: Some(2)),
            fields: {{"Queue.memory_blocks": "0..={most}"}}"#
        );
        let plan = plan(suite.clone(), &fields);
        Run::new(plan).settings(Settings { threads: 1, copy_options: REPLAY }).go().store.len()
    };
    assert_eq!([0, 1, 2].map(n_structures), [1, 1, 3]);
}
