//! One thread's work: the calls of one block of parents.
//!
//! A worker makes each parent, makes every call on its own copy, and writes what each call left as candidates. It reads
//! the store but never changes it; blocks are independent, so it does not matter which thread takes which.

mod checks;
mod outputs;

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use beget_alloc::{BuildError, Lost, Region};
use beget_finding::Problem;
use beget_guard::{CurrentCall, guarded, last_panic};
use beget_heap::{Decoder, Encoder};
use beget_scope::Plan;
use beget_suite::{Frame, Literal, TypeIdx};

use crate::calls::Signature;
use crate::make::{Copying, Maker, call_guarded};
use crate::report::{Counters, Sighting};
use crate::store::{Candidates, StructureId};
use crate::sweep::Sweep;
use checks::THOROUGH;

thread_local! {
    /// The region of this thread, opened at its first use and kept for the next blocks.
    static REGION: RefCell<Option<Region>> = const { RefCell::new(None) };
}

/// What the calls of one block gave.
#[derive(Debug, Default)]
pub(crate) struct BlockResult {
    pub(crate) candidates: Candidates,
    /// Outcomes, where `kept` still holds all calls that left a structure in scope.
    pub(crate) counters: Counters,
    pub(crate) findings: Vec<Sighting>,
    pub(crate) notes: Vec<String>,
}

/// What all blocks of a run share.
pub(crate) struct Shared<'e> {
    pub(crate) maker: Maker<'e>,
    pub(crate) signatures: &'e [Signature],
    /// For each method of the plan, its tuples of literals.
    pub(crate) tuples: &'e [Vec<Vec<&'e Literal>>],
    /// The schema position of the class whose objects are counted, if there is one.
    pub(crate) counted_class: Option<usize>,
    /// Whether calls may be spared a walk, see [`crate::sweep`].
    pub(crate) sweeps: bool,
    /// Room for decoding without allocating.
    pub(crate) most_objects: usize,
}

/// One structure that calls take, with its form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent<'b> {
    pub(crate) id: StructureId,
    pub(crate) ty: TypeIdx,
    pub(crate) form: &'b [u8],
}

/// One call to make.
#[derive(Clone, Copy)]
struct Attempt<'w> {
    planned: usize,
    tuple: u32,
    literals: &'w [&'w Literal],
}

/// A structure could not be made, or not in the region.
enum Trouble {
    Lost(Lost),
    NotMade,
}

pub(crate) struct Worker<'e> {
    shared: &'e Shared<'e>,
    encoder: Encoder<'e>,
    /// One for each structure of a frame. They take in the forms outside the region and allocate nothing inside.
    decoders: Vec<Decoder<'e>>,
    sweep: Sweep,
    current: Arc<CurrentCall>,
    result: BlockResult,
}

impl<'e> Worker<'e> {
    pub(crate) fn new(shared: &'e Shared<'e>) -> Self {
        let layout = &shared.maker.plan.layout;
        let most_structures = shared.signatures.iter().map(|signature| signature.types.len()).max();
        let decoders =
            (0..most_structures.unwrap_or(0)).map(|_| Decoder::new(layout, shared.most_objects));
        Worker {
            shared,
            encoder: Encoder::new(layout),
            decoders: decoders.collect(),
            sweep: Sweep::new(shared.maker.plan.methods.len()),
            current: CurrentCall::on_this_thread(),
            result: BlockResult::default(),
        }
    }

    fn plan(&self) -> &'e Plan {
        self.shared.maker.plan
    }

    /// Makes all calls of `signature` on each tuple of `tuples`.
    pub(crate) fn run<'b>(
        mut self,
        tuples: impl Fn(&mut dyn FnMut(&'e Signature, &[Parent<'_>])) + 'b,
    ) -> BlockResult {
        tuples(&mut |signature, parents| self.run_frame(signature, parents));
        if self.trusts_region() {
            return self.result;
        }
        // A pointer into the region was kept somewhere: nothing of this block can be trusted.
        let notes = std::mem::take(&mut self.result.notes);
        self.result = BlockResult { notes, ..BlockResult::default() };
        tuples(&mut |signature, parents| self.run_frame(signature, parents));
        self.result
    }

    fn trusts_region(&mut self) -> bool {
        let checked = REGION.with_borrow_mut(|region| match region {
            Some(region) => region.check_escape(),
            None => Ok(()),
        });
        match checked {
            Ok(()) => !self.result.notes.iter().any(|note| note.starts_with(REGION_LOST)),
            Err(lost) => {
                self.lose_region(lost);
                false
            }
        }
    }

    fn lose_region(&mut self, lost: Lost) {
        self.shared.maker.ways.lose_region();
        self.result.notes.push(format!("{REGION_LOST}: {lost}"));
    }

    /// Makes every call of one signature on one tuple of structures.
    fn run_frame(&mut self, signature: &'e Signature, parents: &[Parent<'_>]) {
        self.current.set_arguments(parents.iter().map(|parent| parent.id.0));
        if parents.iter().any(|parent| parent.id.0 < THOROUGH) {
            self.probe_survivors(signature, parents);
            self.current.set_arguments(parents.iter().map(|parent| parent.id.0));
        }
        let ran = match self.shared.maker.ways.copying(&signature.types) {
            Copying::Region => self.run_in_region(signature, parents),
            Copying::Clone => self.run_on_clones(signature, parents),
            Copying::Remake => self.run_remade(signature, parents),
        };
        match ran {
            Ok(()) => {}
            // The structure is too large, or the region is lost altogether: the slow way works.
            Err(Trouble::Lost(lost)) => {
                if lost != Lost::Overflow {
                    self.lose_region(lost);
                }
                if self.run_remade(signature, parents).is_err() {
                    self.report_unmakeable(parents);
                }
            }
            Err(Trouble::NotMade) => self.report_unmakeable(parents),
        }
    }

    fn report_unmakeable(&mut self, parents: &[Parent<'_>]) {
        if let Some(parent) = parents.first() {
            self.report(Problem::nondeterministic(), parent.id);
        }
    }

    /// A problem of a structure itself, shown by its own origin.
    fn report(&mut self, problem: Problem, id: StructureId) {
        let origin = self.shared.maker.store.origin(id);
        self.result.findings.push(Sighting {
            problem,
            call: origin.call,
            arguments: origin.arguments,
        });
    }

    fn make_frame(&mut self, parents: &[Parent<'_>]) -> Result<Frame, Trouble> {
        let maker = &self.shared.maker;
        begin_all(maker, &mut self.decoders, parents);
        make_frame(maker, &mut self.decoders, parents)
    }

    fn run_in_region(
        &mut self,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        REGION.with_borrow_mut(|region| {
            if region.is_none() {
                *region = Region::open();
            }
            let Some(region) = region else { return Err(Trouble::Lost(Lost::Exhausted)) };
            let undo = self.mark();
            let ran = self.run_on_image(region, signature, parents);
            if matches!(ran, Err(Trouble::Lost(_))) {
                self.undo(undo);
            }
            ran
        })
    }

    fn run_on_image(
        &mut self,
        region: &mut Region,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        let maker = &self.shared.maker;
        let decoders = &mut self.decoders;
        begin_all(maker, decoders, parents);
        let built = region.build(|| make_frame(maker, decoders, parents).map_err(|_| ()));
        let mut image = built.map_err(|error| match error {
            BuildError::Make(()) => Trouble::NotMade,
            BuildError::Lost(lost) => Trouble::Lost(lost),
        })?;
        let checks = self.must_check(parents);
        if checks {
            let checked = image.attempt(|_| (), |frame, (), _| self.check_made(frame, parents));
            checked.map_err(Trouble::Lost)?;
        }
        let shared = self.shared;
        for attempt in attempts(shared, signature) {
            let call = shared.maker.plan.suite.methods
                [shared.maker.plan.methods[attempt.planned].method]
                .call;
            self.note(attempt);
            image
                .attempt(
                    |frame| call_guarded(call, frame, attempt.literals),
                    |frame, returned, after| {
                        self.inspect_image(attempt, parents, frame, *returned, after)
                    },
                )
                .map_err(Trouble::Lost)?;
        }
        Ok(())
    }

    fn run_on_clones(
        &mut self,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        let original = self.make_frame(parents)?;
        if self.must_check(parents) {
            self.check_made(&original, parents);
        }
        if !self.clones_are_alike(&original, signature, parents) {
            drop_guarded(original);
            return self.run_remade(signature, parents);
        }
        let undo = self.mark();
        for attempt in attempts(self.shared, signature) {
            let clone = guarded(|| self.clone_frame(&original, &signature.types));
            let Ok(mut frame) = clone else {
                return self.give_up_cloning(undo, signature, parents);
            };
            self.call(attempt, parents, &mut frame);
        }
        if !self.is_as_made(&original, parents) {
            return self.give_up_cloning(undo, signature, parents);
        }
        drop_guarded(original);
        Ok(())
    }

    /// Whether a clone has the form of its original. A sound `Clone` may give up what the form tells of, such as
    /// whether a short vector lies on the heap; calls on it would then be calls on another structure.
    fn clones_are_alike(
        &mut self,
        original: &Frame,
        signature: &Signature,
        parents: &[Parent<'_>],
    ) -> bool {
        // A clone that panics is dealt with where clones are called.
        let Ok(clone) = guarded(|| self.clone_frame(original, &signature.types)) else {
            return true;
        };
        let alike = self.is_as_made(&clone, parents);
        drop_guarded(clone);
        // A clone that shares state shows when it is changed; one that differs is only not used.
        if !alike && self.is_as_made(original, parents) && self.shared.maker.ways.lose_clone() {
            self.result.notes.push(CLONE_DIFFERS.to_owned());
        }
        alike
    }

    fn give_up_cloning(
        &mut self,
        undo: Mark,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        self.undo(undo);
        if self.shared.maker.ways.lose_clone()
            && let Some(parent) = parents.first()
        {
            self.report(Problem::clone_shares(), parent.id);
        }
        self.run_remade(signature, parents)
    }

    fn clone_frame(&self, original: &Frame, types: &[TypeIdx]) -> Frame {
        let clone_of = |(value, ty): (&Option<Box<dyn Any>>, &TypeIdx)| {
            let clone = self.plan().suite.types[ty.0].clone.expect("cloning was chosen");
            value.as_ref().map(|value| clone(&**value))
        };
        let arguments = original.arguments.iter().zip(types).map(clone_of).collect();
        Frame { arguments, results: Vec::new() }
    }

    fn run_remade(
        &mut self,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        if self.must_check(parents) {
            let made = self.make_frame(parents)?;
            self.check_made(&made, parents);
            drop_guarded(made);
        }
        for attempt in attempts(self.shared, signature) {
            let mut frame = self.make_frame(parents)?;
            self.call(attempt, parents, &mut frame);
            drop_guarded(frame);
        }
        Ok(())
    }

    fn call(&mut self, attempt: Attempt<'_>, parents: &[Parent<'_>], frame: &mut Frame) {
        let plan = self.plan();
        let method = &plan.suite.methods[plan.methods[attempt.planned].method];
        self.note(attempt);
        let returned = call_guarded(method.call, frame, attempt.literals);
        self.inspect(attempt, parents, frame, returned, true);
    }

    #[inline(always)]
    fn note(&self, attempt: Attempt<'_>) {
        self.current.set_call(attempt.planned as u32, attempt.tuple);
    }

    fn mark(&self) -> Mark {
        Mark {
            candidates: self.result.candidates.mark(),
            counters: self.result.counters,
            n_findings: self.result.findings.len(),
        }
    }

    fn undo(&mut self, mark: Mark) {
        self.result.candidates.undo(mark.candidates);
        self.result.counters = mark.counters;
        self.result.findings.truncate(mark.n_findings);
    }
}

const CLONE_DIFFERS: &str = "clones are not used: one walks to another form than its original";

const REGION_LOST: &str = "the region image is given up";

/// How far a block's results had come.
struct Mark {
    candidates: crate::store::CandidatesMark,
    counters: Counters,
    n_findings: usize,
}

/// All calls of a signature, methods in suite order, literals in lexicographic order.
fn attempts<'w>(
    shared: &'w Shared<'w>,
    signature: &'w Signature,
) -> impl Iterator<Item = Attempt<'w>> {
    signature.methods.iter().flat_map(|&planned| {
        let tuples = shared.tuples[planned].iter().zip(0..);
        tuples.map(move |(literals, tuple)| Attempt { planned, tuple, literals })
    })
}

fn begin_all(maker: &Maker<'_>, decoders: &mut [Decoder<'_>], parents: &[Parent<'_>]) {
    for (decoder, parent) in decoders.iter_mut().zip(parents) {
        decoder.begin(parent.form, maker.tag_bits);
    }
}

fn make_frame(
    maker: &Maker<'_>,
    decoders: &mut [Decoder<'_>],
    parents: &[Parent<'_>],
) -> Result<Frame, Trouble> {
    let mut frame = Frame { arguments: Vec::with_capacity(parents.len()), results: Vec::new() };
    for (parent, decoder) in parents.iter().zip(decoders) {
        let made = maker.make(parent.ty, parent.id, decoder).map_err(|_| Trouble::NotMade)?;
        frame.arguments.push(Some(made));
    }
    Ok(frame)
}

/// Drops a subject's value; a panic in its destructor ends here.
fn drop_guarded<T>(value: T) {
    if guarded(|| drop(value)).is_err() {
        drop(last_panic());
    }
}
