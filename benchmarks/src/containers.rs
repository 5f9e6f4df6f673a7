//! The coverage experiment on four containers, as published for Randoop (Pacheco, Lahiri, Ernst
//! and Ball, ICSE 2007, §3.1 and Figure 5): what calls drawn by chance cover of the marks in their
//! code, directed by feedback and not.

use std::time::Instant;

use beget_plan::finding::StopReason;
use beget_process::coverage::{CodeMarks, Coverage};
use beget_run::random::{Direction, InProgress, RandomOptions, RandomSearch, plan_for};
use beget_subjects::jpf::{binheap, bintree, fibheap, treemap};

use crate::scopes;

/// A container, and what is published of it.
#[derive(Clone, Copy, Debug)]
pub struct Container {
    /// As the paper calls it.
    pub name: &'static str,
    /// Its scope file below `scopes/`.
    pub scope: &'static str,
    /// The marks in its code.
    pub marks: &'static CodeMarks,
    /// How many points there are, in the published way of counting.
    pub points: usize,
    /// How many of them calls can reach: each published run reached all.
    pub blocks: usize,
    /// The most predicates that are published, or, where more can be reached, as many as that.
    pub predicates: usize,
    /// The published seconds to the best blocks and predicates, by feedback.
    pub published_seconds: (f64, f64),
}

/// The four, in the order of the paper.
pub const CONTAINERS: [Container; 4] = [
    Container {
        name: "BinTree",
        scope: "jpf/bintree",
        marks: &bintree::MARKS,
        points: 18,
        blocks: 14,
        predicates: 54,
        published_seconds: (0.21, 1.6),
    },
    Container {
        name: "BHeap",
        scope: "jpf/binheap",
        marks: &binheap::MARKS,
        points: 22,
        blocks: 21,
        predicates: 101,
        published_seconds: (0.59, 4.2),
    },
    Container {
        name: "FibHeap",
        scope: "jpf/fibheap",
        marks: &fibheap::MARKS,
        points: 25,
        blocks: 25,
        predicates: 102,
        published_seconds: (0.63, 6.0),
    },
    Container {
        name: "TreeMap",
        scope: "jpf/treemap",
        marks: &treemap::MARKS,
        points: 54,
        blocks: 39,
        predicates: 106,
        published_seconds: (0.84, 10.0),
    },
];

/// What a run covered of a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    /// Points.
    pub blocks: usize,
    /// Pairs of a point and what was seen there.
    pub predicates: usize,
    /// Calls until the last block that the run covers; known to some hundred calls.
    pub calls_to_blocks: u64,
    /// Calls until the last predicate.
    pub calls_to_predicates: u64,
    /// Seconds until the last predicate.
    pub seconds: f64,
}

/// The options of the experiment: those of the paper. Each repetition draws its keys from a range
/// of its own, without which large heaps have no equal keys.
pub fn options(direction: Direction, seed: u64, max_calls: u64) -> RandomOptions {
    RandomOptions {
        seed,
        max_calls,
        direction,
        max_length: 1_000,
        fresh_ints: Some(0..=99),
        narrows_ints: true,
        ..RandomOptions::default()
    }
}

/// Runs a container until all is covered that can be, or the budget is spent.
///
/// # Panics
/// If its scope file is wrong.
pub fn run(container: &Container, options: &RandomOptions) -> Covered {
    let plan = plan_for(scopes::plan(container.scope, 10), options);
    let session = container.marks.session();
    let (blocks, predicates) = (session.blocks(), session.predicates());
    let (in_progress, mut judge) = (InProgress::default(), ());
    let mut search = RandomSearch::new(&plan, options, &in_progress, &mut judge, Some(&predicates));
    let start = Instant::now();
    let nothing = Covered {
        blocks: 0,
        predicates: 0,
        calls_to_blocks: 0,
        calls_to_predicates: 0,
        seconds: 0.0,
    };
    let mut covered = nothing;
    let mut look = |calls: u64| {
        if predicates.covered() > covered.predicates {
            covered.predicates = predicates.covered();
            covered.calls_to_predicates = calls;
            covered.seconds = start.elapsed().as_secs_f64();
            if blocks.covered() > covered.blocks {
                covered.blocks = blocks.covered();
                covered.calls_to_blocks = calls;
            }
        }
        covered.blocks >= container.blocks && covered.predicates >= container.predicates
    };
    let stopped = StopReason::Interrupted;
    search.run(&mut |progress| look(progress.explored).then_some(stopped));
    look(search.report().counters.explored());
    covered
}
