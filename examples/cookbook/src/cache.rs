//! A hash map into an arena of linked slots.

use std::collections::HashMap;

/// A cache that forgets what was not used for longest.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Cache {
    capacity: usize,
    #[cfg_attr(test, heap(arena))]
    slots: Vec<Slot>,
    #[cfg_attr(test, heap(link = Slot))]
    by_key: HashMap<u8, usize>,
    #[cfg_attr(test, heap(link = Slot))]
    newest: Option<usize>,
    #[cfg_attr(test, heap(link = Slot))]
    oldest: Option<usize>,
}

#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
struct Slot {
    key: u8,
    value: u8,
    #[cfg_attr(test, heap(link = Slot))]
    newer: Option<usize>,
    #[cfg_attr(test, heap(link = Slot))]
    older: Option<usize>,
}

#[cfg_attr(test, beget::api)]
impl Cache {
    /// An empty cache for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        let by_key = HashMap::new();
        Cache { capacity, slots: Vec::new(), by_key, newest: None, oldest: None }
    }

    /// The value of a key, which is the newest from now on.
    pub fn get(&mut self, key: u8) -> Option<u8> {
        let slot = *self.by_key.get(&key)?;
        self.unlink(slot);
        self.link_newest(slot);
        Some(self.slots[slot].value)
    }

    /// Remembers a value; the oldest entry makes room for it.
    pub fn put(&mut self, key: u8, value: u8) {
        if self.get(key).is_some() {
            let slot = self.by_key[&key];
            self.slots[slot].value = value;
        } else if self.slots.len() < self.capacity {
            self.slots.push(Slot { key, value, newer: None, older: None });
            self.insert(self.slots.len() - 1);
        } else if let Some(slot) = self.oldest {
            self.unlink(slot);
            self.by_key.remove(&self.slots[slot].key);
            self.slots[slot] = Slot { key, value, newer: None, older: None };
            self.insert(slot);
        }
    }

    fn insert(&mut self, slot: usize) {
        self.by_key.insert(self.slots[slot].key, slot);
        self.link_newest(slot);
    }

    fn unlink(&mut self, slot: usize) {
        let Slot { newer, older, .. } = self.slots[slot];
        match newer {
            Some(newer) => self.slots[newer].older = older,
            None => self.newest = older,
        }
        match older {
            Some(older) => self.slots[older].newer = newer,
            None => self.oldest = newer,
        }
    }

    fn link_newest(&mut self, slot: usize) {
        self.slots[slot].newer = None;
        self.slots[slot].older = self.newest;
        match self.newest {
            Some(newest) => self.slots[newest].newer = Some(slot),
            None => self.oldest = Some(slot),
        }
        self.newest = Some(slot);
    }

    #[cfg(test)]
    #[beget::invariant]
    fn is_sound(&self) -> bool {
        let (mut at, mut newer, mut n_linked) = (self.newest, None, 0);
        while let Some(slot) = at.filter(|_| n_linked <= self.capacity) {
            let Slot { key, older, .. } = self.slots[slot];
            if self.slots[slot].newer != newer || self.by_key.get(&key) != Some(&slot) {
                return false;
            }
            (at, newer, n_linked) = (older, Some(slot), n_linked + 1);
        }
        self.oldest == newer && self.by_key.len() == n_linked && n_linked <= self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cache_is_sound() {
        // Of capacity 0, 1, 2: lists of different keys with a value each, 3 of both; of two entries
        // the newer one is in either slot.
        let caches = beget::check!(Cache, k = 3);
        assert_eq!(caches.generated(), 1 + (1 + 9) + (1 + 9 + 2 * 9 * 6));
    }
}
