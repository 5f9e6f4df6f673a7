//! Threads that are left in the middle of work that does not return.
#![cfg(target_os = "linux")]
#![allow(missing_docs, reason = "the types stand for those of a library")]

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::thread::{Thread, current, park};

use beget::{HasSuite as _, Heap};
use beget_engine::store::Recipes;
use beget_engine::{Block, BlockResult, BlockRunner, Explorer};
use beget_plan::finding::Kind;
use beget_plan::scope::Overrides;
use beget_process::guard::{CallInProgress, outlive_ends};
use beget_run::{Catalog, Host, Input, LeavingThreads, StoreKind, Watch, generate};
use beget_suite::Suite;
use nix::sys::signal::{SigSet, Signal};

use crate::common::settings;

/// Gives up what does not return where `is_stuck` says so.
struct Leaver {
    is_stuck: fn() -> bool,
}

impl BlockRunner for Leaver {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let give_up = |call: &CallInProgress| match call.end {
            Some(end) => Some(end.to_string()),
            None => (self.is_stuck)().then(|| "does not return".to_owned()),
        };
        let mut look_on = || {
            step_on(2);
            wait();
        };
        let wait = &mut look_on;
        LeavingThreads { give_up: &give_up, explorer, recipes, wait }.run_all(blocks)
    }
}

impl Host for Leaver {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn runner(&self) -> Option<&dyn BlockRunner> {
        Some(self)
    }
}

/// The findings of a run: of each its kind, and the method of its last call.
fn findings(suite: Suite, is_stuck: fn() -> bool) -> Vec<(Kind, &'static str)> {
    outlive_ends();
    let text = format!(r#"Scope(suite: "{}", k: 1, objects: {{"*": "k"}})"#, suite.name);
    let input = Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Leaver { is_stuck };
    let watch = Watch::new(plan.budget, &host);
    let corpus = generate(plan, settings(), StoreKind::Exact, &watch);
    let shown = corpus.report.findings.iter().map(|finding| {
        let method = finding.witness.recipe.as_ref().unwrap().method;
        (finding.problem.kind.clone(), corpus.plan.suite.method(method).name)
    });
    shown.collect()
}

/// Has a call that takes a megabyte of the stack.
#[derive(Clone, Debug, Default, Heap)]
pub struct Cave;

#[beget::api(name = "cave")]
impl Cave {
    pub fn new() -> Self {
        Cave
    }

    pub fn echo(&mut self) -> u8 {
        std::hint::black_box([0; 1 << 20])[1]
    }
}

#[test]
fn calls_have_a_large_stack() {
    assert_eq!(findings(Cave::suite(), || false), []);
}

/// True while the clone of a burr does not return.
static IS_STUCK: AtomicBool = AtomicBool::new(false);

/// Is not to be cloned once it is stuck.
#[derive(Debug, Default, Heap)]
pub struct Burr {
    is_stuck: bool,
}

impl Clone for Burr {
    fn clone(&self) -> Self {
        IS_STUCK.store(self.is_stuck, SeqCst);
        if self.is_stuck {
            loop {
                park();
            }
        }
        Burr { is_stuck: false }
    }
}

#[beget::api(name = "burr")]
impl Burr {
    pub fn new() -> Self {
        Burr::default()
    }

    pub fn stick(&mut self) {
        self.is_stuck = true;
    }

    pub fn is_stuck(&self) -> bool {
        self.is_stuck
    }
}

/// A clone is no call, so no call is to blame.
#[test]
fn a_structure_whose_clone_does_not_return_is_left_out() {
    let found = findings(Burr::suite(), || IS_STUCK.swap(false, SeqCst));
    assert_eq!(found, [(Kind::LeftOut, "stick")]);
}

/// 1 while `dawdle` is to be given up, 2 until the host looks on later, then 3, and 4 while `wait`
/// does not return.
static STEP: AtomicU8 = AtomicU8::new(0);

static DAWDLING: Mutex<Option<Thread>> = Mutex::new(None);

/// Goes on from this step, if it is the one. Returns whether it is.
fn step_on(step: u8) -> bool {
    let is_it = STEP.compare_exchange(step, step + 1, SeqCst, SeqCst).is_ok();
    if is_it && let Some(thread) = &*DAWDLING.lock().unwrap_or_else(PoisonError::into_inner) {
        thread.unpark();
    }
    is_it
}

/// Returns from a call that is given up, and cannot be stopped before the next one.
#[derive(Clone, Debug, Default, Heap)]
pub struct Dawdler;

#[beget::api(name = "dawdler")]
impl Dawdler {
    pub fn new() -> Self {
        Dawdler
    }

    pub fn dawdle(&mut self) {
        if STEP.load(SeqCst) == 0 {
            SigSet::from(Signal::SIGABRT).thread_block().unwrap();
            *DAWDLING.lock().unwrap() = Some(current());
            step_on(0);
            while STEP.load(SeqCst) == 1 {
                park();
            }
        }
    }

    pub fn wait(&mut self) {
        while STEP.load(SeqCst) == 2 {
            park();
        }
        if step_on(3) {
            SigSet::from(Signal::SIGABRT).thread_unblock().unwrap();
            loop {
                park();
            }
        }
    }
}

/// The thread cannot be stopped in the call that is given up, which returns.
#[test]
fn the_call_in_which_a_thread_stops_is_the_one_that_does_not_return() {
    assert_eq!(findings(Dawdler::suite(), || step_on(1)), [(Kind::Hang, "wait")]);
}
