//! The global order of structures over the shards.
//!
//! Each shard holds its structures in discovery order; which shard comes next is four bits a
//! structure. With a sample of the shards' positions every so often, the number of a structure
//! leads to its form.

use super::chunked::ChunkedVec;
use super::shard::N_SHARDS;

/// Structures between two samples.
const SAMPLE: usize = 1024;

#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Two shards a byte, the earlier one low.
    pairs: ChunkedVec<u8>,
    samples: ChunkedVec<[u32; N_SHARDS]>,
    positions: [u32; N_SHARDS],
    len: usize,
}

/// Where the structures from some number on are.
#[derive(Clone, Debug)]
pub(crate) struct OrderCursor {
    next: usize,
    positions: [u32; N_SHARDS],
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
