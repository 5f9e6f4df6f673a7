//! The tests of a random run's sequences, tried on versions of a type with one mistake each.

use crate::common;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use beget::{HasSuite, Heap};
use beget_plan::scope::{Overrides, Plan};
use beget_run::random::{RandomOptions, with_literals};
use beget_run::{Catalog, Input, Watch, random};
use beget_search::run::{TestedSequences, behaviors_of_outcomes, replay_all};
use beget_suite::Sequence;
use common::Scripted;

/// The mistake that a shelf has; 0 if none.
static SHELF: AtomicU8 = AtomicU8::new(0);

fn shelf_has(mistake: u8) -> bool {
    SHELF.load(Relaxed) == mistake
}

/// A list of at most eight numbers.
#[derive(Clone, Debug, Default, Heap)]
pub struct Shelf {
    items: Vec<u8>,
}

#[beget::api(name = "shelf")]
impl Shelf {
    /// Nothing.
    pub fn new() -> Self {
        Shelf::default()
    }

    /// Adds at the end, if there is room.
    pub fn push(&mut self, item: u8) -> bool {
        let has_room = self.items.len() < if shelf_has(1) { 9 } else { 8 };
        if has_room {
            self.items.push(item);
        }
        has_room || shelf_has(2)
    }

    /// Takes the last.
    pub fn pop(&mut self) -> Option<u8> {
        if shelf_has(3) { self.items.last().copied() } else { self.items.pop() }
    }

    /// Takes the one at a position.
    pub fn remove(&mut self, index: usize) -> Result<u8, String> {
        match index < self.items.len() {
            true if shelf_has(4) => Ok(self.items.swap_remove(index)),
            true => Ok(self.items.remove(index)),
            false if shelf_has(5) => Ok(0),
            false => Err(format!("no item {index}")),
        }
    }

    /// Takes all.
    pub fn clear(&mut self) {
        match SHELF.load(Relaxed) {
            6 => self.items.truncate(1),
            7 => {}
            _ => self.items.clear(),
        }
    }

    /// Turns them round.
    pub fn reverse(&mut self) {
        if shelf_has(8) && self.items.len() > 3 {
            return;
        }
        self.items.reverse();
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "mutants of it are tried, and of no other")]
    pub fn len(&self) -> usize {
        self.items.len() - usize::from(shelf_has(9) && self.items.len() > 5)
    }

    /// The one at a position.
    pub fn get(&self, index: usize) -> Option<u8> {
        self.items.get(index).copied()
    }
}

/// The mistake that a bag has; 0 if none.
static BAG: AtomicU8 = AtomicU8::new(0);

/// A sorted set of numbers.
#[derive(Clone, Debug, Default, Heap)]
pub struct Bag {
    items: Vec<u8>,
}

#[beget::api(name = "bag")]
impl Bag {
    /// Nothing.
    pub fn new() -> Self {
        Bag::default()
    }

    /// Adds a number; true if it is new.
    pub fn insert(&mut self, item: u8) -> bool {
        match self.items.binary_search(&item) {
            Ok(_) => BAG.load(Relaxed) == 1,
            Err(place) => {
                self.items.insert(place, item);
                true
            }
        }
    }

    /// Takes a number; true if it was there.
    pub fn take(&mut self, item: u8) -> bool {
        match self.items.binary_search(&item) {
            Ok(_) if BAG.load(Relaxed) == 2 => true,
            Ok(place) => {
                self.items.remove(place);
                true
            }
            Err(_) => BAG.load(Relaxed) == 3,
        }
    }

    /// Takes all; how many there were.
    pub fn drain(&mut self) -> usize {
        let n = self.items.len();
        match BAG.load(Relaxed) {
            4 => self.items.truncate(1),
            5 if n > 4 => {}
            _ => self.items.clear(),
        }
        n
    }

    /// The greatest.
    pub fn max(&self) -> Option<u8> {
        match BAG.load(Relaxed) {
            6 => self.items.first().copied(),
            _ => self.items.last().copied(),
        }
    }
}

fn plan_of(name: &str, catalog: Catalog, max_calls: u64) -> (Plan, Vec<Sequence>) {
    let fields = r#"k: 4, ints: "0..k", params: {"remove.index": "0..k", "get.index": "0..k"}"#;
    let fields = if name == "bag" { r#"k: 4, ints: "0..k""# } else { fields };
    let text = format!(r#"Scope(suite: "{name}", {fields}, objects: {{"*": "k"}}, arrays: "k")"#);
    let input = Input::of_text("mutants.ron", text, catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Scripted::default();
    let watch = Watch::new(plan.budget, &host);
    let options = RandomOptions { max_calls, ..RandomOptions::default() };
    let run = random(&input, &[], plan, options, &watch);
    let tested = TestedSequences { most: 0, observers: &[] };
    let behaviors = behaviors_of_outcomes(&run, &run.plan, tested, &watch);
    let steps = run.samples.iter().flat_map(|one| one.fragment.to_steps());
    let plan = with_literals(run.plan.clone(), steps);
    let sequence = |behavior| Sequence {
        statements: behaviors.statements(behavior).cloned().collect(),
        result: None,
    };
    (plan, behaviors.all.iter().map(sequence).collect())
}

/// The mistakes, of so many, by which no sequence does anything else.
fn missed(plan: &Plan, sequences: &[Sequence], mistake: &AtomicU8, n: u8) -> Vec<u8> {
    let did = |number: u8| {
        mistake.store(number, Relaxed);
        let did = replay_all(plan, sequences.to_vec());
        did.into_iter().map(|one| one.did).collect::<Vec<_>>()
    };
    let right = did(0);
    assert_eq!(did(0), right);
    let missed = (1..=n).filter(|&number| did(number) == right).collect();
    mistake.store(0, Relaxed);
    missed
}

#[test]
fn each_mistake_of_a_list_changes_what_a_test_asserts() {
    let (plan, sequences) = plan_of("shelf", Catalog::new(vec![Shelf::suite()]), 3_000);
    assert_eq!(missed(&plan, &sequences, &SHELF, 9), [0; 0]);
}

#[test]
fn each_mistake_of_a_set_changes_what_a_test_asserts() {
    let (plan, sequences) = plan_of("bag", Catalog::new(vec![Bag::suite()]), 10_000);
    assert_eq!(missed(&plan, &sequences, &BAG, 6), [0; 0]);
}
