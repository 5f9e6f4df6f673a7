//! Sightings of one cause are one finding: its first witness, and how many there are.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use beget_finding::{Priority, Signature};
use beget_scope::PlannedIdx;

use crate::calls::CallTable;
use crate::report::{Report, Sighting};

const DROPPED: &str =
    "there are more causes of failures than are kept: those found later are only counted";

/// The first sighting of each cause by each method, in the order in which they were added.
///
/// Groups are merged in the order of the blocks, so neither the witnesses nor the counts depend on
/// threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sightings {
    groups: Vec<Sighting>,
    index: BTreeMap<(PlannedIdx, Signature), usize>,
}

impl Sightings {
    /// Adds sightings, or groups of them. Beyond [`Report::MOST_FINDINGS`] groups new ones are
    /// dropped, and `notes` say so.
    pub(crate) fn add_all(
        &mut self,
        sightings: impl IntoIterator<Item = Sighting>,
        calls: &CallTable,
        notes: &mut Vec<String>,
    ) {
        for sighting in sightings {
            let is_kept = self.add(sighting, calls);
            if !is_kept && !notes.iter().any(|note| note == DROPPED) {
                notes.push(DROPPED.to_owned());
            }
        }
    }

    /// Returns whether there was room.
    fn add(&mut self, sighting: Sighting, calls: &CallTable) -> bool {
        let key = (calls.parts(sighting.call).planned, sighting.problem.signature());
        if let Some(&known) = self.index.get(&key) {
            self.groups[known].count += sighting.count;
            return true;
        }
        let has_room = self.groups.len() < Report::MOST_FINDINGS;
        if has_room {
            self.index.insert(key, self.groups.len());
            self.groups.push(sighting);
        }
        has_room
    }

    /// The groups, in the order in which they were added.
    pub(crate) fn into_groups(self) -> Vec<Sighting> {
        self.groups
    }

    /// The groups as they are reported: by priority, rare before frequent, and early before late.
    pub(crate) fn ranked(&self) -> Vec<&Sighting> {
        let mut ranked: Vec<&Sighting> = self.groups.iter().collect();
        let key = |sighting: &&Sighting| -> (Reverse<Priority>, u64) {
            (Reverse(sighting.problem.priority()), sighting.count)
        };
        ranked.sort_by_key(key);
        ranked
    }
}
