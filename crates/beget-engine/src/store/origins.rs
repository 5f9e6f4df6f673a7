//! The origins of a store's structures: about half a byte each, as a rule.
//!
//! Structures are found in the order of the structures that they were made from, and of the calls
//! on each of those. So argument and call together are a number that rises from one structure to
//! the next. A block of [`BLOCK`] of these numbers is stored as the first one and the distances of
//! the others from it, split as by Elias and Fano: low bits verbatim, and the rest in unary, as
//! steps from one to the next. If only the arguments rise, the calls are stored beside them;
//! anything else is stored verbatim.

use super::chunked::ChunkedVec;
use super::{Origin, StructureId};
use crate::data::ids::CallIdx;

/// The origins of structures, packed.
#[derive(Clone, Debug)]
pub struct Origins {
    n_calls: u64,
    /// The structures of whole blocks.
    blocks: ChunkedVec<BlockHead>,
    /// The data of the heads.
    words: ChunkedVec<u32>,
    /// The structures after the last whole block.
    open: Vec<OpenOrigin>,
    tails: ArgumentTails,
}

/// The origin of a structure, unpacked.
#[derive(Clone, Copy, Debug)]
struct OpenOrigin {
    call: CallIdx,
    arguments: ArgumentWord,
}

/// The structures that a call took: none, the number of the only one, or their place among the
/// tails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ArgumentWord(u64);

/// Structure arguments of calls that take several, each list after its length. A number takes a
/// word, or two from 2^31 on: the upper bits with [`IN_TWO`], and the lower ones.
#[derive(Clone, Debug, Default)]
struct ArgumentTails(Vec<u32>);

const IN_TWO: u32 = 1 << 31;

/// Set if the arguments are among the tails.
const IN_TAILS: u64 = 1 << 63;

/// The same in half a word.
const NARROW_IN_TAILS: u32 = 1 << 31;

/// The number of structures of a block. Any number of bits for each of them makes whole words.
const BLOCK: usize = 128;

const _: () = assert!(BLOCK.is_multiple_of(u32::BITS as usize));

#[derive(Clone, Copy, Debug)]
struct BlockHead {
    /// The first of the rising numbers.
    first: u64,
    /// The start of the block in `words`: the lower bits, ...
    start: u32,
    /// ... and the upper ones.
    start_high: u8,
    coding: Coding,
}

const _: () = assert!(size_of::<BlockHead>() == 16);

/// The contents of a block, part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    /// Steps from one number of argument and call to the next.
    Origins(StepCoding),
    /// The calls; steps from one argument to the next.
    Arguments(StepCoding),
    /// The calls; the arguments, each in a word.
    Plain,
    /// The calls; the arguments, each in two words.
    Wide,
}

/// The split of rising numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StepCoding {
    /// The number of bits of each that are stored verbatim.
    low_width: u8,
    /// The least step, which is not stored: 0 or 1.
    least: u8,
}

/// The most low bits: few enough that steps are shorter than verbatim numbers, and that a writer
/// has room.
const MOST_LOW_BITS: u32 = 24;

impl Origins {
    /// Room for the calls of a plan that has `n_calls` of them.
    pub fn new(n_calls: u32) -> Self {
        Origins {
            n_calls: n_calls.max(1).into(),
            blocks: ChunkedVec::default(),
            words: ChunkedVec::default(),
            open: Vec::with_capacity(BLOCK),
            tails: ArgumentTails::default(),
        }
    }

    /// Appends the origin of the next structure.
    #[inline]
    pub fn push(&mut self, call: CallIdx, arguments: &[StructureId]) {
        let arguments = self.tails.push_all(arguments);
        self.open.push(OpenOrigin { call, arguments });
        if self.open.len() == BLOCK {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        let block = std::mem::take(&mut self.open);
        let (start, start_high) = split_start(self.words.len());
        let (coding, first) = self.push_block(&block);
        self.blocks.push(BlockHead { first, start, start_high, coding });
        self.open = block;
        self.open.clear();
    }

    /// Writes a block in the first coding that fits; returns it, with the first of the rising
    /// numbers.
    fn push_block(&mut self, block: &[OpenOrigin]) -> (Coding, u64) {
        if let Some((steps, numbers)) = self.steps_of(block, self.n_calls, |made, argument| {
            argument.wrapping_mul(self.n_calls).wrapping_add(made.call.number().into())
        }) {
            self.push_steps(steps, &numbers);
            return (Coding::Origins(steps), numbers[0]);
        }
        let mut calls = BitPusher::new(&mut self.words);
        let call_width = width_of(self.n_calls);
        block.iter().for_each(|made| calls.put(made.call.number(), call_width));
        if let Some((steps, numbers)) = self.steps_of(block, 1, |_, argument| argument) {
            self.push_steps(steps, &numbers);
            return (Coding::Arguments(steps), numbers[0]);
        }
        if block.iter().all(|made| made.arguments.narrow().is_some()) {
            let narrow = block.iter().filter_map(|made| made.arguments.narrow());
            narrow.for_each(|word| self.words.push(word));
            return (Coding::Plain, 0);
        }
        for made in block {
            self.words.push(made.arguments.0 as u32);
            self.words.push((made.arguments.0 >> u32::BITS) as u32);
        }
        (Coding::Wide, 0)
    }

    /// The numbers of a block, and their split, if each structure was made from one other, none of
    /// its numbers is below the one before, and they are not far apart. There are `n_each` numbers
    /// for each argument.
    fn steps_of(
        &self,
        block: &[OpenOrigin],
        n_each: u64,
        number: impl Fn(&OpenOrigin, u64) -> u64,
    ) -> Option<(StepCoding, [u64; BLOCK])> {
        let mut numbers = [0; BLOCK];
        let mut bits = 0;
        for (place, made) in numbers.iter_mut().zip(block) {
            let only = made.arguments.only()?;
            bits |= only;
            *place = number(made, only);
        }
        // No argument is above all their bits together; if it fits, no number has wrapped.
        bits.checked_add(1)?.checked_mul(n_each)?;
        let mut least = 1;
        for (before, now) in numbers.iter().zip(&numbers[1..]) {
            least = least.min(now.checked_sub(*before)?);
        }
        let span = numbers[BLOCK - 1] - numbers[0] - least * (BLOCK as u64 - 1);
        let low_width = (span / BLOCK as u64).max(1).ilog2();
        let steps = StepCoding { low_width: low_width as u8, least: least as u8 };
        (low_width <= MOST_LOW_BITS).then_some((steps, numbers))
    }

    fn push_steps(&mut self, steps: StepCoding, numbers: &[u64; BLOCK]) {
        let (least, low_width) = (u64::from(steps.least), u32::from(steps.low_width));
        let behind_first =
            || numbers.iter().zip(0..).map(|(number, at)| number - numbers[0] - at * least);
        let mut low = BitPusher::new(&mut self.words);
        behind_first().for_each(|number| low.put(number as u32 & mask(low_width), low_width));
        let mut unary = BitPusher::new(&mut self.words);
        let mut before = 0;
        for high in behind_first().map(|number| number >> low_width) {
            let mut ones = (high - before) as u32;
            while ones >= u32::BITS {
                unary.put(u32::MAX, u32::BITS);
                ones -= u32::BITS;
            }
            // A zero after the ones.
            unary.put(mask(ones), ones + 1);
            before = high;
        }
        unary.finish();
    }

    /// The origin of structure number `index`, which must exist.
    pub fn get(&self, index: usize) -> Origin {
        let OpenOrigin { call, arguments } = if index / BLOCK < self.blocks.len() {
            self.in_block(self.blocks.get(index / BLOCK), index % BLOCK)
        } else {
            self.open[index % BLOCK]
        };
        Origin { call, arguments: self.tails.get(arguments) }
    }

    fn in_block(&self, head: BlockHead, within: usize) -> OpenOrigin {
        let start = head.start();
        let call_width = width_of(self.n_calls);
        let behind_calls = start + words_of(call_width);
        let (call, arguments) = match head.coding {
            Coding::Origins(steps) => {
                let number = head.first + self.behind_first(start, steps, within);
                ((number % self.n_calls) as u32, ArgumentWord::one(number / self.n_calls))
            }
            Coding::Arguments(steps) => {
                let argument = head.first + self.behind_first(behind_calls, steps, within);
                (self.bits(start, call_width, within), ArgumentWord::one(argument))
            }
            Coding::Plain => {
                let arguments = ArgumentWord::of_narrow(self.words.get(behind_calls + within));
                (self.bits(start, call_width, within), arguments)
            }
            Coding::Wide => {
                let [low, high] =
                    [0, 1].map(|at| u64::from(self.words.get(behind_calls + 2 * within + at)));
                let arguments = ArgumentWord(high << u32::BITS | low);
                (self.bits(start, call_width, within), arguments)
            }
        };
        OpenOrigin { call: CallIdx::new(call), arguments }
    }

    /// The distance of number `within` from the first one, for steps that begin at word `start`.
    fn behind_first(&self, start: usize, steps: StepCoding, within: usize) -> u64 {
        let low_width = steps.low_width.into();
        let low = self.bits(start, low_width, within);
        let (mut at, mut zeros_left) = (start + words_of(low_width), within as u32);
        let mut n_ones = 0;
        loop {
            let word = self.words.get(at);
            if word.count_zeros() > zeros_left {
                // Replacing each earlier zero by a one makes the wanted zero the lowest.
                let rest = (0..zeros_left).fold(word, |word, _| word | (word + 1));
                let high = u64::from(n_ones + rest.trailing_ones() - zeros_left);
                return (high << low_width | u64::from(low))
                    + within as u64 * u64::from(steps.least);
            }
            zeros_left -= word.count_zeros();
            n_ones += word.count_ones();
            at += 1;
        }
    }

    /// Number `within` of those of `width` bits each that begin at word `start`.
    fn bits(&self, start: usize, width: u32, within: usize) -> u32 {
        if width == 0 {
            return 0;
        }
        let bit = within * width as usize;
        let (at, shift) = (start + bit / u32::BITS as usize, bit as u32 % u32::BITS);
        let low = u64::from(self.words.get(at));
        let high = if shift + width > u32::BITS { self.words.get(at + 1).into() } else { 0 };
        ((high << u32::BITS | low) >> shift) as u32 & mask(width)
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> u64 {
        let tails = (self.tails.0.capacity() * size_of::<u32>()) as u64;
        self.blocks.bytes() + self.words.bytes() + tails
    }
}

impl ArgumentWord {
    const NONE: ArgumentWord = ArgumentWord(u64::MAX);

    fn one(number: u64) -> Self {
        ArgumentWord(number)
    }

    /// The number of the structure, if it is exactly one.
    #[inline(always)]
    fn only(self) -> Option<u64> {
        (self.0 & IN_TAILS == 0).then_some(self.0)
    }

    /// The same in half a word, if it fits.
    fn narrow(self) -> Option<u32> {
        if self == ArgumentWord::NONE {
            return Some(u32::MAX);
        }
        let number = u32::try_from(self.0 & !IN_TAILS).ok()?;
        let flag = if self.0 & IN_TAILS == 0 { 0 } else { NARROW_IN_TAILS };
        (number < NARROW_IN_TAILS - 1).then_some(number | flag)
    }

    fn of_narrow(word: u32) -> Self {
        match (word, word & NARROW_IN_TAILS) {
            (u32::MAX, _) => ArgumentWord::NONE,
            (number, 0) => ArgumentWord(number.into()),
            _ => ArgumentWord(u64::from(word & !NARROW_IN_TAILS) | IN_TAILS),
        }
    }
}

impl ArgumentTails {
    #[inline(always)]
    fn push_all(&mut self, arguments: &[StructureId]) -> ArgumentWord {
        match *arguments {
            [] => ArgumentWord::NONE,
            [only] => ArgumentWord::one(only.number()),
            [..] => self.push_several(arguments),
        }
    }

    #[cold]
    fn push_several(&mut self, arguments: &[StructureId]) -> ArgumentWord {
        let start = self.0.len() as u64;
        self.0.push(arguments.len() as u32);
        for number in arguments.iter().map(|id| id.number()) {
            if number >= IN_TWO.into() {
                self.0.push((number >> u32::BITS) as u32 | IN_TWO);
            }
            self.0.push(number as u32);
        }
        ArgumentWord(start | IN_TAILS)
    }

    fn get(&self, arguments: ArgumentWord) -> Vec<StructureId> {
        if arguments == ArgumentWord::NONE {
            return Vec::new();
        }
        if let Some(only) = arguments.only() {
            return vec![StructureId::new(only)];
        }
        let start = (arguments.0 & !IN_TAILS) as usize;
        let mut words = self.0[start + 1..].iter().map(|&word| u64::from(word));
        let mut next = || {
            let word = words.next().expect("a word for each argument");
            if word < IN_TWO.into() {
                return word;
            }
            let low = words.next().expect("two words for a large number");
            (word & !u64::from(IN_TWO)) << u32::BITS | low
        };
        (0..self.0[start]).map(|_| StructureId::new(next())).collect()
    }
}

impl BlockHead {
    fn start(self) -> usize {
        (u64::from(self.start_high) << u32::BITS | u64::from(self.start)) as usize
    }
}

/// The lower and the upper bits of a block's start.
fn split_start(at: usize) -> (u32, u8) {
    (at as u32, (at as u64 >> u32::BITS) as u8)
}

/// The number of bits that distinguish `n` numbers.
fn width_of(n: u64) -> u32 {
    u64::BITS - (n - 1).leading_zeros()
}

/// The number of words for a number of `width` bits for each structure of a block.
fn words_of(width: u32) -> usize {
    BLOCK / u32::BITS as usize * width as usize
}

/// The lowest `width` bits, 32 at most.
fn mask(width: u32) -> u32 {
    ((1_u64 << width) - 1) as u32
}

/// Appends numbers of a few bits each, from a whole word on.
struct BitPusher<'w> {
    words: &'w mut ChunkedVec<u32>,
    /// Fewer than 32 bits that are not yet a whole word, and zeros.
    bits: u64,
    n_bits: u32,
}

impl<'w> BitPusher<'w> {
    fn new(words: &'w mut ChunkedVec<u32>) -> Self {
        BitPusher { words, bits: 0, n_bits: 0 }
    }

    /// Appends the lowest `width` bits of `number`, 32 at most; the others must be zero.
    #[inline(always)]
    fn put(&mut self, number: u32, width: u32) {
        self.bits |= u64::from(number) << self.n_bits;
        self.n_bits += width;
        if self.n_bits >= u32::BITS {
            self.words.push(self.bits as u32);
            self.bits >>= u32::BITS;
            self.n_bits -= u32::BITS;
        }
    }

    /// Writes the remaining bits. A block's worth of numbers of one width leaves none.
    fn finish(self) {
        if self.n_bits > 0 {
            self.words.push(self.bits as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores origins, and compares them with the unpacked ones.
    #[track_caller]
    fn check(n_calls: u32, origins: impl Iterator<Item = (u32, Vec<u64>)>) -> Origins {
        let mut packed = Origins::new(n_calls);
        let mut naive = Vec::new();
        for (call, arguments) in origins {
            let arguments: Vec<_> = arguments.into_iter().map(StructureId::new).collect();
            let call = CallIdx::new(call);
            packed.push(call, &arguments);
            naive.push(Origin { call, arguments });
        }
        for (index, origin) in naive.iter().enumerate() {
            assert_eq!(packed.get(index), *origin, "{index} of {}", naive.len());
        }
        packed
    }

    /// The codings of the blocks.
    fn codings(origins: &Origins) -> Vec<Coding> {
        (0..origins.blocks.len()).map(|at| origins.blocks.get(at).coding).collect()
    }

    const N: u32 = 1000;

    /// Arguments are numbered from these on.
    const FIRSTS: [u64; 5] = [0, (1 << 31) - 300, (1 << 32) - 300, 1 << 40, (1 << 62) - 300];

    #[test]
    fn origins_in_order_come_out_as_they_went_in() {
        for step in [0, 1, 2, 7, 31, 32, 33, 1000, 2_000_000] {
            for n_calls in [1, 2, 7, 256, 1 << 20, u32::MAX] {
                for first in FIRSTS {
                    let call = |index| index % n_calls;
                    let argument = |index| vec![first + u64::from(index) * step];
                    let origin = |index| (call(index), argument(index));
                    check(n_calls, (0..N).map(origin));
                    check(n_calls, (0..N).map(|index| origin(index / 2)));
                    check(n_calls, (0..N).map(|index| (call(index % 5), argument(index / 5))));
                    check(n_calls, (0..N).map(|index| (n_calls - 1, argument(index / 128))));
                }
            }
        }
    }

    #[test]
    fn origins_in_no_order_come_out_as_they_went_in() {
        for (n_calls, first) in
            [1, 3, 300, u32::MAX].into_iter().flat_map(|n| FIRSTS.map(|f| (n, f)))
        {
            let call = |index: u32| index.wrapping_mul(2_654_435_761) % n_calls;
            let argument = |index: u32| first + u64::from(index);
            check(n_calls, (0..N).map(|index| (call(index), vec![argument(index * 7919 % 1000)])));
            check(n_calls, (0..N).map(|index| (call(index), vec![argument(N - index)])));
            check(n_calls, (0..N).map(|index| (call(index), vec![argument(index)])));
            let far = |index| u64::from(index) * 3_000_000 % ((1 << 31) - 1);
            check(n_calls, (0..N).map(|index| (call(index), vec![first + far(index)])));
            // Occasionally none, or several, among blocks that are in order.
            for rare in [64, 128, 300, 500] {
                check(
                    n_calls,
                    (0..N).map(|index| match index % rare {
                        3 => (call(index), vec![]),
                        5 => (call(index), vec![argument(index), u64::from(index), 1, first]),
                        _ => (call(index / 3), vec![argument(index / 3)]),
                    }),
                );
            }
        }
    }

    /// Argument 2^40 of 2^32 - 1 calls would be a number of 72 bits, and all its lower ones those
    /// of a smaller argument.
    #[test]
    fn numbers_that_do_not_fit_in_64_bits_are_stored_in_two_parts() {
        let first = 1 << 40;
        let packed = check(u32::MAX, (0..BLOCK as u32).map(|at| (at, vec![first])));
        assert_eq!(codings(&packed), [Coding::Arguments(StepCoding { low_width: 0, least: 0 })]);
        // Each is 2^64 - 1 below the one before, so in 64 bits they would rise.
        let falling = |at: u32| (0, vec![(1 << 40) - u64::from(at) * ((1 << 32) + 1)]);
        assert_eq!(codings(&check(u32::MAX, (0..BLOCK as u32).map(falling))), [Coding::Wide]);
        let plain = |at: u32| (at % 9, vec![(1 << 31) - 2 - u64::from(at)]);
        assert_eq!(codings(&check(9, (0..BLOCK as u32).map(plain))), [Coding::Plain]);
        let wide = |at: u32| (at % 9, vec![(1 << 31) - 1 - u64::from(at)]);
        assert_eq!(codings(&check(9, (0..BLOCK as u32).map(wide))), [Coding::Wide]);
    }

    /// Of 2^31 structures with two words each, there is no room here.
    #[test]
    fn the_place_of_a_block_has_forty_bits() {
        for at in [0, 7, (1 << 32) - 1, 1 << 32, (1 << 40) - 1] {
            let (start, start_high) = split_start(at);
            let coding = Coding::Plain;
            let head = BlockHead { first: 0, start, start_high, coding };
            assert_eq!(head.start(), at);
        }
    }

    #[test]
    fn a_block_is_coded_in_the_shortest_way_that_fits() {
        let block = |origin: fn(u32) -> (u32, Vec<u32>)| {
            let origin = |index| {
                let (call, arguments) = origin(index);
                (call, arguments.into_iter().map(u64::from).collect())
            };
            let packed = check(100, (0..BLOCK as u32).map(origin));
            (codings(&packed)[0], packed.words.len())
        };
        let steps = |low_width, least| StepCoding { low_width, least };
        // A zero each, and no ones.
        assert_eq!(
            block(|index| (index % 100, vec![index / 100])),
            (Coding::Origins(steps(0, 1)), 4)
        );
        assert_eq!(block(|_| (9, vec![7])), (Coding::Origins(steps(0, 0)), 4));
        // 99 calls are skipped for each: six low bits, a zero, and 196 ones for the rest of 127 *
        // 99.
        assert_eq!(block(|index| (9, vec![index])), (Coding::Origins(steps(6, 1)), 24 + 11));
        // Calls of seven bits, which fall, beside arguments that rise.
        let falling = block(|index| (99 - index % 100, vec![index / 100]));
        assert_eq!(falling, (Coding::Arguments(steps(0, 0)), 28 + 5));
        assert_eq!(block(|index| (0, vec![N - index])), (Coding::Plain, 28 + 128));
        let far = block(|index| (0, vec![index << 24]));
        assert_eq!(far.0, Coding::Arguments(steps(23, 1)));
        assert_eq!(block(|index| (0, vec![index; index as usize % 2])).0, Coding::Plain);
    }

    #[test]
    fn neighbours_from_one_structure_take_little_more_than_a_bit_for_each_call() {
        // Eight of ten calls give a new structure.
        let packed = check(10, (0..640_000).map(|index| (index % 8, vec![u64::from(index / 8)])));
        let bits = packed.bytes() as f64 * 8.0 / 640_000.0;
        // A bit for each call, and a block's 16 bytes for 128. Chunks are whole.
        assert!((10.0 / 8.0 + 1.0..3.5).contains(&bits), "{bits}");
    }

    /// Each number is three above the last, so two remain of a step and 254 of all: fewer than two
    /// for each, so none is stored as a low bit.
    #[test]
    fn the_step_that_all_share_makes_low_bits_fewer() {
        let packed =
            check(100, (0..BLOCK as u32).map(|at| (3 * at % 100, vec![u64::from(3 * at / 100)])));
        let steps = StepCoding { low_width: 0, least: 1 };
        assert_eq!(codings(&packed), [Coding::Origins(steps)]);
        // 128 zeros and 254 ones.
        assert_eq!(packed.words.len(), 12);
    }

    #[test]
    fn numbers_below_a_power_of_two_take_its_bits_and_no_more() {
        let widths = [(1, 0), (2, 1), (3, 2), (128, 7), (129, 8), (u32::MAX.into(), 32)];
        for (n, width) in widths {
            assert_eq!(width_of(n), width, "{n}");
        }
    }
}
