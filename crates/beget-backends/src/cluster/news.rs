//! New structures in messages: how each was made, who keeps it, and of which type it is.

use beget_engine::CallIdx;
use beget_engine::store::{CommitCounts, StructureId, TagBits, Totals};
use beget_engine::varint::{put, take, take_bytes, take_u32};

use crate::cluster::wire::{BitSource, PackedBits};

/// A new structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpreadStructure<'a> {
    /// The process that keeps it.
    pub(crate) owner: u8,
    /// Its type.
    pub(crate) tag: u32,
    pub(crate) call: CallIdx,
    pub(crate) arguments: &'a [StructureId],
}

/// The widths of owners and types in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewsWidths {
    owner_bits: u32,
    has_tags: bool,
}

impl NewsWidths {
    pub(crate) fn new(n_processes: usize, tag_bits: TagBits) -> Self {
        let owner_bits = usize::BITS - (n_processes - 1).leading_zeros();
        NewsWidths { owner_bits, has_tags: tag_bits.width() > 0 }
    }
}

/// The new structures of a block, for all processes.
pub(crate) struct BlockNews {
    widths: NewsWidths,
    n_new: u64,
    calls_with_new: u64,
    is_call_counted: bool,
    last: u64,
    owners: PackedBits,
    origins: Vec<u8>,
}

/// Marks a call that takes three structures or more.
const MANY: u64 = 3;

impl BlockNews {
    pub(crate) fn new(widths: NewsWidths) -> Self {
        BlockNews {
            widths,
            n_new: 0,
            calls_with_new: 0,
            is_call_counted: false,
            last: 0,
            owners: PackedBits::default(),
            origins: Vec::new(),
        }
    }

    /// Goes on to the next candidate of the block, which may be of the same call as the one before.
    #[inline]
    pub(crate) fn begin_candidate(&mut self, continues_call: bool) {
        self.is_call_counted &= continues_call;
    }

    /// Adds the candidate: it is new.
    pub(crate) fn push(&mut self, new: &SpreadStructure<'_>) {
        self.n_new += 1;
        self.calls_with_new += u64::from(!self.is_call_counted);
        self.is_call_counted = true;
        self.owners.push(new.owner.into(), self.widths.owner_bits);
        let n_arguments = new.arguments.len() as u64;
        put(&mut self.origins, u64::from(new.call.number()) << 2 | n_arguments.min(MANY));
        if n_arguments >= MANY {
            put(&mut self.origins, n_arguments);
        }
        for argument in new.arguments {
            let (number, last) = (argument.number(), self.last);
            put(&mut self.origins, number.abs_diff(last) << 1 | u64::from(number < last));
            self.last = number;
        }
        if self.widths.has_tags {
            put(&mut self.origins, new.tag.into());
        }
    }

    pub(crate) fn write_to(self, message: &mut Vec<u8>) {
        put(message, self.n_new);
        put(message, self.calls_with_new);
        message.extend(self.owners.into_bytes());
        message.extend(self.origins);
    }
}

/// Reads the news of a block: calls `visit` with each new structure, in order. `None` if the
/// message is malformed.
pub(crate) fn read_news(
    rest: &mut &[u8],
    widths: NewsWidths,
    visit: &mut dyn FnMut(&SpreadStructure<'_>),
) -> Option<CommitCounts> {
    let n_new = take(rest)?;
    let calls_with_new = take(rest)?;
    let n_bytes = n_new.checked_mul(widths.owner_bits.into())?.div_ceil(8);
    let mut owners = BitSource::new(take_bytes(rest, usize::try_from(n_bytes).ok()?)?);
    let mut arguments = Vec::new();
    let mut last = 0_u64;
    for _ in 0..n_new {
        let owner = owners.take(widths.owner_bits)? as u8;
        let head = take(rest)?;
        let call = CallIdx::new(u32::try_from(head >> 2).ok()?);
        let n_arguments = match head & 3 {
            MANY => take(rest)?,
            few => few,
        };
        arguments.clear();
        for _ in 0..n_arguments {
            let difference = take(rest)?;
            last = match difference & 1 {
                0 => last.checked_add(difference >> 1)?,
                _ => last.checked_sub(difference >> 1)?,
            };
            arguments.push(StructureId::new(last));
        }
        let tag = if widths.has_tags { take_u32(rest)? } else { 0 };
        visit(&SpreadStructure { owner, tag, call, arguments: &arguments });
    }
    Some(CommitCounts { new: n_new, calls_with_new })
}

pub(crate) fn put_totals(message: &mut Vec<u8>, totals: &Totals) {
    for counts in [&totals.by_type, &totals.by_objects] {
        put(message, counts.len() as u64);
        counts.iter().for_each(|&count| put(message, count));
    }
    message.extend_from_slice(&totals.digest.to_le_bytes());
}

/// Adds totals from a message.
pub(crate) fn take_totals(rest: &mut &[u8], totals: &mut Totals) -> Option<()> {
    for counts in [&mut totals.by_type, &mut totals.by_objects] {
        let n = usize::try_from(take(rest)?).ok().filter(|&n| n <= rest.len())?;
        counts.resize(counts.len().max(n), 0);
        for count in counts.iter_mut().take(n) {
            *count += take(rest)?;
        }
    }
    let digest = take_bytes(rest, 16)?.try_into().ok()?;
    totals.digest = totals.digest.wrapping_add(u128::from_le_bytes(digest));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_come_out_as_they_went_in() {
        for (n_processes, tag_bits) in [(1, TagBits::default()), (3, TagBits::for_types(2))] {
            let widths = NewsWidths::new(n_processes, tag_bits);
            let mut rng = fastrand::Rng::with_seed(2);
            let mut news = BlockNews::new(widths);
            let mut sent = Vec::new();
            for _ in 0..500 {
                let arguments: Vec<StructureId> = (0..rng.usize(..5))
                    .map(|_| StructureId::new(rng.u64(..) >> rng.u32(1..64)))
                    .collect();
                let (owner, tag) = (rng.u8(..n_processes as u8), rng.u32(..2));
                let tag = if tag_bits.width() > 0 { tag } else { 0 };
                let call = CallIdx::new(rng.u32(..));
                news.begin_candidate(rng.bool());
                let new = SpreadStructure { owner, tag, call, arguments: &arguments };
                news.push(&new);
                sent.push((owner, tag, call, arguments));
            }
            let calls_with_new = news.calls_with_new;
            let mut message = Vec::new();
            news.write_to(&mut message);
            let mut rest = &message[..];
            let mut read = Vec::new();
            let counts = read_news(&mut rest, widths, &mut |new| {
                read.push((new.owner, new.tag, new.call, new.arguments.to_vec()));
            });
            assert_eq!((counts, rest.len()), (Some(CommitCounts { new: 500, calls_with_new }), 0));
            assert!(read == sent);
            let torn = &mut &message[..message.len() - 1];
            assert_eq!(read_news(torn, widths, &mut |_| {}), None);
        }
    }
}
