//! What a run found: its ledger, levels, findings, and why it ended.

use beget_plan::finding::{Finding, Sightings, StopReason};

use crate::data::ledger::Ledger;
use crate::data::origin::StoreError;
use crate::data::sightings::{CHANGED_BY_ERROR, Sighting};

/// One level: everything whose cheapest recipe has `calls` calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "messages", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// The number of calls of a recipe of this level.
    pub calls: u32,
    /// Structures found in it.
    pub new: u64,
    /// Calls made for it.
    pub explored: u64,
}

/// Everything a run tells besides the structures themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why it ended.
    pub stop_reason: StopReason,
    /// What the calls came to.
    pub ledger: Ledger,
    /// The levels, cheapest first.
    pub levels: Vec<Level>,
    /// The findings, one for each cause and method: what matters most first, of that what fewest
    /// calls show, of these the rare ones.
    /// At most [`Report::MOST_FINDINGS`].
    pub findings: Vec<Finding>,
    /// What is not believed of structures that are told apart by their memory, in sentences.
    pub doubted: Vec<String>,
    /// What the store failed at, if the run has ended by that.
    pub store_failure: Option<StoreError>,
}

impl Report {
    /// How many findings are kept, each with its first witness; all failures are counted.
    pub const MOST_FINDINGS: usize = Sightings::<Sighting>::MOST;

    /// Returns whether there is nothing but what constructors left, and a bound kept other calls
    /// from leaving more.
    pub fn has_only_constructed(&self) -> bool {
        let n_with_new = self.levels.iter().filter(|level| level.new > 0).count();
        self.is_complete() && n_with_new == 1 && self.ledger.counters.out_of_scope > 0
    }

    /// The notes of calls that returned `Err` and changed an argument.
    pub fn changed_by_errors(&self) -> impl Iterator<Item = &str> {
        let notes = self.ledger.notes.iter().map(String::as_str);
        notes.filter(|note| note.contains(CHANGED_BY_ERROR))
    }

    /// The places of the panics that each pattern of the scope expects, where they are several: a
    /// pattern that is meant for one may hide another.
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
