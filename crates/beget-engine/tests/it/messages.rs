//! Blocks as bytes: whoever makes the calls, with nothing but the plan and a message, gets the same
//! results.

use crate::common;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use beget_engine::message::{BlockMessage, MESSAGE_VERSION, MessageError, PackedRecipes};
use beget_engine::store::{ExactStore, Origin, Recipes, Store, StoreError, StructureId};
use beget_engine::{
    Block, BlockResult, BlockRunner, CallIdx, CallPlace, CopyOptions, Corpus, Explorer, Run,
    Settings, Threads,
};
use beget_heap::{Decoder, Heap, Schema, Undecodable, Walker};
use beget_plan::scope::PlannedIdx;
use beget_process::guard::CurrentCall;
use beget_suite::{Outcome, type_of};
use common::{plan, suite};

/// Is asked for recipes where something is wrong, which is nowhere here.
struct Nobody;

impl Recipes for Nobody {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        panic!("the recipe of {id:?} did not come with its block")
    }
}

/// Sends every block and every result through bytes.
struct ThroughBytes;

impl BlockRunner for ThroughBytes {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        _: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let run = |block: &Block| {
            let message = BlockMessage::new(block, explorer, recipes).expect("a store in memory");
            let bytes = message.to_bytes(explorer);
            let received = BlockMessage::from_bytes(explorer, &bytes).expect("the same plan");
            assert_eq!(received, message);
            let bytes = received.run(explorer, &Nobody).to_bytes(explorer);
            BlockResult::from_bytes(explorer, &bytes).expect("the same plan")
        };
        blocks.iter().map(run).collect()
    }
}

/// Everything visible of a corpus.
fn visible<S: Store>(corpus: &Corpus<S>) -> impl PartialEq + std::fmt::Debug + use<S> {
    let mut forms = Vec::new();
    let store = &corpus.store;
    let scanned = store.scan(0..store.len(), &mut |id, form| {
        forms.push((form.to_canonical(), store.origin(id)));
    });
    scanned.expect("a store in memory");
    (forms, corpus.report.clone(), store.totals())
}

#[test]
fn a_run_through_bytes_is_the_run_of_the_threads() {
    let methods: &[&[&str]] =
        &[&["new", "insert"], &["new", "insert", "absorb"], &["new", "insert", "split"]];
    for methods in methods {
        // Replayed structures are made by the recipes of the message, decoded ones without them.
        for no_decode in [false, true] {
            let copy_options = CopyOptions { no_decode, ..CopyOptions::default() };
            let settings = Settings { threads: 2, copy_options };
            let run = |runner: &dyn BlockRunner| {
                let plan = plan(suite(), methods, 4);
                let store = ExactStore::of(&plan);
                visible(&Run::new(plan).settings(settings).backend(runner).go_into(store))
            };
            assert_eq!(run(&ThroughBytes), run(&Threads), "{methods:?}, {settings:?}");
        }
    }
}

#[test]
fn a_message_of_another_plan_or_version_is_refused() {
    let plan_of = |k: u32| plan(suite(), &["new", "insert"], k);
    let (own, other) = (plan_of(3), plan_of(4));
    let explorer = Explorer::new(&own, Settings::default());
    let mut block = Block::default();
    block.add_calls(explorer.alone(PlannedIdx::new(0)).0, &[]);
    let message = BlockMessage::new(&block, &explorer, &ExactStore::of(&own)).unwrap();
    let bytes = message.to_bytes(&explorer);
    assert_eq!(BlockMessage::from_bytes(&explorer, &bytes), Ok(message));

    let elsewhere = Explorer::new(&other, Settings::default());
    assert_eq!(BlockMessage::from_bytes(&elsewhere, &bytes), Err(MessageError::Plan));
    let mut newer = bytes.clone();
    newer[0] += 1;
    let found = MESSAGE_VERSION + 1;
    let refused = BlockMessage::from_bytes(&explorer, &newer);
    assert_eq!(refused, Err(MessageError::Version { found }));
    let torn = BlockMessage::from_bytes(&explorer, &bytes[..bytes.len() - 1]);
    assert!(matches!(torn, Err(MessageError::Bytes)), "{torn:?}");
}

/// It remembers whether it was decoded, which its form does not show.
#[derive(Debug)]
struct Marked {
    is_decoded: bool,
}

impl Heap for Marked {
    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), &[]);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.begin_record(Self::class());
        walker.end_record();
    }

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Marked { is_decoded: true })
    }
}

/// The sender replays, the receiver would decode.
#[test]
fn a_block_is_made_with_the_strategies_of_its_sender() {
    static N_DECODED: AtomicU32 = AtomicU32::new(0);
    static N_REPLAYED: AtomicU32 = AtomicU32::new(0);
    let mut suite = suite();
    suite.types = vec![type_of::<Marked>("Marked", None)];
    suite.methods.truncate(2);
    suite.methods[0].call = |call| {
        call.give(Marked { is_decoded: false });
        Outcome::Returned
    };
    suite.methods[1].call = |call| {
        let is_decoded = call.structure::<Marked>(0).is_decoded;
        if is_decoded { &N_DECODED } else { &N_REPLAYED }.fetch_add(1, Relaxed);
        Outcome::Returned
    };
    let corpus = Run::new(plan(suite.clone(), &["new"], 1)).go();
    let plan = plan(suite, &["new", "insert"], 1);
    let explorer = |no_decode| {
        let copy_options = CopyOptions { no_decode, no_region: true, no_clone: true };
        Explorer::new(&plan, Settings { threads: 1, copy_options })
    };
    let (sender, receiver) = (explorer(true), explorer(false));
    let mut block = Block::default();
    let form = corpus.store.form(StructureId::new(0)).unwrap();
    let member = block.add_structure(StructureId::new(0), form.as_ref());
    block.add_calls(sender.alone(PlannedIdx::new(1)).0, &[member]);
    let message = BlockMessage::new(&block, &sender, &corpus.store).unwrap();
    message.run(&receiver, &Nobody);
    assert_eq!((N_DECODED.load(Relaxed), N_REPLAYED.load(Relaxed)), (0, 1));
}

/// Makes each block in pieces, cut at some call or task of each, of which one is left out.
struct InPieces;

impl InPieces {
    fn place(task: u32, call: Option<(u32, u32)>) -> CallPlace {
        let run = CurrentCall::on_this_thread(0);
        run.set_task(task);
        if let Some((method, tuple)) = call {
            run.set_call(method, tuple);
        }
        CallPlace::of(&run.read())
    }
}

impl BlockRunner for InPieces {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        _: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let methods = 0..explorer.plan().methods.len() as u32;
        let calls = methods.flat_map(|method| (0..4).map(move |tuple| Some((method, tuple))));
        let calls: Vec<_> = calls.chain([None]).collect();
        let run = |block: &Block| {
            let (mut rest, mut made) = (block.clone(), BlockResult::default());
            // The first place of the second task that there is, and then the same of the rest.
            for &call in &calls {
                let Some(pieces) = rest.cut(explorer, InPieces::place(1, call)) else { continue };
                made.append(explorer.run_block(&pieces.before, recipes));
                made.append(explorer.run_block(&pieces.at, recipes));
                rest = pieces.after;
            }
            made.append(explorer.run_block(&rest, recipes));
            made
        };
        blocks.iter().map(run).collect()
    }
}

#[test]
fn a_run_in_pieces_is_the_run_of_whole_blocks() {
    for methods in
        [&["new", "insert"][..], &["new", "insert", "absorb"], &["new", "insert", "split"]]
    {
        let run = |runner: &dyn BlockRunner| {
            let plan = plan(suite(), methods, 4);
            let store = ExactStore::of(&plan);
            visible(&Run::new(plan).backend(runner).go_into(store))
        };
        assert_eq!(run(&InPieces), run(&Threads), "{methods:?}");
    }
}

#[test]
fn a_place_that_a_block_does_not_have_cuts_nothing() {
    let plan = plan(suite(), &["new", "insert"], 3);
    let explorer = Explorer::new(&plan, Settings::default());
    let mut block = Block::default();
    let new = explorer.alone(PlannedIdx::new(0)).0;
    block.add_calls(new, &[]);
    block.add_call(new, 0, &[]);
    let cut = |task, call| block.cut(&explorer, InPieces::place(task, call)).is_some();
    assert!(cut(0, None) && cut(0, Some((0, 0))) && cut(1, Some((0, 0))));
    assert!(
        !cut(2, None) && !cut(0, Some((1, 0))) && !cut(0, Some((0, 1))) && !cut(1, Some((0, 1)))
    );
}

#[test]
fn a_message_takes_the_place_of_what_a_buffer_held() {
    let plan = plan(suite(), &["new", "insert"], 3);
    let explorer = Explorer::new(&plan, Settings::default());
    let mut block = Block::default();
    block.add_calls(explorer.alone(PlannedIdx::new(0)).0, &[]);
    let message = BlockMessage::new(&block, &explorer, &ExactStore::of(&plan)).unwrap();
    let mut bytes = vec![7; 3];
    message.write_to(&explorer, &mut bytes);
    assert_eq!(BlockMessage::from_bytes(&explorer, &bytes).as_ref(), Ok(&message));
    assert_eq!(bytes, message.to_bytes(&explorer));
    let result = message.run(&explorer, &Nobody);
    result.write_to(&explorer, &mut bytes);
    assert_eq!(bytes, result.to_bytes(&explorer));
    let read = BlockResult::from_bytes(&explorer, &bytes).unwrap();
    assert_eq!((read.candidates.len(), read.ledger), (1, result.ledger));
}

#[test]
fn recipes_of_several_parts_are_put_together() {
    let corpus = Run::new(plan(suite(), &["new", "insert"], 2)).go();
    let packed =
        |id| PackedRecipes::of(vec![StructureId::new(id)], &corpus.store).expect("in memory");
    let (mut first, second) = (packed(0), packed(1));
    assert_eq!(first.get(StructureId::new(1)), None);
    first.extend(second);
    let origin = corpus.store.origin(StructureId::new(1)).unwrap();
    assert_eq!(first.get(StructureId::new(1)), Some(&origin));
    assert!(first.get(StructureId::new(0)).is_some());
}

#[test]
fn a_block_that_cannot_be_made_says_why() {
    assert_eq!(BlockResult::failed(StoreError::Full).error(), Some(&StoreError::Full));
    assert_eq!(BlockResult::default().error(), None);
}

/// Structure 500 is not compared with what its recipe makes.
#[test]
fn a_message_has_recipes_of_what_is_made_by_them_and_of_no_other() {
    let corpus = Run::new(plan(suite(), &["new"], 1)).go();
    let plan = plan(suite(), &["new", "insert"], 1);
    let form = corpus.store.form(StructureId::new(0)).unwrap();
    let result = |no_decode, recipes: &dyn Recipes| {
        let copy_options = CopyOptions { no_decode, no_region: true, no_clone: true };
        let explorer = Explorer::new(&plan, Settings { threads: 1, copy_options });
        let mut block = Block::default();
        let member = block.add_structure(StructureId::new(500), form.as_ref());
        block.add_calls(explorer.alone(PlannedIdx::new(1)).0, &[member]);
        let message = BlockMessage::new(&block, &explorer, recipes).unwrap();
        message.run(&explorer, &Nobody).ledger.counters.explored()
    };
    assert_eq!(result(false, &Nobody), 1);
    assert_eq!(result(true, &FirstOnly), 1);
}

/// Every structure is made by the first call.
struct FirstOnly;

impl Recipes for FirstOnly {
    fn origin_of(&self, _: StructureId) -> Result<Origin, StoreError> {
        Ok(Origin { call: CallIdx::new(0), arguments: Vec::new() })
    }
}
