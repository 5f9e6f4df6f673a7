//! One thread's work: the calls of one block of parents.
//!
//! A worker makes each parent, makes every call on its own copy, and writes what each call left as candidates. It reads
//! the store but never changes it; blocks are independent, so it does not matter which thread takes which.

mod checks;
mod clones;
mod compare;
mod outputs;
mod trust;

use std::cell::RefCell;

use beget_alloc::{BuildError, Lost, Region};
use beget_finding::Problem;
use beget_heap::{Decoder, Encoder};
use beget_scope::Plan;
use beget_suite::{Frame, Literal, TypeIdx};

use crate::calls::Signature;
use crate::make::{Copying, Losses, Maker, call_guarded, drop_frame};
use crate::report::{Counters, Report, Sighting, drop_problem};
use crate::store::{Candidates, StructureId};
use crate::sweep::Sweep;
pub(crate) use trust::call_batch;

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
    /// What the block can do without, but the next ones should not rely on any more. A block that loses the region
    /// or its trust ends early: the batch is not used.
    pub(crate) lost: Losses,
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
    /// The first structure of the newest ones; some of these are checked like the very first.
    newest: u32,
    result: BlockResult,
}

impl<'e> Worker<'e> {
    pub(crate) fn new(shared: &'e Shared<'e>, newest: u32) -> Self {
        let layout = &shared.maker.plan.layout;
        let most_structures = shared.signatures.iter().map(|signature| signature.types.len()).max();
        let decoders =
            (0..most_structures.unwrap_or(0)).map(|_| Decoder::new(layout, shared.most_objects));
        Worker {
            shared,
            encoder: Encoder::new(layout),
            decoders: decoders.collect(),
            sweep: Sweep::new(shared.maker.plan.methods.len()),
            newest,
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
        // A pointer into the region may have been kept somewhere since the last scan.
        let checked = REGION.with_borrow_mut(|region| match region {
            Some(region) => region.check_escape(),
            None => Ok(()),
        });
        if let Err(lost) = checked {
            self.lose_region(lost);
        }
        self.result
    }

    fn lose_region(&mut self, lost: Lost) {
        self.result.lost.region = true;
        self.result.notes.push(format!("the region image is given up: {lost}"));
    }

    /// Makes every call of one signature on one tuple of structures.
    fn run_frame(&mut self, signature: &'e Signature, parents: &[Parent<'_>]) {
        if self.result.lost.region || self.result.lost.trust {
            return;
        }
        let ways = self.shared.maker.ways;
        let copying = ways.copying(&signature.types, self.result.lost);
        let has_copies = copying != Copying::Remake || ways.doubts_clones(&signature.types);
        if has_copies && self.is_compared(parents) {
            self.run_compared(copying, signature, parents);
        } else {
            self.run_by(copying, signature, parents);
        }
    }

    fn run_by(&mut self, copying: Copying, signature: &'e Signature, parents: &[Parent<'_>]) {
        let ran = match copying {
            Copying::Region => self.run_in_region(signature, parents),
            Copying::Clone => self.run_on_clones(signature, parents),
            Copying::Remake => self.run_remade(signature, parents),
        };
        let ran = match ran {
            // The structure is too large: for this one, the slow way works.
            Err(Trouble::Lost(Lost::Overflow)) => self.run_remade(signature, parents),
            ran => ran,
        };
        match ran {
            Ok(()) => {}
            Err(Trouble::Lost(lost)) => self.lose_region(lost),
            Err(Trouble::NotMade) => self.report_unmakeable(parents),
        }
    }

    fn report_unmakeable(&mut self, parents: &[Parent<'_>]) {
        if let Some(parent) = parents.first() {
            self.report(Problem::nondeterministic(), parent.id);
        }
    }

    /// A problem of a call.
    fn report_call(&mut self, problem: Problem, attempt: Attempt<'_>, parents: &[Parent<'_>]) {
        if self.result.findings.len() < Report::MOST_FINDINGS {
            self.result.findings.push(Sighting {
                problem,
                call: self.shared.maker.calls.methods[attempt.planned].number(0, attempt.tuple),
                arguments: parents.iter().map(|parent| parent.id).collect(),
            });
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

    fn run_remade(
        &mut self,
        signature: &'e Signature,
        parents: &[Parent<'_>],
    ) -> Result<(), Trouble> {
        if self.must_check(parents) {
            let made = self.make_frame(parents)?;
            self.check_made(&made, parents);
            drop_frame(made);
        }
        for attempt in attempts(self.shared, signature) {
            let frame = self.make_frame(parents)?;
            self.call(attempt, parents, frame);
        }
        Ok(())
    }

    /// Makes a call on a frame that is the call's own.
    fn call(&mut self, attempt: Attempt<'_>, parents: &[Parent<'_>], mut frame: Frame) {
        let plan = self.plan();
        let method = &plan.suite.methods[plan.methods[attempt.planned].method];
        let returned = call_guarded(method.call, &mut frame, attempt.literals);
        self.inspect(attempt, parents, &frame, returned, true);
        if let Some(report) = drop_frame(frame) {
            self.report_call(drop_problem(report), attempt, parents);
        }
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

/// How far a block's results had come.
#[derive(Clone, Copy)]
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
        match maker.make(parent.ty, parent.id, decoder) {
            Ok(made) => frame.arguments.push(Some(made)),
            Err(_) => {
                drop_frame(frame);
                return Err(Trouble::NotMade);
            }
        }
    }
    Ok(frame)
}
