//! Skew heaps against a twin: the textbook's recursive algorithm, and a search for the cheapest
//! terms that knows nothing of levels.

use crate::common;

use std::collections::BTreeMap;

use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Counters, Settings};
use beget_suite::{Argument, Recipe, Suite};

use Tree::{Empty, Node};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tree {
    Empty,
    Node(i32, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn single(key: i32) -> Tree {
        Node(key, Box::new(Empty), Box::new(Empty))
    }

    fn len(&self) -> usize {
        match self {
            Empty => 0,
            Node(_, left, right) => left.len() + right.len() + 1,
        }
    }

    /// The node with the smaller key stands above, the first one's on equal keys; its children
    /// change sides.
    fn meld(self, other: Tree) -> Tree {
        match (self, other) {
            (Empty, tree) | (tree, Empty) => tree,
            (first @ Node(a, ..), Node(b, left, right)) if b < a => {
                Node(b, Box::new(right.meld(first)), left)
            }
            (Node(a, left, right), other) => Node(a, Box::new(right.meld(other)), left),
        }
    }

    fn without_min(self) -> Tree {
        match self {
            Empty => Empty,
            Node(_, left, right) => left.meld(*right),
        }
    }

    fn split(self) -> [Tree; 2] {
        match self {
            Empty => [Empty, Empty],
            Node(key, left, right) => [Node(key, left, Box::new(Empty)), *right],
        }
    }
}

/// Every heap of at most `k` nodes that the methods build, with the number of calls of its cheapest
/// term: costs go down until no call on any two heaps lowers one.
fn cheapest_terms(k: u32, methods: &[&str]) -> BTreeMap<Tree, u32> {
    let mut costs = BTreeMap::from([(Empty, 1)]);
    loop {
        let known = costs.clone();
        for (heap, cost) in &known {
            for result in unary(heap, k, methods) {
                lower(&mut costs, k, result, cost + 1);
            }
            for (other, other_cost) in known.iter().filter(|_| methods.contains(&"merge")) {
                let merged = heap.clone().meld(other.clone());
                lower(&mut costs, k, merged, cost + other_cost + 1);
            }
        }
        if costs == known {
            return costs;
        }
    }
}

/// What the methods on one heap make of it.
fn unary(heap: &Tree, k: u32, methods: &[&str]) -> Vec<Tree> {
    let mut results = Vec::new();
    if methods.contains(&"insert") {
        results.extend((0..k as i32).map(|key| heap.clone().meld(Tree::single(key))));
    }
    if methods.contains(&"pop_min") {
        results.push(heap.clone().without_min());
    }
    if methods.contains(&"split") {
        results.extend(heap.clone().split());
    }
    results
}

fn lower(costs: &mut BTreeMap<Tree, u32>, k: u32, heap: Tree, cost: u32) {
    if heap.len() <= k as usize {
        let known = costs.entry(heap).or_insert(cost);
        *known = cost.min(*known);
    }
}

/// Runs a recipe on the twin.
fn evaluate(suite: &Suite, recipe: &Recipe) -> Tree {
    let structures = recipe.arguments.iter().filter_map(|argument| match argument {
        Argument::Structure(recipe) => Some(evaluate(suite, recipe)),
        Argument::Literal(_) => None,
    });
    let mut heaps = structures.collect::<Vec<_>>().into_iter();
    let mut next = || heaps.next().expect("a heap");
    match (suite.method(recipe.method).name, recipe.output) {
        ("new", 0) => Empty,
        ("insert", 0) => match &recipe.arguments[1] {
            Argument::Literal(key) => next().meld(Tree::single(key.parse().expect("a key"))),
            Argument::Structure(_) => panic!("a key is a literal"),
        },
        ("merge", 0) => next().meld(next()),
        ("pop_min", 0) => next().without_min(),
        // Output 0 would be the receiver, which `split` consumes.
        ("split", output @ (1 | 2)) => next().split()[output - 1].clone(),
        (method, output) => panic!("output {output} of {method}"),
    }
}

/// The heaps of a corpus as the twin builds them by the corpus's recipes, with the costs that the
/// corpus says.
fn heaps(corpus: &Corpus) -> BTreeMap<Tree, u32> {
    let ids = (0..corpus.store.len()).map(StructureId::new);
    ids.map(|id| (evaluate(&corpus.plan.suite, &corpus.recipe(id).unwrap()), corpus.cost(id)))
        .collect()
}

const SETS: &[&[&str]] = &[
    &["new", "insert"],
    &["new", "insert", "merge"],
    &["new", "insert", "merge", "split"],
    &["new", "insert", "pop_min", "split"],
    &["new", "insert", "merge", "pop_min", "split"],
];

#[test]
fn the_engine_finds_the_cheapest_term_of_every_heap() {
    for &methods in SETS {
        for k in 1..=3 {
            let corpus =
                common::run(common::plan("ours/skewheap", k, methods), Settings::default());
            let found = heaps(&corpus);
            assert_eq!(found.len(), corpus.store.len() as usize, "{methods:?}, k = {k}");
            assert_eq!(found, cheapest_terms(k, methods), "{methods:?}, k = {k}");
        }
    }
}

#[test]
fn every_pair_of_heaps_is_merged_once() {
    for k in 1..=4 {
        let methods = ["new", "insert", "merge"];
        let corpus = common::run(common::plan("ours/skewheap", k, &methods), Settings::default());
        let lens: Vec<_> = heaps(&corpus).keys().map(Tree::len).collect();
        let k = k as usize;
        let n_full = lens.iter().filter(|&&len| len == k).count() * k;
        let pairs = lens.iter().flat_map(|len| lens.iter().map(move |other| len + other));
        let n_too_large = n_full + pairs.filter(|&len| len > k).count();
        let counters = corpus.report.ledger.counters;
        // The constructor, the insertions, and every ordered pair.
        assert_eq!(counters.explored() as usize, 1 + lens.len() * (k + lens.len()), "k = {k}");
        // One call for each heap, because these methods leave one heap each.
        let kept = lens.len() as u64;
        let expected = Counters {
            kept,
            out_of_scope: n_too_large as u64,
            matched: counters.explored() - kept - n_too_large as u64,
            ..Counters::default()
        };
        assert_eq!(counters, expected, "k = {k}");
    }
}
