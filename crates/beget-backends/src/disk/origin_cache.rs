//! The origins read last: the recipes of structures that follow each other lead through the same
//! blocks.
//!
//! The cache allocates nothing after its creation, since a store may be read while memory is
//! recorded that is put back later. So unusually large blocks are not kept.

use beget_engine::CallIdx;
use beget_engine::store::{Origin, StructureId};

use crate::disk::codec::OriginCoder;
use crate::disk::error::DiskError;
use crate::disk::segment::{ORIGIN_BLOCK, Segment, Unpacker};

/// The number of blocks kept: one for each level that recipes lead through, and more.
const N_SLOTS: usize = 256;

/// The number of arguments of a block for which there is room.
const MOST_ARGUMENTS: usize = 2 * ORIGIN_BLOCK;

/// The number of bytes of a block for which there is room, packed and unpacked.
const MOST_BYTES: usize = 16 * ORIGIN_BLOCK;

/// Blocks of origins, each in the one place that its number names.
pub(crate) struct OriginCache {
    slots: Vec<OriginSlot>,
    unpacker: Unpacker,
    /// Scratch space for the arguments of one origin.
    arguments: Vec<StructureId>,
}

/// The origins of a block.
struct OriginSlot {
    /// Segment and number of the block.
    of: Option<(usize, usize)>,
    calls: Vec<CallIdx>,
    /// The end of each origin's arguments.
    ends: Vec<u32>,
    arguments: Vec<StructureId>,
}

impl OriginCache {
    pub(crate) fn new() -> Self {
        let slot = || OriginSlot {
            of: None,
            calls: Vec::with_capacity(ORIGIN_BLOCK),
            ends: Vec::with_capacity(ORIGIN_BLOCK),
            arguments: Vec::with_capacity(MOST_ARGUMENTS),
        };
        OriginCache {
            slots: (0..N_SLOTS).map(|_| slot()).collect(),
            unpacker: Unpacker::with_room(MOST_BYTES),
            arguments: Vec::with_capacity(MOST_ARGUMENTS),
        }
    }

    /// Returns the origin of structure number `within` of segment `number`.
    pub(crate) fn origin(
        &mut self,
        segment: &Segment,
        number: usize,
        within: u32,
    ) -> Result<Origin, DiskError> {
        let of = (number, within as usize / ORIGIN_BLOCK);
        let OriginCache { slots, unpacker, arguments } = self;
        let slot = &mut slots[(of.0 * 37 + of.1) % N_SLOTS];
        if slot.of != Some(of) {
            // If reading fails, the old block must not stay under the new number.
            slot.of = None;
            let packed = segment.unpack_origins(of.1, unpacker)?;
            let Some(bytes) = packed.filter(|bytes| slot.fill(bytes, arguments)) else {
                return segment.origin(within);
            };
            debug_assert!(bytes.len() <= MOST_BYTES);
            slot.of = Some(of);
        }
        let index = within as usize % ORIGIN_BLOCK;
        match slot.get(index) {
            Some(origin) => Ok(origin),
            None => Err(DiskError::damaged(segment.path(), "origins are missing")),
        }
    }

    /// Returns the bytes that the cache holds.
    pub(crate) fn memory(&self) -> u64 {
        let of_one = size_of::<CallIdx>() * ORIGIN_BLOCK
            + size_of::<u32>() * ORIGIN_BLOCK
            + size_of::<StructureId>() * MOST_ARGUMENTS;
        (N_SLOTS * of_one) as u64
    }
}

impl OriginSlot {
    /// Takes the origins of `bytes`, if there is room; `arguments` has room for those of one.
    fn fill(&mut self, mut bytes: &[u8], arguments: &mut Vec<StructureId>) -> bool {
        self.calls.clear();
        self.ends.clear();
        self.arguments.clear();
        let mut coder = OriginCoder::default();
        while !bytes.is_empty() {
            let is_long = OriginCoder::n_arguments(bytes).is_none_or(|n| n > MOST_ARGUMENTS);
            if is_long || self.calls.len() == ORIGIN_BLOCK {
                return false;
            }
            let Some(call) = coder.next(&mut bytes, arguments) else { return false };
            if self.arguments.len() + arguments.len() > MOST_ARGUMENTS {
                return false;
            }
            self.calls.push(call);
            self.arguments.extend_from_slice(arguments);
            self.ends.push(self.arguments.len() as u32);
        }
        true
    }

    fn get(&self, index: usize) -> Option<Origin> {
        let &call = self.calls.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let arguments = self.arguments[start as usize..self.ends[index] as usize].to_vec();
        Some(Origin { call, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Origins with these numbers of arguments.
    fn origins(numbers: &[usize]) -> Vec<Origin> {
        let arguments = |n: usize| (0..n as u64).map(StructureId::new).collect();
        let calls = (0..).map(CallIdx::new);
        calls.zip(numbers).map(|(call, &n)| Origin { call, arguments: arguments(n) }).collect()
    }

    fn capacities(slot: &OriginSlot, arguments: &Vec<StructureId>) -> [usize; 4] {
        let OriginSlot { calls, ends, arguments: all, .. } = slot;
        [calls.capacity(), ends.capacity(), all.capacity(), arguments.capacity()]
    }

    /// Memory taken while a region is recorded would be given back with it.
    #[test]
    fn a_block_that_does_not_fit_is_left_and_takes_no_more_room() {
        let nearly = vec![2; ORIGIN_BLOCK - 1];
        for (numbers, fits) in [
            (vec![], true),
            (vec![MOST_ARGUMENTS], true),
            (vec![MOST_ARGUMENTS + 1], false),
            (vec![4 * MOST_ARGUMENTS], false),
            (vec![0; ORIGIN_BLOCK], true),
            (vec![0; ORIGIN_BLOCK + 1], false),
            ([&nearly[..], &[2]].concat(), true),
            ([&nearly[..], &[3]].concat(), false),
        ] {
            let origins = origins(&numbers);
            let (mut coder, mut bytes) = (OriginCoder::default(), Vec::new());
            let push = |one: &Origin| coder.push(&mut bytes, one.call, &one.arguments);
            origins.iter().for_each(push);
            let OriginCache { mut slots, mut arguments, .. } = OriginCache::new();
            let slot = &mut slots[0];
            let before = capacities(slot, &arguments);
            let (n, first) = (numbers.len(), numbers.first());
            assert_eq!(slot.fill(&bytes, &mut arguments), fits, "{n} of {first:?}");
            assert_eq!(capacities(slot, &arguments), before, "{n} of {first:?}");
            if fits {
                let found: Vec<Origin> = (0..n).map(|index| slot.get(index).unwrap()).collect();
                assert!(found == origins, "{n} of {first:?}");
                assert_eq!(slot.get(n), None);
            }
        }
    }
}
