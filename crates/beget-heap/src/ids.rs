//! The numbering of one heap's objects: from address and class to number.
//!
//! A small open-addressing table that is emptied by counting a generation up, and a map for heaps
//! that outgrow it. In a walk, nearly every look-up is followed by an insertion, so both are one
//! probe.

use crate::hash::{FixedMap, fixed_map};

/// Address and size of an object. Two objects at one address are a struct and its first field. If
/// they have the same size too, they have the same contents, and either of them may be numbered.
pub(crate) type ObjectKey = u64;

/// The key of an object of `size` bytes. Addresses have at most 48 bits on the platforms in use.
#[inline(always)]
pub(crate) fn object_key(address: usize, size: usize) -> ObjectKey {
    (address as u64) << 16 | (size as u64 & 0xffff)
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: ObjectKey,
    generation: u32,
    id: u32,
}

/// Entries of the table. A byte indexes it, so that no index needs a bounds check.
const N_ENTRIES: usize = 1 << u8::BITS;

/// The most objects that the table is used for; beyond that, a map.
const MOST_IN_TABLE: u32 = N_ENTRIES as u32 / 2;

#[derive(Debug)]
pub(crate) struct Ids {
    table: Box<[Entry; N_ENTRIES]>,
    generation: u32,
    len: u32,
    /// All objects of a heap that is too large for the table.
    map: FixedMap<ObjectKey, u32>,
}

impl Default for Ids {
    fn default() -> Self {
        let table = Box::new([Entry::default(); N_ENTRIES]);
        Ids { table, generation: 1, len: 0, map: fixed_map() }
    }
}

impl Ids {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if self.len >= MOST_IN_TABLE {
            self.map.clear();
        }
        self.len = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.fill(Entry::default());
            self.generation = 1;
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// The number of an object met before, or `None` after giving it the next number.
    #[inline(always)]
    pub(crate) fn find_or_number(&mut self, key: ObjectKey) -> Option<u32> {
        if self.len >= MOST_IN_TABLE {
            return self.find_or_number_in_map(key);
        }
        let mut position = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
        loop {
            let entry = &mut self.table[usize::from(position)];
            if entry.generation != self.generation {
                *entry = Entry { key, generation: self.generation, id: self.len };
                self.len += 1;
                return None;
            }
            if entry.key == key {
                return Some(entry.id);
            }
            position = position.wrapping_add(1);
        }
    }

    #[cold]
    #[inline(never)]
    fn find_or_number_in_map(&mut self, key: ObjectKey) -> Option<u32> {
        if self.len == MOST_IN_TABLE {
            let of_this_heap =
                self.table.iter().filter(|entry| entry.generation == self.generation);
            self.map.extend(of_this_heap.map(|entry| (entry.key, entry.id)));
        }
        if let Some(&id) = self.map.get(&key) {
            return Some(id);
        }
        self.map.insert(key, self.len);
        self.len += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_order_and_found_again() {
        let mut ids = Ids::default();
        for round in 0..3 {
            ids.clear();
            for address in 0..500 {
                assert_eq!(ids.find_or_number(object_key(address * 16 + round, 3)), None);
            }
            for address in 0..500 {
                assert_eq!(
                    ids.find_or_number(object_key(address * 16 + round, 3)),
                    Some(address as u32)
                );
            }
            assert_eq!(
                ids.find_or_number(object_key(round, 4)),
                None,
                "another size at the same address"
            );
        }
    }
}
