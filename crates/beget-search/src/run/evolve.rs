//! A search for a chromosome for random runs, by coverage.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::evolve::{
    EvolveOptions, EvolveReport, EvolveWatcher, GenerationReport, PointSource, RunningTests, search,
};
use beget_plan::finding::{Finding, Progress, StopReason};
use beget_plan::scope::Plan;
use beget_process::coverage::counters::RegionCounters;
use beget_run::random::{RandomOptions, plan_for, with_literals};

use beget_run::{Event, Input, Questions, Watch, wait_for};

/// The result of a search for a chromosome.
#[derive(Clone, Debug)]
pub struct EvolveRun {
    /// The plan. The domains of its methods have the literals of all findings.
    pub plan: Plan,
    /// The options of the search.
    pub options: EvolveOptions,
    /// The source of points.
    pub source: PointSource,
    /// The best chromosome, and all generations.
    pub report: EvolveReport,
    /// Failures of calls, most important first, minimised.
    pub findings: Vec<Finding>,
    /// The reason for the end.
    pub stop_reason: StopReason,
}

/// The kinds of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointKind {
    /// Blocks if the code has marks, else regions if it was compiled with counters, else
    /// structures.
    #[default]
    Best,
    /// Marks in the code.
    Blocks,
    /// Pairs of a mark and a fingerprint of what the code saw.
    Predicates,
    /// Regions of the code, counted by LLVM's counters.
    Regions,
    /// Distinct structures.
    Structures,
}

impl PointKind {
    /// The source of such points for the suite of `input`; `None` if there are none.
    pub fn source(self, input: &Input<'_>) -> Option<PointSource> {
        let (marks, counters) = (input.marks(), RegionCounters::of_this_program());
        match self {
            PointKind::Blocks => marks.map(PointSource::Blocks),
            PointKind::Predicates => marks.map(PointSource::Predicates),
            PointKind::Regions => counters.map(PointSource::Regions),
            PointKind::Structures => Some(PointSource::Structures),
            PointKind::Best => {
                let of_code = marks.map(PointSource::Blocks);
                let of_code = of_code.or(counters.map(PointSource::Regions));
                Some(of_code.unwrap_or(PointSource::Structures))
            }
        }
    }
}

/// Searches for a chromosome for `plan`.
///
/// The budget of calls is that of the options; the other limits are those of `watch`.
pub fn evolve(
    plan: Plan,
    options: EvolveOptions,
    source: PointSource,
    watch: &Watch<'_>,
) -> EvolveRun {
    let plan = plan_for(plan, &RandomOptions::default());
    let (running, stopped) = (RunningTests::default(), OnceLock::new());
    let (explored, generations) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let runs = TestsInProgress { plan: &plan, running: &running };
    let tell = || {
        let told: Vec<GenerationReport> =
            std::mem::take(&mut *generations.lock().unwrap_or_else(PoisonError::into_inner));
        for generation in told {
            watch.report(Event::Generation {
                number: generation.number,
                of: options.generations,
                points: generation.best.points,
                known: source.known(),
                fitness: generation.best.fitness,
            });
        }
    };
    watch.report(Event::Begin);
    let mut wait = || {
        tell();
        watch.wait_for_answer(&runs);
        let progress = Progress { explored: explored.load(Relaxed), ..Progress::default() };
        if let Some(reason) = watch.check(progress) {
            stopped.get_or_init(|| reason);
        }
    };
    let work = || {
        let watcher = EvolveWatcher {
            running: &running,
            stopped: &|progress| {
                explored.fetch_max(progress.explored, Relaxed);
                stopped.get().copied()
            },
            told: &mut |generation| {
                generations.lock().unwrap_or_else(PoisonError::into_inner).push(*generation);
            },
        };
        search(&plan, &options, source, watcher)
    };
    let report = wait_for(work, &mut wait);
    tell();
    let plan = with_literals(plan, report.failures.iter().flat_map(|one| &one.steps));
    let findings = report.failures.iter().map(|one| one.finding.clone()).collect();
    let stop_reason = report.stop_reason;
    EvolveRun { plan, options, source, report, findings, stop_reason }
}

/// The running test cases.
struct TestsInProgress<'r> {
    plan: &'r Plan,
    running: &'r RunningTests,
}

impl Questions for TestsInProgress<'_> {
    fn noun(&self) -> &'static str {
        "call"
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.running.numbers()
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        Some(self.running.sequence(run)?.to_source(&self.plan.suite).0)
    }

    fn ended(&self) -> Option<[u64; 2]> {
        self.running.ended()
    }
}
