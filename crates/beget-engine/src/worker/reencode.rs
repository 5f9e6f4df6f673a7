//! Incremental re-encoding of calls that leave the same memory as the one before, but for a few
//! integers.
//!
//! A method is called on one image with every literal in turn, and often leaves the same heap each
//! time, with the literal in one place of it. Where memory can be compared (the region image) and
//! the types' walks are regular, such a call is not walked: its form is that of a walked call with
//! the integers exchanged. Everything visible is the same; a test runs all subjects with and
//! without the region image, hence with and without re-encoding.
//!
//! Where an image is patched to be that of a [sibling](crate::worker), what is kept of a walked
//! call is patched as well, so that the same calls on the sibling need no walk either.
//!
//! # When it applies
//!
//! `crates/beget-heap/src/template.rs`. Calls of one method with different literals often leave the
//! same memory, with the literal in one place. If the memory after a call differs from that after a
//! walked call only in integers whose places that walk noted, its form is that call's form with
//! those bits exchanged. Looked at is the last walked call of its method or, on a new image, of
//! any. That needs a type whose walk does not depend on the integers it shows, which `derive(Heap)`
//! knows and says (`Heap::IS_REGULAR`); by hand it is off. And it needs every integer noted
//! wherever it is shown: an integer that raw pointers show again is exchanged in all its places,
//! and what shows memory unnoted switches this off for the schema (`Schema::is_regular`): fields
//! seen through functions, abstractions, plain fields, sorted contents beside shared pointers,
//! cells beside raw pointers. Integers in front of the first line that the call has changed are
//! mostly not noted: where they change, the next call is walked. A method of which 64 walks more
//! were kept in vain than calls were spared one is not tried any more in the block.

use beget_heap::{Change, Encoder, ExchangedInt, Layout, PassedBound, Template};
use beget_plan::scope::PlannedIdx;
use beget_process::alloc::{After, Difference, DifferenceList, KeptPlace};

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

/// What is known of a walked call.
#[derive(Debug)]
struct KeptWalk {
    template: Template,
    /// The bound that it passed, if it was out of scope.
    passed: PassedBound,
    /// The number of objects of the counted class, the same for all that is like the template.
    objects: u16,
    /// True if its structure, which is in scope, was told as one that a call on the present
    /// structure leaves.
    is_told: bool,
}

/// What is known of walked calls on the present image.
#[derive(Debug)]
pub(crate) struct Reencoder {
    /// By the place where the memory after the call is kept. A method has one of its own, unless
    /// there are many.
    walks: [KeptWalk; KeptPlace::COUNT],
    /// Where the last walked call is kept.
    newest: KeptPlace,
    /// Where the call is kept that told of the last one that it was out of scope.
    told_by: KeptPlace,
    /// How many calls passed the bound that the one there has passed, which nobody has counted yet.
    n_passed: u64,
    differences: DifferenceList,
    pub(crate) words: Vec<u64>,
    /// For each method of the plan: keeping a walk and comparing memory costs about as much as is
    /// spared where it helps.
    payoffs: Vec<Payoff>,
}

/// What a call left, as far as a walked call tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reencoding {
    /// It must be walked.
    Unknown,
    /// It is beyond the scope, as the walked one was.
    OutOfScope,
    /// It is the structure of the walked one, which has been told.
    Same,
    /// It is the structure whose form is in `words`, of this many bytes, with so many objects of
    /// the counted class.
    Form(usize, u16),
}

impl Reencoder {
    pub(crate) fn new(n_methods: usize) -> Self {
        let no_walk = || KeptWalk {
            template: Template::default(),
            passed: PassedBound::Ints,
            objects: 0,
            is_told: false,
        };
        Reencoder {
            walks: std::array::from_fn(|_| no_walk()),
            newest: KeptPlace::default(),
            told_by: KeptPlace::default(),
            n_passed: 0,
            differences: DifferenceList::default(),
            words: Vec::new(),
            payoffs: vec![Payoff::default(); n_methods],
        }
    }

    /// Where walks of this method's calls are kept, if they are worth it.
    #[inline]
    pub(crate) fn place_of(&self, planned: PlannedIdx) -> Option<KeptPlace> {
        let is_worthwhile = self.payoffs[planned.index()].is_worthwhile();
        is_worthwhile.then(|| KeptPlace::of(planned.index()))
    }

    /// Looks whether a walk tells what this call left: the last one of its method, whose place this
    /// is, or, where that was of another image, the last one of all.
    #[inline(always)]
    pub(crate) fn look(
        &mut self,
        planned: PlannedIdx,
        own: KeptPlace,
        after: &After<'_>,
        layout: &Layout,
    ) -> Reencoding {
        let place = if after.is_kept(own) { own } else { self.newest };
        let walk = &mut self.walks[place.index()];
        let payoff = &mut self.payoffs[planned.index()];
        let change = |difference: &Difference| Change {
            address: difference.address,
            old: difference.old,
            new: difference.new,
        };
        let is_like = after.is_like_kept(place, &mut self.differences);
        let has_none = self.differences.is_empty();
        if is_like && has_none && walk.is_told {
            payoff.note_gain(1);
            return Reencoding::Same;
        }
        let changes = self.differences.iter().map(change);
        if !(is_like && walk.template.apply(layout, changes, &mut self.words)) {
            payoff.note_cost(1);
            return Reencoding::Unknown;
        }
        payoff.note_gain(1);
        if !walk.template.is_in_scope() {
            self.told_by = place;
            self.n_passed += 1;
            return Reencoding::OutOfScope;
        }
        walk.is_told |= has_none;
        Reencoding::Form(walk.template.len(), walk.objects)
    }

    /// The calls that passed a bound and that nobody has counted yet, all of them the same one.
    #[inline]
    pub(crate) fn take_passed(&mut self) -> Option<(PassedBound, u64)> {
        let calls = std::mem::take(&mut self.n_passed);
        (calls > 0).then(|| (self.walks[self.told_by.index()].passed, calls))
    }

    /// Keeps the walk that `encoder` has recorded, whose form has `len` bytes, and the memory it
    /// walked.
    pub(crate) fn keep(
        &mut self,
        place: KeptPlace,
        encoder: &mut Encoder<'_>,
        len: usize,
        objects: u16,
        after: &mut After<'_>,
    ) {
        self.newest = place;
        let walk = &mut self.walks[place.index()];
        encoder.keep_template(len, &mut walk.template);
        (walk.objects, walk.is_told) = (objects, walk.template.is_in_scope());
        after.keep(place);
    }

    /// Says which bound the walk kept last has passed.
    pub(crate) fn note_passed(&mut self, passed: PassedBound) {
        self.walks[self.newest.index()].passed = passed;
    }

    /// Makes the walk kept at `place` that of the same call on a structure in which the integers
    /// listed are others, if that can be told.
    pub(crate) fn follow(
        &mut self,
        place: KeptPlace,
        layout: &Layout,
        exchanged: &[ExchangedInt],
    ) -> bool {
        let walk = &mut self.walks[place.index()];
        walk.is_told = false;
        walk.template.follow(layout, exchanged)
    }
}
