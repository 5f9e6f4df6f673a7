//! Stores that drop forms which no call can lead to any more: nothing changes but memory, and what
//! cannot be told is never guessed.

use crate::common;

use beget_engine::store::{
    DroppedForms, ExactStore, FormRef, Origin, Store, StoreError, StructureId, Totals,
};
use beget_engine::{Corpus, Interim, NeedsForms, Observer, Report, Run, Settings};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Plan, Proper};
use beget_suite::{Method, Outcome, Param, Suite};
use common::{Tree, pairs, plan, suite};

/// Search trees over so many keys, with so many nodes each: as many as there are sets of so many
/// keys, times the shapes of trees (Catalan numbers).
const TREES_OF_6: [u64; 7] = [1, 6, 15 * 2, 20 * 5, 15 * 14, 6 * 42, 132];
const GROWING: [&str; 2] = ["new", "insert"];

fn dropping(plan: Plan, settings: Settings) -> Corpus<ExactStore> {
    let store = ExactStore::of(&plan).that_drops();
    Run::new(plan).settings(settings).go_into(store)
}

fn ways() -> [Settings; 4] {
    let with = |threads, no_decode| {
        let mut settings = Settings { threads, ..Settings::default() };
        settings.copy_options.no_decode = no_decode;
        settings
    };
    [with(1, false), with(2, false), with(3, true), with(4, false)]
}

/// All that is left of a run when forms are gone.
fn left<S: Store>(corpus: &Corpus<S>) -> (Vec<Origin>, Totals, String) {
    let origin = |id| corpus.store.origin(StructureId::new(id)).unwrap();
    let origins = (0..corpus.store.len()).map(origin).collect();
    (origins, corpus.store.totals(), format!("{:?}", corpus.report))
}

/// The suite of trees with a method that empties those with `FULL` elements or more.
fn spilling<const FULL: usize>() -> Suite {
    let mut suite = suite();
    let receiver: Vec<Param> = suite.methods[1].params[..1].to_vec();
    suite.methods.push(Method {
        name: "spill",
        signature: "fn spill(&mut self)",
        returns: None,
        path: "Tree::spill",
        params: receiver,
        call: |call| {
            call.structure::<Tree>(0).spill(FULL);
            Outcome::Returned
        },
        ..suite.methods[1].clone()
    });
    suite
}

#[test]
fn dropping_changes_nothing_but_memory() {
    for settings in ways() {
        let kept = Run::new(plan(suite(), &GROWING, 6)).settings(settings).go();
        let dropped = dropping(plan(suite(), &GROWING, 6), settings);
        assert_eq!(dropped.report.stop_reason, StopReason::Exhausted);
        assert_eq!(dropped.store.totals().by_objects, TREES_OF_6);
        assert_eq!(left(&dropped), left(&kept));
        // While calls are made on the fullest, no others can be met.
        let n: u64 = TREES_OF_6[..6].iter().sum();
        assert_eq!(dropped.store.dropped().unwrap().structures, n);
        let note = format!("the forms of {n} structures were dropped: no call takes a `Node` away");
        assert_eq!(dropped.dropping_note(), Some(note));
        assert_eq!((kept.store.dropped(), kept.dropping_note()), (None, None));
    }
}

/// Of 223,191 trees over ten keys 16,796 have all.
#[test]
fn dropping_frees_memory() {
    let kept = Run::new(plan(suite(), &GROWING, 10)).go();
    let dropped = dropping(plan(suite(), &GROWING, 10), Settings::default());
    assert_eq!(dropped.store.len(), kept.store.len());
    let (now, before) = (dropped.store.bytes(), kept.store.bytes());
    assert!(now * 3 < before, "{now} of {before}");
}

#[test]
fn a_method_that_takes_away_keeps_everything() {
    let methods = ["new", "insert", "split"];
    for settings in ways() {
        let kept = Run::new(plan(suite(), &methods, 5)).settings(settings).go();
        let dropped = dropping(plan(suite(), &methods, 5), settings);
        assert_eq!(left(&dropped), left(&kept));
        assert_eq!(dropped.store.bytes(), kept.store.bytes());
        let note = dropped.dropping_note().unwrap();
        let says = "no forms were dropped: `split` leaves 0 `Node` where calls are made on 1 or more; leave such \
                    methods out with --methods; for example let mut tree = Tree::new(); let _ = tree.insert(0); let tree_2 = \
                    tree.split().0;";
        assert_eq!(note, says);
    }
}

/// A method that takes something away in a later level is met before anything was dropped, or ends
/// the run: with two elements in the fourth level, with four in the sixth.
#[test]
fn what_may_have_been_dropped_is_never_taken_for_new() {
    let methods = ["new", "insert", "spill"];
    for settings in ways() {
        let kept = Run::new(plan(spilling::<2>(), &methods, 6)).settings(settings).go();
        let early = dropping(plan(spilling::<2>(), &methods, 6), settings);
        assert_eq!((left(&early), early.store.dropped().unwrap().structures), (left(&kept), 0));

        let (origins, ..) =
            left(&Run::new(plan(spilling::<4>(), &methods, 6)).settings(settings).go());
        let late = dropping(plan(spilling::<4>(), &methods, 6), settings);
        assert_eq!(late.report.stop_reason, StopReason::FormDropped);
        assert!(!late.report.is_complete() && late.report.store_failure.is_none());
        // Trees of up to four elements are there, and counters are those of calls on three or less.
        let n: u64 = TREES_OF_6[..5].iter().sum();
        assert_eq!(late.store.len(), n);
        assert_eq!(left(&late).0, origins[..n as usize]);
        let on_fewer: u64 = TREES_OF_6[..4].iter().sum();
        assert_eq!(late.report.ledger.counters.explored(), 1 + on_fewer * 7);
        let note = late.dropping_note().unwrap();
        let n: u64 = TREES_OF_6[..4].iter().sum();
        let says =
            format!("the forms of {n} structures were dropped, and no more: `spill` leaves 0");
        assert!(note.starts_with(&says), "{note}");
    }
}

#[test]
fn what_was_dropped_cannot_be_asked_for() {
    let kept = Run::new(plan(suite(), &GROWING, 6)).go();
    let corpus = dropping(plan(suite(), &GROWING, 6), Settings::default());
    let (store, n) = (&corpus.store, corpus.store.dropped().unwrap().structures);
    let dropped = Err(StoreError::FormDropped);
    assert_eq!(store.form(StructureId::new(0)), dropped);
    assert_eq!(store.scan(n - 1..n + 1, &mut |_, _| {}), dropped.clone().map(|_| ()));
    for id in [n, corpus.store.len() - 1].map(StructureId::new) {
        let form = kept.store.form(id).unwrap();
        assert_eq!(store.form(id).as_ref(), Ok(&form));
        assert_eq!(store.find(form.as_ref()), Ok(Some(id)));
    }
    let first = kept.store.form(StructureId::new(0)).unwrap();
    assert_eq!(store.find(first.as_ref()), Err(StoreError::FormDropped));
    assert_eq!(store.find(FormRef::new(&[0xff; 9])), Err(StoreError::FormDropped));
    // Recipes are kept.
    assert_eq!(corpus.recipe(StructureId::new(0)).unwrap().n_calls(), 1);
}

/// Keeps the number of structures that were dropped after each batch, as a watcher sees them.
struct DroppedSoFar(Vec<u64>);

impl Observer for DroppedSoFar {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        let corpus = interim().corpus(StopReason::Interrupted);
        let dropped = corpus.store.dropped().expect("the store drops");
        let note = corpus.dropping_note().expect("the store drops");
        let says_none = note.starts_with("no forms were dropped: too few levels");
        assert_eq!(says_none, dropped.structures == 0, "{note}");
        self.0.push(dropped.structures);
    }
}

#[test]
fn a_watcher_sees_what_was_dropped() {
    let plan = plan(suite(), &GROWING, 6);
    let store = ExactStore::of(&plan).that_drops();
    let mut seen = DroppedSoFar(Vec::new());
    let corpus = Run::new(plan).observe(&mut seen).go_into(store);
    let last = corpus.store.dropped().map(|dropped| dropped.structures);
    assert!(seen.0.is_sorted() && seen.0.first() == Some(&0), "{:?}", seen.0);
    assert_eq!(seen.0.last().copied(), last);
}

/// What a full store had taken of a batch is given back, whatever was dropped before.
#[test]
fn a_full_store_that_drops_ends_where_another_does() {
    let seen = |is_dropping: bool, most: u32| -> (Vec<Origin>, Totals, Report) {
        let plan = plan(suite(), &GROWING, 7);
        let store = ExactStore::of(&plan).full_at(most);
        let store = if is_dropping { store.that_drops() } else { store };
        let corpus = Run::new(plan).go_into(store);
        let (origins, totals, _) = left(&corpus);
        (origins, totals, corpus.report)
    };
    for most in [5, 20, 60, 100] {
        let (kept, dropped) = (seen(false, most), seen(true, most));
        assert_eq!(kept.2.stop_reason, StopReason::StoreFull, "{most}");
        assert_eq!((dropped.0, dropped.1), (kept.0, kept.1), "{most}");
        assert_eq!(format!("{:?}", dropped.2), format!("{:?}", kept.2), "{most}");
    }
}

#[test]
fn plans_that_need_all_forms_are_told() {
    let of = |methods: &[&str]| NeedsForms::of(&plan(suite(), methods, 3));
    assert_eq!(of(&GROWING), None);
    let absorb = NeedsForms::SeveralStructures("absorb".to_owned());
    assert_eq!(of(&["new", "insert", "absorb"]), Some(absorb));
    // If nobody asks, nothing is ever left behind.
    let corpus = dropping(plan(suite(), &["new", "insert", "absorb"], 4), Settings::default());
    assert_eq!(corpus.report.stop_reason, StopReason::Exhausted);
    assert_eq!(corpus.store.dropped(), Some(&DroppedForms::default()));

    let stamps = pairs(3, 1).with(|draft| draft.methods.truncate(1));
    assert_eq!(NeedsForms::of(&stamps), Some(NeedsForms::NoObjects));
    let probing = plan(suite(), &GROWING, 3).with(|draft| draft.probe = 1);
    assert_eq!(NeedsForms::of(&probing), Some(NeedsForms::Probes));
    let slack = plan(suite(), &GROWING, 3).with(|draft| {
        let bounds = draft.bounds.clone();
        draft.slack = Some(Proper { slack: 1, bounds, fields: Vec::new() });
    });
    assert_eq!(NeedsForms::of(&slack), Some(NeedsForms::Slack));
}
