//! Sightings of one cause are one finding: its first witness, and their number.
//!
//! They are grouped by method while they are gathered, since a method that has shown a cause need
//! not show it again. In reports the place of a problem is enough, whatever method came by it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
        let is_needed = sighting.problem().kind == Kind::LeftOut;
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
        self.groups.iter().any(|(_, group)| group.problem().kind == Kind::LeftOut)
    }

    /// The groups that are not in `known`, with their counts.
    #[must_use]
    pub fn not_in(self, known: &Sightings<S>) -> Self {
        let is_new = |(method, group): &(PlannedIdx, S)| !known.has(group.problem(), *method);
        Sightings::from(self.groups.into_iter().filter(is_new).collect::<Vec<_>>())
    }

    /// The groups in the order in which they were added, each with its method.
    pub fn groups(&self) -> &[(PlannedIdx, S)] {
        &self.groups
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
    /// The causes, in the order in which they were added. What several methods show at one place is
    /// one cause: its first group has the count of all.
    pub fn causes(&self) -> Vec<S> {
        let mut causes: Vec<S> = Vec::new();
        let mut by_place: BTreeMap<Signature, usize> = BTreeMap::new();
        for (_, group) in &self.groups {
            let problem = group.problem();
            if problem.is_placed() {
                match by_place.entry(problem.signature()) {
                    Entry::Occupied(known) => {
                        causes[*known.get()].add(group.count());
                        continue;
                    }
                    Entry::Vacant(new) => _ = new.insert(causes.len()),
                }
            }
            causes.push(group.clone());
        }
        causes
    }

    /// The [causes](Self::causes) in the order of reports: by priority, rare before frequent, and
    /// early before late.
    pub fn ranked(&self) -> Vec<S> {
        let mut ranked = self.causes();
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

    #[derive(Clone, Debug, PartialEq)]
    struct Seen {
        problem: Problem,
        count: u64,
    }

    impl ShownProblem for Seen {
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

    const FIRST: PlannedIdx = PlannedIdx::new(0);
    const SECOND: PlannedIdx = PlannedIdx::new(1);

    fn seen(kind: Kind, message: &str, count: u64) -> Seen {
        Seen { problem: Problem::new(kind, message.to_owned()), count }
    }

    fn broken(message: &str, count: u64) -> Seen {
        seen(Kind::Contract, message, count)
    }

    /// The messages and counts of groups.
    fn shown(groups: &[Seen]) -> Vec<(&str, u64)> {
        groups.iter().map(|one| (&*one.problem.message, one.count)).collect()
    }

    #[test]
    fn one_call_that_was_left_out_is_enough() {
        let mut all = Sightings::default();
        for (kind, is_left_out) in [(Kind::Hang, false), (Kind::LeftOut, true)] {
            assert!(all.add(seen(kind, "m", 1), FIRST));
            assert_eq!(all.have_left_out(), is_left_out);
        }
    }

    #[test]
    fn a_cause_is_counted_by_method() {
        let mut all = Sightings::default();
        assert!(all.groups().is_empty());
        all.add(broken("a", 2), FIRST);
        all.add(broken("b", 1), FIRST);
        all.add(broken("a", 4), SECOND);
        all.add(broken("a", 3), FIRST);
        assert_eq!(all.groups().len(), 3);
        let expected = [(FIRST, broken("a", 5)), (FIRST, broken("b", 1)), (SECOND, broken("a", 4))];
        assert_eq!(all.groups(), expected);
        assert!(all.has(&broken("b", 1).problem, FIRST));
        assert!(!all.has(&broken("b", 1).problem, SECOND));
        assert_eq!(shown(&all.causes()), [("a", 5), ("b", 1), ("a", 4)]);
        // By the first in `known`, whatever its count.
        let known = Sightings::from(vec![(FIRST, broken("a", 9))]);
        assert_ne!(all, known);
        let further = all.not_in(&known);
        assert_eq!(further, Sightings::from(vec![expected[1].clone(), expected[2].clone()]));
    }

    #[test]
    fn the_most_important_comes_first_and_the_rare_before_the_frequent() {
        let of = |kind: Kind, count| (FIRST, seen(kind.clone(), kind.name(), count));
        let all = Sightings::from(vec![
            of(Kind::Contract, 7),
            of(Kind::Invariant, 3),
            of(Kind::Crash, 8),
            of(Kind::Property, 7),
        ]);
        let expected = [("crash", 8), ("invariant", 3), ("contract", 7), ("property", 7)];
        assert_eq!(shown(&all.ranked()), expected);
    }

    /// Ten methods that call one helper, or drop one value, show one cause.
    #[test]
    fn a_cause_with_a_place_is_one_whatever_methods_show_it() {
        let at = |place: &str, count| Seen {
            problem: Problem::drop_panics("no 1", place.to_owned()),
            count,
        };
        let of_std = "/rustc/4a4ef493e3/library/alloc/src/rc.rs:7:9";
        let all = Sightings::from(vec![
            (FIRST, at(of_std, 20)),
            (FIRST, at("src/lib.rs:7:9", 2)),
            (SECOND, at("src/lib.rs:8:9", 30)),
            (SECOND, at("src/lib.rs:7:9", 8)),
            (SECOND, at(of_std, 40)),
            (FIRST, broken("a", 50)),
            (SECOND, broken("a", 60)),
        ]);
        let counts = |all: Vec<Seen>| all.iter().map(|one| one.count).collect::<Vec<_>>();
        assert_eq!(counts(all.causes()), [20, 10, 30, 40, 50, 60]);
        assert_eq!(counts(all.ranked()), [10, 20, 30, 40, 50, 60]);
    }

    #[test]
    fn a_thousand_groups_are_kept_and_more_only_if_a_run_is_incomplete() {
        const MOST: usize = Sightings::<Seen>::MOST;
        // Numbers would be left out of the cause.
        let of_lens = |lens: &[usize]| {
            let of_len = |&len: &usize| (FIRST, broken(&"x".repeat(len), 1));
            Sightings::from(lens.iter().map(of_len).collect::<Vec<_>>())
        };
        let mut all = of_lens(&Vec::from_iter(1..MOST));
        assert!(all.append(of_lens(&[MOST - 1, MOST])));
        assert_eq!((all.groups().len(), all.groups()[MOST - 2].1.count), (1000, 2));
        // The second is known, so there is room for it.
        assert!(!all.append(of_lens(&[MOST + 1, 1])));
        assert_eq!((all.groups().len(), all.groups()[0].1.count), (1000, 2));
        assert!(all.add(seen(Kind::LeftOut, "m", 1), FIRST));
        assert_eq!(all.groups().len(), 1001);
    }
}
