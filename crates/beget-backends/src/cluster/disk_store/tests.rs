//! Several processes in threads of one, each with a directory: together they are a store in memory.
#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::sync::{Mutex, RwLock};

use beget::{HasSuite as _, Heap};
use beget_engine::store::{ExactStore, laws};
use beget_engine::{Corpus, Run};
use beget_plan::scope::{Budget, Overrides, Plan};
use beget_run::{Catalog, Input, Machines as _};
use tempfile::TempDir;

use super::*;
use crate::cluster::reading::AT_ONCE;
use crate::cluster::runner::Cluster;
use crate::cluster::saving::OwnDirectory;
use crate::cluster::store::tests::{
    blocks, exact, forms, identity, in_processes, part_of, tag_bits, types,
};
use crate::disk::{PartRecorder, saved_steps};

fn recorder_in(link: &ProcessLink, root: &TempDir) -> PartRecorder {
    PartRecorder::create(root.path(), part_of(link), identity()).unwrap().that_stores()
}

fn store_of(
    link: &Arc<ProcessLink>,
    recorder: PartRecorder,
    (totals, tag_bits, memory): (Totals, TagBits, u64),
) -> SpreadDiskStore {
    let part = Arc::new(DiskPart::new(Arc::new(RwLock::new(recorder)), tag_bits));
    SpreadDiskStore::new(Arc::clone(link), Arc::default(), part, (totals, tag_bits, memory))
}

fn new_store(link: &Arc<ProcessLink>, root: &TempDir, memory: u64) -> SpreadDiskStore {
    store_of(link, recorder_in(link, root), (Totals::default(), tag_bits(), memory))
}

/// Everything that can be read.
#[track_caller]
fn assert_same(store: &SpreadDiskStore, alone: &dyn Store) {
    assert_eq!((store.len(), store.totals()), (alone.len(), alone.totals()));
    assert!(forms(store, false) == forms(alone, false));
    assert_eq!(types(store), types(alone));
    // Blocks of origins as long as these are not kept.
    for id in (0..alone.len()).step_by(17).map(StructureId::new) {
        assert_eq!(store.origin(id), alone.origin(id), "{id:?}");
    }
    for form in forms(alone, false).iter().step_by(301) {
        assert_eq!(store.find(FormRef::new(form)), alone.find(FormRef::new(form)));
    }
    assert_eq!(store.find(FormRef::new(&[9; 30])), Ok(None));
}

#[test]
fn several_processes_on_disk_are_the_store_in_memory_whenever_they_settle() {
    for n in 1..4 {
        for memory in [0, 60_000, 1 << 30] {
            let root = TempDir::new().unwrap();
            let n_settled = in_processes(n, |link| {
                // The other processes settle when the first one is due.
                let own = if link.me() == 0 { memory } else { 1 << 30 };
                let mut store = new_store(link, &root, own);
                let mut alone = exact();
                let mut rng = fastrand::Rng::with_seed(23);
                let (mut n_settled, mut n_new) = (0, [0; 2]);
                for batch in 0..12 {
                    let blocks = blocks(&mut rng, alone.len());
                    let counts = alone.commit(&blocks).unwrap();
                    n_new[0] += counts.iter().map(|counts| counts.calls_with_new).sum::<u64>();
                    let n_before = store.unsettled().candidates;
                    let counts = store.commit(&blocks).unwrap();
                    assert!(counts.iter().all(|counts| *counts == CommitCounts::default()));
                    let n_candidates: usize = blocks.iter().map(Candidates::len).sum();
                    assert_eq!(store.unsettled().candidates, n_before + n_candidates as u64);
                    if batch % 5 == 4 || store.unsettled().is_due {
                        n_new[1] += store.settle().unwrap().calls_with_new;
                        n_settled += 1;
                        assert_same(&store, &*alone);
                    }
                }
                n_new[1] += store.settle().unwrap().calls_with_new;
                assert_same(&store, &*alone);
                assert_eq!(n_new[0], n_new[1]);
                assert_eq!(store.unsettled().candidates, 0);
                let path =
                    |store: &SpreadDiskStore| read_any(store.part.recorder()).stored().next_path();
                let before = path(&store);
                assert_eq!(store.settle(), Ok(CommitCounts::default()), "there is nothing more");
                assert_eq!(path(&store), before, "no segment is empty");
                assert!(store.matches() && store.lasts());
                n_settled
            });
            assert!(n_settled.iter().all(|&one| one == n_settled[0]), "{n_settled:?}");
            let expected = if memory == 0 { 4.. } else { 2.. };
            assert!(expected.contains(&n_settled[0]), "{n_settled:?} with {memory} bytes");
        }
    }
}

#[test]
fn the_laws_hold_on_the_disk_of_one_process() {
    let roots = Mutex::new(Vec::new());
    in_processes(1, |link| {
        laws::check(|tag_bits| {
            let root = TempDir::new().unwrap();
            let recorder = recorder_in(link, &root);
            roots.lock().unwrap().push(root);
            store_of(link, recorder, (Totals::default(), tag_bits, 0))
        })
        .unwrap();
    });
}

/// A row of small numbers.
#[derive(Clone, Debug, Heap)]
pub struct Row {
    items: Vec<u8>,
}

/// A number from a row.
#[derive(Clone, Debug, Heap)]
pub struct Slip {
    item: u8,
}

impl Row {
    pub fn new() -> Self {
        Row { items: Vec::new() }
    }

    pub fn add(&mut self, item: u8) {
        self.items.push(item);
    }

    pub fn take(&mut self) -> Option<Slip> {
        self.items.pop().map(|item| Slip { item })
    }

    pub fn put(&mut self, slip: &Slip, other: &Slip) {
        assert!(slip.item <= other.item, "these do not fit");
        self.items.push(slip.item);
        self.items.push(other.item);
    }

    pub fn join(&mut self, other: &Row) {
        self.items.extend(&other.items);
    }
}

impl Slip {
    pub fn of(row: &Row) -> Self {
        Slip { item: row.items.len() as u8 % 2 }
    }
}

beget::suite! {
    #[name = "test::rows"]
    pub suite Rows {
        for Row {
            fn new() -> Self;
            fn add(&mut self, item: u8);
            fn take(&mut self) -> Option<Slip>;
            fn put(&mut self, slip: &Slip, other: &Slip);
            fn join(&mut self, other: &Row);
        }
        for Slip {
            fn of(row: &Row) -> Self;
        }
    }
}

fn plan() -> Plan {
    let fields = r#"k: 3, ints: "0..2", arrays: "k", objects: {"*": "k"}"#;
    let text = format!(r#"Scope(suite: "test::rows", {fields})"#);
    let input = Input::of_text("rows.ron", text, Catalog::new(vec![Rows::suite()])).unwrap();
    let budget = Budget { max_levels: Some(9), ..Budget::default() };
    input.resolve(&Overrides { budget, ..Overrides::default() }).unwrap().plan
}

/// Everything that a run comes to.
fn outcome(corpus: &Corpus) -> (String, Vec<Vec<u8>>, Vec<Origin>, Totals) {
    let Corpus { store, report, .. } = corpus;
    let end = (report.stop_reason, report.ledger.counters, &report.levels, &report.findings);
    let ids = (0..store.len()).map(StructureId::new);
    let origins = ids.map(|id| store.origin(id).unwrap()).collect();
    (format!("{end:?}"), forms(store, false), origins, store.totals())
}

#[test]
fn a_run_on_several_disks_comes_to_what_one_in_memory_does() {
    let alone = outcome(&Run::new(plan()).go());
    assert!(alone.0.contains("these do not fit"), "{}", alone.0);
    assert!(alone.3.by_type.iter().all(|&n| n > 1), "{:?}", alone.3);
    for n in 1..4 {
        for memory in [0, 1 << 30] {
            let root = TempDir::new().unwrap();
            in_processes(n, |link| {
                let cluster = Cluster::new(Arc::clone(link));
                let own = OwnDirectory::New(recorder_in(link, &root));
                cluster.save_in(Ok(own), memory, &plan()).unwrap();
                let part = || Box::new(ExactStore::new(1, plan().tag_bits()));
                let new_store = |plan: &Plan| cluster.new_store(plan, part());
                let corpus = Run::new(plan()).backend(&cluster).store(&new_store).go();
                assert!(outcome(&corpus) == alone, "{n} processes with {memory} bytes");
                assert!(corpus.store.disk_bytes() > 0);
                let saved = saved_steps(root.path(), part_of(link)).unwrap();
                assert_eq!(saved.steps.iter().map(|step| step.n_structures).max(), Some(600));
            });
        }
    }
}

/// The segments lie below 2^32, around it and beyond.
#[test]
fn structures_beyond_the_first_four_billion_are_numbered_and_found() {
    // Forms are read from a multiple of it on.
    let first = (1 << 32) - AT_ONCE;
    let roots = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    in_processes(2, |link| {
        let mut usual = new_store(link, &roots[0], 0);
        let recorder = recorder_in(link, &roots[1]).counted_from(first);
        let mut large = store_of(link, recorder, (Totals::default(), tag_bits(), 0));
        let mut rng = fastrand::Rng::with_seed(9);
        for _ in 0..5 {
            let blocks = blocks(&mut rng, large.len());
            for store in [&mut usual, &mut large] {
                store.commit(&blocks).unwrap();
            }
            assert_eq!(large.settle(), usual.settle());
        }
        assert_eq!((large.len(), large.totals()), (usual.len() + first, usual.totals()));
        assert!(usual.len() > AT_ONCE + 1000, "{}", usual.len());
        let mut moved = Vec::new();
        let ids = first..large.len();
        let is_moved = &mut |id: StructureId, form: FormRef<'_>| {
            moved.push((id.number() - first, form.unpadded().as_bytes().to_vec()));
        };
        large.scan(ids.clone(), is_moved).unwrap();
        let forms = forms(&usual, false);
        assert!(moved.iter().map(|(id, _)| *id).eq(0..usual.len()));
        assert!(moved.iter().map(|(_, form)| form).eq(&forms));
        let mut tags = Vec::new();
        let visit = &mut |_: StructureId, form: FormRef<'_>| tags.push(form.type_tag(tag_bits()));
        large.scan_types(ids, visit).unwrap();
        assert_eq!(tags, types(&usual));
        for id in (0..usual.len()).step_by(29) {
            let large_id = StructureId::new(id + first);
            assert_eq!(large.origin(large_id), usual.origin(StructureId::new(id)));
            let form = FormRef::new(&forms[id as usize]);
            assert_eq!(large.find(form), Ok(Some(large_id)));
        }
    });
}

/// A settlement that cannot be written leaves all stores as they were, with their candidates.
#[test]
fn all_keep_their_candidates_if_one_disk_takes_no_segment() {
    let root = TempDir::new().unwrap();
    in_processes(2, |link| {
        let mut store = new_store(link, &root, 1 << 30);
        let mut alone = exact();
        let mut rng = fastrand::Rng::with_seed(8);
        let first = blocks(&mut rng, 0);
        store.commit(&first).unwrap();
        alone.commit(&first).unwrap();
        store.settle().unwrap();
        let second = blocks(&mut rng, alone.len());
        store.commit(&second).unwrap();
        let n_candidates = store.unsettled().candidates;
        // A file that is there already is no new segment.
        let path = read_any(store.part.recorder()).stored().next_path();
        if link.me() == 1 {
            std::fs::write(&path, []).unwrap();
        }
        let reason = store.settle().unwrap_err().to_string();
        let is_named = link.me() == 1 || reason.contains("process 1: cannot write");
        assert!(is_named && reason.contains("segment-1"), "{reason}");
        assert_eq!((store.len(), store.totals()), (alone.len(), alone.totals()));
        assert_eq!(store.unsettled().candidates, n_candidates);
        assert!(!path.exists(), "what was begun is removed");
        alone.commit(&second).unwrap();
        store.settle().unwrap();
        assert_same(&store, &*alone);
    });
}
