//! NodeCachingLinkedList as a model for the model checker stateright.
//!
//! The checker compares states by a 64-bit hash of what they hold and keeps every state found but
//! not yet extended as a value, with the actions that led to it. Two forms of the state are
//! offered: an arena of nodes that renumbers itself ([`run`]), which is what a user would write,
//! and the single word of [`floor`] ([`run_words`]), which leaves next to nothing
//! but the checker's own cost.

mod arena;

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use stateright::{Checker, Model, Property};

use crate::floor;
use crate::outcome::{MAX_SCOPE, Outcome};

/// Enumerates scope `k` over arenas with the breadth-first checker on `n_threads` threads.
///
/// The checker knows no rounds. The `2k` of the closed form are reported, and with them as many
/// constructor calls as the other rivals make, so that the counts compare; the builder calls are
/// counted as they happen.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run(k: u8, n_threads: usize) -> Outcome {
    run_with::<arena::List>(k, n_threads)
}

/// Enumerates scope `k` as [`run`] does, with one word for a state.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run_words(k: u8, n_threads: usize) -> Outcome {
    run_with::<floor::List>(k, n_threads)
}

fn run_with<L: ListState>(k: u8, n_threads: usize) -> Outcome {
    assert!((1..=MAX_SCOPE).contains(&k), "scope {k} is not in 1..={MAX_SCOPE}");
    let checker = CachingList::<L>::new(k).checker().threads(n_threads).spawn_bfs().join();
    let rounds = 2 * u64::from(k);
    Outcome {
        generated: checker.unique_state_count() as u64,
        explored: checker.model().n_calls.load(Ordering::Relaxed) + rounds,
        rounds,
    }
}

/// A list as a state: equal, and equally hashed, exactly when it is the same list.
trait ListState: Clone + Debug + Default + Hash + PartialEq + Send + Sync + 'static {
    fn add_last(&self, value: u8) -> Self;

    /// `None` is the exception on an empty list.
    fn remove_index(&self, index: u8) -> Option<Self>;

    /// All nodes reachable, the header included.
    fn n_nodes(&self) -> u64;
}

impl ListState for floor::List {
    fn add_last(&self, value: u8) -> Self {
        floor::List::add_last(*self, value)
    }

    fn remove_index(&self, _index: u8) -> Option<Self> {
        self.remove_first()
    }

    fn n_nodes(&self) -> u64 {
        floor::List::n_nodes(*self)
    }
}

struct CachingList<L> {
    k: u8,
    n_calls: AtomicU64,
    state: PhantomData<L>,
}

#[derive(Clone, Debug, PartialEq)]
enum Call {
    AddLast(u8),
    RemoveIndex(u8),
}

impl<L> CachingList<L> {
    fn new(k: u8) -> Self {
        Self { k, n_calls: AtomicU64::new(0), state: PhantomData }
    }
}

impl<L: ListState> Model for CachingList<L> {
    type State = L;
    type Action = Call;

    fn init_states(&self) -> Vec<L> {
        vec![L::default()]
    }

    fn actions(&self, _list: &L, actions: &mut Vec<Call>) {
        actions.extend((0..self.k).map(Call::AddLast));
        actions.extend((0..self.k).map(Call::RemoveIndex));
        self.n_calls.fetch_add(2 * u64::from(self.k), Ordering::Relaxed);
    }

    fn next_state(&self, list: &L, call: Call) -> Option<L> {
        match call {
            Call::AddLast(value) => Some(list.add_last(value)),
            Call::RemoveIndex(index) => list.remove_index(index),
        }
    }

    /// The checker stops at once when there is nothing left to check.
    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("in scope", |model: &Self, list: &L| model.within_boundary(list))]
    }

    fn within_boundary(&self, list: &L) -> bool {
        list.n_nodes() <= u64::from(self.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With one thread the search is breadth-first and its depth counts states on a path, so the
    /// rounds of the other rivals are one more.
    #[test]
    fn depth_of_the_checker_confirms_the_reported_rounds() {
        for k in 1..=4 {
            let model = CachingList::<arena::List>::new(k);
            let checker = model.checker().threads(1).spawn_bfs().join();
            assert_eq!(checker.max_depth() as u64 + 1, run(k, 1).rounds, "k = {k}");
            assert!(checker.discoveries().is_empty(), "the property holds in every state");
        }
    }
}
