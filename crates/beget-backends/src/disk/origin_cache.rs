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
