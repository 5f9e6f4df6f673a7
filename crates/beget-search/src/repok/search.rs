//! The entry points of the search.

use beget_heap::view::{Table, Verdict};
use beget_heap::{FormCoding, FormRef};
use beget_plan::finding::{Progress, StopReason};

use crate::repok::job::SearchTask;
use crate::repok::report::SearchReport;
use crate::repok::watch::SearchInProgress;
use crate::repok::{CandidateSpace, parallel};

/// The bounds of a run, and its number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
    /// Most candidates.
    pub max_explored: u64,
    /// Most accepted candidates.
    pub max_generated: u64,
    /// Most fields that one run of the repOK may read, with repetitions; at least the number of
    /// fields.
    pub max_reads: u64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings {
            threads: 1,
            max_explored: u64::MAX,
            max_generated: u64::MAX,
            max_reads: 1_000_000,
        }
    }
}

/// A search: its candidates, its predicate, and its bounds.
#[derive(Clone)]
pub struct Search<'a> {
    /// The candidates.
    pub space: &'a CandidateSpace,
    /// The predicate, which must be a function of the heap alone.
    pub rep_ok: &'a (dyn Fn(&Table) -> Verdict + Sync),
    /// The bounds.
    pub settings: SearchSettings,
    /// A function that receives the progress from time to time. It can stop the search by returning
    /// a reason.
    pub control: &'a dyn Fn(Progress) -> Option<StopReason>,
    /// A function that is called about ten times a second while runs of the repOK are waited for,
    /// which then have separate threads. It cannot stop them; if they do not end, it can only end
    /// the process.
    pub wait: Option<&'a dyn Fn(&SearchInProgress<'_>)>,
}

impl<'a> Search<'a> {
    /// A search with default settings.
    pub fn new(space: &'a CandidateSpace, rep_ok: &'a (dyn Fn(&Table) -> Verdict + Sync)) -> Self {
        let settings = SearchSettings::default();
        Search { space, rep_ok, settings, control: &|_| None, wait: None }
    }
}

/// An accepted candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedCandidate<'a> {
    /// Its canonical form.
    pub form: FormRef<'a>,
    /// Its number among the explored, from 1.
    pub ordinal: u64,
}

/// Counts the accepted candidates.
pub fn count(search: &Search<'_>) -> SearchReport {
    run(search, None, &mut |_| {})
}

/// Passes the canonical form of each accepted candidate to `sink`, in an order that depends only on
/// the finitization and the repOK.
pub fn search<'l>(
    search: &Search<'_>,
    coding: impl Into<FormCoding<'l>>,
    sink: &mut dyn FnMut(AcceptedCandidate<'_>),
) -> SearchReport {
    run(search, Some(coding.into()), sink)
}

fn run(
    search: &Search<'_>,
    coding: Option<FormCoding<'_>>,
    sink: &mut dyn FnMut(AcceptedCandidate<'_>),
) -> SearchReport {
    let task = SearchTask {
        space: search.space,
        rep_ok: search.rep_ok,
        coding,
        max_reads: search.settings.max_reads,
    };
    parallel::run(task, search, sink)
}
