//! The objects that a walk is in, from the root to the one being visited.
//!
//! The only question is, for each pointer, which object the present one was discovered from. So the
//! last objects are in a table that a byte indexes without a bounds check, and leaving one only
//! counts down. Objects further up are put aside by whole tables.

use crate::ids::ObjectKey;

/// The entry for objects that nothing else can point at, and for what is above the root.
pub(crate) const ANONYMOUS: ObjectKey = 0;

/// The discoverers that a byte can index, followed by the present object.
type PathTable = [ObjectKey; 1 << u8::BITS | 1];

#[derive(Debug)]
pub(crate) struct WalkPath {
    table: Box<PathTable>,
    /// The index of the discoverer of the present object, which follows it.
    discoverer: u8,
    /// Full tables further up. The first entry of a table is the last of the one before.
    above: Vec<PathTable>,
}

impl Default for WalkPath {
    fn default() -> Self {
        WalkPath { table: Box::new([ANONYMOUS; _]), discoverer: 0, above: Vec::new() }
    }
}

impl WalkPath {
    /// Begins at a root.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.above.clear();
        self.discoverer = 0;
        (self.table[0], self.table[1]) = (ANONYMOUS, ANONYMOUS);
    }

    /// The object that the present one was discovered from.
    #[inline(always)]
    pub(crate) fn discoverer(&self) -> ObjectKey {
        self.table[usize::from(self.discoverer)]
    }

    /// Goes on to an object that the present one leads to.
    #[inline(always)]
    pub(crate) fn enter(&mut self, key: ObjectKey) {
        self.discoverer = self.discoverer.wrapping_add(1);
        if self.discoverer == 0 {
            self.put_aside();
        }
        self.table[usize::from(self.discoverer) + 1] = key;
    }

    /// Goes back to the discoverer of the present object.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        match self.discoverer.checked_sub(1) {
            Some(discoverer) => self.discoverer = discoverer,
            None => self.take_back(),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_aside(&mut self) {
        self.above.push(*self.table);
        self.table[0] = self.table[self.table.len() - 1];
    }

    #[cold]
    #[inline(never)]
    fn take_back(&mut self) {
        *self.table = self.above.pop().expect("a walk leaves what it has entered");
        self.discoverer = u8::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes up and down between the ends of tables, and beyond them.
    #[test]
    fn a_path_of_any_length_knows_the_discoverer() {
        let (mut path, mut naive) = (WalkPath::default(), vec![ANONYMOUS, ANONYMOUS]);
        path.clear();
        let mut key = 0;
        for depth in [3, 0, 254, 258, 250, 256, 255, 257, 900, 1, 600, 511, 513, 0] {
            while naive.len() - 2 < depth {
                key += 1;
                path.enter(key);
                naive.push(key);
                assert_eq!(path.discoverer(), naive[naive.len() - 2]);
            }
            while naive.len() - 2 > depth {
                path.leave();
                naive.pop();
                assert_eq!(path.discoverer(), naive[naive.len() - 2]);
            }
        }
    }
}
