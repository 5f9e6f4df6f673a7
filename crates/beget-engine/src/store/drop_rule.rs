//! Which forms need not be kept: those of structures with fewer objects than any that a call is
//! still to be made on, as long as no call lets the number of objects fall.
//!
//! From its signatures a plan cannot prove that, so it is seen to hold: of every form that a call
//! leaves the objects are counted. Where a call is first seen to leave fewer objects than all that
//! calls of its level are made on have, nothing is dropped from then on. A form that may be one of
//! those that were dropped before ends the run: it is never taken for new.
//!
//! # Why it is exact
//!
//! Where only totals and findings are wanted, forms that no call can lead to any more need not be
//! kept. From its signatures a plan can prove that of no form: a method by `&mut self` may undo
//! what another has done. So it is proved while the run goes. Each batch is noted with the least
//! and the most objects of its structures; `Store::pass` tells between levels which structures no
//! call is made on any more; what has fewer objects than all that come after it is dropped. Three
//! things keep that exact. A candidate with fewer objects than anything that calls of its level are
//! made on ends the dropping for good: methods that take away are mostly met so in the first
//! levels, and nothing is dropped before the third one that has more objects than the one before. A
//! candidate with as few objects as what was dropped, which is not among what is kept, is never
//! taken for new: the batch is refused and the run ends (`form_dropped`). And plans whose calls
//! take several structures, or that read forms in the end, are refused before (`NeedsForms` in
//! `crates/beget-engine/src/read/dropping.rs`). A shard forgets a prefix of its arena, by whole chunks,
//! and makes its table anew without it; origins and order stay.
//!
//! What it is worth depends on how much of a scope is in its last levels: search trees, of which
//! there are most with five sixths of the keys, need a third less memory; of stacks, seven eighths
//! of which are in the last level, there is next to nothing to drop (numbers are in the book).

use super::{Candidates, Origin};

/// What a store has dropped, and why no more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Of how many structures, the first ones, there is no form any more.
    pub structures: u32,
    /// The first call that let the number of objects fall.
    pub fall: Option<Fall>,
}

/// A call that leaves fewer objects than all that calls of its level are made on have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// The call.
    pub origin: Origin,
    /// How many objects of the counted class it leaves.
    pub objects: u16,
    /// The least that a structure has of those that calls of its level are made on.
    pub least: u16,
}

/// Levels with more objects than the one before that are waited for: methods that take something
/// out again are mostly met in these.
const RISES_BEFORE: u32 = 2;

/// What is known of the structures by their numbers of objects.
#[derive(Clone, Debug, Default)]
pub(super) struct DropRule {
    /// The structures of each batch, in order.
    batches: Vec<BatchObjects>,
    /// The least objects of those that calls are still to be made on.
    least: u16,
    /// How often that has risen.
    n_rises: u32,
    /// Below how many objects forms were dropped.
    floor: u16,
    dropped: Dropped,
}

/// How many objects the structures of a batch have.
#[derive(Clone, Copy, Debug)]
struct BatchObjects {
    /// The number behind the last of them.
    end: u32,
    least: u16,
    most: u16,
}

impl DropRule {
    pub(super) fn dropped(&self) -> &Dropped {
        &self.dropped
    }

    /// No call is made any more on structures below `passed`. Tells below which number forms are to
    /// be dropped, if they are.
    pub(super) fn pass(&mut self, passed: u32) -> Option<u32> {
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

    /// Looks at what calls have left, in the order of the calls. Whether a form is kept is only
    /// known if it has as many objects as this or more.
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

    /// The structures below `end` that are not known yet have so many objects each.
    pub(super) fn add(&mut self, end: u32, objects: impl Iterator<Item = u16>) {
        let range = objects.fold(None, |range: Option<(u16, u16)>, n| {
            let (least, most) = range.unwrap_or((n, n));
            Some((least.min(n), most.max(n)))
        });
        if let Some((least, most)) = range {
            self.batches.push(BatchObjects { end, least, most });
        }
    }
}
