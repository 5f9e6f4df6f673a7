//! The next attempts after a failure: other integers and literals at once, other structures last,
//! because preparing them takes calls.

use std::collections::VecDeque;

use beget_plan::scope::PlannedIdx;
use beget_suite::Literal;

use super::{CallCandidate, CallSearch, Failure};
use crate::heuristic::effects::SizeChange;
use crate::heuristic::literals::{LiteralRole, length_of};
use crate::heuristic::panics::{Clue, PanicFamily};
use crate::heuristic::pool::PoolIdx;
use crate::heuristic::repair::{IntTuple, by_bounds, by_family, by_message};
use crate::heuristic::report::{Repair, RepairKind};

/// The most other literals that a repair tries for one parameter.
const MOST_LITERALS: usize = 24;

/// The most other structures of the pool tried for one parameter, and the most elements that a
/// repair adds.
const MOST_STRUCTURES: usize = 6;
const MOST_ADDED: i128 = 40;

/// The most messages followed in a row: lengths in messages could grow for ever.
const MOST_MESSAGES: u32 = 8;

/// The most variants of the heuristics' arguments.
const MOST_VARIANTS: usize = 64;

/// The remaining attempts, in order.
#[derive(Debug, Default)]
pub(super) struct CallProposals {
    candidates: VecDeque<CallCandidate>,
    /// Failures whose structures could be replaced.
    states: VecDeque<(CallCandidate, Failure)>,
}

impl CallSearch<'_> {
    /// The next attempt: a repair of the arguments, a repair of the state, or another variant.
    pub(super) fn next_candidate(
        &mut self,
        method: PlannedIdx,
        proposals: &mut CallProposals,
        variant: &mut usize,
    ) -> Option<CallCandidate> {
        loop {
            if let Some(candidate) = proposals.candidates.pop_front() {
                return Some(candidate);
            }
            if let Some((candidate, failure)) = proposals.states.pop_front() {
                proposals.candidates.extend(self.other_states(method, &candidate, &failure));
                continue;
            }
            *variant += 1;
            return match *variant - 1 {
                MOST_VARIANTS.. => None,
                variant => self.generated(method, variant),
            };
        }
    }

    /// Proposes repairs of a failure. Those of the message come before all others; the others are
    /// proposed for the first failure of a kind.
    pub(super) fn propose(
        &mut self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        failure: &Failure,
        is_new: bool,
        proposals: &mut CallProposals,
    ) {
        let ints = self.ints_of(method, candidate);
        let family = failure.family();
        let is_followed = candidate.n_messages < MOST_MESSAGES;
        if let Failure::Panic { clue, .. } = failure
            && is_followed
        {
            let repair = Repair { family, by: RepairKind::Message };
            let by_message = by_message(clue, &ints);
            let repaired = self.with_all_ints(method, candidate, by_message, repair);
            let lengths = self.with_lengths(method, candidate, clue, repair);
            for first in repaired.into_iter().chain(lengths).rev() {
                let n_messages = candidate.n_messages + 1;
                proposals.candidates.push_front(CallCandidate { n_messages, ..first });
            }
        }
        if is_new {
            let repair = Repair { family, by: RepairKind::Arguments };
            let of_family = family.map(|family| by_family(family, &ints)).unwrap_or_default();
            let repaired = self.with_all_ints(method, candidate, of_family, repair);
            proposals.candidates.extend(repaired);
            proposals.candidates.extend(self.with_bounds(method, candidate, repair));
            proposals.candidates.extend(self.with_literals(method, candidate, repair));
            proposals.states.push_back((candidate.clone(), failure.clone()));
        }
    }

    /// The integers of a call that can be changed, in order.
    fn ints_of(&self, method: PlannedIdx, candidate: &CallCandidate) -> IntTuple {
        let menus = &self.menus[method.index()];
        let pairs = menus.iter().zip(&candidate.literals);
        pairs.flat_map(|(menu, literal)| menu.ints(literal)).collect()
    }

    /// The same call with other integers, if the types have them.
    fn with_all_ints(
        &self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        tuples: Vec<IntTuple>,
        repair: Repair,
    ) -> Vec<CallCandidate> {
        let menus = &self.menus[method.index()];
        let with_ints = |tuple: IntTuple| {
            let mut ints = tuple.as_slice();
            let literal =
                |(menu, literal): (&crate::heuristic::literals::LiteralMenu, &Literal)| {
                    let (own, others) = ints.split_at(menu.ints(literal).len());
                    ints = others;
                    match own {
                        [] => Some(literal.clone()),
                        own => menu.with_ints(literal, own),
                    }
                };
            let literals: Option<Vec<Literal>> =
                menus.iter().zip(&candidate.literals).map(literal).collect();
            let structures = candidate.structures.clone();
            Some(CallCandidate {
                structures,
                literals: literals?,
                repair: Some(repair),
                n_messages: 0,
            })
        };
        tuples.into_iter().filter_map(with_ints).collect()
    }

    /// The same call with indices within bounds; with all integers if there are no indices.
    fn with_bounds(
        &mut self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        repair: Repair,
    ) -> Vec<CallCandidate> {
        let menus = &self.menus[method.index()];
        let pairs = menus.iter().zip(&candidate.literals);
        let are_indices: Vec<bool> = pairs
            .flat_map(|(menu, literal)| {
                vec![menu.role == LiteralRole::Index; menu.ints(literal).len()]
            })
            .collect();
        let chosen = |at: usize| !are_indices.contains(&true) || are_indices[at];
        let n_chosen = (0..are_indices.len()).filter(|at| chosen(*at)).count();
        let range = self.range(method, candidate);
        let ints = self.ints_of(method, candidate);
        let tuples = by_bounds(range, n_chosen, &mut self.choose).into_iter().map(|bounded| {
            let mut bounded = bounded.into_iter();
            let ints = ints.iter().enumerate();
            ints.map(|(at, &int)| match chosen(at) {
                true => bounded.next().expect("one for each that is chosen"),
                false => int,
            })
            .collect()
        });
        let tuples = tuples.collect();
        self.with_all_ints(method, candidate, tuples, repair)
    }

    /// The same call with one literal replaced.
    fn with_literals(
        &self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        repair: Repair,
    ) -> Vec<CallCandidate> {
        let mut candidates = Vec::new();
        for (number, menu) in self.menus[method.index()].iter().enumerate() {
            for literal in menu.literals.iter().take(MOST_LITERALS) {
                let mut other = CallCandidate { repair: Some(repair), ..candidate.clone() };
                other.literals[number] = literal.clone();
                candidates.push(other);
            }
        }
        candidates
    }

    /// The same call with a list or text of a length from the message.
    fn with_lengths(
        &self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        clue: &Clue,
        repair: Repair,
    ) -> Vec<CallCandidate> {
        let mut candidates = Vec::new();
        for (place, menu) in self.menus[method.index()].iter().enumerate() {
            if menu.role != LiteralRole::Container {
                continue;
            }
            let own = length_of(&candidate.literals[place].source).unwrap_or(0);
            let lengths = lengths_of(clue, own.into()).into_iter();
            let lengths = lengths.filter_map(|length| u64::try_from(length).ok());
            for literal in lengths.filter_map(|length| menu.of_length(length)) {
                let mut other = CallCandidate { repair: Some(repair), ..candidate.clone() };
                other.literals[place] = literal;
                candidates.push(other);
            }
        }
        candidates
    }

    /// The same call on other structures, changed by relative operations or taken from the pool;
    /// with the same literals, and with integers within the new bounds.
    fn other_states(
        &mut self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        failure: &Failure,
    ) -> Vec<CallCandidate> {
        let repair = Repair { family: failure.family(), by: RepairKind::State };
        let mut candidates = Vec::new();
        for param in 0..candidate.structures.len() {
            for structure in self.other_structures(candidate, param, failure) {
                let mut other = CallCandidate { repair: Some(repair), ..candidate.clone() };
                other.structures[param] = structure;
                let bounded = self.with_bounds(method, &other, repair).into_iter().take(2);
                let bounded: Vec<CallCandidate> = bounded.collect();
                candidates.extend(self.with_all_structures(&other, structure));
                candidates.push(other);
                candidates.extend(bounded);
            }
        }
        candidates
    }

    /// The same call with one structure in place of all of its type, each made separately; `None`
    /// if there is only one.
    fn with_all_structures(
        &self,
        candidate: &CallCandidate,
        structure: PoolIdx,
    ) -> Option<CallCandidate> {
        let ty = self.pool.get(structure).ty;
        let same = |idx: &PoolIdx| self.pool.get(*idx).ty == ty;
        let is_pair = candidate.structures.iter().filter(|idx| same(idx)).count() > 1;
        is_pair.then(|| {
            let mut all = candidate.clone();
            all.structures.iter_mut().filter(|idx| same(idx)).for_each(|idx| *idx = structure);
            all
        })
    }

    fn other_structures(
        &mut self,
        candidate: &CallCandidate,
        param: usize,
        failure: &Failure,
    ) -> Vec<PoolIdx> {
        let structure = candidate.structures[param];
        let wanted = &candidate.literals;
        let larger: i128 = match failure {
            Failure::Panic { clue, .. } => clue.numbers.iter().copied().max().unwrap_or(2),
            Failure::Other(_) => 2,
        };
        let larger = (larger + 1).clamp(2, MOST_ADDED) as usize;
        let grown = [
            self.resized(structure, SizeChange::Grows, 1, wanted),
            self.resized(structure, SizeChange::Grows, larger, wanted),
        ];
        let shrunk = [
            self.resized(structure, SizeChange::Shrinks, 1, &[]),
            self.resized(structure, SizeChange::Shrinks, 2, &[]),
        ];
        let is_full = matches!(
            failure.family(),
            Some(PanicFamily::Full | PanicFamily::Capacity | PanicFamily::Overflow)
        );
        let (first, second) = if is_full { (shrunk, grown) } else { (grown, shrunk) };
        let ranked = self.pool.ranked(self.pool.get(structure).ty);
        let n_ends = MOST_STRUCTURES.min(ranked.len());
        // Those reached with the fewest calls, and those with the most.
        let others = ranked[..n_ends].iter().chain(ranked.iter().rev().take(n_ends)).copied();
        let mut all: Vec<PoolIdx> = Vec::new();
        for other in first.into_iter().chain(second).flatten().chain(others) {
            if other != structure && !all.contains(&other) {
                all.push(other);
            }
        }
        all
    }
}

/// The lengths that a message suggests instead of a container's own: those in the message, and the
/// one that makes up for the difference between two.
fn lengths_of(clue: &Clue, own: i128) -> Vec<i128> {
    let mut lengths: Vec<i128> = clue.numbers.iter().take(4).copied().collect();
    if let [.., left, right] = *clue.numbers {
        lengths.extend([own + left - right, own + right - left]);
    }
    lengths
}

impl Failure {
    pub(super) fn family(&self) -> Option<PanicFamily> {
        match self {
            Failure::Panic { clue, .. } => Some(clue.family),
            Failure::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_one_of_the_message_or_makes_up_for_a_difference() {
        let lengths = |numbers: &[i128]| {
            let clue = Clue { family: PanicFamily::UnequalLengths, numbers: numbers.to_vec() };
            lengths_of(&clue, 10)
        };
        assert_eq!(lengths(&[3, 5]), [3, 5, 8, 12]);
        assert_eq!(lengths(&[7]), [7]);
        // The first four, and the difference of the last two.
        assert_eq!(lengths(&[1, 2, 3, 4, 9, 5]), [1, 2, 3, 4, 14, 6]);
    }
}
