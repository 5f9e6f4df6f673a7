//! The numbering of one heap's objects: from address and class to number.
//!
//! A small open-addressing table that is emptied by counting a generation up. In a walk, nearly every
//! look-up is followed by an insertion, so both are one probe.

/// Address and class of an object: two objects of different classes may start at one address.
pub(crate) type ObjectKey = u64;

/// The key of an object. Addresses have at most 56 bits on every platform in use; schemas of more classes than a byte tells
/// are refused by [`crate::Layout::new`].
#[inline(always)]
pub(crate) fn object_key(address: usize, class: usize) -> ObjectKey {
    (address as u64) << 8 | class as u64
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: ObjectKey,
    generation: u32,
    id: u32,
}

#[derive(Debug)]
pub(crate) struct Ids {
    /// Invariant: a power of two, at most half full.
    entries: Vec<Entry>,
    generation: u32,
    len: u32,
}

impl Default for Ids {
    fn default() -> Self {
        Ids { entries: vec![Entry::default(); 64], generation: 1, len: 0 }
    }
}

impl Ids {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(Entry::default());
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
        let mask = self.entries.len() - 1;
        let mut position = Self::home(key) & mask;
        loop {
            let entry = &mut self.entries[position];
            if entry.generation != self.generation {
                *entry = Entry { key, generation: self.generation, id: self.len };
                break;
            }
            if entry.key == key {
                return Some(entry.id);
            }
            position = (position + 1) & mask;
        }
        self.len += 1;
        if self.len as usize * 2 > self.entries.len() {
            self.grow();
        }
        None
    }

    #[inline(always)]
    fn home(key: ObjectKey) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.entries);
        self.entries = vec![Entry::default(); old.len() * 2];
        let mask = self.entries.len() - 1;
        for entry in old.into_iter().filter(|entry| entry.generation == self.generation) {
            let mut position = Self::home(entry.key) & mask;
            while self.entries[position].generation == self.generation {
                position = (position + 1) & mask;
            }
            self.entries[position] = entry;
        }
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
                "another class at the same address"
            );
        }
    }
}
