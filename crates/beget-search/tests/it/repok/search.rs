//! The search against its naive twin, over threads, within budgets, and with repOKs that misbehave.
#![allow(missing_docs)]

use super::common;

use std::collections::BTreeSet;

use beget::heap::view::{RepOk, Root, Table, clause};
use beget::{Heap, HeapView};
use beget_plan::finding::{Kind, Progress, StopReason};
use beget_search::repok::{
    CandidateSpace, Finitization, FinitizationError, Search, ValueDomain, naive,
};

use common::ring::Ring;
use common::{heap, ints, layout, nodes, ring, run, slist, space, tree};

/// The search finds what the naive twin finds, nothing twice.
#[track_caller]
fn assert_is_naive<T: Heap + Root>(rep_ok: RepOk<T>, finitization: &Finitization) {
    let check = |table: &Table| rep_ok.check(table);
    let expected = naive(&space::<T>(finitization), &check, &layout::<T>());
    let (report, forms) = run(rep_ok, finitization, |_| {});
    assert_eq!(forms.len() as u64, report.generated - report.unrepresentable);
    let distinct: BTreeSet<_> = forms.iter().cloned().collect();
    assert_eq!(distinct.len(), forms.len(), "a structure was found twice");
    assert_eq!(distinct, expected);
}

#[test]
fn the_search_finds_what_its_naive_twin_finds() {
    for k in 1..=2 {
        assert_is_naive(tree::REP_OK, &tree::finitization(k));
        assert_is_naive(slist::REP_OK, &slist::finitization(k));
        assert_is_naive(ring::REP_OK, &ring::finitization(k));
        assert_is_naive(ring::ANYTHING, &ring::finitization(k));
    }
    for k in 1..=3 {
        assert_is_naive(heap::PUBLISHED, &heap::finitization(k));
        assert_is_naive(heap::CORRECTED, &heap::finitization(k));
    }
}

#[derive(Heap, HeapView)]
struct Mixed {
    flag: Option<bool>,
    pair: Option<Pair>,
    rows: Vec<Vec<Pair>>,
}

#[derive(Heap, HeapView)]
struct Pair {
    left: u8,
    right: Option<Box<Pair>>,
}

fn mixed() -> Finitization {
    Finitization::new()
        .pool("Pair", 1)
        .field("Mixed", "flag", ValueDomain::all().or_null())
        .field("Mixed", "pair?", ValueDomain::all())
        .field("Mixed", "pair.left", ints(0..2))
        .field("Mixed", "pair.right", nodes())
        .field("Mixed", "rows", ValueDomain::arrays(0..=1))
        .field("Mixed", "rows[]", ValueDomain::arrays(0..=1))
        .field("Mixed", "rows[][].left", ints(4..6))
        .field("Mixed", "rows[][].right", ValueDomain::null())
        .field("Pair", "left", ValueDomain::fixed(7))
        .field("Pair", "right", ValueDomain::null())
}

#[test]
fn optional_structs_and_arrays_of_arrays_are_varied() {
    let anything = RepOk::<Mixed>::new("anything", |_| Ok(()));
    assert_is_naive(anything, &mixed());
    // 3 flags, 1 + 2 * 2 pairs, rows: none, one empty, one of one of two.
    assert_eq!(run(anything, &mixed(), |_| {}).0.generated, 3 * 5 * 4);
    let looking = RepOk::<Mixed>::new("looking", |mixed| {
        let first = mixed.rows().get(0).and_then(|row| row.get(0));
        clause("5", first.is_none_or(|pair| pair.left() == 5))?;
        clause("a pair", mixed.pair().is_none_or(|pair| pair.right().is_some()))
    });
    assert_is_naive(looking, &mixed());
    assert_eq!(run(looking, &mixed(), |_| {}).0.generated, 3 * 3 * 3);
}

#[test]
fn an_object_with_two_owners_is_counted_apart() {
    let anything = RepOk::<slist::List>::new("anything", |_| Ok(()));
    assert_is_naive(anything, &slist::finitization(2));
    let (report, forms) = run(anything, &slist::finitization(1), |_| {});
    // 2 sizes without a header; else 2 sizes, 2 elements, and the header ends the list or follows
    // itself.
    assert_eq!((report.generated, report.unrepresentable, forms.len()), (10, 4, 6));
}

#[test]
fn what_no_value_can_be_is_counted_apart() {
    let (report, forms) = run(ring::ANYTHING, &ring::finitization(1), |_| {});
    // A null header, with 2 sizes; else 2 sizes, 2 values, 2 nexts, 2 previouses.
    assert_eq!((report.generated, report.unrepresentable, forms.len()), (18, 2, 16));
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    let serial = run(tree::REP_OK, &tree::finitization(6), |_| {});
    assert_eq!((serial.0.generated, serial.0.explored), (731, 61_950));
    for threads in [2, 3, 7] {
        let parallel =
            run(tree::REP_OK, &tree::finitization(6), |search| search.settings.threads = threads);
        assert_eq!(serial, parallel);
    }
}

#[test]
fn fields_that_the_repok_does_not_read_are_divided_too() {
    let serial = run(ring::ANYTHING, &ring::finitization(3), |_| {});
    let distinct: BTreeSet<_> = serial.1.iter().collect();
    assert_eq!(distinct.len(), serial.1.len());
    // So many that each of the divisions, after some thousand candidates, is within unread fields.
    assert!(serial.0.explored > 20_000 && serial.0.generated == serial.0.explored, "{serial:?}");
    let parallel =
        run(ring::ANYTHING, &ring::finitization(3), |search| search.settings.threads = 3);
    assert_eq!(serial, parallel);
}

#[test]
fn findings_are_the_same_for_any_number_of_threads() {
    let careless = |threads| {
        run(CARELESS, &ring::finitization(3), |search| {
            search.settings.max_reads = 1000;
            search.settings.threads = threads;
        })
    };
    let (report, _) = careless(1);
    assert!(report.explored > 4096 && report.findings.len() > 2, "{report:?}");
    assert_eq!(careless(1), careless(3));
}

#[test]
fn a_sink_that_panics_ends_all_threads() {
    let space = space::<tree::SearchTree>(&tree::finitization(6));
    let rep_ok = |table: &Table| tree::REP_OK.check(table);
    let mut search = Search::new(&space, &rep_ok);
    search.settings.threads = 2;
    let layout = layout::<tree::SearchTree>();
    let panicking = std::panic::AssertUnwindSafe(|| {
        beget_search::repok::search(&search, &layout, &mut |_| panic!("full"));
    });
    assert!(std::panic::catch_unwind(panicking).is_err());
}

#[test]
fn a_budget_cuts_at_the_same_candidate_for_any_number_of_threads() {
    for max in [1, 2, 60_000, 61_949, 61_950, 61_951] {
        let cut = |threads| {
            run(tree::REP_OK, &tree::finitization(6), |search| {
                search.settings.threads = threads;
                search.settings.max_explored = max;
            })
        };
        let (report, forms) = cut(1);
        assert_eq!(report.explored, max.min(61_950));
        let stop = if max < 61_950 { StopReason::MaxCalls(max) } else { StopReason::Exhausted };
        assert_eq!(report.stop_reason, stop);
        assert_eq!((report, forms), cut(2));
    }
}

/// Panics for rings of two nodes, and follows `next` for ever where it does not lead back to the
/// header.
const CARELESS: RepOk<Ring> = RepOk::<Ring>::new("careless", |ring| {
    let Some(header) = ring.header() else { return clause("header", false) };
    let (mut at, mut length) = (header.next().expect("a next node"), 0);
    while at != header {
        at = at.next().expect("a next node");
        length += 1;
    }
    assert!(length != 1, "length 1");
    Ok(())
});

#[test]
fn panics_and_endless_loops_are_findings_with_the_candidate() {
    let careless = |threads| {
        run(CARELESS, &ring::finitization(2), |search| {
            search.settings.max_reads = 1000;
            search.settings.threads = threads;
        })
    };
    let (report, _) = careless(1);
    assert_eq!(report.stop_reason, StopReason::Exhausted);
    assert!(!report.is_complete());
    let causes: Vec<_> = report.findings.iter().map(|f| (f.problem.to_string(), f.count)).collect();
    assert_eq!(causes.len(), 4, "{causes:?}");
    let endless = report.findings.iter().find(|f| f.problem.kind == Kind::RepOkEndless).unwrap();
    assert_eq!(endless.count, 1);
    assert_eq!(
        endless.witness.text(),
        "LinkedList#0 { header: #1, size: 0 }\n\
         RingNode#1 { next: #2, previous: null, value: null }\n\
         RingNode#2 { next: #2, previous: null, value: null }\n"
    );
    let length =
        report.findings.iter().find(|f| f.problem.to_string().ends_with("length 1")).unwrap();
    assert_eq!(length.count, 1);
    assert_eq!(careless(1), careless(2));
}

#[test]
fn reads_are_counted_for_each_run_alone() {
    let serial = run(tree::REP_OK, &tree::finitization(4), |_| {});
    // Enough for one run, so little that many runs are suspect.
    for (max_reads, threads) in [(60, 1), (60, 2), (200, 1)] {
        let frugal = run(tree::REP_OK, &tree::finitization(4), |search| {
            search.settings.max_reads = max_reads;
            search.settings.threads = threads;
        });
        assert_eq!(serial, frugal);
    }
    let starved = |threads| {
        run(tree::REP_OK, &tree::finitization(4), |search| {
            search.settings.max_reads = 20;
            search.settings.threads = threads;
        })
    };
    assert_eq!(starved(1).0.findings[0].problem.kind, Kind::RepOkEndless);
    assert_eq!(starved(1), starved(2));
}

#[test]
fn a_repok_that_changes_its_mind_is_found() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let moody = RepOk::<Ring>::new("moody", |ring| {
        clause("mood", CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) || ring.size() == 0)
    });
    let (report, _) = run(moody, &ring::finitization(2), |_| {});
    assert_eq!(report.findings[0].problem.kind, Kind::RepOkUnstable);
}

#[test]
fn a_finitization_that_does_not_fit_is_refused() {
    let check =
        |finitization: Finitization| CandidateSpace::new::<Ring>(&finitization).unwrap_err();
    let class = check(Finitization::new().pool("Node", 1));
    assert_eq!(class.to_string(), "there is no class Node: there are LinkedList, RingNode");
    let field = check(ring::finitization(1).field("RingNode", "nxt", nodes()));
    assert!(matches!(field, FinitizationError::UnknownField { .. }), "{field}");
    let twice = check(ring::finitization(1).pool("RingNode", 2));
    assert_eq!(twice, FinitizationError::GivenTwice { name: "RingNode".into() });
    let missing = check(Finitization::new().field("LinkedList", "size", ints(0..1)));
    assert!(matches!(missing, FinitizationError::MissingField { .. }), "{missing}");
    let kind = |domain| {
        check(Finitization::new().field("LinkedList", "header", nodes()).field(
            "LinkedList",
            "size",
            domain,
        ))
    };
    assert!(matches!(kind(nodes()), FinitizationError::WrongKind { .. }));
    assert!(matches!(kind(ints(0..1).or_null()), FinitizationError::WrongKind { .. }));
    assert!(matches!(kind(ints(0..0)), FinitizationError::EmptyDomain { .. }));
}

#[test]
fn a_budget_of_structures_ends_the_search_at_the_same_place_for_any_threads() {
    let (all, forms) = run(tree::REP_OK, &tree::finitization(4), |_| {});
    for threads in [1, 2, 3] {
        let (report, first) = run(tree::REP_OK, &tree::finitization(4), |search| {
            search.settings.threads = threads;
            search.settings.max_generated = 20;
        });
        assert_eq!((report.generated, report.stop_reason), (20, StopReason::MaxStructures(20)));
        assert_eq!(first, forms[..20]);
        // The candidate before the next structure is the last.
        let next = run(tree::REP_OK, &tree::finitization(4), |search| {
            search.settings.max_explored = report.explored + 1;
        });
        assert_eq!(next.0.generated, 21);
    }
    let (whole, _) = run(tree::REP_OK, &tree::finitization(4), |search| {
        search.settings.max_generated = all.generated;
    });
    assert_eq!(whole, all, "a budget that is just enough stops nothing");
}

#[test]
fn the_caller_is_told_the_progress_and_can_stop_the_search() {
    let is_enough =
        |progress: Progress| (progress.explored > 100_000).then_some(StopReason::Interrupted);
    let (report, forms) = run(tree::REP_OK, &tree::finitization(7), |search| {
        search.control = Box::leak(Box::new(is_enough));
    });
    assert_eq!((report.stop_reason, report.is_complete()), (StopReason::Interrupted, false));
    assert_eq!(report.generated, forms.len() as u64);
    let (all, _) = run(tree::REP_OK, &tree::finitization(7), |_| {});
    assert!(100_000 < report.explored && report.explored < all.explored);
}

#[test]
fn more_values_than_can_be_numbered_are_refused() {
    let with = |n_values: i64| {
        let finitization = Finitization::new()
            .field("Pair", "left", ValueDomain::ints(0..n_values))
            .field("Pair", "right", ValueDomain::null());
        CandidateSpace::new::<Pair>(&finitization)
    };
    assert!(with((1 << 24) - 1).is_ok());
    assert!(matches!(with((1 << 24) + 1), Err(FinitizationError::TooLarge)));
}
