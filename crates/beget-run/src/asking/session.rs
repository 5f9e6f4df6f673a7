//! Oracles while they ask: here, or in another process, which is lent the structures.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use beget_engine::store::{
    Candidates, CommitCounts, Origin, Recipes, Store, StoreError, StructureId, Totals,
};
use beget_engine::{CallTable, Corpus, Ledger, MergedValues, Reader, Report};
use beget_heap::{CanonicalForm, FormRef};
use beget_oracle::{Desk, Shelf, StructureSource, StructureView, Structures, Verdicts};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_suite::Recipe;

use super::AskedOracle;
use crate::OracleSet;
use crate::ask_job::OracleProgress;
use crate::waiting::{CHECK_INTERVAL, Current};

/// Structures that are asked about at once.
#[derive(Clone, Copy)]
pub(super) struct AskedChunk {
    pub(super) first: u64,
    pub(super) end: u64,
    /// True if they are the last of a level.
    pub(super) is_last: bool,
    /// True if they are values that probes have extended, of which oracles of forms are not asked.
    pub(super) are_merged: bool,
}

/// Asks about the structures of a chunk, but for those that are `left_out`; the number of the next
/// one.
pub(super) fn ask_all<S: Store>(
    corpus: &Corpus<S>,
    AskedChunk { first, end, is_last, are_merged }: AskedChunk,
    asked: &mut [AskedOracle],
    left_out: &BTreeSet<u64>,
    current: &Current,
    is_stopped: &dyn Fn() -> bool,
) -> Result<u64, StoreError> {
    let failed = Cell::new(None);
    let mut source = CorpusSource { corpus, reader: corpus.reader(), failed: &failed };
    let mut shelf = Shelf::default();
    let mut structures = Structures::new(&corpus.plan, &mut source, &mut shelf);
    let mut reader = corpus.plan.slack.as_ref().map(|_| corpus.reader());
    let is_asked =
        |one: &AskedOracle, ty| one.oracle.judges(ty) && !(are_merged && one.is_of_forms());
    for id in (first..end).map(StructureId::new) {
        if id.number().is_multiple_of(CHECK_INTERVAL) && is_stopped() {
            return Ok(id.number());
        }
        let ty = corpus.type_of(id)?;
        if left_out.contains(&id.number()) || !asked.iter().any(|one| is_asked(one, ty)) {
            continue;
        }
        current.begin(id);
        if let Some(reader) = &mut reader
            && reader.reported(id)?.is_none()
        {
            continue;
        }
        for (index, one) in asked.iter_mut().enumerate() {
            if is_asked(one, ty) {
                let AskedOracle { oracle, tally, spared } = one;
                let note = |matter, question| current.set(matter, [index, question]);
                let desk = Desk { note: &note, is_stopped, spared };
                let structures = &mut structures;
                let mut view = StructureView { id: id.number(), ty, structures };
                oracle.on_structure(&mut view, &mut Verdicts::new(tally, desk));
            }
        }
        current.clear();
        if let Some(error) = failed.take() {
            return Err(error);
        }
    }
    if is_last {
        for (index, AskedOracle { oracle, tally, spared, .. }) in asked.iter_mut().enumerate() {
            let note = |matter, question| current.set(matter, [index, question]);
            let desk = Desk { note: &note, is_stopped, spared };
            oracle.finish(&mut structures, &mut Verdicts::new(tally, desk));
        }
        current.clear();
    }
    failed.take().map_or(Ok(end), Err)
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
        let made = self.reader.reconstruct(StructureId::new(id));
        self.or_failed(made).flatten()
    }

    fn form(&mut self, id: u64) -> Option<CanonicalForm> {
        self.or_failed(self.corpus.store.form(StructureId::new(id)))
    }

    fn recipe(&mut self, id: u64) -> Option<Recipe> {
        self.or_failed(self.corpus.recipe(StructureId::new(id)))
    }
}

/// Structures that another process lends.
pub struct BorrowedStructures<'l> {
    /// The number of the first.
    pub first: u64,
    /// Their forms.
    pub forms: Vec<CanonicalForm>,
    /// Gives the form of an earlier one.
    pub form_of: &'l (dyn Fn(u64) -> Result<CanonicalForm, StoreError> + Send + Sync),
    /// How structures were made.
    pub recipes: &'l (dyn Recipes + Send),
    /// True if they are the last of a level.
    pub is_last: bool,
    /// True if they are values that probes have extended.
    pub are_merged: bool,
    /// Those that are not asked about.
    pub left_out: BTreeSet<u64>,
}

impl std::fmt::Debug for BorrowedStructures<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BorrowedStructures").field("first", &self.first).finish_non_exhaustive()
    }
}

impl BorrowedStructures<'_> {
    fn end(&self) -> u64 {
        self.first + self.forms.len() as u64
    }
}

impl Store for &BorrowedStructures<'_> {
    fn commit(&mut self, _: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        unreachable!("nothing is added to structures that are lent")
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        for id in ids {
            match id.checked_sub(self.first) {
                Some(index) => visit(StructureId::new(id), self.forms[index as usize].as_ref()),
                None => visit(StructureId::new(id), (self.form_of)(id)?.as_ref()),
            }
        }
        Ok(())
    }

    fn find(&self, _: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        Ok(None)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.recipes.origin_of(id)
    }

    fn totals(&self) -> Totals {
        Totals::default()
    }

    fn len(&self) -> u64 {
        self.end()
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// The oracles of a search in a process that asks for another one.
pub struct OracleSession<'p> {
    plan: &'p Plan,
    calls: CallTable,
    asked: Vec<AskedOracle>,
}

impl std::fmt::Debug for OracleSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OracleSession").finish_non_exhaustive()
    }
}

impl<'p> OracleSession<'p> {
    /// The oracles that apply to a plan.
    pub fn new(set: &OracleSet, plan: &'p Plan, calls: CallTable) -> Self {
        OracleSession { plan, calls, asked: AskedOracle::applying(set, plan) }
    }

    /// The names of the questions of each oracle.
    pub fn questions(&self) -> impl Iterator<Item = Vec<&'static str>> + '_ {
        self.asked.iter().map(|one| one.oracle.questions())
    }

    /// Goes on where others were. An oracle that was asked last here remembers more than numbers
    /// may say; `is_continued` says that it is the one.
    pub fn adopt(&mut self, progress: Vec<OracleProgress>, is_continued: bool) {
        for (one, OracleProgress { tally, memory, spared }) in self.asked.iter_mut().zip(progress) {
            if !is_continued {
                one.oracle.recall(&memory);
            }
            (one.tally, one.spared) = (tally, spared);
        }
    }

    /// Asks about structures; how far each oracle is then.
    ///
    /// # Errors
    /// If the structures cannot be had.
    pub fn ask(
        &mut self,
        lent: &BorrowedStructures<'_>,
    ) -> Result<Vec<OracleProgress>, StoreError> {
        let report = Report {
            stop_reason: StopReason::Interrupted,
            ledger: Ledger::default(),
            levels: Vec::new(),
            findings: Vec::new(),
            doubted: Vec::new(),
            store_failure: None,
            merged: MergedValues::default(),
        };
        let (plan, calls) = (self.plan.clone(), self.calls.clone());
        let corpus = Corpus { plan, calls, store: lent, report };
        let &&BorrowedStructures { first, is_last, are_merged, .. } = &lent;
        let chunk = AskedChunk { first, end: lent.end(), is_last, are_merged };
        let current = Current::default();
        ask_all(&corpus, chunk, &mut self.asked, &lent.left_out, &current, &|| false)?;
        Ok(self.asked.iter().map(AskedOracle::progress).collect())
    }
}

#[cfg(test)]
mod tests {
    use beget_engine::Run;

    use super::*;
    use crate::random::tests::{pen_input, pens};

    /// Structures 1020 to 1029 are lent.
    #[test]
    fn asking_is_stopped_at_every_1024th_structure() {
        let (plan, first) = (pens(""), 1_020);
        let made = Run::new(plan.clone()).go();
        let form = made.store.form(StructureId::new(0)).unwrap();
        let lent = &BorrowedStructures {
            first,
            forms: vec![form; 10],
            form_of: &|_| Err(StoreError::Failed("it is not needed".to_owned())),
            recipes: &made.store,
            is_last: false,
            are_merged: false,
            left_out: BTreeSet::new(),
        };
        let Corpus { calls, report, .. } = Run::new(plan.clone()).go();
        let corpus = Corpus { plan: plan.clone(), calls, store: lent, report };
        let mut asked = AskedOracle::applying(&OracleSet::of(&pen_input(""), &[]), &plan);
        let chunk = AskedChunk { first, end: lent.end(), is_last: false, are_merged: false };
        let (left_out, current) = (BTreeSet::new(), Current::default());
        let mut next = |is_stopped: &dyn Fn() -> bool| {
            ask_all(&corpus, chunk, &mut asked, &left_out, &current, is_stopped)
        };
        assert_eq!([next(&|| true), next(&|| false)], [Ok(1_024), Ok(1_030)]);
    }
}
