//! Calls on copies that differ from calls on structures that are made again: what is found, and by
//! which call.

use crate::common;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use beget_engine::store::{FormRef, Origin, Recipes, StoreError, StructureId};
use beget_engine::{Block, CallIdx, CopyOptions, Corpus, Explorer, Run, Settings};
use beget_heap::{ClassKey, Decoder, Field, Heap, Schema, Undecodable, Walker, raw};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{CallFn, CloneFn, Method, Outcome, Type, type_of};
use common::{plan, suite};

fn settings() -> Settings {
    Settings { threads: 1, ..Settings::default() }
}

/// The kinds of the findings, with the calls that show them.
fn found(corpus: &Corpus) -> Vec<(String, String)> {
    let suite = &corpus.plan.suite;
    let findings = corpus.report.findings.iter().map(|finding| {
        let recipe = finding.witness.recipe.as_ref().expect("a call");
        let last = suite.method(recipe.method).name.to_owned();
        (finding.problem.kind.name().to_owned(), last)
    });
    findings.collect()
}

/// A plan of `new` and of methods that take the type by `&mut` and a number below `k`.
fn numbered(ty: Type, new: CallFn, methods: &[(&'static str, CallFn)], k: u32) -> Plan {
    let of = suite();
    let mut suite = suite();
    suite.types = vec![ty];
    suite.methods = vec![Method { call: new, ..of.methods[0].clone() }];
    let method = |&(name, call)| Method { name, path: name, call, ..of.methods[1].clone() };
    suite.methods.extend(methods.iter().map(method));
    let names: Vec<&str> = suite.methods.iter().map(|method| method.name).collect();
    plan(suite.clone(), &names, k)
}

/// A number, and a mark that its form does not show and `decode` loses. Its class says that there
/// is a pointer to be followed.
#[derive(Clone, Debug)]
struct Marked {
    number: u8,
    mark: u8,
}

const MARKED: &[Field] = &[
    Field { name: "number", ty: "u8", skipped: false },
    Field { name: "next", ty: "*mut u8", skipped: false },
];

impl Heap for Marked {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Marked")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), MARKED) {
            u8::describe(schema);
            raw::describe::<*mut u8>(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.number.walk(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Marked { number: decoder.field(Self::class(), 0)?, mark: 0 })
    }
}

/// Structure n is number n, found by the level of that number: `step` leads from each to the next.
/// From `marked` on they have a mark, with which `look` is misuse.
fn chain<const MARKED_AT: u8>(n: u8, clone: Option<CloneFn>) -> Plan {
    let new: CallFn = |call| {
        call.give(Marked { number: 0, mark: u8::from(MARKED_AT == 0) });
        Outcome::Returned
    };
    let step: CallFn = |call| {
        let most = *call.literal::<i32>(0) as u8;
        let marked = call.structure::<Marked>(0);
        marked.number = (marked.number + 1).min(most);
        if marked.number == MARKED_AT {
            marked.mark = 1;
        }
        Outcome::Returned
    };
    let look: CallFn = |call| match call.structure::<Marked>(0).mark {
        0 => Outcome::Returned,
        _ => Outcome::Misuse,
    };
    let ty = type_of::<Marked>("Marked", clone);
    numbered(ty, new, &[("step", step), ("look", look)], 200).with(|draft| {
        let only = |draft: &mut beget_plan::scope::PlannedMethod, at: usize| {
            draft.domains[0] = vec![draft.domains[0][at].clone()];
        };
        only(&mut draft.methods[1], n.into());
        only(&mut draft.methods[2], 0);
    })
}

/// A mark that decoding loses shows on the first 32 structures, which are replayed for comparison.
#[test]
fn a_promise_is_checked_on_the_first_structures() {
    fn check<const MARKED_AT: u8>(is_found: bool) {
        let copy_options = CopyOptions { no_region: true, no_clone: true, no_decode: false };
        let settings = Settings { copy_options, ..settings() };
        let corpus = Run::new(chain::<MARKED_AT>(40, None)).settings(settings).go();
        let meant = if is_found { StopReason::CopiesDiffer } else { StopReason::Exhausted };
        assert_eq!(corpus.report.stop_reason, meant, "{MARKED_AT}");
        let messages = corpus.report.findings.iter().map(|one| &one.problem.message);
        let says = |part: &str| messages.clone().any(|message| message.contains(part));
        // The type, and its field with the pointer.
        assert_eq!(says("`Marked`"), is_found, "{:?}", corpus.report.findings);
        assert_eq!(says("`Marked.next`"), is_found, "{:?}", corpus.report.findings);
        assert!(!says("Marked.number"));
    }
    // Of the marked structures only the last is decoded: `step` leads from each to the next.
    check::<0>(true);
    check::<31>(true);
    check::<32>(false);
    check::<100>(false);
}

/// Its clone has the mark.
fn marking() -> Option<CloneFn> {
    Some(|value| {
        let number = value.downcast_ref::<Marked>().expect("a marked number").number;
        Box::new(Marked { number, mark: 1 })
    })
}

/// Decoding loses nothing here, so the clones are to blame.
#[test]
fn a_promise_is_not_blamed_for_what_clones_change() {
    let corpus = Run::new(chain::<200>(3, marking())).settings(settings()).go();
    assert_eq!((corpus.report.stop_reason, corpus.store.len()), (StopReason::Exhausted, 4));
    let differs = |last: &str| ("clone_differs".to_owned(), last.to_owned());
    assert_eq!(found(&corpus), [differs("new"), differs("step")]);
}

/// A number in a cell that its clones share, which the form does not show.
#[derive(Clone, Debug)]
struct Shared(Rc<Cell<u8>>);

impl Heap for Shared {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Shared")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), &MARKED[..1]) {
            u8::describe(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.0.get().walk(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Shared(Rc::new(Cell::new(decoder.field(Self::class(), 0)?))))
    }
}

/// After the calls on clones the original is another one. What calls leave is right all the same.
#[test]
fn a_clone_that_shares_is_found_by_its_original() {
    let new: CallFn = |call| {
        call.give(Shared(Rc::new(Cell::new(0))));
        Outcome::Returned
    };
    let set: CallFn = |call| {
        let number = *call.literal::<i32>(0) as u8;
        call.structure::<Shared>(0).0.set(number);
        Outcome::Returned
    };
    let clone: CloneFn =
        |value| Box::new(value.downcast_ref::<Shared>().expect("a shared number").clone());
    let ty = type_of::<Shared>("Shared", Some(clone));
    let corpus = Run::new(numbered(ty, new, &[("set", set)], 3)).settings(settings()).go();
    assert_eq!((corpus.report.stop_reason, corpus.store.len()), (StopReason::Exhausted, 3));
    assert_eq!(found(&corpus), [("clone_shares".to_owned(), "new".to_owned())]);
}

/// Its destructor panics after `strain`.
#[derive(Clone, Debug)]
struct Fragile {
    is_strained: bool,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.is_strained, "it breaks");
    }
}

impl Heap for Fragile {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Fragile")
    }

    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), &[]);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.begin_record(Self::class());
        walker.end_record();
    }

    fn decode(_: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Fragile { is_strained: false })
    }
}

/// Each structure is made by the first call.
struct FirstCall;

impl Recipes for FirstCall {
    fn origin_of(&self, _: StructureId) -> Result<Origin, StoreError> {
        Ok(Origin { call: CallIdx::new(0), arguments: Vec::new() })
    }
}

/// Structure 500 is not compared, so its only call is made on itself, not on a clone.
#[test]
fn clones_are_not_used_if_a_destructor_panics_after_the_last_call() {
    let new: CallFn = |call| {
        call.give(Fragile { is_strained: false });
        Outcome::Returned
    };
    let strain: CallFn = |call| {
        call.structure::<Fragile>(0).is_strained = true;
        Outcome::Returned
    };
    let clone: CloneFn =
        |value| Box::new(value.downcast_ref::<Fragile>().expect("a fragile value").clone());
    let ty = type_of::<Fragile>("Fragile", Some(clone));
    let plan = numbered(ty, new, &[("strain", strain)], 1);
    let explorer = Explorer::new(&plan, settings());
    let mut block = Block::default();
    let member = block.add_structure(StructureId::new(500), FormRef::new(&[0]));
    block.add_calls(explorer.alone(PlannedIdx::new(1)).0, &[member]);
    let ledger = explorer.run_block(&block, &FirstCall).ledger;
    assert_eq!(ledger.notes, ["clones are not used: a destructor panicked"]);
    assert_eq!(ledger.counters.explored(), 1);
}

/// `steady` gives the same each time.
#[test]
fn the_call_that_varies_is_the_one_that_is_blamed() {
    static N_CALLS: AtomicU32 = AtomicU32::new(0);
    let new: CallFn = |call| {
        call.give(0_u8);
        Outcome::Returned
    };
    let steady: CallFn = |call| {
        *call.structure::<u8>(0) = 7;
        Outcome::Returned
    };
    let vary: CallFn = |call| {
        *call.structure::<u8>(0) = (N_CALLS.fetch_add(1, Relaxed) % 3) as u8;
        Outcome::Returned
    };
    let clone: CloneFn = |value| Box::new(*value.downcast_ref::<u8>().expect("a number"));
    let ty = type_of::<u8>("Number", Some(clone));
    let methods: [(&str, CallFn); 2] = [("steady", steady), ("vary", vary)];
    let corpus = Run::new(numbered(ty, new, &methods, 1)).settings(settings()).go();
    assert_eq!(found(&corpus), [("nondeterministic".to_owned(), "vary".to_owned())]);
}
