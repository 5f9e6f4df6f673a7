//! The coverage experiment with one seed: all that can be covered is, and not without feedback.

use beget_benchmarks::containers::{CONTAINERS, Container, Covered, options, run};
use beget_run::random::Direction;

fn covered(container: &Container, direction: Direction, calls: u64) -> Covered {
    // Structures are as deep as chance makes them: runs have a large stack.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20);
        let run = || run(container, &options(direction, 0, calls));
        thread.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

/// The published 96 predicates of the Fibonacci heap; its 102 take a hundred thousand calls.
#[test]
fn feedback_covers_what_can_be_covered() {
    for container in &CONTAINERS {
        let container = match container.name {
            "FibHeap" => Container { predicates: 96, ..*container },
            _ => *container,
        };
        let covered = covered(&container, Direction::Feedback, 100_000);
        let Covered { blocks, predicates, .. } = covered;
        assert_eq!(blocks, container.blocks, "{}: {covered:?}", container.name);
        assert!(predicates >= container.predicates, "{}: {covered:?}", container.name);
    }
}

/// Published of runs without feedback: 58.5 and 90.3 predicates, of 101 and 102.
#[test]
fn without_feedback_the_heaps_are_not_covered() {
    for container in CONTAINERS.iter().filter(|container| container.name.contains("Heap")) {
        let covered = covered(container, Direction::Undirected, 50_000);
        assert!(covered.predicates < 90, "{}: {covered:?}", container.name);
    }
}
