//! Rounds: the strategy that completes a closure.
//!
//! A round makes the missing calls on the structures known when it begins. Its blocks have one
//! method each, so that their counters are the method's.

use std::collections::VecDeque;
use std::ops::Range;

use beget_plan::finding::StopReason;
use beget_plan::scope::PlannedIdx;

use crate::data::block::{Block, ReportRule};
use crate::data::ledger::Counters;
use crate::store::{Store, StoreError, StructureId};
use crate::strategy::effects::EffectLog;
use crate::strategy::proposal::{BATCH_BLOCKS, block_calls};
use crate::strategy::proposal::{Batch, Lesson, Proposal, Situation, Strategy};
use crate::strategy::tuples::{BlockLimits, Continuation, TupleCursor};

/// The calls already made.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// For each method in use, the number of structures all of whose tuples have been tried; at
    /// least 1 for a called constructor.
    tried: Vec<Option<u64>>,
    pub(crate) counters: Vec<Counters>,
}

impl Rounds {
    /// The state without any method in use.
    pub(crate) fn new(n_methods: usize) -> Self {
        Rounds { tried: vec![None; n_methods], counters: vec![Counters::default(); n_methods] }
    }
}

/// The rounds that additional methods make necessary.
pub(crate) struct Growth<'g, 'w> {
    rounds: &'g mut Rounds,
    watcher: Option<EffectLog<'w>>,
    round: u32,
    /// The number of structures when the round began.
    n_known: u64,
    parts: VecDeque<RoundPart>,
    n_parts: usize,
    /// The methods of the blocks proposed last.
    proposed: Vec<PlannedIdx>,
}

/// The calls of one method that a round makes.
#[derive(Debug)]
struct RoundPart {
    method: PlannedIdx,
    /// `None` for a constructor.
    tuples: Option<TupleCursor>,
    /// Tuples of structures below this were tried.
    old: u64,
    /// The most calls on one first structure.
    per_parent: u64,
}

/// The further structures of a round's tuples, at least one of which is new.
struct KnownTuples {
    old: u64,
    n_known: u64,
}

impl Continuation for KnownTuples {
    fn following(&self, chosen: &[StructureId], is_last: bool) -> Range<u64> {
        let has_new = chosen.iter().any(|id| id.number() >= self.old);
        if is_last && !has_new { self.old..self.n_known } else { 0..self.n_known }
    }
}

impl<'g, 'w> Growth<'g, 'w> {
    pub(crate) fn new(
        rounds: &'g mut Rounds,
        methods: &[PlannedIdx],
        watcher: Option<EffectLog<'w>>,
    ) -> Self {
        for &method in methods {
            rounds.tried[method.index()].get_or_insert(0);
        }
        Growth {
            rounds,
            watcher,
            round: 0,
            n_known: 0,
            parts: VecDeque::new(),
            n_parts: 0,
            proposed: Vec::new(),
        }
    }

    fn begin_round<S: Store>(&mut self, situation: &Situation<'_, S>) {
        if self.round > 0 {
            self.end_round(situation);
        }
        self.round += 1;
        self.n_known = situation.store.len();
        let in_use = situation.plan().planned_idxs().zip(&self.rounds.tried);
        self.parts = in_use
            .filter_map(|(method, &tried)| tried.map(|tried| (method, tried)))
            .filter_map(|(method, tried)| part_of(method, tried, self.n_known, situation))
            .collect();
        self.n_parts = self.parts.len();
    }

    fn end_round<S: Store>(&mut self, situation: &Situation<'_, S>) {
        for (method, tried) in situation.plan().planned_idxs().zip(&mut self.rounds.tried) {
            let is_constructor = situation.explorer.arity(method) == 0;
            *tried = tried.map(|_| if is_constructor { 1 } else { self.n_known });
        }
    }

    /// The next block of the part, if the budget allows its calls or they `must` be made.
    fn block<S: Store>(
        &mut self,
        allowed: &mut u64,
        must: bool,
        situation: &Situation<'_, S>,
    ) -> Result<Option<Block>, StoreError> {
        let Some(part) = self.parts.front_mut() else { return Ok(None) };
        let Situation { explorer, store, .. } = situation;
        let known = KnownTuples { old: part.old, n_known: self.n_known };
        let mut block = match &mut part.tuples {
            None => {
                let mut block = Block::default();
                block.add_calls(explorer.alone(part.method).0, &[]);
                *allowed = allowed.saturating_sub(part.per_parent);
                block
            }
            Some(tuples) => {
                let calls = block_calls(situation.plan());
                let firsts = (calls / part.per_parent).clamp(1, 2048);
                let n_calls = firsts.min(tuples.n_left()) * part.per_parent;
                if !must && !tuples.is_within_first() && n_calls > *allowed {
                    return Ok(None);
                }
                *allowed = allowed.saturating_sub(n_calls);
                let limits = BlockLimits { firsts, calls };
                tuples.block(explorer, *store, &known, limits)?
            }
        };
        block.reported = match self.watcher {
            Some(_) => ReportRule::Every,
            None => ReportRule::Once,
        };
        block.newest = part.old;
        Ok(Some(block))
    }
}

/// The missing calls of a method on the first `n_known` structures.
fn part_of<S: Store>(
    method: PlannedIdx,
    old: u64,
    n_known: u64,
    situation: &Situation<'_, S>,
) -> Option<RoundPart> {
    let explorer = situation.explorer;
    let (index, group) = explorer.alone(method);
    let n_literals = explorer.n_calls(group);
    let (firsts, rest) = match group.types.len() {
        0 if old > 0 => return None,
        0 => return Some(RoundPart { method, tuples: None, old, per_parent: n_literals }),
        _ if old == n_known => return None,
        1 => (old..n_known, 1),
        arity => (0..n_known, n_known.saturating_pow(arity as u32 - 1)),
    };
    let tuples = TupleCursor::new(explorer, std::iter::once((index, group)), firsts);
    Some(RoundPart {
        method,
        tuples: Some(tuples),
        old,
        per_parent: n_literals.saturating_mul(rest).max(1),
    })
}

impl<S: Store> Strategy<S> for Growth<'_, '_> {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        if self.parts.is_empty() {
            self.begin_round(situation);
        }
        let is_within =
            |part: &RoundPart| part.tuples.as_ref().is_some_and(TupleCursor::is_within_first);
        let Some(part) = self.parts.front() else {
            return Ok(Proposal::Stop(StopReason::Exhausted));
        };
        let mut allowed = match situation.allowed {
            Ok(allowed) => allowed,
            Err(_) if is_within(part) => 0,
            Err(reason) => return Ok(Proposal::Stop(reason)),
        };
        self.proposed.clear();
        let mut blocks = Vec::new();
        while blocks.len() < BATCH_BLOCKS {
            let Some(block) = self.block(&mut allowed, blocks.is_empty(), situation)? else {
                break;
            };
            let part = self.parts.front().expect("the block's own");
            blocks.push(block);
            self.proposed.push(part.method);
            if part.tuples.as_ref().is_none_or(TupleCursor::is_done) {
                self.parts.pop_front();
            }
        }
        let done = self.n_parts - self.parts.len();
        let level_done = (done * 1000 / self.n_parts) as u32;
        Ok(Proposal::Calls(Batch { blocks, level: self.round, passed: 0, level_done }))
    }

    fn learn(&mut self, lesson: &Lesson<'_, S>) {
        for (&method, result) in self.proposed.iter().zip(lesson.results) {
            self.rounds.counters[method.index()] += result.ledger.counters;
            if let Some(watcher) = &mut self.watcher {
                watcher.see(method, lesson.calls, &result.candidates);
            }
        }
        if let Some(watcher) = &self.watcher {
            watcher.check(lesson.store);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::tests::many_literals;
    use crate::worker::explorer::{Explorer, Settings};

    #[test]
    fn structures_with_many_calls_are_few_in_a_block() {
        let (plan, store) = many_literals();
        let explorer = Explorer::new(&plan, Settings::default());
        let mut rounds = Rounds::new(1);
        let mut growth = Growth::new(&mut rounds, &[PlannedIdx::new(0)], None);
        let (explorer, store, allowed) = (&explorer, &store, Ok(u64::MAX));
        let situation = Situation { explorer, store, explored: 1, allowed, has_failed: false };
        let Ok(Proposal::Calls(batch)) = growth.propose(&situation) else { panic!("calls") };
        let n_parents: Vec<u32> = batch.blocks.iter().map(Block::n_structures).collect();
        assert_eq!(n_parents, [2, 2, 1]);
    }
}
