//! The seam of strategies: one that picks calls by chance finds a part of what the levels find, and
//! nothing else.

use crate::common;

use std::collections::BTreeSet;

use beget_engine::store::{CanonicalForm, ExactStore, Store, StoreError, StructureId};
use beget_engine::{
    Batch, Block, Executor, Explorer, GroupIdx, Lesson, Member, Proposal, Run, Settings, Situation,
    Strategy, Threads,
};
use beget_plan::finding::StopReason;
use beget_plan::scope::PlannedIdx;
use common::{plan, suite};

const METHODS: &[&str] = &["new", "insert", "absorb", "split"];

/// Undirected: every call is drawn anew, its structures from all that are known.
struct Chance {
    state: u64,
    n_batches: u32,
}

impl Chance {
    const MOST_BATCHES: u32 = 40;
    const CALLS_PER_BATCH: u32 = 25;

    fn below(&mut self, n: u64) -> u64 {
        // A linear congruential generator (Knuth, The Art of Computer Programming 2, 3.3.4) will
        // do.
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % n
    }

    /// A call, unless there is no structure, or one of a wrong type was drawn.
    fn draw<S: Store>(
        &mut self,
        situation: &Situation<'_, S>,
        block: &mut Block,
    ) -> Result<Option<(GroupIdx, u32, Vec<Member>)>, StoreError> {
        let Situation { explorer, store, .. } = situation;
        let method = self.below(explorer.plan().methods.len() as u64) as usize;
        let (index, group) = explorer.alone(PlannedIdx::new(method));
        let mut members = Vec::new();
        for &ty in &group.types {
            if store.is_empty() {
                return Ok(None);
            }
            let id = StructureId::new(self.below(store.len()));
            let form = store.form(id)?;
            if explorer.type_of(form.as_ref()) != ty {
                return Ok(None);
            }
            members.push(block.add_structure(id, form.as_ref()));
        }
        let literals = self.below(explorer.n_calls(group)) as u32;
        Ok(Some((index, literals, members)))
    }
}

impl<S: Store> Strategy<S> for Chance {
    fn propose(&mut self, situation: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        if let Err(reason) = situation.allowed {
            return Ok(Proposal::Stop(reason));
        }
        if self.n_batches == Self::MOST_BATCHES {
            let n_calls = u64::from(Self::MOST_BATCHES * Self::CALLS_PER_BATCH);
            return Ok(Proposal::Stop(StopReason::MaxCalls(n_calls)));
        }
        self.n_batches += 1;
        let mut block = Block::default();
        for _ in 0..Self::CALLS_PER_BATCH {
            if let Some((group, literals, members)) = self.draw(situation, &mut block)? {
                block.add_call(group, literals, &members);
            }
        }
        Ok(Proposal::Calls(Batch { blocks: vec![block], ..Batch::default() }))
    }

    fn learn(&mut self, _: &Lesson<'_, S>) {}
}

fn forms(store: &impl Store) -> BTreeSet<CanonicalForm> {
    let mut forms = BTreeSet::new();
    let scanned = store.scan(0..store.len(), &mut |_, form| {
        forms.insert(form.to_canonical());
    });
    scanned.expect("a store in memory");
    forms
}

fn by_chance(seed: u64, threads: usize) -> (BTreeSet<CanonicalForm>, u64) {
    let plan = plan(suite(), METHODS, 4);
    let explorer = Explorer::new(&plan, Settings { threads, ..Settings::default() });
    let mut executor = Executor::new(&explorer, ExactStore::of(&plan));
    let stopped = executor.run(&mut Chance { state: seed, n_batches: 0 }, &Threads, &mut |_| None);
    assert_eq!(stopped, StopReason::MaxCalls(1000));
    (forms(executor.store()), executor.ledger().counters.explored())
}

#[test]
fn what_chance_builds_is_a_part_of_what_there_is() {
    let all = Run::new(plan(suite(), METHODS, 4)).go();
    let all = forms(&all.store);
    let mut sizes = BTreeSet::new();
    for seed in 0..10 {
        let (some, explored) = by_chance(seed, 1);
        assert!(some.is_subset(&all), "seed {seed}");
        assert!(explored > 900, "most draws are calls: {explored} for seed {seed}");
        sizes.insert(some.len());
    }
    // Sum over n of binomial(4, n) * Catalan(n): 1 + 4 + 12 + 20 + 14.
    assert_eq!(all.len(), 51);
    assert!(sizes.len() > 1 && sizes.first() > Some(&20), "{sizes:?}");
}

#[test]
fn the_same_seed_gives_the_same_set_for_any_number_of_threads() {
    assert_eq!(by_chance(3, 1), by_chance(3, 4));
}
