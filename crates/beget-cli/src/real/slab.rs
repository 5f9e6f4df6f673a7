//! Storage that reuses its keys, [`Slab`] of the crate `slab`.
//!
//! Its state is the content of each slot and the order in which vacant slots will be reused. The
//! suite finds that order by filling a copy.

pub use slab::Slab;

/// Operations that need more than plain values as arguments, each with a fixed choice.
pub trait More {
    /// Calls `retain` to keep the even values.
    fn retain_even(&mut self);
    /// Calls `compact` and lets every value move.
    fn compact_all(&mut self);
    /// Calls `vacant_entry().insert(value)`.
    fn insert_vacant(&mut self, value: u8) -> usize;
    /// Creates a slab with one value under a key, through `FromIterator`.
    fn of_one(key: usize, value: u8) -> Self;
}

impl More for Slab<u8> {
    fn retain_even(&mut self) {
        self.retain(|_, value| *value % 2 == 0);
    }

    fn compact_all(&mut self) {
        self.compact(|_, _, _| true);
    }

    fn insert_vacant(&mut self, value: u8) -> usize {
        let entry = self.vacant_entry();
        let key = entry.key();
        entry.insert(value);
        key
    }

    fn of_one(key: usize, value: u8) -> Self {
        [(key, value)].into_iter().collect()
    }
}

/// Returns the vacant slots in the order in which insertions will use them. It leaves out slots at
/// the end that will be used last and in ascending order, because they behave like new ones.
fn vacant_slots(slab: &Slab<u8>) -> Vec<usize> {
    let mut copy = slab.clone();
    // A copy has room for the slots of its original; any extra slots are at the end.
    let mut n_slots = copy.capacity();
    let mut vacant: Vec<usize> = (copy.len()..n_slots).map(|_| copy.insert(0)).collect();
    while vacant.pop_if(|slot| *slot + 1 == n_slots).is_some() {
        n_slots -= 1;
    }
    vacant
}

beget::suite! {
    /// Storage of small integers that reuses its keys.
    #[name = "real::slab"]
    pub suite SlabSuite for Slab<u8> {
        abstraction |slab| -> (Vec<Option<u8>>, Vec<usize>) {
            let vacant = self::vacant_slots(slab);
            let slots = 0..slab.len() + vacant.len();
            (slots.map(|slot| slab.get(slot).copied()).collect(), vacant)
        };
        fn new() -> Self;
        fn with_capacity(capacity: usize) -> Self;
        fn of_one(key: usize, value: u8) -> Self;
        fn insert(&mut self, value: u8) -> usize;
        fn insert_vacant(&mut self, value: u8) -> usize;
        fn remove(&mut self, key: usize) -> u8;
        fn try_remove(&mut self, key: usize) -> Option<u8>;
        fn clear(&mut self);
        fn drain(&mut self) -> slab::Drain<'_, u8>;
        fn retain_even(&mut self);
        fn compact_all(&mut self);
        fn reserve(&mut self, additional: usize);
        fn reserve_exact(&mut self, additional: usize);
        fn shrink_to_fit(&mut self);
        fn clone(&self) -> Self;
        fn get(&self, key: usize) -> Option<&u8>;
        fn get_mut(&mut self, key: usize) -> Option<&mut u8>;
        fn get2_mut(&mut self, first: usize, second: usize) -> Option<(&mut u8, &mut u8)>;
        fn contains(&self, key: usize) -> bool;
        fn vacant_key(&self) -> usize;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn capacity(&self) -> usize;
        fn iter(&self) -> slab::Iter<'_, u8>;
    }
}
