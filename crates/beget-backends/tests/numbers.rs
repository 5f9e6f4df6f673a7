//! A whole run whose structures have numbers above 2^32, on threads and in worker processes.
//!
//! No test can make so many. So the store counts from a large number on, and so do the levels: the
//! run is then the usual one, with that number added to each.
#![cfg(target_os = "linux")]
#![allow(
    unreachable_pub,
    clippy::new_without_default,
    reason = "the type stands for one of a library"
)]

use std::ops::Range;
use std::process::Command;

use beget::{HasSuite, Heap};
use beget_backends::disk::{Directory, DiskStore};
use beget_backends::supervise::{CallLimits, Supervisor, connection, is_worker, serve};
use beget_engine::store::{
    Candidates, CanonicalForm, CommitCounts, ExactStore, FormRef, Origin, Store, StoreError,
    StructureId, Totals, UnsettledCandidates,
};
use beget_engine::{
    BlockRunner, CallTable, CopyOptions, Counters, Executor, Explorer, Levels, Settings, Strategy,
    Threads, recipe_of, varint,
};
use beget_heap::Doubts;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Overrides, Plan};
use beget_run::{Catalog, Input, Workers as _};
use tempfile::TempDir;

// The methods leave nothing outside their values.
beget_process::alloc::install!(unsafe);

/// A list of numbers. Two lists make one.
#[derive(Clone, Debug, Heap)]
pub struct Numbers {
    first: Option<Box<Link>>,
}

/// A number and those behind it.
#[derive(Clone, Debug, Heap)]
pub struct Link {
    number: u8,
    rest: Option<Box<Link>>,
}

#[beget::api]
impl Numbers {
    /// No number.
    pub fn new() -> Self {
        Numbers { first: None }
    }

    /// Puts a number in front.
    pub fn push(&mut self, number: u8) {
        self.first = Some(Box::new(Link { number, rest: self.first.take() }));
    }

    /// Puts the first number of another list in front.
    pub fn copy_first(&mut self, other: &Numbers) {
        if let Some(link) = &other.first {
            self.push(link.number);
        }
    }
}

fn plan() -> Plan {
    let text = r#"Scope(suite: "Numbers", k: 4, objects: {"*": "k"}, ints: "0..3")"#;
    let catalog = Catalog::new(vec![Numbers::suite()]);
    let input = Input::of_text("test.ron", text.to_owned(), catalog).unwrap();
    input.resolve(&Overrides::default()).unwrap().plan
}

/// No test, but the workers of the others.
#[test]
fn worker() {
    if is_worker() {
        serve(connection().unwrap(), &plan(), Settings::default(), None);
    }
}

/// A store whose structures are numbered from `first` on.
#[derive(Debug)]
struct CountedFrom<S> {
    first: u64,
    store: S,
}

impl<S: Store> Store for CountedFrom<S> {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.store.commit(blocks)
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        self.store.settle()
    }

    fn unsettled(&self) -> UnsettledCandidates {
        self.store.unsettled()
    }

    fn pass(&mut self, passed: u64) {
        self.store.pass(passed.saturating_sub(self.first));
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let visit = &mut |id: StructureId, form: FormRef<'_>| {
            visit(StructureId::new(id.number() + self.first), form);
        };
        self.store.scan(ids.start - self.first..ids.end - self.first, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let found = self.store.find(form)?;
        Ok(found.map(|id| StructureId::new(id.number() + self.first)))
    }

    /// It has the numbers of its arguments from the calls.
    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.store.origin(StructureId::new(id.number() - self.first))
    }

    fn totals(&self) -> Totals {
        self.store.totals()
    }

    fn len(&self) -> u64 {
        self.store.len() + self.first
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }
}

/// Levels before the first call, when there are `first` structures that no call is made on.
fn levels_from(first: u64) -> Levels {
    // The level, whether it has begun, and a range of structures; nothing of the rest.
    let mut state = vec![0, 0, 1];
    varint::put(&mut state, first);
    varint::put(&mut state, first);
    state.extend([0; 6]);
    let mut levels = Levels::default();
    Strategy::<ExactStore>::restore(&mut levels, &state).unwrap();
    levels
}

/// The structures of a run, with their numbers less the first one, and its totals.
#[derive(PartialEq)]
struct Visible {
    structures: Vec<(CanonicalForm, Origin, String)>,
    totals: Totals,
    counters: Counters,
}

fn run<S: Store>(
    store: S,
    first: u64,
    copy_options: CopyOptions,
    runner: &dyn BlockRunner,
) -> Visible {
    let (plan, calls) = (plan(), CallTable::new(&plan()));
    let explorer = Explorer::new(&plan, Settings { threads: 2, copy_options });
    let mut executor = Executor::new(&explorer, CountedFrom { first, store });
    let mut levels = levels_from(first);
    let stopped = executor.run(&mut levels, runner, &mut |_| None);
    assert_eq!(stopped, StopReason::Exhausted);
    let store = executor.store();
    let mut structures = Vec::new();
    let visit = &mut |id: StructureId, form: FormRef<'_>| {
        assert_eq!(id.number() - first, structures.len() as u64);
        structures.push((form.unpadded().to_canonical(), id));
    };
    store.scan(first..store.len(), visit).unwrap();
    let structure = |(form, id): (CanonicalForm, StructureId)| {
        assert_eq!(store.find(form.as_ref()), Ok(Some(id)));
        let mut origin = store.origin(id).unwrap();
        for argument in &mut origin.arguments {
            assert!(*argument < id && argument.number() >= first);
            *argument = StructureId::new(argument.number() - first);
        }
        let recipe = recipe_of(&plan, &calls, store, id).unwrap();
        (form, origin, format!("{recipe:?}"))
    };
    let structures = structures.into_iter().map(structure).collect();
    let counters = executor.ledger().counters;
    assert_eq!(counters.failures, 0);
    Visible { structures, totals: store.totals(), counters }
}

fn in_memory() -> ExactStore {
    ExactStore::of(&plan())
}

/// The numbers are those of structures, of arguments, and of both below and above 2^31 and 2^32.
const FIRSTS: [u64; 4] = [(1 << 31) - 100, (1 << 32) - 100, 1 << 32, 1 << 40];

#[test]
fn structures_with_large_numbers_are_those_with_small_ones() {
    for no_decode in [false, true] {
        let copy_options = CopyOptions { no_decode, ..CopyOptions::default() };
        let usual = run(in_memory(), 0, copy_options, &Threads);
        // Lists of at most four of three numbers.
        assert_eq!(usual.structures.len(), 1 + 3 + 9 + 27 + 81);
        for first in FIRSTS {
            assert!(run(in_memory(), first, copy_options, &Threads) == usual, "{first}");
            let directory = TempDir::new().unwrap();
            let directory = Directory::create(directory.path(), Vec::new()).unwrap();
            let store = DiskStore::new(directory, plan().tag_bits(), 1 << 20);
            assert!(run(store, first, copy_options, &Threads) == usual, "{first} on disk");
        }
    }
}

/// Blocks, results and recipes go through messages, and the notes of calls through shared memory.
#[test]
fn worker_processes_take_structures_with_large_numbers() {
    let command = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "worker", "--nocapture", "--test-threads=1"]);
        command
    };
    for no_decode in [false, true] {
        let copy_options = CopyOptions { no_decode, ..CopyOptions::default() };
        let usual = run(in_memory(), 0, copy_options, &Threads);
        let limits = CallLimits { time: None, memory_mib: 1 << 20 };
        let supervisor = Supervisor::start(Box::new(command), 2, limits, |_| {}).unwrap();
        for first in FIRSTS {
            supervisor.begin(None, &Doubts::default());
            assert!(run(in_memory(), first, copy_options, &supervisor) == usual, "{first}");
        }
    }
}
