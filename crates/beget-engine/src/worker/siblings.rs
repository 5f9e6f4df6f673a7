//! Siblings: structures that differ from the one before in a few integers only.
//!
//! Calls of one method with other literals leave them one after another, and they are called in
//! that order. So the image of one is that of the one before with these integers exchanged, and
//! need not be decoded. Which integers lie where is known from a walk of the image, where its type
//! is regular: see [`beget_heap::template`]. What is kept of calls that were walked is patched
//! likewise (see [`crate::worker::reencode`]).
//!
//! Patched images are [checked](super::checks) in the same sample as decoded ones, by a walk and by
//! their recipes, and a test compares whole runs with and without them.
//!
//! # How
//!
//! Structures are called in the order in which they were found, and those that calls with different
//! literals left follow one another: on lists nine of ten differ from the one before in one
//! integer, on search trees one of five. If the next form differs from the present one in a few
//! places no wider than an integer, a walk of the image notes where its integers lie; if then all
//! that differs is short codes of noted integers (`Template::exchange`), both forms are read by the
//! same steps, so the next image is the present one with these integers exchanged, in the frame and
//! in its copy (`Region::patch`). That needs types that are regular and decoded. Where walks lead
//! to less than five patches for four of them, none is recorded any more in the block. Patched
//! images are among those that are walked and compared with their recipes, as decoded ones are. One
//! walk serves 47 structures on NCL 7, two thousand on SinglyLinkedList 8.
//!
//! What is kept of walked calls follows the patch: memory and template take the same integers,
//! where the walk noted them and the call had left them alone, so the same calls on the sibling
//! mostly need no walk either. It is forgotten where an integer was not noted after the call. For
//! that, walks note all integers where the next structure looks like a sibling. NCL 7 takes 19 %
//! fewer instructions, dllist 6 14 %, SinglyLinkedList 6 7 %.

use beget_heap::{ExchangedInt, Template};
use beget_process::alloc::{Image, ImageId, Patch, Region};
use beget_process::guard::guarded;
use beget_suite::Frame;

use super::{FrameError, Parent, Worker};
use crate::data::block::Block;
use crate::worker::reencode::Payoff;

/// What recording a walk costs, and what a patch spares, by what they come to on trees: walks pay
/// where they lead to five patches for every four of them.
const COST: i32 = 5;
const GAIN: i32 = 4;

/// What is known of the image built last.
#[derive(Debug, Default)]
pub(super) struct Siblings {
    /// True if the structure of the next task looks like a sibling of the present one.
    pub(super) is_next: bool,
    /// The image that the template was recorded of.
    image: Option<ImageId>,
    /// What it has in memory now, with its patches.
    template: Template,
    exchanged: Vec<ExchangedInt>,
    patches: Vec<Patch>,
    payoff: Payoff,
}

impl<'e> Worker<'e> {
    /// Returns whether task number `index`, on `parents`, comes before one on a structure that
    /// looks like a sibling of it.
    pub(super) fn is_sibling_next(
        &self,
        block: &Block,
        index: u32,
        parents: &[Parent<'_>],
    ) -> bool {
        if !self.shared.patches || !self.siblings.payoff.is_worthwhile() {
            return false;
        }
        let ([parent], Some(task)) = (parents, block.tasks.get(index as usize + 1)) else {
            return false;
        };
        if self.shared.groups[task.group.0 as usize].types.len() != 1 {
            return false;
        }
        let (_, form) = block.structure(block.members_of(task, 1)[0]);
        form.resembles(parent.form, &self.plan().layout)
    }

    /// The image of some structures: the one before with a few integers exchanged, or a new one.
    pub(super) fn image<'r>(
        &mut self,
        region: &'r mut Region,
        parents: &[Parent<'_>],
    ) -> Result<Image<'r, Frame>, FrameError> {
        if self.patch_image(region, parents) {
            return region.newest().ok_or(FrameError::Reconstruction);
        }
        let mut image = self.build_image(region, parents)?;
        if self.siblings.is_next {
            self.record_image(&mut image, parents)?;
        }
        Ok(image)
    }

    /// Makes the image built last that of these structures, if it is that of a sibling.
    fn patch_image(&mut self, region: &mut Region, parents: &[Parent<'_>]) -> bool {
        let layout = &self.shared.reconstructor.plan.layout;
        let Siblings { image, template, exchanged, patches, payoff, .. } = &mut self.siblings;
        let (Some(id), [parent]) = (*image, parents) else { return false };
        // Where this fails, the image is built anew, and there is no template of that.
        *image = None;
        if !template.exchange(layout, parent.form, exchanged) {
            return false;
        }
        let patch =
            |int: &ExchangedInt| Patch::of_int(int.address, int.n_bytes, int.old, int.value);
        patches.clear();
        patches.extend(exchanged.iter().map(patch));
        let reencoder = &mut self.reencoder;
        let is_patched =
            region.patch(id, patches, |place| reencoder.follow(place, layout, exchanged));
        if !is_patched {
            return false;
        }
        payoff.note_gain(GAIN);
        *image = Some(id);
        true
    }

    /// Keeps what a walk tells of an image just built.
    fn record_image(
        &mut self,
        image: &mut Image<'_, Frame>,
        parents: &[Parent<'_>],
    ) -> Result<(), FrameError> {
        let [parent] = parents else { return Ok(()) };
        // What was replayed may have more to it than its form.
        if self.shared.reconstructor.copy_strategies.replays(parent.ty) {
            return Ok(());
        }
        let id = image.id();
        self.siblings.payoff.note_cost(COST);
        let recorded = image.attempt(|_| (), |frame, (), _| self.record(frame, parent));
        let is_recorded = recorded.map_err(FrameError::Region)?;
        self.siblings.image = is_recorded.then_some(id);
        Ok(())
    }

    /// Walks a frame that was just made into the template; whether it is as it should be.
    fn record(&mut self, frame: &Frame, parent: &Parent<'_>) -> bool {
        let [Some(value)] = &frame.arguments[..] else { return false };
        let walk = self.plan().suite.types[parent.ty.0].walk;
        self.encoder.begin_recording(parent.ty.0 as u64, 0);
        if guarded(|| walk(&**value, &mut self.encoder)).is_err() {
            return false;
        }
        let Ok(form) = self.encoder.finish() else { return false };
        let (is_itself, len) = (form == parent.form, form.len);
        self.encoder.keep_template(len, &mut self.siblings.template);
        is_itself
    }
}
