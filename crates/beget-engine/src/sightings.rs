//! The sightings of a run, by the methods of their calls.

use beget_finding::{Kind, Problem, Sighted, Sightings};
use beget_scope::PlannedIdx;

use crate::calls::CallTable;
use crate::report::Sighting;

impl Sighted for Sighting {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, more: u64) {
        self.count += more;
    }
}

/// The method that a sighting is grouped by.
pub(crate) fn method_of(sighting: &Sighting, calls: &CallTable) -> PlannedIdx {
    match sighting.problem.kind == Kind::OWNED_ELSEWHERE {
        // It lies in the type, whatever the method: to be said once.
        true => PlannedIdx::new(0),
        false => calls.parts(sighting.call).planned,
    }
}

/// Adds sightings, or groups of them. Those of more causes than are kept are dropped, and `notes`
/// say so.
///
/// Groups are added in the order of the blocks, so neither the witnesses nor the counts depend on
/// threads.
pub(crate) fn add_all(
    groups: &mut Sightings<Sighting>,
    sightings: impl IntoIterator<Item = Sighting>,
    calls: &CallTable,
    notes: &mut Vec<String>,
) {
    let dropped = Sightings::<Sighting>::DROPPED;
    for sighting in sightings {
        let method = method_of(&sighting, calls);
        if !groups.add(sighting, method) && !notes.iter().any(|note| note == dropped) {
            notes.push(dropped.to_owned());
        }
    }
}
