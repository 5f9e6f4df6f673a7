//! How the structures of a store were made: about a byte and a half each, as a rule.
//!
//! A call's number takes as many bytes as the plan's largest one. Structures are found in the order
//! of those that they were made from, so the first arguments of neighbours hardly differ: [`BLOCK`]
//! of them are a first one and, in unary, how far each is from the one before. What does not fit
//! into this scheme is stored as it is.

use super::candidates::Arguments;
use super::chunked::ChunkedVec;
use super::{Origin, StructureId};
use crate::calls::CallIdx;

/// How structures were made, packed.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The bytes of the call numbers, the lowest first.
    calls: Vec<ChunkedVec<u8>>,
    /// The structures of whole blocks.
    blocks: ChunkedVec<BlockHead>,
    /// Those of the blocks that are in steps, each from a whole byte on.
    steps: ChunkedVec<u8>,
    /// Those of the others.
    plain: ChunkedVec<Arguments>,
    /// Those behind the last whole block.
    open: Vec<Arguments>,
    /// Structure arguments of calls that take several.
    tails: Vec<StructureId>,
}

/// Structures of a block.
const BLOCK: usize = 64;

/// A block in steps must not be longer than a plain one.
const MOST_STEPS: u32 = (BLOCK * size_of::<Arguments>() * 8 - BLOCK) as u32;

#[derive(Clone, Copy, Debug)]
struct BlockHead {
    /// The first argument of a block in steps, or [`PLAIN`].
    first: u32,
    /// Where the block begins: in `steps`, or in `plain` counted in blocks.
    start: u32,
}

/// Stands for a block whose arguments are stored as they are. No structure has this number.
const PLAIN: u32 = u32::MAX;

impl Origins {
    /// Room for the calls of a plan that has `n_calls` of them.
    pub fn new(n_calls: u32) -> Self {
        let n_bits = u32::BITS - n_calls.saturating_sub(1).leading_zeros();
        Origins {
            calls: vec![ChunkedVec::default(); n_bits.div_ceil(8) as usize],
            blocks: ChunkedVec::default(),
            steps: ChunkedVec::default(),
            plain: ChunkedVec::default(),
            open: Vec::with_capacity(BLOCK),
            tails: Vec::new(),
        }
    }

    /// Appends the origin of the next structure.
    #[inline]
    pub fn push(&mut self, call: CallIdx, arguments: &[StructureId]) {
        for (bytes, byte) in self.calls.iter_mut().zip(call.number().to_le_bytes()) {
            bytes.push(byte);
        }
        self.open.push(Arguments::new(arguments, &mut self.tails));
        if self.open.len() == BLOCK {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        let block = std::mem::take(&mut self.open);
        let head = match steps_of(&block) {
            Some(first) => {
                let start = self.steps.len() as u32;
                self.push_steps(first, &block);
                BlockHead { first, start }
            }
            None => {
                let start = (self.plain.len() / BLOCK) as u32;
                block.iter().for_each(|&arguments| self.plain.push(arguments));
                BlockHead { first: PLAIN, start }
            }
        };
        self.blocks.push(head);
        self.open = block;
        self.open.clear();
    }

    /// Writes each structure as so many ones as it is behind the one before, and a zero.
    fn push_steps(&mut self, first: u32, block: &[Arguments]) {
        let (mut bits, mut n_bits) = (0_u64, 0);
        let mut before = first;
        for arguments in block {
            let now = arguments.only().expect("a block in steps has one argument each");
            let mut ones = now - before;
            loop {
                let n_now = ones.min(u32::BITS);
                bits |= ((1 << n_now) - 1) << n_bits;
                n_bits += n_now;
                ones -= n_now;
                // Zeros are what is there, so the one behind the ones needs no more than its place.
                n_bits += u32::from(ones == 0);
                while n_bits >= u8::BITS {
                    self.steps.push(bits as u8);
                    bits >>= u8::BITS;
                    n_bits -= u8::BITS;
                }
                if ones == 0 {
                    break;
                }
            }
            before = now;
        }
        if n_bits > 0 {
            self.steps.push(bits as u8);
        }
    }

    /// The origin of structure number `index`, which there must be.
    pub fn get(&self, index: usize) -> Origin {
        let bytes = self.calls.iter().rev().map(|bytes| u32::from(bytes.get(index)));
        let call = bytes.fold(0, |call, byte| call << 8 | byte);
        let arguments = if index / BLOCK < self.blocks.len() {
            self.in_block(self.blocks.get(index / BLOCK), index % BLOCK)
        } else {
            self.open[index % BLOCK]
        };
        Origin { call: CallIdx::new(call), arguments: arguments.get(&self.tails).to_vec() }
    }

    fn in_block(&self, head: BlockHead, within: usize) -> Arguments {
        if head.first == PLAIN {
            return self.plain.get(head.start as usize * BLOCK + within);
        }
        let (mut at, mut zeros_left) = (head.start as usize, within as u32);
        let mut n_ones = 0;
        loop {
            let byte = self.steps.get(at);
            if byte.count_zeros() > zeros_left {
                // The zeros before, each exchanged for a one, leave the zero that is looked for as
                // the lowest.
                let rest = (0..zeros_left).fold(byte, |byte, _| byte | (byte + 1));
                n_ones += rest.trailing_ones() - zeros_left;
                return Arguments::one(StructureId(head.first + n_ones));
            }
            zeros_left -= byte.count_zeros();
            n_ones += byte.count_ones();
            at += 1;
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> u64 {
        let calls: u64 = self.calls.iter().map(ChunkedVec::bytes).sum();
        let tails = (self.tails.capacity() * size_of::<StructureId>()) as u64;
        calls + self.blocks.bytes() + self.steps.bytes() + self.plain.bytes() + tails
    }
}

/// The first argument of a block that is to be stored in steps: there is one each, none is below
/// the one before, and the steps are few.
fn steps_of(block: &[Arguments]) -> Option<u32> {
    let first = block.first()?.only()?;
    let last = block
        .iter()
        .try_fold(first, |before, arguments| arguments.only().filter(|&now| now >= before))?;
    (last - first <= MOST_STEPS).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Origins as they are made, and without any packing.
    #[track_caller]
    fn check(n_calls: u32, origins: impl Iterator<Item = (u32, Vec<u32>)>) -> Origins {
        let mut packed = Origins::new(n_calls);
        let mut naive = Vec::new();
        for (call, arguments) in origins {
            let arguments: Vec<_> = arguments.into_iter().map(StructureId).collect();
            let call = CallIdx::new(call);
            packed.push(call, &arguments);
            naive.push(Origin { call, arguments });
        }
        for (index, origin) in naive.iter().enumerate() {
            assert_eq!(packed.get(index), *origin, "{index} of {}", naive.len());
        }
        packed
    }

    const N: u32 = 1000;

    #[test]
    fn arguments_in_order_come_out_as_they_went_in() {
        for step in [0, 1, 2, 7, 8, 30, 31, 32, 33] {
            check(1, (0..N).map(|index| (0, vec![index * step])));
            check(1, (0..N).map(|index| (0, vec![index / 5 * step])));
        }
        // The longest steps that a block may have, and one more.
        for last in [MOST_STEPS - 1, MOST_STEPS, MOST_STEPS + 1] {
            let packed = check(1, (0..64).map(|index| (0, vec![7 + index / 63 * last])));
            assert_eq!(packed.steps.is_empty(), last > MOST_STEPS, "{last}");
        }
    }

    #[test]
    fn arguments_in_no_order_come_out_as_they_went_in() {
        check(1, (0..N).map(|index| (0, vec![index * 7919 % 1000])));
        check(1, (0..N).map(|index| (0, vec![N - index])));
        check(1, (0..N).map(|index| (0, vec![index * 3_000_000 % ((1 << 31) - 1)])));
        // Now and then none, or several, among blocks that are in order.
        for rare in [64, 100, 500] {
            check(
                1,
                (0..N).map(|index| match index % rare {
                    3 => (0, vec![]),
                    5 => (0, vec![index, index / 2, 1]),
                    _ => (0, vec![index / 3]),
                }),
            );
        }
    }

    #[test]
    fn call_numbers_take_the_bytes_that_they_need() {
        let sizes: [(u32, usize); 7] =
            [(0, 0), (1, 0), (2, 1), (256, 1), (257, 2), (1 << 16, 2), ((1 << 16) + 1, 3)];
        for (n_calls, n_bytes) in sizes {
            let last = |index| n_calls.saturating_sub(1 + index % 3);
            let packed = check(n_calls, (0..N).map(|index| (last(index), vec![])));
            assert_eq!(packed.calls.len(), n_bytes, "{n_calls}");
        }
        check(u32::MAX, (0..N).map(|index| (u32::MAX - 1 - index, vec![])));
    }

    #[test]
    fn neighbours_from_one_structure_take_little_more_than_their_calls() {
        let packed = check(200, (0..640_000).map(|index| (index % 200, vec![index / 8])));
        let bits = packed.bytes() as f64 * 8.0 / 640_000.0;
        // A byte of call; a zero, an eighth of a one, and a block's 8 bytes for 64. Chunks are
        // whole.
        assert!((8.0 + 1.125 + 1.0..11.5).contains(&bits), "{bits}");
    }
}
