//! Structures compared by their memory, in processes that a test plays.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the type stands for one of a library"
)]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beget::{HasSuite as _, Heap};
use beget_engine::store::{Recipes, Store as _, StructureId};
use beget_engine::{Block, BlockResult, BlockRunner, Corpus, Explorer, Settings, Threads};
use beget_heap::Doubts;
use beget_plan::finding::StopReason;
use beget_plan::scope::{Overrides, Plan};
use beget_run::{
    AskError, AskJob, Catalog, Host, Input, OracleProgress, StoreKind, Watch, Workers, generate,
};
use beget_suite::{Suite, memory_text};

/// What stamps of the process that makes calls have for a first word.
static STAMP: AtomicU64 = AtomicU64::new(0);

/// One process at a time.
fn alone() -> MutexGuard<'static, ()> {
    static PROCESS: Mutex<()> = Mutex::new(());
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A word that differs between processes, and one that does not.
#[derive(Clone, Heap)]
pub struct Stamped {
    stamp: u64,
    count: u64,
}

#[beget::api(name = "stamped")]
impl Stamped {
    pub fn new() -> Self {
        Stamped { stamp: STAMP.load(Relaxed), count: 0 }
    }

    pub fn count(&mut self) {
        self.count = (self.count + 1).min(3);
    }
}

/// A process of its own, whose structures have this stamp.
struct Process {
    stamp: u64,
    n_batches: Rc<Cell<u32>>,
}

impl BlockRunner for Process {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        STAMP.store(self.stamp, Relaxed);
        self.n_batches.set(self.n_batches.get() + 1);
        Threads.run_all(explorer, recipes, blocks, wait)
    }
}

impl Workers for Process {
    fn begin(&self, _: Option<&BTreeSet<i128>>, _: &Doubts) {}

    fn ask(&self, _: &AskJob<'_>, _: &mut dyn FnMut()) -> Result<Vec<OracleProgress>, AskError> {
        Err(AskError::Impossible("nothing is asked".to_owned()))
    }

    fn end(&self) {}
}

/// Two processes, and an interrupt after some batches.
struct Two {
    first: Process,
    peers: [Box<dyn Workers>; 1],
    most_batches: u32,
}

impl Host for Two {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn is_interrupted(&self) -> bool {
        self.first.n_batches.get() >= self.most_batches
    }

    fn runner(&self) -> Option<&dyn BlockRunner> {
        Some(&self.first)
    }

    fn peers(&self) -> &[Box<dyn Workers>] {
        &self.peers
    }
}

/// All that stamps come to in two processes which have these.
fn generated(stamps: [u64; 2], most_batches: u32) -> Corpus {
    generated_of(Stamped::suite(), stamps, most_batches)
}

/// All structures of a suite in two processes that have these stamps.
fn generated_of(suite: Suite, stamps: [u64; 2], most_batches: u32) -> Corpus {
    let _alone = alone();
    let text =
        format!(r#"Scope(suite: "{}", state: Bytes, k: 1, objects: {{"*": "k"}})"#, suite.name);
    let catalog = Catalog::new(vec![suite]);
    let input = Input::of_text("memory.ron", text, catalog).unwrap().with_peers();
    let plan: Plan = input.resolve(&Overrides::default()).unwrap().plan;
    let process = |stamp: u64| Process { stamp, n_batches: Rc::default() };
    let [first, second] = stamps.map(process);
    let host = Two { first, peers: [Box::new(second)], most_batches };
    let watch = Watch::new(plan.budget, &host);
    let settings = Settings { threads: 1, ..Settings::default() };
    generate(plan, settings, StoreKind::Exact, &watch)
}

/// The stamps differ in bytes 1 to 5, of which the last is the highest of an address.
#[test]
fn what_is_left_of_an_address_is_in_no_form() {
    let corpus = generated([0x7f11_1111_1101, 0x7f22_2222_2201], u32::MAX);
    let text = |id| {
        let form = corpus.store.form(StructureId::new(id)).unwrap();
        memory_text(form.as_ref(), corpus.plan.coding()).unwrap()
    };
    let texts: Vec<String> = (0..corpus.store.len()).map(text).collect();
    let of_count = |count: &str| format!("16/0 01__________0000 {count}\n=");
    let counts = [".", "0100000000000000", "0200000000000000", "0300000000000000"];
    assert_eq!(texts, counts.map(of_count));
}

/// The stamps differ in all bytes: the first round ends with its first calls, and the second has
/// no new difference. The interrupt cuts the third, which was to confirm it.
#[test]
fn the_result_by_chance_is_that_of_the_first_round_without_a_difference() {
    let corpus = generated([0x1111_1111_1111_1111, 0x2222_2222_2222_2222], 10);
    assert_eq!((corpus.report.stop_reason, corpus.store.len()), (StopReason::Doubted, 4));
    let [stamp, last] = &corpus.report.doubted[..] else { panic!("{:?}", corpus.report.doubted) };
    let bytes = "bytes of `Stamped` 0..8: chance, time or an address: not believed";
    assert_eq!(*stamp, format!("{bytes}, after `let stamped = Stamped::new();`"));
    assert!(last.ends_with("and the run ended after 2"), "{last}");
}

/// Comes as one of two, and refuses in one of the processes.
#[derive(Clone, Heap)]
pub struct Doublet {
    number: u64,
}

impl Doublet {
    pub fn two() -> (Self, Self) {
        (Doublet { number: 1 }, Doublet { number: 2 })
    }

    pub fn rest(&mut self) {
        self.number = 0;
    }

    pub fn refuse(&mut self) -> Result<(), u8> {
        if STAMP.load(Relaxed) == 2 { Err(2) } else { Ok(()) }
    }
}

beget::suite! {
    #[name = "doublet"]
    pub suite Doublets for Doublet {
        fn two() -> (Self, Self);
        fn rest(&mut self);
    }
}

beget::suite! {
    #[name = "refusing"]
    pub suite RefusingDoublets for Doublet {
        fn two() -> (Self, Self);
        fn refuse(&mut self) -> Result<(), u8>;
    }
}

#[test]
fn each_structure_of_a_call_is_compared_with_its_counterpart() {
    let corpus = generated_of(Doublets::suite(), [1, 2], u32::MAX);
    assert_eq!((corpus.report.stop_reason, corpus.store.len()), (StopReason::Exhausted, 3));
}

#[test]
fn calls_are_to_end_the_same_in_all_processes() {
    let corpus = generated_of(RefusingDoublets::suite(), [1, 2], u32::MAX);
    let failure = corpus.report.store_failure.expect("the calls differ").to_string();
    assert!(failure.contains("calls do not end the same in several processes"), "{failure}");
}
