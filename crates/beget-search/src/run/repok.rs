//! The search from a repOK.

use std::any::Any;
use std::cell::Cell;

use crate::repok::{RunId, Search, SearchInProgress, SearchReport, SearchSettings, search};
use beget_heap::{FormCoding, FormRef};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

use crate::run::space::RepOkSpace;
use beget_run::{Event, MAX_READS, Questions, Watch};

/// A search from a repOK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepOkRun {
    /// The result.
    pub report: SearchReport,
    /// The order-free digest of the canonical forms, like that of a run of calls.
    pub digest: u128,
}

/// Passes the canonical form of each structure that the repOK admits to `sink`. The budgets of
/// `plan` for calls and structures apply to runs of the repOK and structures that it admits.
///
/// `threads` is the number of threads, `None` for all cores; the result does not depend on it.
pub fn search_rep_ok(
    from: &RepOkSpace<'_>,
    plan: &Plan,
    threads: Option<usize>,
    watch: &Watch<'_>,
    sink: &mut dyn FnMut(FormRef<'_>),
) -> RepOkRun {
    let layout = plan.layout_of_any_ints();
    let coding = FormCoding { layout: &layout, ..plan.coding() };
    let digest = Cell::new(0_u128);
    let report = with_search(from, plan, threads, watch, Some(&digest), |from| {
        search(from, coding, &mut |found| {
            digest.set(digest.get().wrapping_add(found.form.digest()));
            sink(found.form);
        })
    });
    RepOkRun { report, digest: digest.get() }
}

/// Makes a search within the budget of the plan and the limits of the watch. Its intermediate
/// result is useful if it has a `digest`.
pub(crate) fn with_search<R>(
    from: &RepOkSpace<'_>,
    plan: &Plan,
    threads: Option<usize>,
    watch: &Watch<'_>,
    digest: Option<&Cell<u128>>,
    make: impl FnOnce(&Search<'_>) -> R,
) -> R {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let budget = plan.budget;
    let settings = SearchSettings {
        threads: threads.unwrap_or_else(cores),
        max_explored: budget.max_calls.unwrap_or(u64::MAX),
        max_generated: budget.max_structures.unwrap_or(u64::MAX),
        max_reads: MAX_READS,
    };
    watch.report(Event::Begin);
    make(&Search {
        settings,
        control: &|progress| watch.check(progress),
        wait: Some(&|search| {
            watch.wait_for_answer(&RunsOfSearch { name: from.rep_ok.name, search, digest });
        }),
        ..Search::new(&from.space, from.rep_ok.as_fn())
    })
}

/// The repOK runs of a search in progress.
struct RunsOfSearch<'s> {
    name: &'static str,
    search: &'s SearchInProgress<'s>,
    digest: Option<&'s Cell<u128>>,
}

impl Questions for RunsOfSearch<'_> {
    fn runs(&self) -> Vec<[u64; 2]> {
        self.search.runs().iter().map(|run| [run.job, run.candidate]).collect()
    }

    fn source(&self, [job, candidate]: [u64; 2]) -> Option<String> {
        let shown = self.search.candidate(RunId { job, candidate })?;
        Some(format!("`{}` on the candidate {shown}", self.name))
    }

    fn so_far(&self, stop_reason: StopReason, _: &[[u64; 2]]) -> Option<Box<dyn Any>> {
        let report = SearchReport { stop_reason, ..self.search.report.clone() };
        Some(Box::new(RepOkRun { report, digest: self.digest?.get() }))
    }
}
