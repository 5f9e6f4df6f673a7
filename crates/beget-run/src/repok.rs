//! The search from a repOK.

use beget_heap::{FormCoding, FormRef};
use beget_repok::{Search, SearchReport, SearchSettings, search};
use beget_scope::Plan;

use crate::{Event, RepOkSpace, Watch};

/// Fields that a repOK may read on one heap.
pub const MAX_READS: u64 = 10_000_000;

/// A search from a repOK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepOkRun {
    /// What it came to.
    pub report: SearchReport,
    /// The order-free digest of the canonical forms, as that of a run of calls.
    pub digest: u128,
}

/// Gives the canonical form of each structure that the repOK admits to `sink`. The budgets of `plan`
/// for calls and structures are for runs of the repOK and structures that it admits.
///
/// `threads` is for all cores if it is `None`; the result does not depend on it.
pub fn search_rep_ok(
    from: &RepOkSpace<'_>,
    plan: &Plan,
    threads: Option<usize>,
    watch: &Watch<'_>,
    sink: &mut dyn FnMut(FormRef<'_>),
) -> RepOkRun {
    let mut digest = 0_u128;
    let layout = plan.layout_of_any_ints();
    let coding = FormCoding { layout: &layout, ..plan.coding() };
    let report = with_search(from, plan, threads, watch, |from| {
        search(from, coding, &mut |found| {
            digest = digest.wrapping_add(found.form.digest());
            sink(found.form);
        })
    });
    RepOkRun { report, digest }
}

/// Makes a search within the budget of the plan and the limits of the watch.
pub(crate) fn with_search<R>(
    from: &RepOkSpace<'_>,
    plan: &Plan,
    threads: Option<usize>,
    watch: &Watch<'_>,
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
        ..Search::new(&from.space, from.rep_ok.as_fn())
    })
}
