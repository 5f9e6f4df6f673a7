//! Several processes in threads of one, each with a directory: together they are a store in memory.

use std::sync::{Mutex, RwLock};

use beget_engine::store::laws;
use tempfile::TempDir;

use super::*;
use crate::cluster::store::tests::{
    blocks, exact, forms, identity, in_processes, part_of, tag_bits, types,
};
use crate::disk::PartRecorder;

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
                let mut store = new_store(link, &root, memory);
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
                assert_eq!(store.settle(), Ok(CommitCounts::default()), "there is nothing more");
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
