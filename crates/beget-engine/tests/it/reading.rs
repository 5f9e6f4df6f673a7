//! Reading a corpus whose structures cannot be reconstructed any more.

use crate::common;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use beget_engine::store::{
    Candidates, CommitCounts, ExactStore, FormRef, Origin, Store, StoreError, StructureId, Totals,
};
use beget_engine::{Corpus, Reader, Run};
use beget_heap::{Heap, Undecodable};
use beget_plan::scope::{Plan, Proper};
use beget_suite::{Method, Outcome, StateKind, type_of};
use common::{Tree, plan, suite};

/// Trees that are made by their recipes only.
fn replayed(k: u32) -> Plan {
    let mut suite = suite();
    suite.types[0].decode_own = |_| Err(Undecodable::new("trees are replayed"));
    plan(suite, &["new", "insert"], k)
}

static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Recipes with an insertion panic from now on.
fn forgetful(with_slack: bool) -> Plan {
    let plan = replayed(2);
    let mut suite = (*plan.suite).clone();
    let call = |call: &mut beget_suite::Call<'_>| {
        assert!(!IS_OVER.load(Relaxed), "it is over");
        let info = *call.literal::<i32>(0);
        call.structure::<Tree>(0).insert(info);
        beget_suite::Outcome::Returned
    };
    suite.methods[1] = Method { call, ..suite.methods[1].clone() };
    plan.with(|draft| {
        draft.suite = suite.into();
        let bounds = draft.bounds.clone();
        draft.slack = with_slack.then(|| Proper { slack: 0, bounds, fields: Vec::new() });
    })
}

/// Without slack every structure is reported, if need be by its form alone. With slack it cannot be
/// said whether it lies within the scope proper, and it is not.
#[test]
fn a_structure_that_cannot_be_reconstructed_is_reported_only_without_slack() {
    let corpora: [Corpus; 2] = [false, true].map(|with_slack| Run::new(forgetful(with_slack)).go());
    IS_OVER.store(true, Relaxed);
    for (corpus, with_slack) in corpora.iter().zip([false, true]) {
        let n = corpus.store.len();
        assert_eq!(n, 5);
        let mut reader = corpus.reader();
        assert!(reader.reported(StructureId::new(0)).unwrap().unwrap().heap.is_some());
        for id in (1..n).map(StructureId::new) {
            let reported = reader.reported(id).unwrap();
            assert_eq!(reported.is_none(), with_slack, "{id:?}");
            if let Some(reported) = reported {
                assert_eq!(reported.form, corpus.store.form(id).unwrap());
                assert!(reported.heap.is_none());
            }
        }
        let n_generated = if with_slack { 1 } else { n as usize };
        assert_eq!(reader.generated().unwrap().len(), n_generated);
    }
}

/// Cannot tell how one structure was made, when it is asked to forget it.
#[derive(Debug)]
struct Leaky {
    store: ExactStore,
    lost: Option<StructureId>,
}

impl Store for Leaky {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.store.commit(blocks)
    }

    fn scan(
        &self,
        ids: std::ops::Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.store.scan(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.store.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        match self.lost {
            Some(lost) if lost == id => Err(StoreError::Failed("a page is torn".to_owned())),
            _ => self.store.origin(id),
        }
    }

    fn totals(&self) -> Totals {
        self.store.totals()
    }

    fn len(&self) -> u64 {
        self.store.len()
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }
}

/// A structure is none the less deterministic: who reads it is told of the store, also where the
/// torn page is that of a structure on its way.
#[test]
fn a_recipe_that_the_store_cannot_tell_is_an_error_of_the_store() {
    let plan = replayed(2);
    let store = Leaky { store: ExactStore::of(&plan), lost: None };
    let mut corpus = Run::new(plan).go_into(store);
    let torn = StoreError::Failed("a page is torn".to_owned());
    for lost in (0..corpus.store.len()).map(StructureId::new) {
        corpus.store.lost = Some(lost);
        for id in (0..corpus.store.len()).map(StructureId::new) {
            let is_on_the_way = {
                let mut next = Some(id);
                std::iter::from_fn(|| {
                    let this = next?;
                    next = corpus.store.store.origin(this).unwrap().arguments.first().copied();
                    Some(this)
                })
                .any(|step| step == lost)
            };
            let error = corpus.reconstruct(id).err();
            assert_eq!(error, is_on_the_way.then(|| torn.clone()), "{id:?} without {lost:?}");
        }
    }
}

/// Each of the five trees is decoded once by the first reader.
#[test]
fn a_reader_by_calls_makes_structures_by_their_recipes() {
    static N_DECODED: AtomicU32 = AtomicU32::new(0);
    let mut suite = suite();
    suite.types[0].decode_own = |decoder| {
        N_DECODED.fetch_add(1, Relaxed);
        Ok(Box::new(<Tree as Heap>::decode(decoder)?))
    };
    let corpus = Run::new(plan(suite, &["new", "insert"], 2)).go();
    let n_decoded = |reader: &mut Reader<'_>| {
        let before = N_DECODED.load(Relaxed);
        for id in (0..corpus.store.len()).map(StructureId::new) {
            assert!(reader.reconstruct(id).unwrap().is_some());
        }
        N_DECODED.load(Relaxed) - before
    };
    assert_eq!(n_decoded(&mut corpus.reader()), 5);
    assert_eq!(n_decoded(&mut corpus.reader_by_calls()), 0);
}

/// From then on an insertion is misuse, so recipes with one give no structure any more.
#[test]
fn a_recipe_with_a_call_that_ends_in_another_way_builds_nothing() {
    static IS_MISUSE: AtomicBool = AtomicBool::new(false);
    let mut suite = suite();
    suite.methods[1].call = |call| {
        let info = *call.literal::<i32>(0);
        call.structure::<Tree>(0).insert(info);
        if IS_MISUSE.load(Relaxed) { Outcome::Misuse } else { Outcome::Returned }
    };
    let corpus = Run::new(plan(suite, &["new", "insert"], 2)).go();
    let n_made = || {
        let mut reader = corpus.reader_by_calls();
        let ids = (0..corpus.store.len()).map(StructureId::new);
        ids.filter(|&id| reader.reconstruct(id).unwrap().is_some()).count()
    };
    assert_eq!(n_made(), 5);
    IS_MISUSE.store(true, Relaxed);
    assert_eq!(n_made(), 1);
}

/// From then on the only structure is made with another number.
static IS_LATER: AtomicBool = AtomicBool::new(false);

/// A structure that is its memory is another one each time: what the run has of it counts. Any
/// other is what its calls make.
#[test]
fn the_form_of_a_structure_that_is_its_memory_is_the_one_stored() {
    let corpora = [StateKind::Fields, StateKind::Bytes].map(|state| {
        let mut suite = suite();
        suite.types = vec![type_of::<u8>("Number", None)];
        suite.types[0].state = state;
        suite.methods[0].call = |call| {
            call.give(if IS_LATER.load(Relaxed) { 1_u8 } else { 0 });
            Outcome::Returned
        };
        Run::new(plan(suite, &["new"], 2)).go()
    });
    IS_LATER.store(true, Relaxed);
    let is_stored = corpora.map(|corpus| {
        let (first, mut reader) = (StructureId::new(0), corpus.reader_by_calls());
        assert_eq!(corpus.store.len(), 1);
        let reported = reader.reported(first).unwrap().expect("it is within the scope");
        assert!(reported.heap.is_some());
        reported.form == corpus.store.form(first).unwrap()
    });
    assert_eq!(is_stored, [false, true]);
}
