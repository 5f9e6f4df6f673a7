//! Stores: the laws for each implementation, and runs into stores that are others, full, or fail.

use crate::common;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use beget_engine::store::{
    Candidate, Candidates, CanonicalForm, CommitCounts, DroppedForms, ExactStore, FormRef, Origin,
    Store, StoreError, StructureId, TagBits, Totals, UnmatchedStore, UnsettledCandidates, laws,
};
use beget_engine::{
    Block, BlockResult, CallIdx, Corpus, Executor, Explorer, Lesson, Observer, Proposal, Run,
    SavedRun, Settings, Situation, Strategy, Threads,
};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::Plan;
use common::{plan, suite};

/// Exact, and too simple to be wrong; or wrong on purpose.
#[derive(Debug, Default)]
struct TreeStore {
    ids: BTreeMap<Vec<u8>, StructureId>,
    structures: Vec<(CanonicalForm, Origin)>,
    totals: Totals,
    tag_bits: TagBits,
    flaw: Flaw,
    /// The number of candidates that came.
    n_candidates: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Flaw {
    #[default]
    None,
    /// Forms are told apart by their padding.
    MindsPadding,
    /// A batch that is refused stays as far as there was room.
    LeavesTrace,
    /// Known structures are kept again.
    Forgets,
    /// Each new structure counts as a call of its own.
    CountsStructures,
    /// Nothing can be read once there are more than thirty structures.
    Breaks,
    /// It does not say that it matches, so it is told what it knows, too.
    KeepsSilent,
    /// It says that it is empty when it is not.
    LooksEmpty,
    /// A scan leaves the last structure out.
    ScansShort,
    /// A scan shows each structure with the form of the first.
    ScansOneForm,
    /// A scan shows each form as the first structure's.
    ScansOneNumber,
    /// It forgets the arguments of calls.
    LosesArguments,
    /// It forgets which call it was.
    LosesCalls,
    /// A form is found by its beginning, too.
    FindsBeginnings,
    /// Structure 1 is not found.
    LosesOne,
    /// No totals are kept.
    CountsNothing,
    /// An interrupt ends whatever it puts off.
    IsCutShort,
}

impl TreeStore {
    fn with(flaw: Flaw) -> impl Fn(TagBits) -> TreeStore {
        move |tag_bits| TreeStore { tag_bits, flaw, ..TreeStore::default() }
    }

    fn key(&self, form: FormRef<'_>) -> Vec<u8> {
        if self.flaw == Flaw::MindsPadding { form } else { form.unpadded() }.as_bytes().to_vec()
    }

    fn origin_of(&self, mut origin: Origin) -> Origin {
        match self.flaw {
            Flaw::LosesArguments => origin.arguments.clear(),
            Flaw::LosesCalls => origin.call = CallIdx::new(0),
            _ => {}
        }
        origin
    }

    fn works(&self) -> Result<(), StoreError> {
        match self.flaw {
            Flaw::Breaks if self.structures.len() > 30 => {
                Err(StoreError::Failed("the disk is on fire".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

impl Store for TreeStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        let mut committed = vec![CommitCounts::default(); blocks.len()];
        for (block, committed) in blocks.iter().zip(&mut committed) {
            let mut is_call_counted = false;
            self.n_candidates += block.len();
            for candidate in block.iter() {
                is_call_counted &= candidate.continues_call;
                let form = candidate.form.to_canonical();
                let key = self.key(form.as_ref());
                if self.flaw != Flaw::Forgets && self.ids.contains_key(&key) {
                    continue;
                }
                if self.flaw == Flaw::LeavesTrace && self.structures.len() == 1000 {
                    return Err(StoreError::Full);
                }
                self.ids.entry(key).or_insert(StructureId::new(self.structures.len() as u64));
                self.structures.push((form, self.origin_of(Origin::of(&candidate))));
                if self.flaw != Flaw::CountsNothing {
                    self.totals.add(&candidate, self.tag_bits);
                }
                committed.new += 1;
                if !is_call_counted || self.flaw == Flaw::CountsStructures {
                    committed.calls_with_new += 1;
                }
                is_call_counted = true;
            }
        }
        Ok(committed)
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        match self.flaw {
            Flaw::IsCutShort => Err(StoreError::CutShort),
            _ => Ok(CommitCounts::default()),
        }
    }

    fn unsettled(&self) -> UnsettledCandidates {
        let candidates = u64::from(self.flaw == Flaw::IsCutShort);
        UnsettledCandidates { candidates, ..UnsettledCandidates::default() }
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.works()?;
        let most = self.len() - u64::from(self.flaw == Flaw::ScansShort && !self.is_empty());
        for id in ids.filter(|&id| id < most) {
            let shown = if self.flaw == Flaw::ScansOneNumber { 0 } else { id };
            let form = if self.flaw == Flaw::ScansOneForm { 0 } else { id as usize };
            visit(StructureId::new(shown), self.structures[form].0.as_ref());
        }
        Ok(())
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.works()?;
        let key = self.key(form);
        let begins = |known: &&Vec<u8>| known[..known.len() - 1] == key;
        let found = match self.flaw {
            Flaw::FindsBeginnings if !self.ids.contains_key(&key) => self.ids.keys().find(begins),
            _ => Some(&key),
        };
        let id = found.and_then(|key| self.ids.get(key)).copied();
        Ok(id.filter(|id| self.flaw != Flaw::LosesOne || id.number() != 1))
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.works()?;
        Ok(self.structures[id.index()].1.clone())
    }

    fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn len(&self) -> u64 {
        self.structures.len() as u64
    }

    fn is_empty(&self) -> bool {
        self.structures.is_empty() || self.flaw == Flaw::LooksEmpty
    }

    fn bytes(&self) -> u64 {
        self.structures.iter().map(|(form, _)| 2 * form.as_bytes().len() as u64).sum()
    }

    fn matches(&self) -> bool {
        self.flaw != Flaw::KeepsSilent
    }
}

fn exact(tag_bits: TagBits) -> ExactStore {
    ExactStore::new(laws::N_CALLS, tag_bits)
}

#[test]
fn every_store_keeps_the_laws() {
    assert_eq!(laws::check(exact), Ok(()));
    assert_eq!(laws::check(|tag_bits| UnmatchedStore::new(laws::N_CALLS, tag_bits)), Ok(()));
    assert_eq!(laws::check(TreeStore::with(Flaw::None)), Ok(()));
    assert_eq!(laws::check(|tag_bits| Box::new(exact(tag_bits)) as Box<dyn Store>), Ok(()));
}

#[test]
fn a_store_looks_up_as_much_at_once_in_a_box_as_without_one() {
    let store = TreeStore::with(Flaw::None)(TagBits::default());
    assert_eq!(store.lookup_bytes(), 1 << 16);
    assert_eq!((Box::new(store) as Box<dyn Store>).lookup_bytes(), 1 << 16);
}

#[test]
fn a_full_store_refuses_a_batch_as_a_whole() {
    for most in [0, 1, 2, 10, 50, 200, 300] {
        assert_eq!(laws::check(|tag_bits| exact(tag_bits).full_at(most)), Ok(()), "{most}");
    }
}

#[test]
fn the_laws_see_what_a_store_does_wrong() {
    use laws::Violation;
    let violation = |flaw| laws::check(TreeStore::with(flaw)).unwrap_err();
    assert!(matches!(violation(Flaw::Forgets), Violation::CommitCounts(..)));
    assert!(matches!(violation(Flaw::CountsStructures), Violation::CommitCounts(..)));
    assert!(matches!(violation(Flaw::MindsPadding), Violation::Find(..)));
    assert!(matches!(violation(Flaw::LeavesTrace), Violation::Trace(_)));
    assert!(matches!(violation(Flaw::Breaks), Violation::Failed(StoreError::Failed(_))));
    assert!(matches!(violation(Flaw::LooksEmpty), Violation::Length(..)));
    for flaw in [Flaw::ScansShort, Flaw::ScansOneForm, Flaw::ScansOneNumber] {
        assert!(matches!(violation(flaw), Violation::Scan(_)), "{flaw:?}");
    }
    assert!(matches!(violation(Flaw::LosesArguments), Violation::Origin(_)));
    assert!(matches!(violation(Flaw::LosesCalls), Violation::Origin(_)));
    assert!(matches!(violation(Flaw::FindsBeginnings), Violation::Find(..)));
    assert!(matches!(violation(Flaw::LosesOne), Violation::Find(..)));
    let counts_nothing = violation(Flaw::CountsNothing);
    assert!(matches!(counts_nothing, Violation::Totals(_)));
    assert!(counts_nothing.to_string().starts_with("totals Totals {"), "{counts_nothing}");
}

/// Everything about a run that can be seen, without padding.
fn seen<S: Store>(corpus: &Corpus<S>) -> (Vec<(CanonicalForm, Origin)>, Totals, String) {
    let mut structures = Vec::new();
    corpus
        .store
        .scan(0..corpus.store.len(), &mut |id, form| {
            structures.push((form.to_canonical(), corpus.store.origin(id).unwrap()));
        })
        .unwrap();
    (structures, corpus.store.totals(), format!("{:?}", corpus.report))
}

const ALL: [&str; 4] = ["new", "insert", "absorb", "split"];

/// Runs in every way that makes a difference to the store: structures decoded, or replayed by their
/// recipes.
fn settings() -> [Settings; 2] {
    let mut replayed = Settings { threads: 2, ..Settings::default() };
    replayed.copy_options.no_decode = true;
    [Settings::default(), replayed]
}

#[test]
fn a_run_into_another_store_gives_the_same() {
    for settings in settings() {
        let reference = Run::new(plan(suite(), &ALL, 4)).settings(settings).go();
        let store = TreeStore::with(Flaw::None)(TagBits::default());
        let corpus = Run::new(plan(suite(), &ALL, 4)).settings(settings).go_into(store);
        assert_eq!(seen(&corpus), seen(&reference));
        let id = StructureId::new(corpus.store.len() - 1);
        assert_eq!(corpus.recipe(id), reference.recipe(id));
        assert_eq!(corpus.dropping_note(), None);
    }
}

#[test]
fn what_a_block_leaves_twice_need_not_be_told_twice() {
    for settings in settings() {
        let run = |flaw| {
            let store = TreeStore::with(flaw)(TagBits::default());
            let plan = plan(suite(), &["new", "insert"], 6);
            let corpus = Run::new(plan).settings(settings).go_into(store);
            (seen(&corpus), corpus.store.n_candidates)
        };
        let (silent, matching) = (run(Flaw::KeepsSilent), run(Flaw::None));
        assert_eq!(silent.0, matching.0);
        // There are C(6, n) times the nth Catalan number of trees with n of 6 values. Of the
        // insertions into such a tree, 6 - n change it and n do not. A store that does not say that
        // it matches gets one candidate for each change, and none for the others.
        let trees = [(0, 1), (1, 6), (2, 15 * 2), (3, 20 * 5), (4, 15 * 14), (5, 6 * 42), (6, 132)];
        let changing: usize = trees.iter().map(|(n, trees)| (6 - n) * trees).sum();
        assert_eq!(silent.1, 1 + changing);
        let unchanging: usize = trees.iter().map(|(n, trees)| n * trees).sum();
        let all = 1 + changing + unchanging;
        assert!(matching.1 < all, "{} of {all}", matching.1);
    }
}

/// Structures are reconstructed for each call, so that no call is made beside to compare copies,
/// which would have to leave all that it finds.
#[test]
fn a_boxed_store_that_matches_nothing_is_given_everything() {
    let mut settings = Settings::default();
    settings.copy_options.no_clone = true;
    let limited =
        || plan(suite(), &["new", "insert"], 4).with(|draft| draft.budget.max_levels = Some(4));
    let new_store = |plan: &Plan| Ok(Box::new(UnmatchedStore::of(plan)) as Box<dyn Store>);
    let corpus = Run::new(limited()).settings(settings).store(&new_store).go();
    // Each sequence of up to three insertions that all insert something new.
    assert_eq!(corpus.store.len(), 1 + 4 + 4 * 3 + 4 * 3 * 2);
}

#[test]
fn a_closure_can_be_kept_in_another_store() {
    let plan = plan(suite(), &ALL, 4);
    let explorer = Explorer::new(&plan, Settings::default());
    let all: Vec<_> = plan.planned_idxs().collect();
    let mut closure = explorer.empty_in(TreeStore::with(Flaw::None)(TagBits::default()));
    assert_eq!(closure.extend(&all, &mut |_| None), StopReason::Exhausted);
    let mut reference = explorer.empty();
    assert_eq!(reference.extend(&all, &mut |_| None), StopReason::Exhausted);
    assert_eq!(closure.store().totals(), reference.store().totals());
    assert_eq!(closure.total_counters(), reference.total_counters());
}

#[test]
fn a_full_store_ends_the_run_with_what_it_has() {
    let whole = Run::new(plan(suite(), &ALL, 5)).go();
    let (all, ..) = seen(&whole);
    for most in 0..8 {
        let seen_with = |threads| {
            let plan = plan(suite(), &ALL, 5);
            let store = ExactStore::of(&plan).full_at(most);
            let settings = Settings { threads, ..Settings::default() };
            let corpus = Run::new(plan).settings(settings).go_into(store);
            assert_eq!(corpus.report.stop_reason, StopReason::StoreFull, "{most}");
            // What the counters tell is what led to the structures that are there.
            let n: u64 = corpus.report.levels.iter().map(|level| level.new).sum();
            assert_eq!(corpus.store.len(), n);
            assert!(!corpus.report.ledger.notes.iter().any(|note| note.contains("store")));
            seen(&corpus)
        };
        let (some, totals, report) = seen_with(1);
        assert_eq!(some, all[..some.len()], "{most}");
        assert_eq!((some, totals, report), seen_with(2), "{most}");
    }
}

#[test]
fn a_store_that_fails_ends_the_run_and_says_why() {
    for settings in settings() {
        let plan = plan(suite(), &ALL, 4);
        let store = TreeStore::with(Flaw::Breaks)(TagBits::default());
        let corpus = Run::new(plan).settings(settings).go_into(store);
        let report = &corpus.report;
        assert_eq!(report.stop_reason, StopReason::StoreFailed);
        let why = "the store failed: the disk is on fire";
        assert_eq!(report.ledger.notes.last().map(String::as_str), Some(why));
        assert_eq!((report.findings.len(), report.ledger.counters.failures), (0, 0));
        // Reading on is an error too, and no panic.
        assert!(
            corpus.recipe(StructureId::new(0)).is_err()
                && corpus.reconstruct(StructureId::new(0)).is_err()
        );
    }
    let plan = plan(suite(), &ALL, 4);
    let explorer = Explorer::new(&plan, Settings::default());
    let all: Vec<_> = plan.planned_idxs().collect();
    let mut closure = explorer.empty_in(TreeStore::with(Flaw::Breaks)(TagBits::default()));
    assert_eq!(closure.extend(&all, &mut |_| None), StopReason::StoreFailed);
    assert!(closure.notes().contains(&"the store failed: the disk is on fire".to_owned()));
}

/// An interrupt that cuts short what the store has put off has interrupted the run.
#[test]
fn a_run_whose_store_is_cut_short_is_interrupted() {
    let store = TreeStore::with(Flaw::IsCutShort)(TagBits::default());
    let plan = plan(suite(), &ALL, 3);
    let corpus = Run::new(plan).go_into(store);
    let report = &corpus.report;
    assert_eq!(report.stop_reason, StopReason::Interrupted);
    assert_eq!(report.store_failure, Some(StoreError::CutShort));
    let unsettled =
        "of 1 candidates it was not found out whether they are new: their calls count as matched";
    assert_eq!(report.ledger.notes, [unsettled, "the interrupt has cut saving short"]);
}

#[test]
fn a_closure_into_a_full_store_stops() {
    let plan = plan(suite(), &ALL, 5);
    let explorer = Explorer::new(&plan, Settings::default());
    let all: Vec<_> = plan.planned_idxs().collect();
    let mut closure = explorer.empty_in(ExactStore::of(&plan).full_at(3));
    assert_eq!(closure.extend(&all, &mut |_| None), StopReason::StoreFull);
    assert!(!closure.notes().iter().any(|note| note.contains("store")));
}

#[test]
fn a_block_is_empty_until_something_is_in_it() {
    assert!(Candidates::default().is_empty());
    let mut candidates = Candidates::default();
    let form = beget_heap::Form { words: &[1], len: 1 };
    let call = CallIdx::new(0);
    candidates.push(Candidate { form, call, arguments: &[], objects: 0, continues_call: false });
    assert!(!candidates.is_empty());
    let mut block = Block::default();
    assert!(block.is_empty());
    let explorer_plan = plan(suite(), &["new"], 1);
    let explorer = Explorer::new(&explorer_plan, Settings::default());
    let (group, _) = explorer.signatures().next().expect("constructors");
    block.add_calls(group, &[]);
    assert!(!block.is_empty());
}

/// A store whose every answer is another one than the usual.
#[derive(Debug, Default)]
struct OddStore {
    passed: u64,
    saved: Vec<u8>,
}

const ODD_ID: StructureId = StructureId::new(6);

impl Store for OddStore {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        Ok(vec![CommitCounts { new: 4, calls_with_new: 3 }; blocks.len()])
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        Ok(CommitCounts { new: 2, calls_with_new: 1 })
    }

    fn unsettled(&self) -> UnsettledCandidates {
        UnsettledCandidates { candidates: 5, is_due: true }
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        self.saved = state.to_vec();
        Ok(())
    }

    fn pass(&mut self, passed: u64) {
        self.passed = passed;
    }

    fn dropped(&self) -> Option<&DroppedForms> {
        const { Some(&DroppedForms { structures: 7, fall: None }) }
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        ids.for_each(|id| visit(StructureId::new(id), CanonicalForm::default().as_ref()));
        Ok(())
    }

    fn find(&self, _: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        Ok(Some(ODD_ID))
    }

    fn find_all(&self, _: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        Ok(vec![Some(ODD_ID), None])
    }

    fn lookup_bytes(&self) -> u64 {
        8
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(Origin { call: CallIdx::new(9), arguments: vec![id] })
    }

    fn totals(&self) -> Totals {
        Totals::default()
    }

    fn len(&self) -> u64 {
        10
    }

    fn bytes(&self) -> u64 {
        11
    }

    fn disk_bytes(&self) -> u64 {
        12
    }

    fn matches(&self) -> bool {
        false
    }
}

#[test]
fn a_store_in_a_box_answers_as_it_does_without() {
    let mut store = Box::new(OddStore::default());
    // By the trait, so that it is the box that is asked.
    fn check(store: &mut impl Store) {
        let counts = CommitCounts { new: 4, calls_with_new: 3 };
        assert_eq!(store.commit(&[]), Ok(vec![]));
        assert_eq!(store.commit(&[Candidates::default()]), Ok(vec![counts]));
        assert_eq!(store.settle(), Ok(CommitCounts { new: 2, calls_with_new: 1 }));
        assert_eq!(store.unsettled(), UnsettledCandidates { candidates: 5, is_due: true });
        assert!(store.lasts() && !store.matches());
        assert_eq!(store.save(&[1, 2]), Ok(()));
        store.pass(3);
        assert_eq!(store.dropped().map(|dropped| dropped.structures), Some(7));
        let form = CanonicalForm::default();
        assert_eq!(store.find(form.as_ref()), Ok(Some(ODD_ID)));
        assert_eq!(store.find_all(&[form.as_ref()]), Ok(vec![Some(ODD_ID), None]));
        assert_eq!(store.origin(ODD_ID).map(|origin| origin.call), Ok(CallIdx::new(9)));
        assert_eq!((store.lookup_bytes(), store.len()), (8, 10));
        assert_eq!((store.bytes(), store.disk_bytes()), (11, 12));
    }
    check(&mut store);
    assert_eq!((store.passed, &store.saved[..]), (3, &[1, 2][..]));
}

#[test]
fn a_store_in_memory_puts_nothing_off_and_saves_nothing() {
    let mut store = ExactStore::new(laws::N_CALLS, TagBits::default());
    assert_eq!(store.settle(), Ok(CommitCounts::default()));
    assert_eq!(store.unsettled(), UnsettledCandidates::default());
    assert_eq!(store.save(&[1]), Ok(()));
    assert!(!store.lasts() && store.dropped().is_none());
    assert_eq!(store.disk_bytes(), 0);
}

/// A store with so much room that remembers what was saved last.
#[derive(Debug)]
struct Shelf {
    store: ExactStore,
    saved: Arc<Mutex<Option<SavedShelf>>>,
}

type SavedShelf = (ExactStore, Vec<u8>);

impl Store for Shelf {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        self.store.commit(blocks)
    }

    fn lasts(&self) -> bool {
        true
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        *self.saved.lock().unwrap() = Some((self.store.clone(), state.to_vec()));
        Ok(())
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.store.scan(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        self.store.find(form)
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.store.origin(id)
    }

    fn totals(&self) -> Totals {
        self.store.totals()
    }

    fn len(&self) -> u64 {
        self.store.len()
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }
}

/// A watcher that knows when the store works, and makes no calls.
struct AtWork(Arc<Mutex<Option<SavedShelf>>>, usize);

impl Observer for AtWork {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn without_calls(&mut self, work: &mut dyn FnMut()) {
        *self.0.lock().unwrap() = None;
        work();
        self.1 += usize::from(self.0.lock().unwrap().is_some());
    }
}

/// The levels of the run, and its end: nothing is saved but where the watcher knows of it.
#[test]
fn who_watches_a_run_knows_when_its_store_is_at_work() {
    let saved = Arc::default();
    let new_store = |plan: &Plan| {
        let store = ExactStore::of(plan);
        Ok(Box::new(Shelf { store, saved: Arc::clone(&saved) }) as Box<dyn Store>)
    };
    let mut watcher = AtWork(Arc::clone(&saved), 0);
    let plan = plan(suite(), &ALL, 4);
    let corpus = Run::new(plan).store(&new_store).observe(&mut watcher).go();
    assert_eq!(watcher.1, corpus.report.levels.len() + 1);
}

/// It keeps no state, so a run cannot go on from it.
struct Stateless;

impl<S: Store> Strategy<S> for Stateless {
    fn propose(&mut self, _: &Situation<'_, S>) -> Result<Proposal, StoreError> {
        Ok(Proposal::Stop(StopReason::Exhausted))
    }

    fn learn(&mut self, _: &Lesson<'_, S>) {}
}

#[test]
fn a_run_whose_strategy_keeps_no_state_is_not_saved() {
    let plan = plan(suite(), &ALL, 2);
    let explorer = Explorer::new(&plan, Settings::default());
    let saved = Arc::default();
    let shelf = Shelf { store: ExactStore::of(&plan), saved: Arc::clone(&saved) };
    let mut executor = Executor::new(&explorer, shelf);
    let stopped = executor.run(&mut Stateless, &Threads, &mut |_| None);
    assert_eq!(stopped, StopReason::Exhausted);
    assert!(saved.lock().unwrap().is_none());
    assert!(executor.resume(&[], &mut Stateless).is_err());
}

#[test]
fn a_block_whose_store_failed_is_cut_short() {
    assert!(!BlockResult::default().is_cut_short());
    assert!(BlockResult::failed(StoreError::Full).is_cut_short());
}

/// The batch that there was no room for is made again, whole.
#[test]
fn a_run_that_was_full_goes_on_with_what_it_has_saved() {
    let plan = || plan(suite(), &ALL, 4);
    let settings = Settings::default();
    let whole = Run::new(plan()).settings(settings).go();
    let mut n_resumed = 0;
    for most in 1..6 {
        let saved = Arc::default();
        let new_store = |plan: &Plan| {
            let store = ExactStore::of(plan).full_at(most);
            Ok(Box::new(Shelf { store, saved: Arc::clone(&saved) }) as Box<dyn Store>)
        };
        let full = Run::new(plan()).settings(settings).store(&new_store).go();
        assert_eq!(full.report.stop_reason, StopReason::StoreFull, "{most}");
        let Some((store, state)) = saved.lock().unwrap().take() else { continue };
        let saved = SavedRun { store: Box::new(store.full_at(u32::MAX)), state };
        let resumed = Run::new(plan()).settings(settings).store(&new_store).resume(saved).go();
        assert_eq!(seen(&resumed), seen(&whole), "{most}");
        assert_eq!(resumed.report.ledger.counters, whole.report.ledger.counters, "{most}");
        n_resumed += 1;
    }
    assert!(n_resumed > 2, "{n_resumed}");
}
