//! Levels of calls, breadth first: the strategy that makes every call and finds shortest recipes.
//!
//! Level *n* makes every call whose structure arguments cost *n - 1* calls together. A tuple of
//! arguments is tried only at that level, so every tuple is tried exactly once and the first recipe
//! found for a structure is a shortest one. Within a level, tuples come in the order of their first
//! structure, then signature, then the other structures; on a tuple, methods come in suite order
//! and literals in the scope's order. Of several shortest recipes the first in this order is kept.
//!
//! Source: Politano et al. (FASE 2023), Figure 4. Departures: constructors are called once, not in
//! every round; levels count calls, not rounds, so that recipes of methods on several structures
//! are shortest too; a structure is reconstructed, its sequence is not run again.
//!
//! # Order and witnesses
//!
//! Level *n* makes every call whose structure arguments cost *n* - 1 calls together. A structure's
//! cost is the level that found it. So every tuple of arguments is tried exactly once, and the
//! first recipe found has the fewest calls, for methods on several structures too: costs add up.
//! (The paper counts rounds and calls each constructor again in each; here constructors are called
//! once, in level 1. Published counts of calls are therefore ours, plus one for each constructor
//! call and level with new structures.)
//!
//! Within a level the order is: first structure, signature, further structures, method in suite
//! order, literals in the scope's order. It is *not* (method, arguments), which would be simpler: a
//! structure is made once for all its calls, whereas with methods outermost it would be made once
//! per method. Ties between shortest recipes go to the first in this order.
//!
//! A level is cut into blocks of parents with about 2^15 calls each. Blocks run in parallel and
//! write candidates; then the store takes the candidates of up to 16 blocks, in block order. The
//! choice of threads is invisible.

use std::collections::VecDeque;
use std::ops::Range;

use beget_plan::finding::StopReason;

use crate::data::block::{Block, ReportRule};
use crate::data::parallel::map_all;
use crate::data::report::Level;
use crate::data::state_bytes::state_from;
use crate::data::wire::{Wire, packs_fields, to_bytes};
use crate::store::{Store, StoreError, StructureId};
use crate::strategy::proposal::{BATCH_BLOCKS, block_calls};
use crate::strategy::proposal::{Batch, Lesson, Proposal, Situation, Strategy};
use crate::strategy::tuples::{BlockLimits, Continuation, TupleCursor};
use crate::worker::explorer::Explorer;

/// The levels of a run.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The level being explored, or the last one; 0 before the first.
    level: u32,
    /// True if the level has begun and not ended.
    is_open: bool,
    /// The structures of each cost: `by_cost[c]` holds those of cost `c`. Costs start at 1.
    by_cost: Vec<Range<u64>>,
    most_cost: u32,
    /// The rest of the level, in order.
    parts: VecDeque<LevelPart>,
    n_parents: u64,
    n_parents_left: u64,
    /// Calls before the level.
    explored_before: u64,
    done: Vec<Level>,
}

/// The calls of a level on tuples whose first structures have the same cost.
#[derive(Clone, Debug)]
enum LevelPart {
    Constructors,
    Tuples { cursor: TupleCursor, cost: u32 },
}

packs_fields! {
    Levels {
        level, is_open, by_cost, most_cost, parts, n_parents, n_parents_left, explored_before, done
    }
}

impl Wire for LevelPart {
    fn pack(&self, bytes: &mut Vec<u8>) {
        match self {
            LevelPart::Constructors => bytes.push(0),
            LevelPart::Tuples { cursor, cost } => {
                bytes.push(1);
                cursor.pack(bytes);
                cost.pack(bytes);
            }
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u32::unpack(bytes)? {
            0 => LevelPart::Constructors,
            1 => LevelPart::Tuples { cursor: Wire::unpack(bytes)?, cost: Wire::unpack(bytes)? },
            _ => return None,
        })
    }
}

/// The further structures of a level's tuples: those that add up to the level's cost.
struct LevelCosts<'c> {
    by_cost: &'c [Range<u64>],
    /// The total cost of the structures of a tuple.
    total: u32,
}

impl LevelCosts<'_> {
    fn of(&self, id: StructureId) -> u32 {
        self.by_cost.partition_point(|ids| ids.end <= id.number()) as u32
    }
}

impl Continuation for LevelCosts<'_> {
    fn following(&self, chosen: &[StructureId], is_last: bool) -> Range<u64> {
        let spent: u32 = chosen.iter().map(|&id| self.of(id)).sum();
        let rest = self.total.saturating_sub(spent) as usize;
        let known = self.by_cost.len() - 1;
        match (rest, is_last) {
            (0, _) => 0..0,
            (_, true) => self.by_cost.get(rest).cloned().unwrap_or(0..0),
            // Costs rise with structure numbers.
            (_, false) => 0..self.by_cost[rest.min(known)].end,
        }
    }
}

impl Levels {
    /// The strategy before the first call.
    pub(crate) fn new() -> Self {
        Levels { by_cost: vec![Range::default()], ..Levels::default() }
    }

    /// Makes the next level the current one, unless there is none.
    fn begin_level<S: Store>(&mut self, situation: &Situation<'_, S>) -> Option<StopReason> {
        let explorer = situation.explorer;
        if self.is_open {
            self.end_level(situation.store.len(), situation.explored);
        }
        let level = self.level + 1;
        let most_arguments = most_arguments(explorer);
        if level > 1 && level - 1 > most_arguments.saturating_mul(self.most_cost) {
            return Some(StopReason::Exhausted);
        }
        if situation.has_failed && situation.plan().ends_at_failure {
            return Some(StopReason::FailureFound);
        }
        if let Some(most) = situation.plan().budget.max_levels.filter(|&most| level > most) {
            return Some(StopReason::MaxLevels(most));
        }
        self.level = level;
        self.is_open = true;
        self.parts = match level {
            1 => VecDeque::from([LevelPart::Constructors]),
            _ => self.parts_of(explorer, most_arguments > 1),
        };
        let n_parents = self.parts.iter().map(LevelPart::n_left).sum();
        (self.n_parents, self.n_parents_left) = (n_parents, n_parents);
        self.explored_before = situation.explored;
        None
    }

    fn end_level(&mut self, n_structures: u64, explored: u64) {
        let before = self.by_cost[self.by_cost.len() - 1].end;
        if n_structures > before {
            self.most_cost = self.level;
        }
        self.done.extend(self.begun(n_structures, explored));
        self.by_cost.push(before..n_structures);
        self.is_open = false;
    }

    /// The results of the current level; `None` if no call was made for it.
    fn begun(&self, n_structures: u64, explored: u64) -> Option<Level> {
        let new = n_structures - self.by_cost[self.by_cost.len() - 1].end;
        let explored = explored - self.explored_before;
        (explored > 0).then_some(Level { calls: self.level, new, explored })
    }

    /// The parts of a level after the first, whose tuples cost `level - 1` in all.
    fn parts_of(&self, explorer: &Explorer<'_>, has_several: bool) -> VecDeque<LevelPart> {
        let groups = || explorer.signatures().filter(|(_, group)| !group.types.is_empty());
        (1..self.level)
            .filter(|&cost| has_several || cost == self.level - 1)
            .map(|cost| (self.by_cost[cost as usize].clone(), cost))
            .filter(|(parents, _)| !parents.is_empty())
            .map(|(parents, cost)| {
                // With a structure that has all of the cost the tuple ends, with a cheaper one it
                // continues.
                let is_whole = cost == self.level - 1;
                let fits = groups().filter(|(_, group)| (group.types.len() == 1) == is_whole);
                LevelPart::Tuples { cursor: TupleCursor::new(explorer, fits, parents), cost }
            })
            .filter(|part| !part.is_done())
            .collect()
    }

    /// The most calls on one parent of cost `cost`.
    fn calls_per_parent(&self, explorer: &Explorer<'_>, cost: u32) -> u64 {
        let rest = self.level - 1 - cost;
        let of_group = |group: &crate::data::calls::CallGroup| match group.types.len() {
            0 => 0,
            1 => explorer.n_calls(group) * u64::from(rest == 0),
            n => explorer.n_calls(group).saturating_mul(self.n_tuples(n - 1, rest)),
        };
        let all = explorer.signatures().map(|(_, group)| of_group(group));
        all.fold(0, u64::saturating_add).max(1)
    }

    /// Returns whether the budgets may cut the next batch.
    fn may_be_cut<S: Store>(&self, situation: &Situation<'_, S>) -> bool {
        let Ok(allowed) = situation.allowed else { return true };
        let Some(LevelPart::Tuples { cost, .. }) = self.parts.front() else { return false };
        let per_parent = self.calls_per_parent(situation.explorer, *cost);
        let whole_batch =
            (BATCH_BLOCKS as u64).saturating_mul(block_calls(situation.plan()).max(per_parent));
        allowed < whole_batch
    }

    /// The number of tuples of `n` structures that cost `cost` in all, of any types.
    fn n_tuples(&self, n: usize, cost: u32) -> u64 {
        if n == 0 {
            return u64::from(cost == 0);
        }
        let first = |own: u32| {
            let count = self.by_cost.get(own as usize).map_or(0, |ids| ids.end - ids.start);
            if count == 0 { 0 } else { count.saturating_mul(self.n_tuples(n - 1, cost - own)) }
        };
        (1..=cost).map(first).fold(0, u64::saturating_add)
    }

    /// The next blocks of a part, of at most `allowed` calls together but at least one parent, or
    /// the rest of one.
    fn blocks<S: Store>(
        &self,
        cursor: &mut TupleCursor,
        cost: u32,
        allowed: u64,
        situation: &Situation<'_, S>,
    ) -> Result<Vec<Block>, StoreError> {
        let Situation { explorer, store, .. } = situation;
        let per_parent = self.calls_per_parent(explorer, cost);
        let least = u64::from(!cursor.is_within_first());
        let mut affordable = (allowed / per_parent).max(least);
        let calls = block_calls(situation.plan());
        let size = (calls / per_parent).clamp(1, 2048);
        let costs = LevelCosts { by_cost: &self.by_cost, total: self.level - 1 };
        if cursor.is_of_single_structures() {
            let mut parents = Vec::new();
            while parents.len() < BATCH_BLOCKS && !cursor.is_done() && affordable > 0 {
                let next = cursor.next_parents(size.min(affordable));
                affordable -= next.end - next.start;
                parents.push(next);
            }
            // A block of them does not depend on those before it.
            let block = |parents| cursor.block_of(explorer, *store, parents);
            return explorer.install(|| map_all(parents, block)).into_iter().collect();
        }
        let mut blocks = Vec::new();
        while blocks.len() < BATCH_BLOCKS && !cursor.is_done() {
            if affordable == 0 && !cursor.is_within_first() {
                break;
            }
            let before = cursor.n_left();
            let limits = BlockLimits { firsts: size.min(affordable), calls };
            blocks.push(cursor.block(explorer, *store, &costs, limits)?);
            affordable -= before - cursor.n_left();
        }
        Ok(blocks)
    }
}

impl LevelPart {
    fn n_left(&self) -> u64 {
        match self {
            LevelPart::Constructors => 0,
            LevelPart::Tuples { cursor, .. } => cursor.n_left(),
        }
    }

    fn is_done(&self) -> bool {
        matches!(self, LevelPart::Tuples { cursor, .. } if cursor.is_done())
    }

    /// Returns whether the current parent must be finished, whatever the budgets: all calls on a
    /// parent are made, or none.
    fn is_within_first(&self) -> bool {
        matches!(self, LevelPart::Tuples { cursor, .. } if cursor.is_within_first())
    }
}

impl<S: Store> Strategy<S> for Levels {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        let is_settled = situation.store.unsettled().candidates == 0;
        while self.parts.is_empty() {
            if !is_settled {
                return Ok(Proposal::Settle);
            }
            if let Some(reason) = self.begin_level(situation) {
                return Ok(Proposal::Stop(reason));
            }
        }
        if !is_settled && self.may_be_cut(situation) {
            return Ok(Proposal::Settle);
        }
        let mut part = self.parts.pop_front().expect("the level has a part");
        let allowed = match situation.allowed {
            Ok(allowed) => allowed,
            Err(_) if part.is_within_first() => 0,
            Err(reason) => {
                self.parts.push_front(part);
                return Ok(Proposal::Stop(reason));
            }
        };
        let before = part.n_left();
        let newest = self.by_cost[self.by_cost.len() - 1].start;
        let mut blocks = match &mut part {
            LevelPart::Constructors => vec![constructors(situation.explorer)],
            LevelPart::Tuples { cursor, cost } => self.blocks(cursor, *cost, allowed, situation)?,
        };
        let reported = match situation.store.matches() {
            true => ReportRule::Once,
            false => ReportRule::Changed,
        };
        for block in &mut blocks {
            (block.newest, block.reported) = (newest, reported);
        }
        self.n_parents_left -= before - part.n_left();
        if matches!(part, LevelPart::Tuples { .. }) && !part.is_done() {
            self.parts.push_front(part);
        }
        let done = self.n_parents - self.n_parents_left;
        let level_done = (done * 1000 / self.n_parents.max(1)) as u32;
        // If calls take several structures, an old one is taken beside each new one.
        let passed = if most_arguments(situation.explorer) > 1 { 0 } else { newest };
        Ok(Proposal::Calls(Batch { blocks, level: self.level, passed, level_done }))
    }

    fn learn(&mut self, _: &Lesson<'_, S>) {}

    fn needs_lessons(&self) -> bool {
        false
    }

    fn is_between_levels(&self) -> bool {
        self.parts.is_empty()
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(to_bytes(self))
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StoreError> {
        *self = state_from(state)?;
        Ok(())
    }

    fn levels(&self, store: &S, explored: u64) -> Vec<Level> {
        let begun = self.is_open.then(|| self.begun(store.len(), explored)).flatten();
        self.done.iter().copied().chain(begun).collect()
    }
}

/// The most structures that a call takes.
fn most_arguments(explorer: &Explorer<'_>) -> u32 {
    explorer.signatures().map(|(_, group)| group.types.len()).max().unwrap_or(0) as u32
}

/// The calls without structures.
fn constructors(explorer: &Explorer<'_>) -> Block {
    let mut block = Block::default();
    for (index, _) in explorer.signatures().filter(|(_, group)| group.types.is_empty()) {
        block.add_calls(index, &[]);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{plan, suite};
    use crate::store::ExactStore;
    use crate::strategy::tests::many_literals;
    use crate::worker::explorer::Settings;

    /// Of its parts, the constructors are left only if no call is allowed at all.
    #[test]
    fn the_rest_of_a_level_comes_out_as_it_went_in() {
        let plan = plan(suite(), &["new", "insert"], 2);
        let explorer = Explorer::new(&plan, Settings::default());
        let cursor = TupleCursor::new(&explorer, explorer.signatures().skip(1), 3..7);
        let parts = [LevelPart::Constructors, LevelPart::Tuples { cursor, cost: 300 }];
        let mut bytes = Vec::new();
        parts.iter().for_each(|part| part.pack(&mut bytes));
        let mut rest = &bytes[..];
        assert!(matches!(LevelPart::unpack(&mut rest), Some(LevelPart::Constructors)));
        let Some(LevelPart::Tuples { cursor, cost }) = LevelPart::unpack(&mut rest) else {
            panic!("the part with tuples")
        };
        assert_eq!((cursor.n_left(), cost, rest), (4, 300, &[][..]));
        assert!(LevelPart::unpack(&mut &[2_u8][..]).is_none());
    }

    /// A block has 2^15 calls and a batch 16 of them. A parent has fewer, so it does not matter.
    #[test]
    fn a_batch_may_be_cut_if_fewer_calls_are_allowed_than_it_has() {
        let plan = plan(suite(), &["new", "insert"], 2);
        let explorer = Explorer::new(&plan, Settings::default());
        let store = ExactStore::of(&plan);
        let may_be_cut = |parts: Vec<LevelPart>, allowed| {
            let levels = Levels { level: 2, parts: parts.into(), ..Levels::new() };
            let (explorer, store) = (&explorer, &store);
            let situation = Situation { explorer, store, explored: 1, allowed, has_failed: false };
            levels.may_be_cut(&situation)
        };
        let tuples = || {
            let cursor = TupleCursor::new(&explorer, explorer.signatures().skip(1), 0..1);
            vec![LevelPart::Tuples { cursor, cost: 1 }]
        };
        let whole = 16 << 15;
        assert!(may_be_cut(tuples(), Ok(whole - 1)));
        assert!(!may_be_cut(tuples(), Ok(whole)));
        assert!(!may_be_cut(tuples(), Ok(whole + 1)));
        assert!(may_be_cut(tuples(), Err(StopReason::MaxCalls(1))));
        // Constructors are one block, which is not cut.
        assert!(!may_be_cut(vec![LevelPart::Constructors], Ok(1)));
        assert!(!may_be_cut(Vec::new(), Ok(1)));
    }

    #[test]
    fn levels_need_no_lessons_and_are_between_two_when_no_part_is_left() {
        let levels = Levels::new();
        assert!(!Strategy::<ExactStore>::needs_lessons(&levels));
        assert!(Strategy::<ExactStore>::is_between_levels(&levels));
        let levels = Levels { parts: [LevelPart::Constructors].into(), ..levels };
        assert!(!Strategy::<ExactStore>::is_between_levels(&levels));
    }

    #[test]
    fn parents_with_many_calls_are_few_in_a_block() {
        let (plan, store) = many_literals();
        let explorer = Explorer::new(&plan, Settings::default());
        let levels = Levels { level: 2, by_cost: vec![0..0, 0..5], ..Levels::new() };
        let mut cursor = TupleCursor::new(&explorer, explorer.signatures(), 0..5);
        let (explorer, store, allowed) = (&explorer, &store, Ok(u64::MAX));
        let situation = Situation { explorer, store, explored: 1, allowed, has_failed: false };
        let blocks = levels.blocks(&mut cursor, 1, u64::MAX, &situation).unwrap();
        let n_parents: Vec<u32> = blocks.iter().map(Block::n_structures).collect();
        assert_eq!(n_parents, [2, 2, 1]);
    }

    #[test]
    fn blocks_made_by_several_threads_are_those_made_one_after_another() {
        let (plan, store) = many_literals();
        let explorer = Explorer::new(&plan, Settings { threads: 3, ..Settings::default() });
        let levels = Levels { level: 2, by_cost: vec![0..0, 0..5], ..Levels::new() };
        let cursor = || TupleCursor::new(&explorer, explorer.signatures(), 0..5);
        let (explorer, store, allowed) = (&explorer, &store, Ok(u64::MAX));
        let situation = Situation { explorer, store, explored: 1, allowed, has_failed: false };
        let mut together = cursor();
        let blocks = levels.blocks(&mut together, 1, u64::MAX, &situation).unwrap();
        assert!(together.is_done());
        let mut alone = cursor();
        let costs = LevelCosts { by_cost: &levels.by_cost, total: 1 };
        for block in blocks {
            let limits = BlockLimits { firsts: 2, calls: u64::MAX };
            assert_eq!(block, alone.block(explorer, store, &costs, limits).unwrap());
        }
        assert!(alone.is_done());
    }
}
