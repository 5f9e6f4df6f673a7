//! Several processes in threads of one: together they are a store in memory.

use std::net::TcpListener;

use beget::{HasSuite, Heap};
use beget_engine::store::{ExactStore, Form, UnmatchedStore};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_run::{AfterBatch, Catalog, Input, Machines as _};
use tempfile::TempDir;

use super::*;
use crate::cluster::connect::{RunIdentity, connect, listen};
use crate::cluster::hosts::HostPatience;
use crate::cluster::reading::AT_ONCE;
use crate::cluster::runner::Cluster;
use crate::cluster::saving::{OwnDirectory, SavedPart, all_did};
use crate::disk::{PartOf, PartRecorder, SaveLimit, SavedStep, saved_steps};

pub(crate) fn tag_bits() -> TagBits {
    TagBits::for_types(2)
}

/// Runs `work` in `n` processes that are connected.
pub(crate) fn in_processes<R: Send>(
    n: usize,
    work: impl Fn(&Arc<ProcessLink>) -> R + Sync,
) -> Vec<R> {
    let listeners: Vec<TcpListener> = (0..n).map(|_| listen("127.0.0.1:0").unwrap()).collect();
    let address = |one: &TcpListener| one.local_addr().unwrap().to_string();
    let addresses: Vec<String> = listeners.iter().map(address).collect();
    std::thread::scope(|scope| {
        let start = |me: usize| {
            let (listener, addresses, work) = (&listeners[me], &addresses, &work);
            scope.spawn(move || {
                let identity = RunIdentity { me, n, secret: [3; 16], run: 1 };
                let HostPatience { wait, silence } = HostPatience::default();
                let others = (&addresses[..], wait);
                let sockets = connect(&identity, listener, others, &mut || Ok(())).unwrap();
                let names = (0..n).map(|process| format!("process {process}")).collect();
                let link = ProcessLink::start(sockets, me, names, (silence, || false)).unwrap();
                let link = Arc::new(link);
                let done = work(&link);
                // It fails where the work has broken the connections.
                let _ = link.end();
                done
            })
        };
        let all: Vec<_> = (0..n).map(start).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

fn spread_over(
    link: &Arc<ProcessLink>,
    part: Box<dyn Store>,
    reading: &Arc<Reading>,
) -> SpreadStore {
    let part = Arc::new(Mutex::new(OwnPart::new(part)));
    SpreadStore::new(Arc::clone(link), part, Arc::clone(reading), 300, tag_bits())
}

pub(crate) fn exact() -> Box<dyn Store> {
    Box::new(ExactStore::new(300, tag_bits()))
}

/// Blocks of candidates of both types, of which some come again; the same for all processes.
pub(crate) fn blocks(rng: &mut fastrand::Rng, n_known: u64) -> Vec<Candidates> {
    (0..5).map(|_| block(rng, n_known)).collect()
}

fn block(rng: &mut fastrand::Rng, n_known: u64) -> Candidates {
    let mut block = Candidates::default();
    let mut arguments = Vec::new();
    for position in 0..400 {
        let value = rng.u64(..9000);
        let words = [value << 8 | 2 | value & 1, value, 5];
        let words = &words[..1 + value as usize % 3];
        let continues_call = position > 0 && rng.u8(..4) == 0;
        if !continues_call {
            let ids = (0..rng.usize(..5)).map(|_| StructureId::new(rng.u64(..n_known.max(1))));
            arguments = ids.collect();
        }
        let form = Form { words, len: 8 * words.len() };
        let (call, objects) = (CallIdx::new(rng.u32(..300)), rng.u16(..4));
        let arguments = &arguments[..];
        block.push(Candidate { form, call, arguments, objects, continues_call });
    }
    block
}

pub(crate) fn forms(store: &dyn Store, by_types: bool) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    let visit = &mut |_: StructureId, form: FormRef<'_>| {
        forms.push(form.unpadded().as_bytes().to_vec());
    };
    match by_types {
        true => store.scan_types(0..store.len(), visit).unwrap(),
        false => store.scan(0..store.len(), visit).unwrap(),
    }
    forms
}

pub(crate) fn types(store: &dyn Store) -> Vec<u64> {
    let mut types = Vec::new();
    let visit = &mut |_: StructureId, form: FormRef<'_>| types.push(form.type_tag(tag_bits()));
    store.scan_types(0..store.len(), visit).unwrap();
    types
}

#[test]
fn several_processes_are_the_store_in_memory() {
    for n in 1..4 {
        let parts = in_processes(n, |link| {
            let mut store = spread_over(link, exact(), &Arc::default());
            let mut alone = exact();
            let mut rng = fastrand::Rng::with_seed(21);
            for _ in 0..6 {
                let blocks = blocks(&mut rng, alone.len());
                assert_eq!(store.commit(&blocks), alone.commit(&blocks));
            }
            assert_eq!((store.len(), store.totals()), (alone.len(), alone.totals()));
            assert!(forms(&store, false) == forms(&*alone, false));
            assert_eq!(types(&store), types(&*alone));
            for id in (0..alone.len()).map(StructureId::new) {
                assert_eq!(store.origin(id), alone.origin(id), "{id:?}");
            }
            for form in forms(&*alone, false).iter().step_by(301) {
                let form = FormRef::new(form);
                assert_eq!(store.find(form), alone.find(form));
            }
            assert_eq!(store.find(FormRef::new(&[9; 30])), Ok(None));
            assert!(store.matches() && !store.lasts());
            assert_eq!(store.disk_bytes(), 0);

            // A batch without blocks brings the bytes of all up to date.
            let held = store.held_bytes();
            store.commit(&[]).unwrap();
            let part = lock_any(&store.part);
            let tags = store.tags.bytes.capacity() as u64;
            let of_parts = part.store.bytes() + part.owned.bytes() + store.origins.bytes() + tags;
            assert_eq!((held, tags >= alone.len()), (of_parts, true));
            (part.owned.n_owned(), held, store.bytes(), alone.len())
        });
        let (n_owned, held): (Vec<u64>, Vec<u64>) =
            parts.iter().map(|&(n_owned, held, ..)| (n_owned, held)).unzip();
        let (_, _, bytes, len) = parts[0];
        assert_eq!(n_owned.iter().sum::<u64>(), len);
        assert!(parts.iter().all(|&(_, _, all, _)| all == held.iter().sum::<u64>()), "{bytes}");
        // Each keeps about as many as every other.
        let share = len / n as u64;
        assert!(n_owned.iter().all(|&own| own.abs_diff(share) < share / 10 + 1), "{n_owned:?}");
    }
}

#[test]
fn processes_that_match_nothing_take_all() {
    in_processes(2, |link| {
        let part = Box::new(UnmatchedStore::new(300, tag_bits()));
        let mut store = spread_over(link, part, &Arc::default());
        let blocks = blocks(&mut fastrand::Rng::with_seed(3), 0);
        store.commit(&blocks).unwrap();
        let n: usize = blocks.iter().map(Candidates::len).sum();
        assert_eq!((store.len() as usize, store.matches()), (n, false));
    });
}

/// A store that takes nothing.
#[derive(Debug)]
struct Broken;

impl Store for Broken {
    fn commit(&mut self, _: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        Err(StoreError::Failed("it is broken".to_owned()))
    }

    fn scan(
        &self,
        _: Range<u64>,
        _: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        Ok(())
    }

    fn find(&self, _: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        Ok(None)
    }

    fn origin(&self, _: StructureId) -> Result<Origin, StoreError> {
        Err(StoreError::Full)
    }

    fn totals(&self) -> Totals {
        Totals::default()
    }

    fn len(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn all_end_where_the_store_of_one_fails() {
    let ends = in_processes(2, |link| {
        let part = if link.me() == 1 { Box::new(Broken) } else { exact() };
        let mut store = spread_over(link, part, &Arc::default());
        store.commit(&blocks(&mut fastrand::Rng::with_seed(3), 0))
    });
    let failed = |reason: &str| Err(StoreError::Failed(reason.to_owned()));
    assert_eq!(ends, [failed("process 1: it is broken"), failed("it is broken")]);
}

#[test]
fn processes_that_read_different_structures_end() {
    let ends = in_processes(2, |link| {
        let reading = Arc::default();
        let mut store = spread_over(link, exact(), &reading);
        let mut rng = fastrand::Rng::with_seed(4);
        (0..3).for_each(|_| drop(store.commit(&blocks(&mut rng, 0)).unwrap()));
        let mut is_done = false;
        let aside = &mut || {
            is_done = true;
            let error = store.scan(0..1, &mut |_, _| {}).unwrap_err().to_string();
            assert!(error.contains("which are at work"), "{error}");
        };
        reading.aside(aside);
        assert!(is_done);
        assert_eq!(link.failure(), None);
        // Those of another chunk each.
        let first = link.me() as u64 * AT_ONCE;
        let error = store.scan(first..first + 1, &mut |_, _| {}).unwrap_err();
        assert_eq!(link.failure(), Some(error.clone()));
        error.to_string()
    });
    for (me, error) in ends.iter().enumerate() {
        let other = format!("process {} is not at the same point (Read)", 1 - me);
        assert!(error.contains(&other), "{error}");
    }
}

#[test]
fn all_know_how_many_bytes_all_have_written_or_why_one_has_not() {
    let ends = in_processes(3, |link| {
        let me = link.me() as u64;
        let failed = || StoreError::Failed("no room".to_owned());
        let written = all_did(link, 1, Ok(10 + me));
        let cut = all_did(link, 2, if me == 1 { Err(StoreError::CutShort) } else { Ok(1) });
        let failed = all_did(link, 3, if me == 2 { Err(failed()) } else { Ok(1) });
        (written, cut, failed)
    });
    for (me, (written, cut, failed)) in ends.into_iter().enumerate() {
        assert_eq!((written, cut), (Ok(33), Err(StoreError::CutShort)));
        let reason = if me == 2 { "no room" } else { "process 2: no room" };
        assert_eq!(failed, Err(StoreError::Failed(reason.to_owned())));
    }
}

#[test]
fn who_sends_what_is_none_is_named() {
    let ends = in_processes(2, |link| {
        if link.me() == 0 {
            let mut store = spread_over(link, exact(), &Arc::default());
            let blocks = blocks(&mut fastrand::Rng::with_seed(3), 0);
            return Some(store.commit(&blocks).unwrap_err().to_string());
        }
        // A length, and nothing behind it.
        let _ = link.exchange(RoundStep::Candidates, 5, vec![vec![9], Vec::new()]);
        None
    });
    let error = ends[0].as_ref().unwrap();
    assert!(error.contains("process 1"), "{error}");
}

#[test]
fn processes_do_what_one_of_them_wants() {
    in_processes(2, |link| {
        let cluster = Cluster::new(Arc::clone(link));
        let is_first = link.me() == 0;
        let stop = (!is_first).then_some(StopReason::MaxMemory(7));
        let agreed = cluster.agree(AfterBatch { save: is_first, stop: None });
        assert_eq!(agreed, AfterBatch { save: true, stop: None });
        let agreed = cluster.agree(AfterBatch { save: false, stop });
        assert_eq!(agreed, AfterBatch { save: false, stop: Some(StopReason::MaxMemory(7)) });
        let mut is_done = false;
        cluster.aside(&mut || is_done = true);
        assert_eq!((is_done, cluster.failure()), (true, None));
        // Each is at another point.
        let lost = link.broadcast(RoundStep::Agree, link.me() as u64, Vec::new()).unwrap_err();
        assert_eq!(cluster.failure(), Some(lost));
    });
}

pub(crate) fn identity() -> Vec<(String, String)> {
    vec![("suite".to_owned(), "made up".to_owned())]
}

pub(crate) fn part_of(link: &ProcessLink) -> PartOf {
    PartOf { index: link.me() as u32, n: link.n() as u32 }
}

fn record(store: &mut SpreadStore, root: &TempDir) -> Arc<RwLock<PartRecorder>> {
    let recorder = PartRecorder::create(root.path(), part_of(&store.link), identity()).unwrap();
    let recorder = Arc::new(RwLock::new(recorder));
    store.record_by(Arc::clone(&recorder));
    recorder
}

#[test]
fn each_process_saves_its_part_and_reads_it_again() {
    let root = TempDir::new().unwrap();
    let written = in_processes(2, |link| {
        let mut store = spread_over(link, exact(), &Arc::default());
        let recorder = record(&mut store, &root);
        let blocks = blocks(&mut fastrand::Rng::with_seed(5), 0);
        store.commit(&blocks).unwrap();
        store.save(b"the rest").unwrap();

        let me = part_of(link);
        let [step] = &saved_steps(root.path(), me).unwrap().steps[..] else { panic!("one step") };
        let n_bytes = recorder.read().unwrap().n_bytes();
        drop(recorder);
        let all_bytes = store.disk_bytes();
        store.recorder = None;
        let mut read = spread_over(link, exact(), &Arc::default());
        let root = root.path().to_owned();
        let saved = SavedPart { root, me, identity: identity(), step: step.clone() };
        let (_, state) = read.load(saved).unwrap();
        assert_eq!((&state[..], read.len()), (&b"the rest"[..], store.len()));
        assert_eq!((types(&read), read.totals()), (types(&store), store.totals()));
        assert!(forms(&read, false) == forms(&store, false));
        (n_bytes, all_bytes)
    });
    let all = written.iter().map(|(n_bytes, _)| n_bytes).sum();
    assert!(all > 0 && written.iter().all(|&(_, all_bytes)| all_bytes == all), "{written:?}");
}

/// A byte.
#[derive(Clone, Heap)]
struct Byte {
    value: u8,
}

#[allow(unreachable_pub, reason = "the type stands for that of a library")]
#[beget::api]
impl Byte {
    pub fn new(value: u8) -> Self {
        Byte { value }
    }
}

fn plan() -> Plan {
    let text = r#"Scope(suite: "Byte", k: 2, ints: "0..k")"#.to_owned();
    let input = Input::of_text("test.ron", text, Catalog::new(vec![Byte::suite()])).unwrap();
    input.resolve(&Default::default()).unwrap().plan
}

#[test]
fn the_first_process_whose_moments_are_others_is_named() {
    let [one, other] = [1, 2].map(|n_structures| {
        let root = TempDir::new().unwrap();
        let me = PartOf::WHOLE;
        in_processes(1, |link| {
            let mut store = spread_over(link, exact(), &Arc::default());
            record(&mut store, &root);
            for _ in 0..n_structures {
                store.commit(&blocks(&mut fastrand::Rng::with_seed(5), 0)).unwrap();
            }
            store.save(&[n_structures]).unwrap();
        });
        saved_steps(root.path(), me).unwrap().steps
    });
    let ends = in_processes(3, |link| {
        let cluster = Cluster::new(Arc::clone(link));
        let steps: Vec<SavedStep> = if link.me() == 2 { other.clone() } else { one.clone() };
        let root = std::path::PathBuf::from("/there");
        let limit = SaveLimit::default();
        let own = OwnDirectory::Found { root, identity: identity(), steps, limit };
        cluster.save_in(Ok(own), 0, &plan()).unwrap_err().to_string()
    });
    for error in ends {
        assert!(error.contains("`/there/part-2-of-3/"), "{error}");
        assert!(error.contains("(process 2)"), "{error}");
    }
}
