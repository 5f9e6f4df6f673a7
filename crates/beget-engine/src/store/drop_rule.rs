//! Which forms need not be kept: those of structures with fewer objects than any that a call is
//! still to be made on, as long as no call lets the number of objects fall.
//!
//! From its signatures a plan cannot prove that, so it is seen to hold: of every form that a call
//! leaves the objects are counted. Where a call is first seen to leave fewer objects than all that
//! calls of its level are made on have, nothing is dropped from then on. A form that may be one of
//! those that were dropped before ends the run: it is never taken for new.

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
