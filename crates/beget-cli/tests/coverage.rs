//! What all calls of a scope cover of the containers with marks.
//!
//! Blocks are the points of the code, predicates the pairs of a point and what it saw there. The
//! numbers of points that can be reached are those of the published experiments (Pacheco, Lahiri,
//! Ernst and Ball, ICSE 2007, Figure 5): 14 of 18 of the search tree, 21 of 22 of the binomial
//! heap, 25 of 25 of the Fibonacci heap, 39 of 54 of the red-black tree.
//!
//! A binary of its own: marks belong to the process, and other tests would leave some.

#[path = "subjects/common/mod.rs"]
mod common;

use beget_engine::Settings;
use beget_plan::finding::StopReason;
use beget_process::coverage::{CodeMarks, Coverage};
use beget_subjects::jpf::{binheap, bintree, fibheap, treemap};

/// The blocks and predicates that all calls of a scope at k cover.
#[track_caller]
fn covered(scope: &str, marks: &'static CodeMarks, k: u32) -> (usize, usize) {
    let session = marks.session();
    let corpus = common::run(common::plan(scope, k, &[]), Settings::default());
    assert_eq!(corpus.report.stop_reason, StopReason::Exhausted, "{scope} at {k}");
    assert_eq!(corpus.report.ledger.counters.failures, 0, "{scope} at {k}");
    (session.blocks().covered(), session.predicates().covered())
}

/// A model in another language, of which nothing was taken over, gives the same numbers.
#[test]
fn the_search_tree_is_covered_at_five() {
    let expected = [(3, (14, 43)), (4, (14, 53)), (5, (14, 54))];
    for (k, blocks_and_predicates) in expected {
        assert_eq!(covered("jpf/bintree", &bintree::MARKS, k), blocks_and_predicates, "k = {k}");
    }
    // The four points of `find`, which is not called.
    let all: Vec<_> = (0..18).filter(|point| ![5, 6, 7, 16].contains(point)).collect();
    let _session = bintree::MARKS.session();
    common::run(common::plan("jpf/bintree", 3, &[]), Settings::default());
    assert_eq!(bintree::MARKS.points(), all);
}

/// The sources do not note the points that the published programs cannot reach.
#[test]
fn every_point_that_code_notes_has_its_place() {
    for (name, marks, nowhere) in [
        ("bintree", &bintree::MARKS, vec![]),
        ("binheap", &binheap::MARKS, vec![0]),
        ("fibheap", &fibheap::MARKS, vec![]),
        ("treemap", &treemap::MARKS, vec![0, 1, 2, 3, 4, 5, 6, 7, 9, 40, 41, 52]),
        ("triangle", &beget_subjects::paper::triangle::MARKS, vec![]),
    ] {
        let points = 0..marks.n_points();
        let without: Vec<_> = points.filter(|&point| marks.place(point).is_none()).collect();
        assert_eq!(without, nowhere, "{name}");
    }
    let place = bintree::MARKS.place(16).unwrap();
    assert_eq!(place.code, "self.mark(16, None, None, None);");
    assert!(place.file.ends_with("src/jpf/bintree.rs"), "{}", place.file);
}

#[test]
fn the_red_black_tree_is_covered_at_six_but_for_predicates_of_larger_trees() {
    let expected = [(4, (31, 43)), (5, (37, 55)), (6, (39, 79)), (8, (39, 93))];
    for (k, blocks_and_predicates) in expected {
        assert_eq!(covered("jpf/treemap", &treemap::MARKS, k), blocks_and_predicates, "k = {k}");
    }
    let _session = treemap::MARKS.session();
    common::run(common::plan("jpf/treemap", 6, &[]), Settings::default());
    // No node is its successor's parent's other child, or has none.
    let unreachable = [7, 9, 40, 41, 44, 47, 50, 52];
    let all: Vec<_> = (7..54).filter(|point| !unreachable.contains(point)).collect();
    assert_eq!(treemap::MARKS.points(), all);
}

/// One call of the container under test, with a number to take its arguments from.
type Step<T> = fn(&mut T, usize, &mut fastrand::Rng, i32);

/// What sequences of calls cover that chance chooses, with calls repeated and a range of keys drawn
/// for each sequence. No search of beget has a part in it: it is about the marks.
fn covered_by_chance<T: Default>(
    marks: &'static CodeMarks,
    n_methods: usize,
    step: Step<T>,
) -> (usize, usize) {
    let session = marks.session();
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..1_500 {
        let mut container = T::default();
        let max = *rng.choice(&[4, 8, 16, 32, 100]).expect("a range");
        for _ in 0..rng.usize(1..60) {
            let method = rng.usize(0..n_methods);
            let times = if rng.u8(0..10) == 0 { rng.usize(1..=100) } else { 1 };
            (0..times).for_each(|_| step(&mut container, method, &mut rng, max));
        }
    }
    (session.blocks().covered(), session.predicates().covered())
}

/// The binomial heap has 101 predicates in the published experiments, of the Fibonacci heap 96 were
/// found in them and 102 are there.
#[test]
fn chance_reaches_what_was_published_of_the_heaps() {
    let binomial: Step<binheap::BinomialHeap> = |heap, method, rng, max| {
        let (key, other) = (rng.i32(0..=max), rng.i32(0..=max));
        match method {
            0 => heap.insert(key),
            1 => drop(heap.extract_min()),
            2 => drop(heap.decrease_key_variable(key, other)),
            _ => heap.delete(key),
        }
    };
    assert_eq!(covered_by_chance(&binheap::MARKS, 4, binomial), (21, 101));
    let fibonacci: Step<fibheap::FibHeap> = |heap, method, rng, max| match method {
        0 => heap.insert(rng.i32(0..=max)),
        1 => drop(heap.remove_min()),
        _ => drop(heap.delete_at(rng.usize(0..heap.size().max(1)))),
    };
    assert_eq!(covered_by_chance(&fibheap::MARKS, 3, fibonacci), (25, 102));
}

/// As [`chance_reaches_what_was_published_of_the_heaps`]: 54 and 106.
#[test]
fn chance_reaches_what_was_published_of_the_trees() {
    let search: Step<bintree::BinTree> = |tree, method, rng, max| match method {
        0 => tree.add(rng.i32(0..max)),
        _ => drop(tree.remove(rng.i32(0..max))),
    };
    assert_eq!(covered_by_chance(&bintree::MARKS, 2, search), (14, 54));
    let red_black: Step<treemap::TreeMap> = |tree, method, rng, max| match method {
        0 => tree.put(rng.i32(0..max)),
        _ => tree.remove(rng.i32(0..max)),
    };
    assert_eq!(covered_by_chance(&treemap::MARKS, 2, red_black), (39, 106));
}
