//! Questions of oracles that do not return, asked on a thread of this process.
#![cfg(target_os = "linux")]

use crate::common;

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread::{park, sleep};
use std::time::Duration;

use beget::HasSuite as _;
use beget_oracle::{Oracle, StructureView, Verdicts};
use beget_plan::finding::StopReason;
use beget_plan::scope::Overrides;
use beget_run::{Catalog, CheckRun, Host, Input, Questions, StoreKind, Watch, check};
use common::{Chain, settings};
use nix::sys::signal::{SigSet, Signal};

/// Checks the empty chain, of which one more oracle asks.
fn checked<O: Oracle + 'static>(
    make: impl Fn() -> O + Send + Sync + 'static,
    host: &dyn Host,
) -> CheckRun {
    checked_of(r#"k: 1, methods: Only(["new"])"#, make, host)
}

/// Checks chains with these fields, of which one more oracle asks.
fn checked_of<O: Oracle + 'static>(
    fields: &str,
    make: impl Fn() -> O + Send + Sync + 'static,
    host: &dyn Host,
) -> CheckRun {
    let text = format!(r#"Scope(suite: "chain", objects: {{"*": "k"}}, {fields})"#);
    let catalog = Catalog::new(vec![Chain::suite()]).with_oracle(make);
    let input = Input::of_text("chain.ron", text, catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let watch = Watch::new(plan.budget, host);
    check(&input, &[], plan, settings(), StoreKind::Exact, &watch).unwrap()
}

/// The messages of all findings.
fn messages(run: &CheckRun) -> Vec<String> {
    run.findings().map(|finding| finding.problem.message.to_string()).collect()
}

/// Has a question that does not return.
struct Endless;

impl Oracle for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        while verdicts.begin(0, structure.id) {
            park();
        }
    }
}

/// A question may take 50 s, which are over after so many looks at it.
#[derive(Default)]
struct Late {
    n_looks: Cell<u32>,
}

impl Late {
    /// More than five seconds: a host that looks ten times a second.
    const MOST_LOOKS: u32 = 55;
}

impl Host for Late {
    fn seconds(&self) -> f64 {
        if self.n_looks.get() < Late::MOST_LOOKS { 0.0 } else { 100.0 }
    }

    fn question_seconds(&self) -> Option<f64> {
        Some(50.0)
    }

    fn waiting_for_answer(&self, runs: &dyn Questions, _: Option<StopReason>) {
        if runs.noun() == "endless" {
            self.n_looks.set(self.n_looks.get() + 1);
        }
    }
}

/// Hosts may end the process for it.
#[test]
fn a_host_does_not_look_at_a_question_that_is_given_up() {
    let host = Late::default();
    let run = checked(|| Endless, &host);
    let message = "asking the endless `endless` does not return: it was stopped";
    assert_eq!(messages(&run), [message]);
    assert_eq!(host.n_looks.get(), Late::MOST_LOOKS);
}

/// The seconds of [`Ticking`].
static SECONDS: AtomicU32 = AtomicU32::new(0);

/// A second passes with each look at the clock, and a question may take three.
struct Ticking;

impl Host for Ticking {
    fn seconds(&self) -> f64 {
        f64::from(SECONDS.fetch_add(1, SeqCst))
    }

    fn question_seconds(&self) -> Option<f64> {
        Some(3.0)
    }
}

/// Lets this thread be stopped or not: a thread is stopped by SIGABRT.
fn set_stoppable(stoppable: bool) {
    let signals = SigSet::from(Signal::SIGABRT);
    let set = if stoppable { SigSet::thread_unblock } else { SigSet::thread_block };
    set(&signals).unwrap();
}

/// Its first question returns after it was given up; the second one takes as long then.
struct Unstoppable;

impl Unstoppable {
    /// Waits until a question that begins here is given up, and some more; ten seconds at most.
    fn dawdle() {
        let start = SECONDS.load(SeqCst);
        let is_given_up = || SECONDS.load(SeqCst) >= start + 4;
        for _ in (0..200).take_while(|_| !is_given_up()) {
            sleep(Duration::from_millis(50));
        }
        sleep(Duration::from_millis(50));
    }
}

impl Oracle for Unstoppable {
    fn name(&self) -> &'static str {
        "unstoppable"
    }

    fn questions(&self) -> Vec<&'static str> {
        vec!["first", "second"]
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        let is_first_asked = verdicts.begin(0, structure.id);
        if is_first_asked {
            set_stoppable(false);
            Unstoppable::dawdle();
        }
        if verdicts.begin(1, structure.id) && is_first_asked {
            sleep(Duration::from_secs(1));
            set_stoppable(true);
        }
    }
}

#[test]
fn the_question_that_is_given_up_is_to_blame_though_it_returns() {
    let run = checked(|| Unstoppable, &Ticking);
    let message = "asking the unstoppable `first` does not return: it was stopped";
    assert_eq!(messages(&run), [message]);
}

/// Has a question that ends its process.
struct Lethal;

impl Oracle for Lethal {
    fn name(&self) -> &'static str {
        "lethal"
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        if verdicts.begin(0, structure.id) {
            std::process::abort();
        }
    }
}

/// It is asked about two of three structures.
#[test]
fn a_check_without_a_question_that_ends_processes_is_not_complete() {
    let host = common::Scripted::default();
    let run = checked_of(r#"k: 2, methods: Only(["new", "push"])"#, || Lethal, &host);
    let message = "asking the lethal `lethal` ended the process by SIGABRT";
    assert_eq!(messages(&run), [message]);
    let lethal = run.contracts.last().unwrap();
    assert_eq!((lethal.name, lethal.asked, lethal.broken), ("lethal", 2, 2));
    assert_eq!(run.corpus.report.stop_reason, StopReason::Exhausted);
    assert_eq!(run.stop_reason, StopReason::LeftOut);
}
