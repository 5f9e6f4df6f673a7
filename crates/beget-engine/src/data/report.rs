//! The results of a run: its ledger, levels, findings, and stop reason.

use std::cmp::Reverse;

use beget_plan::finding::{Finding, StopReason};
use beget_suite::Recipe;

use crate::data::ledger::Ledger;
use crate::data::merged::MergedValues;
use crate::data::origin::StoreError;
use crate::data::sightings::ChangedBy;
use crate::data::wire::packs_fields;

/// One level: everything whose cheapest recipe has `calls` calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of calls of a recipe of this level.
    pub calls: u32,
    /// Structures found in it.
    pub new: u64,
    /// Calls made for it.
    pub explored: u64,
}

packs_fields! { Level { calls, new, explored } }

/// All results of a run besides the structures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The reason for the end.
    pub stop_reason: StopReason,
    /// The results of the calls.
    pub ledger: Ledger,
    /// The levels, cheapest first.
    pub levels: Vec<Level>,
    /// The findings, one for each cause and method: most important first, then by fewest calls,
    /// then rare ones. At most [`MOST`](beget_plan::finding::Sightings::MOST), each with its first
    /// witness; all failures are counted.
    pub findings: Vec<Finding>,
    /// Sentences about distrusted parts of structures that are identified by their memory.
    pub doubted: Vec<String>,
    /// The error of the store, if it has ended the run.
    pub store_failure: Option<StoreError>,
    /// The values that probes have extended.
    pub merged: MergedValues,
}

impl Report {
    /// Returns whether only constructors left structures, because a bound cut all other calls.
    pub fn has_only_constructed(&self) -> bool {
        let n_with_new = self.levels.iter().filter(|level| level.new > 0).count();
        self.is_complete() && n_with_new == 1 && self.ledger.counters.out_of_scope > 0
    }

    /// The notes on calls that returned `Err` and changed an argument.
    pub fn changed_by_errors(&self) -> impl Iterator<Item = &str> {
        let changes = self.ledger.changes.iter();
        changes.filter(|change| change.by == ChangedBy::Error).map(|change| &*change.text)
    }

    /// The places of the panics of each pattern of the scope that expects panics at several places:
    /// a pattern meant for one may hide another.
    pub fn shared_patterns(&self) -> Vec<(u32, Vec<&str>)> {
        let mut shared: Vec<(u32, Vec<&str>)> = Vec::new();
        for panic in &self.ledger.expected {
            match shared.last_mut() {
                Some((pattern, places)) if *pattern == panic.pattern => places.push(&panic.place),
                _ => shared.push((panic.pattern, vec![&panic.place])),
            }
        }
        for (_, places) in &mut shared {
            places.sort_unstable();
            places.dedup();
        }
        shared.retain(|(_, places)| places.len() > 1);
        shared
    }

    /// Returns whether the whole space was explored.
    pub fn is_complete(&self) -> bool {
        self.stop_reason == StopReason::Exhausted
    }
}

/// Puts findings in the order of reports: most important first, then the shortest, then the rare
/// ones.
pub(crate) fn rank(findings: &mut [Finding]) {
    findings.sort_by_cached_key(|finding| {
        let n_calls = finding.witness.recipe.as_ref().map_or(usize::MAX, Recipe::n_calls);
        (Reverse(finding.problem.priority()), n_calls, finding.count)
    });
}

#[cfg(test)]
mod tests {
    use beget_plan::scope::PlannedIdx;

    use super::*;
    use crate::data::ledger::ExpectedPanic;

    fn report() -> Report {
        Report {
            stop_reason: StopReason::Exhausted,
            ledger: Ledger::default(),
            levels: Vec::new(),
            findings: Vec::new(),
            doubted: Vec::new(),
            store_failure: None,
            merged: MergedValues::default(),
        }
    }

    #[test]
    fn only_constructors_have_left_structures_if_one_level_has_new_ones() {
        let has_only_constructed = |new: &[u64], out_of_scope| {
            let mut report = report();
            report.levels =
                (1..).zip(new).map(|(calls, &new)| Level { calls, new, explored: 9 }).collect();
            report.ledger.counters.out_of_scope = out_of_scope;
            report.has_only_constructed()
        };
        assert!(has_only_constructed(&[2, 0], 1));
        assert!(!has_only_constructed(&[2, 1], 1));
        assert!(!has_only_constructed(&[0, 0], 1));
        assert!(!has_only_constructed(&[2, 0], 0));
    }

    #[test]
    fn a_pattern_is_shared_if_it_expects_panics_at_several_places() {
        let mut report = report();
        for (pattern, place, method) in
            [(0, "a", 0), (0, "a", 1), (1, "b", 0), (1, "a", 1), (1, "b", 2), (2, "c", 0)]
        {
            let method = PlannedIdx::new(method);
            report.ledger.expected.push(ExpectedPanic {
                pattern,
                place: place.to_owned(),
                method,
                calls: 1,
            });
        }
        assert_eq!(report.shared_patterns(), [(1, vec!["a", "b"])]);
    }
}
