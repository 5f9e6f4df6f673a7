//! The structures that a process keeps: one bit for each structure of the run.

/// Words between two counts.
const WORDS: usize = 8;

/// The structures that this process keeps, among all in their order.
#[derive(Debug, Default)]
pub(crate) struct OwnedStructures {
    bits: Vec<u64>,
    /// The number kept before every eighth word.
    counts: Vec<u64>,
    len: u64,
    n_owned: u64,
}

impl OwnedStructures {
    /// Returns the number of all structures.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of structures kept here.
    pub(crate) fn n_owned(&self) -> u64 {
        self.n_owned
    }

    /// Adds the next structure, which is kept here or not.
    #[inline]
    pub(crate) fn push(&mut self, is_owned: bool) {
        if self.len.is_multiple_of(64) {
            if self.bits.len().is_multiple_of(WORDS) {
                self.counts.push(self.n_owned);
            }
            self.bits.push(0);
        }
        let last = self.bits.last_mut().expect("a word was pushed");
        *last |= u64::from(is_owned) << (self.len % 64);
        self.len += 1;
        self.n_owned += u64::from(is_owned);
    }

    #[inline]
    pub(crate) fn has(&self, id: u64) -> bool {
        self.bits[id as usize / 64] >> (id % 64) & 1 == 1
    }

    /// Returns the number of structures before `id` that are kept here: if `id` is kept, its place
    /// among them.
    pub(crate) fn before(&self, id: u64) -> u64 {
        if id >= self.len {
            return self.n_owned;
        }
        let word = id as usize / 64;
        let first = word / WORDS * WORDS;
        let whole =
            self.bits[first..word].iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        let part = self.bits[word] & ((1 << (id % 64)) - 1);
        self.counts[word / WORDS] + whole + u64::from(part.count_ones())
    }

    /// Returns the structure at `place`: the inverse of [`Owned::before`].
    pub(crate) fn at(&self, place: u64) -> u64 {
        let (mut low, mut high) = (0, self.len);
        // The last structure with `place` others before it is the one itself.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.before(middle) <= place {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    }

    pub(crate) fn bytes(&self) -> u64 {
        (8 * self.bits.capacity() + 8 * self.counts.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_eight_bytes_for_64_structures_and_for_512() {
        let (bits, counts) = (Vec::with_capacity(64), Vec::with_capacity(8));
        let owned = OwnedStructures { bits, counts, ..OwnedStructures::default() };
        assert_eq!(owned.bytes(), 64 * 8 + 8 * 8);
    }

    #[test]
    fn places_and_numbers_lead_to_each_other() {
        for step in [1_u64, 2, 3, 7, 600, 5000] {
            let mut owned = OwnedStructures::default();
            let mut naive = Vec::new();
            for id in 0..3000_u64 {
                let is_owned = id % step == step / 2;
                assert_eq!(owned.before(id), naive.len() as u64);
                owned.push(is_owned);
                assert_eq!(owned.has(id), is_owned);
                naive.extend(is_owned.then_some(id));
            }
            for (place, &id) in (0..).zip(&naive) {
                assert_eq!((owned.before(id), owned.at(place)), (place, id));
            }
            assert_eq!((owned.len(), owned.n_owned()), (3000, naive.len() as u64));
        }
    }
}
