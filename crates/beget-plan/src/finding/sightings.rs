//! Sightings of one cause are one finding: its first witness, and their number.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::scope::PlannedIdx;

use crate::finding::{Kind, Problem, Signature};

/// A problem that a call shows, or the first of a group of them.
pub trait ShownProblem {
    /// The problem.
    fn problem(&self) -> &Problem;

    /// The number of calls that show it, of which this is the first.
    fn count(&self) -> u64;

    /// Counts `more` calls that show it.
    fn add(&mut self, more: u64);
}

/// The first sighting of each cause by each method, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Sightings<S> {
    groups: Vec<(PlannedIdx, S)>,
    index: BTreeMap<(PlannedIdx, Signature), usize>,
}

/// Sightings are equal if their groups are.
impl<S: PartialEq> PartialEq for Sightings<S> {
    fn eq(&self, other: &Self) -> bool {
        self.groups == other.groups
    }
}

impl<S: Eq> Eq for Sightings<S> {}

impl<S> Default for Sightings<S> {
    fn default() -> Self {
        Sightings { groups: Vec::new(), index: BTreeMap::new() }
    }
}

impl<S: ShownProblem> Sightings<S> {
    /// The most groups kept.
    pub const MOST: usize = 1000;

    /// The note shown if there are more groups than are kept.
    pub const DROPPED: &str =
        "there are more causes of failures than are kept: those found later are only counted";

    /// Adds a sighting by a call of a method, or a group of them. Returns whether there was room:
    /// beyond [`Sightings::MOST`] groups, new ones are dropped, except those that make a run
    /// incomplete.
    pub fn add(&mut self, sighting: S, method: PlannedIdx) -> bool {
        let key = (method, sighting.problem().signature());
        if let Some(&known) = self.index.get(&key) {
            self.groups[known].1.add(sighting.count());
            return true;
        }
        let is_needed = sighting.problem().kind == Kind::LEFT_OUT;
        let has_room = is_needed || self.groups.len() < Self::MOST;
        if has_room {
            self.index.insert(key, self.groups.len());
            self.groups.push((method, sighting));
        }
        has_room
    }

    /// Returns whether a problem with this cause was seen in a call of the method.
    pub fn has(&self, problem: &Problem, method: PlannedIdx) -> bool {
        self.index.contains_key(&(method, problem.signature()))
    }

    /// Returns whether something was left out of the run.
    pub fn have_left_out(&self) -> bool {
        self.groups.iter().any(|(_, group)| group.problem().kind == Kind::LEFT_OUT)
    }

    /// The groups that are not in `known`, with their counts.
    #[must_use]
    pub fn not_in(self, known: &Sightings<S>) -> Self {
        let is_new = |(method, group): &(PlannedIdx, S)| !known.has(group.problem(), *method);
        Sightings::from(self.groups.into_iter().filter(is_new).collect::<Vec<_>>())
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups in the order in which they were added, each with its method.
    pub fn groups(&self) -> &[(PlannedIdx, S)] {
        &self.groups
    }

    /// The groups, in the order in which they were added.
    pub fn into_groups(self) -> Vec<S> {
        self.groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Adds the groups of others, each after the existing ones. Returns whether there was room for
    /// all.
    pub fn append(&mut self, others: Sightings<S>) -> bool {
        let mut has_room = true;
        for (method, group) in others.groups {
            has_room &= self.add(group, method);
        }
        has_room
    }
}

impl<S: ShownProblem + Clone> Sightings<S> {
    /// The groups in the order of reports: by priority, rare before frequent, and early before
    /// late.
    pub fn ranked(&self) -> Vec<S> {
        let mut ranked: Vec<S> = self.groups.iter().map(|(_, group)| group.clone()).collect();
        ranked.sort_by_key(|one| (Reverse(one.problem().priority()), one.count()));
        ranked
    }
}

impl<S: ShownProblem> From<Vec<(PlannedIdx, S)>> for Sightings<S> {
    fn from(groups: Vec<(PlannedIdx, S)>) -> Self {
        let key = |(method, group): &(PlannedIdx, S)| (*method, group.problem().signature());
        let index = groups.iter().map(key).enumerate().map(|(at, key)| (key, at)).collect();
        Sightings { groups, index }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug)]
    struct Seen(Problem);

    impl ShownProblem for Seen {
        fn problem(&self) -> &Problem {
            &self.0
        }

        fn count(&self) -> u64 {
            1
        }

        fn add(&mut self, _: u64) {}
    }

    #[test]
    fn one_call_that_was_left_out_is_enough() {
        let mut seen = Sightings::default();
        for (kind, is_left_out) in [(Kind::HANG, false), (Kind::LEFT_OUT, true)] {
            assert!(seen.add(Seen(Problem::new(kind, "m")), PlannedIdx::new(0)));
            assert_eq!(seen.have_left_out(), is_left_out);
        }
    }
}
