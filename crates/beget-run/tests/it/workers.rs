//! Workers that are asked about structures.

use crate::common;

use std::cell::RefCell;
use std::collections::BTreeSet;

use beget::HasSuite as _;
use beget_engine::store::{ExactStore, Recipes, StoreError};
use beget_engine::{Block, BlockResult, BlockRunner, CallTable, Explorer, Threads};
use beget_heap::Doubts;
use beget_oracle::{Oracle, StructureView, Verdicts};
use beget_plan::finding::StopReason;
use beget_plan::scope::Overrides;
use beget_run::{
    AskError, AskJob, BorrowedStructures, Catalog, CheckRun, Host, Input, OracleProgress,
    OracleSession, OracleSet, StoreKind, Watch, Workers, check,
};
use common::{Chain, input, settings};

/// Workers that find nothing wrong, or cannot answer.
#[derive(Default)]
struct Asked {
    are_mute: bool,
    /// For each job its first structure, the number of structures, and whether they are the last.
    jobs: RefCell<Vec<(u32, usize, bool)>>,
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

    fn ask(&self, job: &AskJob<'_>, _: &mut dyn FnMut()) -> Result<Vec<OracleProgress>, AskError> {
        self.jobs.borrow_mut().push((job.first, job.forms.len(), job.is_last));
        match self.are_mute {
            true => Err(AskError::Impossible("they are mute".to_owned())),
            false => Ok(job.progress.clone()),
        }
    }

    fn end(&self) {}
}

impl Host for Asked {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn workers(&self) -> Option<&dyn Workers> {
        Some(self)
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
