//! State outside of values: is a run that it spoils told from one that it does not?
//!
//! Each subject ends in one row of the table: *detected* (a finding), *fallen back* (a note says
//! that a way of copying was given up, and the set is right), *harmless* (the set is right), or
//! *not seen*: a wrong set, complete, without a finding.
//!
//! A binary of its own: its subjects keep state in variables of the process.

use std::collections::BTreeMap;

use beget_conformance::compare::{compare, plan};
use beget_conformance::outside::{Back, Habit, Place, Touch, case, reset};
use beget_conformance::own::{All, enumerate};
use beget_engine::store::Store as _;
use beget_engine::{Run, Settings};

beget::install_allocator!(unsafe);

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

/// What a run with a habit came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Detected,
    FallenBack,
    Harmless,
    NotSeen,
}

thread_local! {
    static CURRENT: std::cell::Cell<Option<Habit>> = const { std::cell::Cell::new(None) };
}

/// Every list of a habit, where each is built as in a new process.
fn truth(habit: Habit) -> (beget_conformance::own::Space, All) {
    let mut space = case().space();
    CURRENT.set(Some(habit));
    space.before = || reset(CURRENT.get());
    let all = enumerate(&space, 100_000).expect("it is small");
    (space, all)
}

fn verdict(habit: Habit) -> Verdict {
    let (space, all) = truth(habit);
    reset(Some(habit));
    let corpus =
        Run::new(plan(&case())).settings(Settings { threads: 1, ..Settings::default() }).go();
    let has_finding = !corpus.report.findings.is_empty();
    // A run ends early only where copies differ, and says so.
    if !corpus.report.is_complete() {
        assert!(has_finding, "{}", corpus.report.stop_reason);
        return Verdict::Detected;
    }
    let truth = beget_conformance::compare::Truth { space, all };
    let is_right = corpus.store.len() == truth.all.found.len() as u64
        && compare(&corpus, &truth, false).is_empty();
    match (is_right, has_finding, corpus.report.ledger.notes.is_empty()) {
        (_, true, _) => Verdict::Detected,
        (true, _, false) => Verdict::FallenBack,
        (true, _, true) => Verdict::Harmless,
        (false, ..) => Verdict::NotSeen,
    }
}

#[test]
fn state_outside_of_values_is_noticed_where_it_matters() {
    let (first, n) =
        (number("BEGET_CONFORMANCE_FIRST_SUBJECT", 1), number("BEGET_CONFORMANCE_SUBJECTS", 30));
    let mut table: BTreeMap<(Place, Back), BTreeMap<Verdict, u64>> = BTreeMap::new();
    let mut not_seen = Vec::new();
    for seed in first..first + n {
        let habit = Habit::drawn(seed);
        let verdict = verdict(habit);
        *table.entry((habit.place, habit.back)).or_default().entry(verdict).or_default() += 1;
        if verdict == Verdict::NotSeen {
            not_seen.push((seed, habit));
        }
    }
    println!("| state | what comes back | detected | fallen back | harmless | not seen |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for ((place, back), verdicts) in &table {
        let of = |verdict| verdicts.get(&verdict).copied().unwrap_or(0);
        let [a, b, c, d] =
            [Verdict::Detected, Verdict::FallenBack, Verdict::Harmless, Verdict::NotSeen].map(of);
        println!("| {place:?} | {back:?} | {a} | {b} | {c} | {d} |");
    }
    let unlisted: Vec<_> = not_seen.iter().filter(|(_, habit)| !is_listed(*habit)).collect();
    println!("{} not seen, {} of them not listed", not_seen.len(), unlisted.len());
    assert!(unlisted.is_empty(), "{unlisted:#?}");
}

/// The classes of which the book says that they cannot be noticed for certain.
fn is_listed(habit: Habit) -> bool {
    // What comes back to few calls is met by a sample only. What no longer changes after the first
    // calls comes back to all later ones alike, also to those that are made to compare.
    let settles = matches!(habit.place, Place::Interned | Place::Leaked | Place::Memo);
    habit.back == Back::Other && (habit.touch != Touch::Always || settles)
}
