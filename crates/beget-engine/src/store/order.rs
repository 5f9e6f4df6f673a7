//! The global order of structures over the shards.
//!
//! Each shard holds its structures in discovery order; four bits per structure give the next shard.
//! With a sample of the shards' positions every so often, the number of a structure leads to its
//! form.

use super::chunked::ChunkedVec;
use super::shard::N_SHARDS;

/// Structures between two samples.
const SAMPLE: usize = 1024;

#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Two shards per byte, the earlier one low.
    pairs: ChunkedVec<u8>,
    samples: ChunkedVec<[u32; N_SHARDS]>,
    positions: [u32; N_SHARDS],
    len: usize,
}

/// The places of the structures from some number on.
#[derive(Clone, Debug)]
pub(crate) struct OrderCursor {
    next: usize,
    positions: [u32; N_SHARDS],
}

impl OrderCursor {
    /// The index in each shard of its next structure.
    pub(crate) fn positions(&self) -> [u32; N_SHARDS] {
        self.positions
    }
}

impl Order {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.pairs.bytes() + self.samples.bytes()
    }

    pub(crate) fn push(&mut self, shard: usize) {
        if self.len.is_multiple_of(SAMPLE) {
            self.samples.push(self.positions);
        }
        if self.len.is_multiple_of(2) {
            self.pairs.push(shard as u8);
        } else {
            *self.pairs.last_mut().expect("an even number came before") |= (shard as u8) << 4;
        }
        self.positions[shard] += 1;
        self.len += 1;
    }

    pub(crate) fn cursor(&self, id: usize) -> OrderCursor {
        let sample = id / SAMPLE;
        let positions =
            if sample < self.samples.len() { self.samples.get(sample) } else { self.positions };
        let mut cursor = OrderCursor { next: sample * SAMPLE, positions };
        while cursor.next < id {
            self.advance(&mut cursor);
        }
        cursor
    }

    /// The shard of a structure and its index there: the same as [`Order::advance`] after
    /// [`Order::cursor`], but faster because it does not compute all shards.
    pub(crate) fn locate(&self, id: usize) -> (usize, usize) {
        let (sample, pair) = (id / SAMPLE, self.pairs.get(id / 2));
        let shard = pair >> (id % 2 * 4) & 0xf;
        let pairs = self.pairs.slice(sample * SAMPLE / 2..id / 2);
        let is_behind_its_like = id % 2 == 1 && pair & 0xf == shard;
        let before = count(pairs, shard) + u32::from(is_behind_its_like);
        (shard.into(), (self.samples.get(sample)[usize::from(shard)] + before) as usize)
    }

    /// The number of the structure at `index` of `shard`: the inverse of [`Order::advance`].
    pub(crate) fn id_of(&self, shard: usize, index: usize) -> usize {
        let (mut first, mut end) = (0, self.samples.len());
        while first < end {
            let middle = first + (end - first) / 2;
            if self.samples.get(middle)[shard] as usize <= index {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        let mut cursor = self.cursor((first - 1) * SAMPLE);
        while self.advance(&mut cursor) != (shard, index) {}
        cursor.next - 1
    }

    /// The shard of the cursor's structure and its index there; moves on.
    #[inline]
    pub(crate) fn advance(&self, cursor: &mut OrderCursor) -> (usize, usize) {
        let pair = self.pairs.get(cursor.next / 2);
        let shard = usize::from(pair >> (cursor.next % 2 * 4) & 0xf);
        let index = cursor.positions[shard];
        cursor.positions[shard] += 1;
        cursor.next += 1;
        (shard, index as usize)
    }
}

/// The number of occurrences of `shard` in `pairs`.
fn count(pairs: &[u8], shard: u8) -> u32 {
    const ONES: u64 = 0x1111_1111_1111_1111;
    let (words, rest) = pairs.as_chunks();
    let mut n = 0;
    for word in words {
        let differing = u64::from_le_bytes(*word) ^ (ONES * u64::from(shard));
        let folded = differing | differing >> 2;
        n += (!(folded | folded >> 1) & ONES).count_ones();
    }
    let matching = |pair: &u8| u32::from(pair & 0xf == shard) + u32::from(pair >> 4 == shard);
    n + rest.iter().map(matching).sum::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_located_where_a_cursor_comes_to_it() {
        let mut order = Order::default();
        let mut state = 1_u32;
        for _ in 0..3 * SAMPLE + 77 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The first shards occur more often than the others.
            order.push((state >> 28 & state >> 20) as usize & 0xf);
        }
        for id in 0..order.len() {
            assert_eq!(order.locate(id), order.advance(&mut order.cursor(id)), "{id}");
        }
    }
}
