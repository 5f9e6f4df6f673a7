//! The forms that need not be kept: those of structures with fewer objects than any that calls will
//! still be made on, as long as no call reduces the number of objects.
//!
//! A plan cannot prove that from its signatures, because a method by `&mut self` may undo what
//! another has done. So it is observed: the objects of every form that a call leaves are counted.
//! If a call leaves fewer objects than any structure that calls of its level are made on, nothing
//! is dropped from then on. A form that may equal a dropped one ends the run: it is never taken for
//! new.
//!
//! # Exactness
//!
//! Each batch is noted with the least and the most objects of its structures. Between levels,
//! `Store::pass` announces which structures no call is made on any more; structures with fewer
//! objects than all later ones are dropped. Three things keep that exact. A candidate with fewer
//! objects than any structure that calls of its level are made on ends the dropping for good:
//! methods that remove objects usually show this in the first levels, and nothing is dropped before
//! the third level with more objects than the one before. A candidate with as few objects as the
//! dropped ones, which is not among the kept ones, is never taken for new: the batch is rejected
//! and the run ends (`form_dropped`). And plans whose calls take several structures, or that read
//! forms in the end, are rejected before the run (`NeedsForms` in
//! `crates/beget-engine/src/read/dropping.rs`). A shard forgets a prefix of its arena, by whole
//! chunks, and rebuilds its table without it; origins and order stay.
//!
//! The saving depends on the share of a scope in its last levels: search trees, most of which have
//! five sixths of the keys, need a third less memory; of stacks, seven eighths are in the last
//! level, so there is almost nothing to drop (numbers are in the book).

use super::{Candidates, Origin};

/// The forms that a store has dropped, and the reason why it stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedForms {
    /// The number of structures, the first ones, without a form.
    pub structures: u64,
    /// The first call that let the number of objects fall.
    pub fall: Option<Fall>,
}

/// A call that leaves fewer objects than any structure that calls of its level are made on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// The call.
    pub origin: Origin,
    /// The number of objects of the counted class that it leaves.
    pub objects: u16,
    /// The least number of objects of the structures that calls of its level are made on.
    pub least: u16,
}

/// The number of levels with more objects than the one before to wait for: methods that remove
/// objects usually show in these.
const RISES_BEFORE: u32 = 2;

/// The structures by their numbers of objects.
#[derive(Clone, Debug, Default)]
pub(super) struct DropRule {
    /// The structures of each batch, in order.
    batches: Vec<BatchObjects>,
    /// The least number of objects of structures that calls are still to be made on.
    least: u16,
    /// The number of times that it has risen.
    n_rises: u32,
    /// The number of objects below which forms were dropped.
    floor: u16,
    dropped: DroppedForms,
}

/// The numbers of objects of a batch's structures.
#[derive(Clone, Copy, Debug)]
struct BatchObjects {
    /// The number after the last of them.
    end: u64,
    least: u16,
    most: u16,
}

impl DropRule {
    pub(super) fn dropped(&self) -> &DroppedForms {
        &self.dropped
    }

    /// Notes that no more calls are made on structures below `passed`. Returns the number below
    /// which forms should be dropped, if any.
    pub(super) fn pass(&mut self, passed: u64) -> Option<u64> {
        let ahead = self.batches.iter().rev().take_while(|batch| batch.end > passed);
        let least = ahead.map(|batch| batch.least).min()?;
        if least <= self.least {
            self.least = least;
            return None;
        }
        self.least = least;
        self.n_rises += 1;
        if self.n_rises <= RISES_BEFORE || self.dropped.fall.is_some() {
            return None;
        }
        let droppable = self.batches.iter().take_while(|batch| batch.most < least);
        let below = droppable.last()?.end;
        (self.floor, self.dropped.structures) = (least, below);
        Some(below)
    }

    /// Examines the results of calls, in order. Returns the least number of objects for which it is
    /// known whether a form is kept.
    pub(super) fn look(&mut self, blocks: &[Candidates]) -> u16 {
        if self.dropped.fall.is_none() {
            let mut left = blocks.iter().flat_map(Candidates::iter);
            self.dropped.fall = left.find(|left| left.objects < self.least).map(|left| Fall {
                origin: Origin::of(&left),
                objects: left.objects,
                least: self.least,
            });
        }
        self.floor
    }

    /// Adds the numbers of objects of the new structures below `end`.
    pub(super) fn add(&mut self, end: u64, objects: impl Iterator<Item = u16>) {
        let range = objects.fold(None, |range: Option<(u16, u16)>, n| {
            let (least, most) = range.unwrap_or((n, n));
            Some((least.min(n), most.max(n)))
        });
        if let Some((least, most)) = range {
            self.batches.push(BatchObjects { end, least, most });
        }
    }
}
