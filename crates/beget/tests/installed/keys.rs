//! Keys by provenance: a structure is called with the keys that it has returned itself.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::store::{Store as _, StructureId};
use beget_engine::{Corpus, Run};
use beget_run::DiffPlan;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, assert_complete, found, plan, run};

/// Values in slots, which are used again. A key is of one use of its slot, unless it is `WRONG`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Heap)]
pub struct Arena<const WRONG: bool> {
    slots: Vec<Place>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Heap)]
struct Place {
    uses: u8,
    value: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Heap)]
pub struct Key {
    slot: u8,
    uses: u8,
}

impl<const WRONG: bool> Arena<WRONG> {
    pub fn new() -> Self {
        Arena { slots: Vec::new() }
    }

    pub fn insert(&mut self, value: u8) -> Key {
        let free = self.slots.iter().position(|slot| slot.value.is_none());
        let slot = free.unwrap_or(self.slots.len());
        if free.is_none() {
            self.slots.push(Place::default());
        }
        let place = &mut self.slots[slot];
        place.value = Some(value);
        place.uses += u8::from(!WRONG);
        Key { slot: slot as u8, uses: place.uses }
    }

    pub fn try_insert(&mut self, value: u8) -> Option<Key> {
        (self.slots.len() < 2).then(|| self.insert(value))
    }

    pub fn remove(&mut self, key: Key) -> Option<u8> {
        self.get(&key)?;
        self.slots[usize::from(key.slot)].value.take()
    }

    /// As [`Arena::remove`], of what should be there.
    pub fn take(&mut self, key: Key) -> u8 {
        let taken = self.remove(key);
        assert!(!WRONG || taken.is_some(), "the slot is empty");
        taken.unwrap_or_default()
    }

    pub fn get(&self, key: &Key) -> Option<u8> {
        let place = self.slots.get(usize::from(key.slot))?;
        place.value.filter(|_| place.uses == key.uses)
    }

    pub fn swap(&mut self, one: Key, other: Key) -> bool {
        let [one, other] = [one, other].map(|key| usize::from(key.slot));
        self.slots.swap(one, other);
        one != other
    }

    pub fn is_like(&self, other: &Self, key: Key) -> bool {
        self.get(&key) == other.slots.first().and_then(|place| place.value)
    }

    pub fn into_first(mut self) -> Option<Self> {
        self.slots.truncate(1);
        (!self.slots.is_empty()).then_some(self)
    }
}

macro_rules! arenas {
    ($($suite:ident $wrong:literal)+) => {$(
        beget::suite! {
            /// An arena.
            #[name = "arena"]
            pub suite $suite {
                for Arena<$wrong> {
                    fn new() -> Self;
                    fn insert(&mut self, value: u8) -> Key;
                    fn try_insert(&mut self, value: u8) -> Option<Key>;
                    fn remove(&mut self, key: Key) -> Option<u8>;
                    fn take(&mut self, key: Key) -> u8;
                    fn get(&self, key: &Key) -> Option<u8>;
                    fn swap(&mut self, one: Key, other: Key) -> bool;
                    fn is_like(&self, other: &Self, key: Key) -> bool;
                    fn into_first(self) -> Option<Self>;
                }
                for Key {
                    keys(own);
                }
            }
        }
    )+};
}

arenas! { Right false Wrong true }

/// What an arena should be: no key is used again.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: BTreeMap<usize, u8>,
    n_keys: usize,
}

impl Model {
    fn new() -> Self {
        Model::default()
    }

    fn insert(&mut self, value: u8) -> usize {
        self.n_keys += 1;
        self.values.insert(self.n_keys, value);
        self.n_keys
    }

    fn remove(&mut self, key: usize) -> Option<u8> {
        self.values.remove(&key)
    }

    fn get(&self, key: &usize) -> Option<u8> {
        self.values.get(key).copied()
    }
}

beget::suite! {
    /// The model.
    #[name = "model"]
    pub suite Models {
        for Model {
            abstraction |model| -> Vec<(usize, u8)> {
                model.values.iter().map(|(key, value)| (*key, *value)).collect()
            };
            fn new() -> Self;
            fn insert(&mut self, value: u8) -> usize;
            fn remove(&mut self, key: usize) -> Option<u8>;
            fn get(&self, key: &usize) -> Option<u8>;
        }
        for usize {
            keys;
        }
    }
}

const METHODS: &str = r#"methods: Only(["new", "insert", "remove", "get"])"#;

fn scope(k: u32, more: &str) -> String {
    format!(
        r#"k: {k}, objects: {{"*": "k"}}, arrays: "k", ints: "0..2", fields: {{"*": "any"}}, {more}"#
    )
}

/// The states of an arena and of the keys that it has issued, by a loop that knows nothing of
/// structures.
fn states(k: usize) -> BTreeSet<(Arena<false>, Vec<Key>)> {
    let mut all = BTreeSet::from([(Arena::new(), Vec::new())]);
    let mut pending: Vec<_> = all.iter().cloned().collect();
    while let Some((arena, keys)) = pending.pop() {
        let mut next = Vec::new();
        for value in 0..2 {
            let (mut arena, mut keys) = (arena.clone(), keys.clone());
            keys.push(arena.insert(value));
            next.push((arena, keys));
        }
        for &key in &keys {
            let mut arena = arena.clone();
            arena.remove(key);
            next.push((arena, keys.clone()));
        }
        let is_new = |state: &(Arena<false>, Vec<Key>)| state.1.len() <= k && !all.contains(state);
        let next: Vec<_> = next.into_iter().filter(is_new).collect();
        all.extend(next.iter().cloned());
        pending.extend(next);
    }
    all
}

#[test]
fn structures_are_told_apart_by_what_they_have_issued() {
    for k in 1..=3 {
        let corpus = run(Right::suite(), &scope(k, METHODS), RECONSTRUCT, 1);
        assert_complete(&corpus, states(k as usize).len() as u64);
    }
    // Nothing; one value, two of them; the same without it.
    assert_eq!(states(1).len(), 1 + 2 + 1);
    // A picture shows the value and the keys that it has issued: one of each but the first.
    let corpus = run(Right::suite(), &scope(1, METHODS), RECONSTRUCT, 1);
    let issued = (0..corpus.store.len()).map(|id| {
        let graph = corpus.graph(StructureId::new(id)).unwrap().expect("it can be made again");
        assert!(!graph.objects().is_empty());
        graph.beside().len()
    });
    assert_eq!(issued.collect::<Vec<_>>(), [0, 1, 1, 1]);
}

#[test]
fn every_copy_strategy_finds_the_same() {
    let more = r#"methods: Only(["new", "insert", "remove", "swap", "into_first"])"#;
    let expected = run(Wrong::suite(), &scope(2, more), RECONSTRUCT, 1);
    for copy_options in [REGION, CLONES, REPLAY] {
        for threads in [1, 4] {
            let corpus = run(Wrong::suite(), &scope(2, more), copy_options, threads);
            assert_eq!(found(&corpus), found(&expected));
        }
    }
}

#[test]
fn a_recipe_names_the_keys_that_later_calls_take() {
    let more = r#"methods: Only(["new", "try_insert", "remove", "swap"])"#;
    let corpus = run(Right::suite(), &scope(2, more), RECONSTRUCT, 1);
    let sources: BTreeSet<String> = (0..corpus.store.len())
        .map(|id| {
            let recipe = corpus.recipe(StructureId::new(id)).unwrap();
            to_source(&corpus.plan.suite, &recipe).0
        })
        .collect();
    for expected in [
        "let mut arena = Arena::<false>::new();\nlet _ = arena.try_insert(1);",
        "let mut arena = Arena::<false>::new();\nlet key = arena.try_insert(0).unwrap();\n\
         let _ = arena.remove(key);\nlet _ = arena.try_insert(1);",
        "let mut arena = Arena::<false>::new();\nlet key = arena.try_insert(0).unwrap();\n\
         let key_2 = arena.try_insert(0).unwrap();\nlet _ = arena.remove(key);\n\
         let _ = arena.remove(key_2);",
        "let mut arena = Arena::<false>::new();\nlet key = arena.try_insert(0).unwrap();\n\
         let _ = arena.try_insert(0);\nlet _ = arena.remove(key);",
        "let mut arena = Arena::<false>::new();\nlet _ = arena.try_insert(0);\n\
         let key = arena.try_insert(0).unwrap();\nlet _ = arena.remove(key);",
    ] {
        assert!(sources.contains(expected), "{sources:#?}");
    }
}

/// A pair is written by the calls of its left side, with the keys that this has issued.
#[test]
fn a_recipe_of_a_pair_names_its_keys_too() {
    let plan = plan(Right::suite(), &scope(2, METHODS));
    let diff = DiffPlan::new(plan, &Right::suite()).unwrap();
    let corpus = Run::new(diff.plan().clone()).go();
    let alone = run(Right::suite(), &scope(2, METHODS), RECONSTRUCT, 1);
    let sources = |corpus: &Corpus| -> Vec<String> {
        let ids = (0..corpus.store.len()).map(StructureId::new);
        ids.map(|id| to_source(&corpus.plan.suite, &corpus.recipe(id).unwrap()).0).collect()
    };
    assert_eq!(sources(&corpus), sources(&alone));
}

/// The key of a value that was removed finds another one.
#[test]
fn a_stale_key_that_comes_to_life_again_is_found_by_a_model() {
    let message = std::panic::catch_unwind(|| {
        beget::diff!(Wrong, Models, k = 2, arrays = "k", ints = [0], fields = {"*": "any"});
    });
    let message = *message.unwrap_err().downcast::<String>().unwrap();
    let calls = [
        "let mut arena = Arena::<true>::new();",
        "let key = arena.insert(0);",
        "let _ = arena.remove(key);",
        "let _ = arena.insert(0);",
        "arena.remove(key).is_some()",
    ];
    let calls = calls.map(|line| format!("            {line}\n")).concat();
    let said = "`Arena::<true>::remove` gives Some(0), `Model::remove` gives None";
    assert!(message.contains(said) && message.contains(&calls), "{message}");
    beget::diff!(Right, Models, k = 3, arrays = "k", ints = [0], fields = {"*": "any"});
}

#[test]
fn a_key_that_was_not_issued_is_no_call() {
    let corpus = run(Right::suite(), &scope(1, METHODS), RECONSTRUCT, 1);
    // `new`, then `insert` twice on four structures, `remove` and `get` with key 0, which the first
    // structure has not issued.
    let counters = corpus.report.ledger.counters;
    assert_eq!((counters.explored(), counters.misuse), (1 + 4 * 4, 2));
}

/// A run by chance names the keys, too, and takes out the calls that are not needed.
#[test]
fn a_random_run_calls_with_the_keys_of_its_structures() {
    macro_rules! by_chance {
        ($suite:ident) => {
            beget::random!($suite, "tests/keys.ron", calls = 2_000, seed = 1)
        };
    }
    let message = std::panic::catch_unwind(|| drop(by_chance!(Wrong)));
    let message = *message.unwrap_err().downcast::<String>().unwrap();
    let calls = [
        "let mut arena = Arena::<true>::new();",
        "let key = arena.insert(0);",
        "let _ = arena.take(key);",
        "let _ = arena.take(key);",
    ];
    let calls = calls.map(|line| format!("        {line}\n")).concat();
    assert!(message.contains("the slot is empty") && message.contains(&calls), "{message}");
    by_chance!(Right);
}
