//! A successful call of every method.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::heuristic::{CallOptions, CallReport, MethodReport, Repository, plan_for};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::Plan;
use beget_run::random::{InProgress, with_literals};

use beget_run::{Event, SequenceInProgress, Watch, wait_for};

/// The result of a run that searches for calls.
#[derive(Clone, Debug)]
pub struct CallRun {
    /// The plan. The domains of its methods have the literals of all successful calls.
    pub plan: Plan,
    /// The options of the search.
    pub options: CallOptions,
    /// The results for each method.
    pub report: CallReport,
    /// The reason for the end.
    pub stop_reason: StopReason,
}

/// Searches for a successful call of each method of `plan`, using the history in `repository`.
///
/// The budget of calls is that of the options; the other limits are those of `watch`.
pub fn call(
    plan: Plan,
    options: CallOptions,
    repository: Option<&Repository>,
    watch: &Watch<'_>,
) -> CallRun {
    let plan = plan_for(plan, &options);
    let in_progress = InProgress::default();
    let (explored, structures) = (AtomicU64::new(0), AtomicU64::new(0));
    let stopped = OnceLock::new();
    let runs = SequenceInProgress { plan: &plan, in_progress: &in_progress };
    watch.report(Event::Begin);
    let mut wait = || {
        let progress = Progress {
            explored: explored.load(Relaxed),
            structures: structures.load(Relaxed),
            ..Progress::default()
        };
        watch.wait_for_answer(&runs);
        if let Some(reason) = watch.check(progress) {
            stopped.get_or_init(|| reason);
        }
    };
    let work = || {
        let _stop = in_progress.stop_at_end();
        let mut control = |progress: Progress| {
            explored.store(progress.explored, Relaxed);
            structures.store(progress.structures, Relaxed);
            stopped.get().copied()
        };
        crate::heuristic::call(&plan, options.clone(), repository, &in_progress, &mut control)
    };
    let (report, stop_reason) = wait_for(work, &mut wait);
    let sequences = report.methods.iter().flat_map(MethodReport::sequences);
    let plan = with_literals(plan, sequences.flatten());
    CallRun { plan, options, report, stop_reason }
}
