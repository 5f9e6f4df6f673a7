//! Watching what calls leave, with every structure by its number.

use std::collections::HashMap;

use ahash::RandomState;

use crate::calls::CallTable;
use crate::store::{Candidates, ExactStore, Store, StructureId, hasher};

/// What one call left: an argument as it was after the call, or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<'c> {
    /// The method's position in the plan.
    pub method: usize,
    /// The structures that the call took.
    pub arguments: &'c [StructureId],
    /// Which of the call's structures is meant: among the arguments, then among the results.
    pub output: usize,
    /// What it is after the call.
    pub target: StructureId,
}

impl Effect<'_> {
    /// Whether it is an argument that is as it was before the call.
    pub fn is_unchanged(&self) -> bool {
        self.arguments.get(self.output) == Some(&self.target)
    }
}

/// The numbers of forms, written without trailing zero words.
type Ids = HashMap<Box<[u64]>, u32, RandomState>;

fn ids_of(store: &ExactStore) -> Ids {
    let mut ids = Ids::with_hasher(hasher());
    store.scan(0..store.len(), &mut |id, form| {
        let words: Vec<u64> = form.chunks(8).map(word_of).collect();
        ids.insert(trimmed(&words).into(), id.0);
    });
    ids
}

fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn trimmed(words: &[u64]) -> &[u64] {
    let zeros = words.iter().rev().take_while(|&&word| word == 0).count();
    &words[..words.len() - zeros]
}

/// Tells a watcher what calls left. It numbers forms as the store will.
pub(super) struct Watcher<'w> {
    ids: Ids,
    watch: &'w mut dyn FnMut(Effect<'_>),
}

impl<'w> Watcher<'w> {
    /// A watcher that knows everything in `store`.
    pub(super) fn new(store: &ExactStore, watch: &'w mut dyn FnMut(Effect<'_>)) -> Self {
        Watcher { ids: ids_of(store), watch }
    }

    /// After a commit: the store must have numbered forms as the watcher did.
    pub(super) fn check(&self, store: &ExactStore) {
        assert_eq!(self.ids.len(), store.len() as usize, "a beget bug: watcher and store differ");
    }

    /// Shows the effects of one block of a method's calls, the next one that the store has taken.
    pub(super) fn see(&mut self, method: usize, calls: &CallTable, candidates: &Candidates) {
        let arity = calls.arity(method);
        let mut arguments = Vec::new();
        for (call, parent, words) in in_order(candidates) {
            arguments.clear();
            match arity {
                0 => {}
                1 => arguments.push(StructureId(parent)),
                _ => {
                    let tail = &candidates.tails[parent as usize..parent as usize + arity];
                    arguments.extend(tail.iter().map(|&id| StructureId(id)));
                }
            }
            let words = trimmed(words);
            let target = match self.ids.get(words) {
                Some(&id) => id,
                None => {
                    let id = self.ids.len() as u32;
                    self.ids.insert(words.into(), id);
                    id
                }
            };
            let output = calls.parts(call).output;
            let target = StructureId(target);
            (self.watch)(Effect { method, arguments: &arguments, output, target });
        }
    }
}

/// The call, parent and form of each candidate, in the order in which they were pushed.
fn in_order(candidates: &Candidates) -> Vec<(u32, u32, &[u64])> {
    let mut all: Vec<(u32, u32, &[u64])> = vec![(0, 0, &[]); candidates.len() as usize];
    for shard in &candidates.shards {
        let mut words = &shard.words[..];
        for head in &shard.heads {
            let (own, rest) = words.split_at(usize::from(head.len).div_ceil(8));
            all[head.position as usize] = (head.call, head.parent, own);
            words = rest;
        }
    }
    all
}
