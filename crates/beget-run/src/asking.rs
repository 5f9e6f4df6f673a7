//! Oracles asked about the structures of a run, level by level.
//!
//! When a level is complete, all oracles are asked about its structures, in the order of their
//! numbers; so a run can end with the first level that shows a failure of any kind. What is left
//! when the run is over, since a limit has ended it within a level, is asked then. The answers are
//! the same either way: an oracle sees the same structures in the same order.
//!
//! All that is asked runs the subject's code, on a thread of its own, which is waited for.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{Corpus, Interim, Reader};
use beget_heap::CanonicalForm;
use beget_oracle::rep_ok::RepOks;
use beget_oracle::{
    Desk, Oracle, Shelf, Spared, StructureSource, StructureView, Structures, Tally, Verdicts,
};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_process::guard::ProcessEnd;
use beget_suite::{Recipe, StateKind, to_source};

use crate::breach::structure;
use crate::waiting::{CHECK_INTERVAL, Current, wait_for};
use crate::{Questions, Watch};

/// Makes the oracles of a run: new ones each time.
pub(crate) type NewOracles<'a> = &'a dyn Fn() -> Vec<Box<dyn Oracle>>;

/// Something that is done at the ends of levels.
pub(crate) trait LevelEnds {
    /// A run begins, or begins anew.
    fn begin(&self);

    /// A level is complete. Returns whether its structures show a failure.
    fn end_level<'r>(&self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason>;
}

/// The oracles of a run, and what they have said so far.
pub(crate) struct Asking<'a> {
    watch: &'a Watch<'a>,
    new_oracles: NewOracles<'a>,
    state: RefCell<AskingState>,
}

/// How far asking has come.
#[derive(Default)]
struct AskingState {
    oracles: Option<Vec<AskedOracle>>,
    /// Structures so far.
    n_asked: u32,
    /// Why nothing more is asked.
    stopped: Option<StopReason>,
    failure: Option<StoreError>,
}

/// An oracle with its answers.
pub(crate) struct AskedOracle {
    pub(crate) oracle: Box<dyn Oracle>,
    pub(crate) tally: Tally,
}

/// What asking came to.
pub(crate) struct Asked {
    pub(crate) oracles: Vec<AskedOracle>,
    /// Why it ended early.
    pub(crate) stopped: Option<StopReason>,
}

impl Asked {
    /// The oracles that ask repOKs.
    pub(crate) fn rep_oks(&self) -> impl Iterator<Item = &AskedOracle> {
        self.oracles.iter().filter(|one| one.oracle.name() == RepOks::NAME)
    }

    /// All others.
    pub(crate) fn others(&self) -> impl Iterator<Item = &AskedOracle> {
        self.oracles.iter().filter(|one| one.oracle.name() != RepOks::NAME)
    }
}

impl<'a> Asking<'a> {
    /// Before the first level.
    pub(crate) fn new(watch: &'a Watch<'a>, new_oracles: NewOracles<'a>) -> Self {
        Asking { watch, new_oracles, state: RefCell::default() }
    }

    /// Asks about what is left of a run, and ends.
    pub(crate) fn finish(self, corpus: &Corpus) -> Result<Asked, StoreError> {
        // A run by memory is made several times; the one that counts may not be the last.
        if corpus.plan.state() == StateKind::Bytes {
            self.begin();
        }
        let state = &mut *self.state.borrow_mut();
        let is_begun = state.oracles.is_some();
        if corpus.report.stop_reason == StopReason::CopiesDiffer {
            // What copies have spoilt proves nothing of values.
            let oracles = state.oracles.get_or_insert_with(|| self.applying(&corpus.plan));
            oracles.retain(|one| one.oracle.name() == RepOks::NAME);
        }
        if state.stopped.is_none() && (!is_begun || state.n_asked < corpus.store.len()) {
            self.ask_rest(corpus, state)?;
        }
        match state.failure.take() {
            Some(error) => Err(error),
            None => {
                let oracles = state.oracles.take().unwrap_or_default();
                Ok(Asked { oracles, stopped: state.stopped })
            }
        }
    }

    /// The oracles that apply to a plan.
    fn applying(&self, plan: &Plan) -> Vec<AskedOracle> {
        let applying = (self.new_oracles)().into_iter().filter_map(|mut oracle| {
            let applies = oracle.applies(plan);
            let tally = applies.then(|| Tally::of(oracle.questions()))?;
            Some(AskedOracle { oracle, tally })
        });
        applying.collect()
    }

    /// Asks about all structures that were not asked about yet.
    fn ask_rest<S: Store>(
        &self,
        corpus: &Corpus<S>,
        state: &mut AskingState,
    ) -> Result<(), StoreError> {
        let asked = state.oracles.get_or_insert_with(|| self.applying(&corpus.plan));
        if asked.is_empty() {
            state.n_asked = corpus.store.len();
            return Ok(());
        }
        let names = asked.iter().map(|one| (one.oracle.name(), one.oracle.questions())).collect();
        let (stopped, current) = (OnceLock::new(), Current::default());
        let questions = QuestionsOfOracles { corpus, current: &current, names };
        let mut wait = || {
            self.watch.wait_for_answer(&questions);
            if let Some(reason) = self.watch.stop_reason(corpus.store.bytes()) {
                stopped.get_or_init(|| reason);
            }
        };
        let first = state.n_asked;
        state.n_asked = wait_for(|| ask_all(corpus, first, asked, &current, &stopped), &mut wait)?;
        state.stopped = stopped.get().copied();
        Ok(())
    }
}

impl LevelEnds for Asking<'_> {
    fn begin(&self) {
        *self.state.borrow_mut() = AskingState::default();
    }

    fn end_level<'r>(&self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
        let corpus = interim().corpus(StopReason::Interrupted);
        let state = &mut *self.state.borrow_mut();
        if state.n_asked >= corpus.store.len() || corpus.plan.state() == StateKind::Bytes {
            return Ok(false);
        }
        if let Err(error) = self.ask_rest(&corpus, state) {
            let reason = error.clone().into();
            (state.stopped, state.failure) = (Some(reason), Some(error));
        }
        match state.stopped {
            Some(reason) => Err(reason),
            None => {
                let mut tallies = state.oracles.iter().flatten().map(|one| &one.tally);
                Ok(tallies.any(|tally| tally.n_broken() > 0))
            }
        }
    }
}

/// Asks about the structures from number `first` on; where it stopped.
fn ask_all<S: Store>(
    corpus: &Corpus<S>,
    first: u32,
    asked: &mut [AskedOracle],
    current: &Current,
    stopped: &OnceLock<StopReason>,
) -> Result<u32, StoreError> {
    let _stop = current.stop_at_end();
    let failed = Cell::new(None);
    let mut source = CorpusSource { corpus, reader: corpus.reader(), failed: &failed };
    let mut shelf = Shelf::default();
    let mut structures = Structures::new(&corpus.plan, &mut source, &mut shelf);
    let mut reader = corpus.plan.slack.as_ref().map(|_| corpus.reader());
    let spared = Spared::default();
    let is_stopped = || stopped.get().is_some();
    for id in (first..corpus.store.len()).map(StructureId) {
        if id.0.is_multiple_of(CHECK_INTERVAL) && is_stopped() {
            return Ok(id.0);
        }
        let ty = corpus.type_of(id)?;
        if !asked.iter().any(|one| one.oracle.judges(ty)) {
            continue;
        }
        if let Some(reader) = &mut reader
            && reader.reported(id)?.is_none()
        {
            continue;
        }
        for (index, AskedOracle { oracle, tally }) in asked.iter_mut().enumerate() {
            let note = |id: u64, question| current.set(id, [index, question]);
            let desk = Desk { note: &note, is_stopped: &is_stopped, spared: &spared };
            if oracle.judges(ty) {
                let structures = &mut structures;
                let mut view = StructureView { id: id.0.into(), ty, structures };
                oracle.on_structure(&mut view, &mut Verdicts::new(tally, desk));
            }
        }
        current.clear();
        if let Some(error) = failed.take() {
            return Err(error);
        }
    }
    for (index, AskedOracle { oracle, tally }) in asked.iter_mut().enumerate() {
        let note = |id: u64, question| current.set(id, [index, question]);
        let desk = Desk { note: &note, is_stopped: &is_stopped, spared: &spared };
        oracle.finish(&mut structures, &mut Verdicts::new(tally, desk));
    }
    current.clear();
    failed.take().map_or(Ok(corpus.store.len()), Err)
}

/// Makes the structures of a corpus.
struct CorpusSource<'c, S> {
    corpus: &'c Corpus<S>,
    reader: Reader<'c, S>,
    /// Why the store could not read what it holds.
    failed: &'c Cell<Option<StoreError>>,
}

impl<S: Store> CorpusSource<'_, S> {
    fn or_failed<R>(&self, read: Result<R, StoreError>) -> Option<R> {
        read.map_err(|error| self.failed.set(Some(error))).ok()
    }
}

impl<S: Store> StructureSource for CorpusSource<'_, S> {
    fn make(&mut self, id: u64) -> Option<Box<dyn Any>> {
        let made = self.reader.reconstruct(structure(id));
        self.or_failed(made).flatten()
    }

    fn form(&mut self, id: u64) -> Option<CanonicalForm> {
        let form = self.corpus.store.form(structure(id)).map(|form| form.as_ref().to_canonical());
        self.or_failed(form)
    }

    fn recipe(&mut self, id: u64) -> Option<Recipe> {
        self.or_failed(self.corpus.recipe(structure(id)))
    }
}

/// The questions of a run: one at most at a time.
struct QuestionsOfOracles<'c, S> {
    corpus: &'c Corpus<S>,
    current: &'c Current,
    /// Of each oracle, its name and those of its questions.
    names: Vec<(&'static str, Vec<&'static str>)>,
}

impl<S: Store> Questions for QuestionsOfOracles<'_, S> {
    fn noun(&self) -> &'static str {
        let asked = self.current.oracle().and_then(|oracle| self.names.get(oracle));
        asked.map_or("contract", |(noun, _)| noun)
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.current.get()
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        let (id, [oracle, question]) = Current::parts(run);
        let name = self.names.get(oracle)?.1.get(question)?;
        let Some(id) = id else { return Some(format!("`{name}`")) };
        let recipe = self.corpus.recipe(id).ok()?;
        let (source, _) = to_source(&self.corpus.plan.suite, &recipe);
        Some(format!("`{name}` on the structure {source}"))
    }

    fn end(&self) -> Option<ProcessEnd> {
        self.current.end()
    }

    fn tell_end(&self) {
        self.current.tell_end();
    }
}
