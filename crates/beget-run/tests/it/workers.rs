//! Workers that are asked about structures.
#![allow(missing_docs, reason = "the types stand for those of a library")]

use crate::common;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use beget::{HasSuite as _, Heap};
use beget_engine::store::{ExactStore, Recipes, Store as _, StoreError, StructureId};
use beget_engine::{
    Block, BlockResult, BlockRunner, CallTable, Explorer, NewStore, Run, SavedRun, Threads,
};
use beget_heap::Doubts;
use beget_oracle::{Matter, Oracle, StructureView, Verdicts};
use beget_plan::finding::{Kind, Problem, StopReason};
use beget_plan::scope::{Overrides, Plan};
use beget_run::{
    AskError, AskJob, AskedPlace, BorrowedStructures, Catalog, CheckRun, Host, Input,
    OracleProgress, OracleSession, OracleSet, Questions, StoreKind, Stores, Watch, Workers, check,
    generate,
};
use beget_suite::{Suite, TypeIdx};
use common::{Chain, input, settings};

/// The place in a job at which workers die.
type PlaceOf = fn(&AskJob<'_>) -> AskedPlace;

/// Workers that find nothing wrong, or cannot answer, or die of their first job.
#[derive(Default)]
struct Asked {
    are_mute: bool,
    /// The place at which they die.
    dies_at: Cell<Option<PlaceOf>>,
    /// True if the user interrupts while they are asked.
    are_interrupted: bool,
    is_asking: Cell<bool>,
    n_looks: Cell<u32>,
    /// For each job the structures that are left out.
    left_out: RefCell<Vec<Vec<u64>>>,
    /// For each job its first structure, the number of structures, and whether they are the last.
    jobs: RefCell<Vec<(u64, usize, bool)>>,
}

/// Their calls are made by this process.
impl BlockRunner for Asked {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        Threads.run_all(explorer, recipes, blocks, wait)
    }
}

impl Workers for Asked {
    fn begin(&self, _: Option<&BTreeSet<i128>>, _: &Doubts) {}

    /// Each structure is asked about, and found to be right.
    fn ask(
        &self,
        job: &AskJob<'_>,
        wait: &mut dyn FnMut(),
    ) -> Result<Vec<OracleProgress>, AskError> {
        self.jobs.borrow_mut().push((job.first, job.forms.len(), job.is_last));
        self.left_out.borrow_mut().push(job.left_out.iter().copied().collect());
        if self.are_mute {
            return Err(AskError::Impossible("they are mute".to_owned()));
        }
        if let Some(dies_at) = self.dies_at.take() {
            let problem = Box::new(Problem::new(Kind::Crash, "they died"));
            return Err(AskError::Died { at: dies_at(job), problem });
        }
        self.is_asking.set(self.are_interrupted);
        wait();
        assert!(!job.is_given_up.load(Relaxed), "a question has two seconds to end");
        let mut progress = job.progress.clone();
        let tallies = progress.iter_mut().flat_map(|one| one.tally.questions.first_mut());
        tallies.for_each(|tally| tally.asked += job.forms.len() as u64);
        Ok(progress)
    }

    fn end(&self) {}
}

impl Host for Asked {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn is_interrupted(&self) -> bool {
        self.is_asking.get()
    }

    fn workers(&self) -> Option<&dyn Workers> {
        Some(self)
    }

    fn waiting_for_answer(&self, _: &dyn Questions, _: Option<StopReason>) {
        self.n_looks.set(self.n_looks.get() + 1);
    }
}

/// Checks chains with these fields, by this host.
fn checked(fields: &str, host: &Asked) -> Result<CheckRun, StoreError> {
    let input = input(fields);
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    check(&input, &[], plan.clone(), settings(), StoreKind::Exact, &Watch::new(plan.budget, host))
}

/// The first level of chains has the empty one alone.
#[test]
fn the_failure_of_workers_is_that_of_the_check() {
    let host = Asked { are_mute: true, ..Asked::default() };
    let failed = checked(r#"k: 1, methods: Only(["new", "push"])"#, &host).map(drop);
    assert_eq!(failed, Err(StoreError::Failed("they are mute".to_owned())));
    assert_eq!(host.jobs.take(), [(0, 1, true)]);
}

/// Three chains in three levels.
const THREE: &str = r#"k: 2, methods: Only(["new", "push"])"#;

#[test]
fn the_host_looks_on_while_workers_are_asked() {
    let host = Asked::default();
    let run = checked(THREE, &host).unwrap();
    assert_eq!((run.stop_reason, host.n_looks.get()), (StopReason::Exhausted, 3));
    assert!(!run.contracts.is_empty() && run.contracts[0].asked == 3);
    // A question in progress is waited for.
    let host = Asked { are_interrupted: true, ..Asked::default() };
    let run = checked(THREE, &host).unwrap();
    assert_eq!((run.stop_reason, host.n_looks.get()), (StopReason::Interrupted, 1));
}

/// Dies of the first structure while no question is asked.
fn dies_of(matter: Matter) -> AskedPlace {
    AskedPlace { matter: Some(matter), question: None }
}

/// There is one structure then, and a question has the number of its oracle.
#[test]
fn a_structure_that_workers_die_of_is_a_finding_and_left_out() {
    let places: [PlaceOf; 2] = [
        |_| dies_of(Matter::Structure(0)),
        |job| AskedPlace {
            question: Some([job.progress.len(), 0]),
            ..dies_of(Matter::Structure(0))
        },
    ];
    for dies_at in places {
        let host = Asked { dies_at: Cell::new(Some(dies_at)), ..Asked::default() };
        let run = checked(THREE, &host).unwrap();
        let messages: Vec<_> = run.breaches.iter().map(|one| &*one.problem.message).collect();
        assert_eq!(messages, ["they died"]);
        assert_eq!(host.left_out.take(), [vec![], vec![0], vec![0], vec![0]]);
        // The job of which they died is done again.
        assert_eq!(host.jobs.take(), [(0, 1, true), (0, 1, true), (1, 1, true), (2, 1, true)]);
    }
}

#[test]
fn workers_that_die_of_no_structure_end_the_check() {
    let dies_at: PlaceOf = |_| dies_of(Matter::Structure(1));
    let host = Asked { dies_at: Cell::new(Some(dies_at)), ..Asked::default() };
    let reason = "asking died between two structures: they died".to_owned();
    assert_eq!(checked(THREE, &host).map(drop), Err(StoreError::Failed(reason)));
}

/// Bears hazelnuts.
#[derive(Clone, Debug, Default, Heap)]
pub struct Hazel;

#[derive(Clone, Debug, Heap)]
pub struct Hazelnut;

impl Hazel {
    pub fn new() -> Self {
        Hazel
    }

    pub fn bear(&self) -> Hazelnut {
        Hazelnut
    }
}

impl Hazelnut {
    pub fn fall(&mut self) {}
}

beget::suite! {
    #[name = "hazels"]
    pub suite Hazels {
        for Hazel {
            fn new() -> Self;
            fn bear(&self) -> Hazelnut;
        }
        for Hazelnut {
            fn fall(&mut self);
        }
    }
}

/// The input of a suite, and its plan.
fn input_of(suite: Suite) -> (Input<'static>, Plan) {
    let text = format!(r#"Scope(suite: "{}", k: 1, objects: {{"*": "k"}})"#, suite.name);
    let input = Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    (input, plan)
}

/// The question is about no structure.
#[test]
fn a_finding_about_one_of_several_types_names_it() {
    let dies_at: PlaceOf =
        |_| AskedPlace { question: Some([0, 0]), ..dies_of(Matter::Type(TypeIdx::new(1))) };
    let host = Asked { dies_at: Cell::new(Some(dies_at)), ..Asked::default() };
    let (input, plan) = input_of(Hazels::suite());
    let watch = Watch::new(plan.budget, &host);
    let run = check(&input, &[], plan.clone(), settings(), StoreKind::Exact, &watch).unwrap();
    let messages: Vec<_> = run.breaches.iter().map(|one| &*one.problem.message).collect();
    assert_eq!(messages, ["they died (Hazelnut)"]);
}

/// The budget ends the run within the level of the nine chains that say another length than 0.
#[test]
fn workers_are_asked_about_all_structures_of_a_level_that_is_cut() {
    let host = Asked::default();
    let budget =
        r#"k: 9, methods: Only(["new", "claim"]), ints: "0..10", budget: (max_structures: 5)"#;
    let run = checked(budget, &host).unwrap();
    assert_eq!(run.stop_reason, StopReason::MaxStructures(5));
    assert_eq!(host.jobs.take(), [(0, 1, true), (1, 9, true)]);
}

/// The budget ends the run with the four calls on the first of three chains of the third level.
#[test]
fn workers_are_asked_about_what_is_left_of_a_level_that_does_not_end() {
    let host = Asked::default();
    let budget =
        r#"k: 9, methods: Only(["new", "push", "claim"]), ints: "0..3", budget: (max_calls: 9)"#;
    let run = checked(budget, &host).unwrap();
    assert_eq!(run.stop_reason, StopReason::MaxCalls(9));
    assert_eq!(host.jobs.take(), [(0, 1, true), (1, 3, true), (4, 3, true)]);
}

/// Remembers a number.
#[derive(Default)]
struct Remembering(u64);

impl Oracle for Remembering {
    fn name(&self) -> &'static str {
        "remembering"
    }

    fn on_structure(&mut self, _: &mut StructureView<'_, '_>, _: &mut Verdicts<'_>) {}

    fn memory(&self) -> Vec<u64> {
        vec![self.0]
    }

    fn recall(&mut self, memory: &[u64]) {
        self.0 = memory[0];
    }
}

#[test]
fn an_oracle_recalls_what_another_one_remembers_unless_it_was_asked_last() {
    let text = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new"]))"#;
    let catalog = Catalog::new(vec![Chain::suite()]).with_oracle(Remembering::default);
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let set = OracleSet::of(&input, &[]);
    let mut session = OracleSession::new(&set, &plan, CallTable::new(&plan));
    let none = BorrowedStructures {
        first: 0,
        forms: Vec::new(),
        form_of: &|_| Err(StoreError::Failed("there are none".to_owned())),
        recipes: &ExactStore::of(&plan),
        is_last: false,
        are_merged: false,
        left_out: BTreeSet::new(),
    };
    let mut remembered = |memory: u64, is_continued: bool| {
        let progress = OracleProgress { memory: vec![memory], ..OracleProgress::default() };
        let n_oracles = session.questions().count();
        session.adopt(vec![progress; n_oracles], is_continued);
        session.ask(&none).unwrap().pop().unwrap().memory
    };
    assert_eq!([remembered(7, false), remembered(9, true), remembered(8, false)], [[7], [7], [8]]);
}

/// Notes the structures that it is asked about.
#[derive(Clone, Default)]
struct Witnessing(Arc<Mutex<Vec<(u64, String)>>>);

impl Oracle for Witnessing {
    fn name(&self) -> &'static str {
        "witnessing"
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, _: &mut Verdicts<'_>) {
        let text = structure.with(|chain: &Chain| format!("{chain:?}")).unwrap();
        self.0.lock().unwrap().push((structure.id, text));
    }
}

/// Of chains that say 0 to 3 links, the first is not lent, and the third is left out.
#[test]
fn a_session_asks_about_the_structures_that_are_lent() {
    let text = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, methods: Only(["new", "claim"]),
        ints: "0..4")"#;
    let witness = Witnessing::default();
    let maker = witness.clone();
    let catalog = Catalog::new(vec![Chain::suite()]).with_oracle(move || maker.clone());
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let corpus = Run::new(plan.clone()).go();
    let form = |id| corpus.store.form(StructureId::new(id)).unwrap();
    let lent = BorrowedStructures {
        first: 1,
        forms: [1, 2, 3].map(form).to_vec(),
        form_of: &|_| Err(StoreError::Failed("it is not needed".to_owned())),
        recipes: &corpus.store,
        is_last: true,
        are_merged: false,
        left_out: BTreeSet::from([2]),
    };
    let set = OracleSet::of(&input, &[]);
    OracleSession::new(&set, &plan, CallTable::new(&plan)).ask(&lent).unwrap();
    let chain = |len: u64| (len, format!("Chain {{ first: None, len: {len} }}"));
    assert_eq!(*witness.0.lock().unwrap(), [1, 3].map(chain));
}

/// True while the calls of a run are made.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

/// Fails in a run, and at no other time.
#[derive(Clone, Debug, Default, Heap)]
pub struct Fitful;

#[beget::api(name = "fitful")]
impl Fitful {
    pub fn new() -> Self {
        Fitful
    }

    pub fn fail(&mut self) {
        assert!(!IS_RUNNING.load(Relaxed), "it is fitful");
    }
}

/// Makes the calls of a run, as workers or not.
struct Restless {
    are_workers: bool,
}

impl BlockRunner for Restless {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        IS_RUNNING.store(true, Relaxed);
        let results = Threads.run_all(explorer, recipes, blocks, wait);
        IS_RUNNING.store(false, Relaxed);
        results
    }
}

impl Workers for Restless {
    fn begin(&self, _: Option<&BTreeSet<i128>>, _: &Doubts) {}

    fn ask(&self, _: &AskJob<'_>, _: &mut dyn FnMut()) -> Result<Vec<OracleProgress>, AskError> {
        Err(AskError::Impossible("nothing is asked".to_owned()))
    }

    fn end(&self) {}
}

impl Host for Restless {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn workers(&self) -> Option<&dyn Workers> {
        self.are_workers.then_some(self as &dyn Workers)
    }

    fn runner(&self) -> Option<&dyn BlockRunner> {
        Some(self)
    }
}

/// Calls in workers may differ from those that are made again here.
#[test]
fn a_failure_that_is_not_shown_again_says_so_unless_workers_have_seen_it() {
    let (_, plan) = input_of(Fitful::suite());
    let says_so = |are_workers| {
        let host = Restless { are_workers };
        let watch = Watch::new(plan.budget, &host);
        let corpus = generate(plan.clone(), settings(), StoreKind::Exact, &watch);
        let [finding] = &corpus.report.findings[..] else { panic!("{:?}", corpus.report) };
        finding.problem.message.contains("do not show it")
    };
    assert_eq!([false, true].map(says_so), [true, false]);
}

/// Has a run that cannot be read.
#[derive(Debug)]
struct BurntDisk;

impl Stores for BurntDisk {
    fn empty(&self, plan: &Plan) -> NewStore {
        Ok(Box::new(ExactStore::of(plan)))
    }

    fn saved(&self, _: &Plan) -> Result<Option<SavedRun>, StoreError> {
        Err(StoreError::Failed("the disk is on fire".to_owned()))
    }
}

#[test]
fn a_saved_run_that_cannot_be_read_is_not_made_again() {
    let (_, plan) = input_of(Hazels::suite());
    let host = Asked::default();
    let watch = Watch::new(plan.budget, &host);
    let corpus = generate(plan, settings(), StoreKind::Hosted(&BurntDisk), &watch);
    let failed = StoreError::Failed("the disk is on fire".to_owned());
    assert_eq!((corpus.report.store_failure, corpus.store.len()), (Some(failed), 0));
}
