//! The sum over the parts, on the caller's thread: counters, budgets, findings, accepted
//! candidates.

use beget_heap::FormRef;
use beget_plan::finding::{Finding, Progress, StopReason, Witness};

use crate::repok::job::{JobEventKind, JobPart, SearchTask};
use crate::repok::report::SearchReport;
use crate::repok::search::{AcceptedCandidate, Search};
use crate::repok::watch::{SearchInProgress, WorkerNote};

/// The sum of the parts so far.
pub(crate) struct Total<'t, 's> {
    search: &'t Search<'t>,
    has_forms: bool,
    sink: &'s mut dyn FnMut(AcceptedCandidate<'_>),
    report: SearchReport,
}

impl<'t, 's> Total<'t, 's> {
    pub(crate) fn new(
        search: &'t Search<'t>,
        has_forms: bool,
        sink: &'s mut dyn FnMut(AcceptedCandidate<'_>),
    ) -> Self {
        let report = SearchReport {
            generated: 0,
            explored: 0,
            unrepresentable: 0,
            digest: 0,
            stop_reason: StopReason::Exhausted,
            findings: Vec::new(),
        };
        Total { search, has_forms, sink, report }
    }

    /// Returns whether the search has ended before its last part.
    pub(crate) fn is_over(&self) -> bool {
        !self.report.stop_reason.is_exhausted()
    }

    /// Shows the state to the caller while the next part is waited for.
    pub(crate) fn wait(&self, task: SearchTask<'_>, notes: &[WorkerNote]) {
        if let Some(wait) = self.search.wait {
            wait(&SearchInProgress { report: &self.report, task, notes });
        }
    }

    /// Adds the next part, as far as the budgets allow.
    pub(crate) fn add(&mut self, part: JobPart) {
        self.ask_control();
        let before = self.report.explored;
        let n_seen = self.take_events(before, &part);
        if !matches!(self.report.stop_reason, StopReason::MaxStructures(_)) {
            self.count_explored(part.explored);
        }
        for (finding, count) in part.findings.into_iter().zip(n_seen) {
            self.add_finding(finding, before, count);
        }
    }

    /// Returns how often each finding of the part occurred within the budget.
    fn take_events(&mut self, before: u64, part: &JobPart) -> Vec<u64> {
        let mut n_seen = Vec::new();
        let mut start = 0;
        for event in &part.events {
            let ordinal = before + event.ordinal;
            if ordinal > self.search.settings.max_explored || self.is_full(ordinal) {
                break;
            }
            match event.kind {
                JobEventKind::Accepted(end) => {
                    let form = FormRef::new(&part.forms[start..end as usize]);
                    start = end as usize;
                    self.accept(AcceptedCandidate { form, ordinal });
                }
                JobEventKind::Unrepresentable => {
                    self.report.generated += 1;
                    self.report.unrepresentable += 1;
                }
                JobEventKind::Finding(number) => count_seen(&mut n_seen, number as usize),
            }
        }
        n_seen
    }

    /// Returns whether the budget of accepted candidates ended the search before candidate
    /// `ordinal`.
    fn is_full(&mut self, ordinal: u64) -> bool {
        let max = self.search.settings.max_generated;
        if self.report.generated >= max && !self.is_over() {
            self.report.explored = ordinal - 1;
            self.report.stop_reason = StopReason::MaxStructures(max);
        }
        self.report.generated >= max
    }

    fn accept(&mut self, found: AcceptedCandidate<'_>) {
        self.report.generated += 1;
        if self.has_forms {
            self.report.digest = mixed(self.report.digest, found.form.as_bytes());
            (self.sink)(found);
        }
    }

    /// Ends the search if the budget does not allow another candidate and there is one.
    fn count_explored(&mut self, explored: u64) {
        let max = self.search.settings.max_explored;
        self.report.explored += explored;
        if self.report.explored > max {
            self.report.explored = max;
            self.report.stop_reason = StopReason::MaxCalls(max);
        }
    }

    fn add_finding(&mut self, finding: Finding, before: u64, count: u64) {
        let findings = &mut self.report.findings;
        match findings.iter_mut().find(|known| known.problem == finding.problem) {
            Some(known) => known.count += count,
            None => {
                let number = finding.witness.number.map(|first| before + first);
                let witness = Witness { number, ..finding.witness };
                findings.push(Finding { count, witness, ..finding });
            }
        }
    }

    fn ask_control(&mut self) {
        let SearchReport { explored, generated: structures, .. } = self.report;
        let progress = Progress { explored, structures, ..Progress::default() };
        if let Some(reason) = (self.search.control)(progress) {
            self.report.stop_reason = reason;
        }
    }

    pub(crate) fn into_report(self) -> SearchReport {
        self.report
    }
}

fn count_seen(n_seen: &mut Vec<u64>, number: usize) {
    if n_seen.len() <= number {
        n_seen.resize(number + 1, 0);
    }
    n_seen[number] += 1;
}

/// Adds a form to a digest that depends on the order.
fn mixed(digest: u64, form: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let add = |digest: u64, word: u64| (digest.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let digest = add(digest, form.len() as u64);
    form.chunks(8).fold(digest, |digest, chunk| {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        add(digest, word)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_bit_of_a_form_changes_the_digest() {
        let forms = (0..64).map(|bit| 1_u64 << bit).chain([0]);
        for before in [0, 1, u64::MAX] {
            let digests: BTreeSet<u64> =
                forms.clone().map(|form| mixed(before, &form.to_le_bytes())).collect();
            assert_eq!(digests.len(), 65, "after {before}");
        }
    }
}
