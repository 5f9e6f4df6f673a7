//! Incremental re-encoding of calls that leave the same memory as the one before, but for a few integers.
//!
//! A method is called on one image with every literal in turn, and often leaves the same heap each time, with the literal
//! in one place of it. Where memory can be compared (the region image) and the types' walks are regular, such a call is not
//! walked: its form is that of the last walked call with the integers exchanged. Everything visible is the same; a
//! test runs all subjects with and without the region image, hence with and without re-encoding.

use beget_alloc::{After, Difference};
use beget_heap::{Change, Encoder, Layout, Template};
use beget_scope::PlannedIdx;

/// After so many walks that no call was spared by, a method is not tried any more in this block.
const PATIENCE: u32 = 64;

/// What is known of the last walked call on the present image.
#[derive(Debug, Default)]
pub(crate) struct Reencoder {
    template: Template,
    /// The number of objects of the counted class, the same for all that is like the template.
    pub(crate) objects: u16,
    differences: Vec<Difference>,
    changes: Vec<Change>,
    pub(crate) words: Vec<u64>,
    /// For each method of the plan, walks kept in vain since the last one that paid.
    vain: Vec<u32>,
}

/// What a call left, as far as the last walked call tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reencoding {
    /// It must be walked.
    Unknown,
    /// It is beyond the scope, as the walked one was.
    OutOfScope,
    /// It is the structure of the walked one.
    Same,
    /// It is the structure whose form is in `words`, of this many bytes.
    Form(usize),
}

impl Reencoder {
    pub(crate) fn new(n_methods: usize) -> Self {
        Reencoder { vain: vec![0; n_methods], ..Reencoder::default() }
    }

    /// Whether walks of this method's calls are worth keeping.
    #[inline]
    pub(crate) fn is_worthwhile(&self, planned: PlannedIdx) -> bool {
        self.vain[planned.index()] < PATIENCE
    }

    /// Looks whether the last walk tells what this call left.
    #[inline]
    pub(crate) fn look(
        &mut self,
        planned: PlannedIdx,
        after: &After<'_>,
        layout: &Layout,
    ) -> Reencoding {
        if !after.is_like_kept(&mut self.differences) {
            self.vain[planned.index()] += 1;
            return Reencoding::Unknown;
        }
        let change = |difference: &Difference| Change {
            address: difference.address,
            old: difference.old,
            new: difference.new,
        };
        self.changes.clear();
        self.changes.extend(self.differences.iter().map(change));
        if !self.template.apply(layout, &self.changes, &mut self.words) {
            self.vain[planned.index()] += 1;
            return Reencoding::Unknown;
        }
        self.vain[planned.index()] = 0;
        match self.template.is_in_scope() {
            false => Reencoding::OutOfScope,
            true if self.changes.is_empty() => Reencoding::Same,
            true => Reencoding::Form(self.template.len()),
        }
    }

    /// Keeps the walk that `encoder` has recorded, whose form has `len` bytes, and the memory it walked.
    pub(crate) fn keep(
        &mut self,
        encoder: &mut Encoder<'_>,
        len: usize,
        objects: u16,
        after: &mut After<'_>,
    ) {
        encoder.keep_template(len, &mut self.template);
        self.objects = objects;
        after.keep();
    }
}
