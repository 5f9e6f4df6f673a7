//! Incremental re-encoding of calls that leave the same memory as the one before, but for a few
//! integers.
//!
//! A method is called on one image with every literal in turn, and often leaves the same heap each
//! time, with the literal in one place of it. Where memory can be compared (the region image) and
//! the types' walks are regular, such a call is not walked: its form is that of the last walked
//! call with the integers exchanged. Everything visible is the same; a test runs all subjects with
//! and without the region image, hence with and without re-encoding.

use beget_alloc::{After, Difference, DifferenceList};
use beget_heap::{Change, Encoder, Layout, PassedBound, Template};
use beget_scope::PlannedIdx;

/// Whether keeping walks pays: what it has cost in a block beyond what it has spared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Payoff(i32);

impl Payoff {
    /// When it has cost so much more, no walk is kept any more in the block.
    const PATIENCE: i32 = 64;

    /// The most that what was spared can make up for.
    const CREDIT: i32 = -256;

    #[inline]
    pub(crate) fn is_worthwhile(self) -> bool {
        self.0 < Payoff::PATIENCE
    }

    #[inline]
    pub(crate) fn note_cost(&mut self, cost: i32) {
        self.0 += cost;
    }

    #[inline]
    pub(crate) fn note_gain(&mut self, gain: i32) {
        self.0 = (self.0 - gain).max(Payoff::CREDIT);
    }
}

/// What is known of the last walked call on the present image.
#[derive(Debug)]
pub(crate) struct Reencoder {
    template: Template,
    /// The bound that the walked call passed, if it was out of scope: whoever keeps a walk sets it.
    pub(crate) passed: PassedBound,
    /// How many calls passed it since, which nobody has counted yet.
    pub(crate) n_passed: u64,
    /// The number of objects of the counted class, the same for all that is like the template.
    pub(crate) objects: u16,
    differences: DifferenceList,
    pub(crate) words: Vec<u64>,
    /// For each method of the plan: keeping a walk and comparing memory costs about as much as is
    /// spared where it helps.
    payoffs: Vec<Payoff>,
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
        Reencoder {
            template: Template::default(),
            passed: PassedBound::Ints,
            n_passed: 0,
            objects: 0,
            differences: DifferenceList::default(),
            words: Vec::new(),
            payoffs: vec![Payoff::default(); n_methods],
        }
    }

    /// Whether walks of this method's calls are worth keeping.
    #[inline]
    pub(crate) fn is_worthwhile(&self, planned: PlannedIdx) -> bool {
        self.payoffs[planned.index()].is_worthwhile()
    }

    /// Looks whether the last walk tells what this call left.
    #[inline(always)]
    pub(crate) fn look(
        &mut self,
        planned: PlannedIdx,
        after: &After<'_>,
        layout: &Layout,
    ) -> Reencoding {
        let payoff = &mut self.payoffs[planned.index()];
        let change = |difference: &Difference| Change {
            address: difference.address,
            old: difference.old,
            new: difference.new,
        };
        let is_told = after.is_like_kept(&mut self.differences)
            && self.template.apply(layout, self.differences.iter().map(change), &mut self.words);
        if !is_told {
            payoff.note_cost(1);
            return Reencoding::Unknown;
        }
        payoff.note_gain(1);
        match self.template.is_in_scope() {
            false => Reencoding::OutOfScope,
            true if self.differences.is_empty() => Reencoding::Same,
            true => Reencoding::Form(self.template.len()),
        }
    }

    /// Keeps the walk that `encoder` has recorded, whose form has `len` bytes, and the memory it
    /// walked.
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
