//! Incremental re-encoding of calls that leave the same memory as an earlier one, except for a few
//! integers.
//!
//! A method is called on one image with every literal in turn, and often leaves the same heap each
//! time, with the literal in one place of it. If memory can be compared (the region image) and the
//! types' walks are regular, such a call is not walked: its form is that of a walked call with the
//! integers exchanged. Everything visible is the same; a test runs all subjects with and without
//! the region image, hence with and without re-encoding.
//!
//! When an image is patched into its [sibling](crate::worker), the cached walks are patched too, so
//! that the same calls on the sibling need no walk either.
//!
//! # When it applies
//!
//! `crates/beget-heap/src/template.rs`. Calls of one method with different literals often leave the
//! same memory, with the literal in one place. If the memory after a call differs from that after a
//! walked call only in integers whose places that walk noted, its form is that call's form with
//! those bits exchanged. It is compared with the last walked call of its method or, on a new image,
//! of any. This requires a type whose walk does not depend on the integers it shows, which
//! `derive(Heap)` declares (`Heap::IS_REGULAR`); it is off for implementations by hand. And every
//! integer must be noted wherever it is shown: an integer that raw pointers show again is exchanged
//! in all its places, and anything that shows memory unnoted switches this off for the schema
//! (`Schema::is_regular`): fields seen through functions, abstractions, plain fields, sorted
//! contents beside shared pointers, cells beside raw pointers. Integers before the first line that
//! the call has changed are mostly not noted: if they change, the next call is walked. If a
//! method's kept walks cost 64 more than they spared, it is not tried any more in the block.

use beget_heap::{Change, Encoder, ExchangedInt, Layout, PassedBound, Template};
use beget_plan::scope::PlannedIdx;
use beget_process::alloc::{After, Difference, DifferenceList, KeptPlace};

/// The balance of keeping walks: their cost in a block minus their savings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Payoff(i32);

impl Payoff {
    /// The balance at which no more walks are kept in the block.
    const PATIENCE: i32 = 64;

    /// The most credit that savings can give.
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

/// A walked call.
#[derive(Debug)]
struct KeptWalk {
    template: Template,
    /// The bound that it passed, if it was out of scope.
    passed: PassedBound,
    /// The number of objects of the counted class, the same for all heaps like the template.
    objects: u16,
    /// True if its structure, which is in scope, was reported as the result of a call on the
    /// present structure.
    is_told: bool,
}

/// The walked calls on the present image.
#[derive(Debug)]
pub(crate) struct Reencoder {
    /// By the place of the memory after the call. A method has its own, unless there are many.
    walks: [KeptWalk; KeptPlace::COUNT],
    /// The place of the last walked call.
    newest: KeptPlace,
    /// The place of the call whose bound the last one passed.
    told_by: KeptPlace,
    /// The number of uncounted calls that passed that bound.
    n_passed: u64,
    differences: DifferenceList,
    pub(crate) words: Vec<u64>,
    /// For each method of the plan: keeping a walk and comparing memory costs about as much as it
    /// saves when it helps.
    payoffs: Vec<Payoff>,
}

/// The result of a call, as far as a walked call determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reencoding {
    /// It must be walked.
    Unknown,
    /// It is beyond the scope, as the walked one was.
    OutOfScope,
    /// It is the structure of the walked one, which was reported.
    Same,
    /// It is the structure whose form is in `words`: its length in bytes, and its number of objects
    /// of the counted class.
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

    /// The place for walks of this method's calls, if they are worth it.
    #[inline]
    pub(crate) fn place_of(&self, planned: PlannedIdx) -> Option<KeptPlace> {
        let is_worthwhile = self.payoffs[planned.index()].is_worthwhile();
        is_worthwhile.then(|| KeptPlace::of(planned.index()))
    }

    /// Checks whether a kept walk determines the result of this call: the last one of its method,
    /// at this place, or, if that belongs to another image, the last one of all.
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

    /// The bound that calls passed and their uncounted number.
    #[inline]
    pub(crate) fn take_passed(&mut self) -> Option<(PassedBound, u64)> {
        let calls = std::mem::take(&mut self.n_passed);
        (calls > 0).then(|| (self.walks[self.told_by.index()].passed, calls))
    }

    /// Keeps the walk recorded by `encoder`, whose form has `len` bytes, and the memory it walked.
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

    /// Notes the bound that the walk kept last has passed.
    pub(crate) fn note_passed(&mut self, passed: PassedBound) {
        self.walks[self.newest.index()].passed = passed;
    }

    /// Makes the walk kept at `place` that of the same call on a structure in which the listed
    /// integers have changed, if possible.
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
