//! Keys of another structure, and keys that signatures tell.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;
use crate::table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};

use beget::suites::to_source;
use beget::{HasSuite, Heap};
use beget_engine::store::{Store as _, StructureId};
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, found, run};

/// What is seeded.
pub const NOTHING: u8 = 0;
/// Keys of other maps lead somewhere.
pub const ACCEPTS_FOREIGN: u8 = 1;
/// Keys of values that were removed do.
pub const ACCEPTS_REMOVED: u8 = 2;

static N_MAPS: AtomicU32 = AtomicU32::new(0);

/// A slot map whose keys tell which map they are of.
#[derive(Clone, Debug, Heap)]
pub struct Slots<const DEFECT: u8> {
    #[heap(skip)]
    map: u32,
    places: Vec<(u8, Option<u8>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Heap)]
pub struct Key {
    #[heap(skip)]
    map: u32,
    place: u8,
    version: u8,
}

impl<const DEFECT: u8> Slots<DEFECT> {
    pub fn new() -> Self {
        Slots { map: N_MAPS.fetch_add(1, Ordering::Relaxed), places: Vec::new() }
    }

    pub fn insert(&mut self, value: u8) -> Key {
        let free = self.places.iter().position(|(_, value)| value.is_none());
        let place = free.unwrap_or_else(|| {
            self.places.push((0, None));
            self.places.len() - 1
        });
        self.places[place].0 += u8::from(DEFECT != ACCEPTS_REMOVED);
        self.places[place].1 = Some(value);
        Key { map: self.map, place: place as u8, version: self.places[place].0 }
    }

    pub fn remove(&mut self, key: Key) -> Option<u8> {
        self.get(&key)?;
        self.places[usize::from(key.place)].1.take()
    }

    pub fn get(&self, key: &Key) -> Option<u8> {
        let (version, value) = *self.places.get(usize::from(key.place))?;
        let is_own = DEFECT == ACCEPTS_FOREIGN || key.map == self.map;
        value.filter(|_| is_own && version == key.version)
    }
}

/// What a slot map should be: numbers that are never used again.
#[derive(Clone, Debug, Default, Heap)]
pub struct Model {
    values: BTreeMap<u32, u8>,
    n_keys: u32,
}

impl Model {
    pub fn new() -> Self {
        Model::default()
    }

    pub fn insert(&mut self, value: u8) -> u32 {
        self.n_keys += 1;
        self.values.insert(self.n_keys, value);
        self.n_keys
    }

    pub fn remove(&mut self, key: u32) -> Option<u8> {
        self.values.remove(&key)
    }

    pub fn get(&self, key: &u32) -> Option<u8> {
        self.values.get(key).copied()
    }
}

macro_rules! suites {
    ($($suite:ident for $ty:ident$(<$defect:ident>)?, $key:ident: $($word:ident $(($option:ident))?)?;)+) => {$(
        beget::suite! {
            /// A map from keys.
            #[name = "map"]
            pub suite $suite {
                for $ty$(<$defect>)? {
                    fn new() -> Self;
                    fn insert(&mut self, value: u8) -> $key;
                    fn remove(&mut self, key: $key) -> Option<u8>;
                    fn get(&self, key: &$key) -> Option<u8>;
                }
                for $key {
                    $($word $(($option))?;)?
                }
            }
        }
    )+};
}

suites! {
    Right for Slots<NOTHING>, Key: keys;
    Found for Slots<NOTHING>, Key:;
    AcceptsForeign for Slots<ACCEPTS_FOREIGN>, Key:;
    AcceptsForeignUnasked for Slots<ACCEPTS_FOREIGN>, Key: keys(own);
    AcceptsRemoved for Slots<ACCEPTS_REMOVED>, Key:;
    Values for Slots<NOTHING>, Key: structures;
    Models for Model, u32:;
}

const SCOPE: &str = r#"k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..1", fields: {"*": "any"}"#;

/// What `diff!` tells of a suite and the model.
macro_rules! difference {
    ($suite:ident) => {{
        let ended = std::panic::catch_unwind(|| {
            beget::diff!($suite, Models, k = 2, arrays = "k", ints = [0], fields = {"*": "any"});
        });
        ended.err().map(|message| *message.downcast::<String>().unwrap())
    }};
}

#[test]
fn a_map_that_accepts_a_key_of_another_one_is_found() {
    let message = difference!(AcceptsForeign).expect("there is a difference");
    let calls = [
        "let mut slots = Slots::<ACCEPTS_FOREIGN>::new();",
        "let _ = slots.insert(0);",
        "let mut slots_2 = Slots::<ACCEPTS_FOREIGN>::new();",
        "let foreign_key = slots_2.insert(0);",
        "slots.remove(foreign_key).is_some()",
    ];
    let calls = calls.map(|line| format!("            {line}\n")).concat();
    let said = "`Slots::<ACCEPTS_FOREIGN>::remove` gives Some(0), `Model::remove` gives None";
    assert!(message.contains(said) && message.contains(&calls), "{message}");
    assert_eq!(difference!(AcceptsForeignUnasked), None);
    assert_eq!(difference!(Right), None);
}

#[test]
fn a_map_that_accepts_the_key_of_a_removed_value_is_found() {
    let message = difference!(AcceptsRemoved).expect("there is a difference");
    let calls = [
        "let mut slots = Slots::<ACCEPTS_REMOVED>::new();",
        "let key = slots.insert(0);",
        "let _ = slots.remove(key);",
        "let _ = slots.insert(0);",
        "slots.remove(key).is_some()",
    ];
    let calls = calls.map(|line| format!("            {line}\n")).concat();
    assert!(message.contains(&calls), "{message}");
}

#[test]
fn keys_are_found_from_signatures() {
    let [declared, told, values, models] =
        [Right::suite(), Found::suite(), Values::suite(), Models::suite()];
    let key_params = |suite: &beget::suites::Suite| -> Vec<bool> {
        suite.methods.iter().map(|method| method.takes_key(method.params.len() - 1)).collect()
    };
    let methods = |suite: &beget::suites::Suite| {
        let methods = suite.methods.iter().filter(|method| !method.params.is_empty());
        let suite = beget::suites::Suite { methods: methods.cloned().collect(), ..suite.clone() };
        key_params(&suite)
    };
    // `insert` takes none, `remove` and `get` do.
    assert_eq!(methods(&declared), [false, true, true]);
    assert_eq!(methods(&told), methods(&declared));
    assert_eq!(methods(&models), methods(&declared));
    assert_eq!(methods(&values), [false; 3]);
    let corpora = [declared, told].map(|suite| run(suite, SCOPE, RECONSTRUCT, 1));
    assert_eq!(found(&corpora[0]), found(&corpora[1]));
}

#[test]
fn every_copy_strategy_makes_the_same_calls_with_foreign_keys() {
    let expected = run(AcceptsForeign::suite(), SCOPE, RECONSTRUCT, 1);
    for copy_options in [REGION, CLONES, REPLAY] {
        for threads in [1, 4] {
            let corpus = run(AcceptsForeign::suite(), SCOPE, copy_options, threads);
            assert_eq!(found(&corpus), found(&expected));
        }
    }
}

/// The naive twin: one call more on every structure for each method that takes a key.
#[test]
fn a_foreign_key_is_one_call_more_and_the_last() {
    let counts = |suite| {
        let corpus = run(suite, SCOPE, RECONSTRUCT, 1);
        let counters = corpus.report.ledger.counters;
        (corpus.store.len(), counters.explored(), counters.misuse)
    };
    let [with, own] = [counts(AcceptsForeign::suite()), counts(AcceptsForeignUnasked::suite())];
    // A foreign key removes a value; the same is left by the own key of that value. Keys of other
    // maps are always to be had, so no call more is misuse.
    let n_structures = own.0;
    assert_eq!(with, (own.0, own.1 + 2 * n_structures, own.2));
}

/// A graph whose edges need nodes; the numbers tell nothing of the graph.
#[derive(Clone, Debug, Heap)]
pub struct Graph {
    n_nodes: u8,
    edges: Vec<(u8, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Heap)]
pub struct Node(u8);

#[derive(Clone, Copy, Debug, PartialEq, Heap)]
pub struct Edge(u8);

impl Graph {
    pub fn new() -> Self {
        Graph { n_nodes: 0, edges: Vec::new() }
    }

    pub fn add_edge(&mut self, from: Node, to: Node) -> Result<Edge, u8> {
        let last = from.0.max(to.0);
        if last >= self.n_nodes {
            return Err(last);
        }
        self.edges.push((from.0, to.0));
        Ok(Edge(self.edges.len() as u8 - 1))
    }

    pub fn add_node(&mut self) -> Node {
        self.n_nodes += 1;
        Node(self.n_nodes - 1)
    }

    pub fn ends(&self, edge: Edge) -> (u8, u8) {
        match self.edges.is_empty() {
            true => (0, 0),
            false => self.edges[usize::from(edge.0)],
        }
    }
}

beget::suite! {
    /// A graph.
    pub suite Graphs {
        for Graph {
            fn new() -> Self;
            fn add_edge(&mut self, from: Node, to: Node) -> Result<Edge, u8>;
            fn add_node(&mut self) -> Node;
            fn ends(&self, edge: Edge) -> (u8, u8);
        }
        for Node {}
        for Edge {}
    }
}

/// What is a mere number is passed if the structure has not issued it: the next one.
#[test]
fn a_foreign_key_is_none_of_those_that_the_structure_has_issued() {
    let corpus = run(Graphs::suite(), SCOPE, RECONSTRUCT, 1);
    let sources: Vec<String> = corpus
        .report
        .findings
        .iter()
        .map(|finding| {
            let recipe = finding.witness.recipe.as_ref().unwrap();
            to_source(&corpus.plan.suite, recipe).0.replace('\n', " ")
        })
        .collect();
    // `ends` alone does not ask whether there is such an edge, once there is one.
    assert_eq!(sources, [ENDS.join(" ")]);
}

const ENDS: [&str; 8] = [
    "let mut graph = Graph::new();",
    "let key = graph.add_node();",
    "let _ = graph.add_edge(key, key);",
    "let mut graph_2 = Graph::new();",
    "let key_2 = graph_2.add_node();",
    "let _ = graph_2.add_edge(key_2, key_2);",
    "let foreign_key = graph_2.add_edge(key_2, key_2).unwrap();",
    "let _ = graph.ends(foreign_key);",
];

/// A run by chance finds it, too, and takes out the calls that are not needed.
#[test]
fn a_random_run_calls_with_foreign_keys() {
    let message = std::panic::catch_unwind(|| {
        drop(beget::random!(Graphs, "tests/foreign_keys.ron", calls = 500, seed = 1));
    });
    let message = *message.unwrap_err().downcast::<String>().unwrap();
    let calls = ENDS.map(|line| format!("        {line}\n")).concat();
    assert!(message.contains(&calls), "{message}");
}

/// Two places, whose numbers are given again when they are free, and no key when none is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Heap)]
pub struct Slab {
    taken: Vec<bool>,
    removed_last: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Heap)]
pub struct Place(u8);

impl Slab {
    pub fn new() -> Self {
        Slab { taken: vec![false; 2], removed_last: None }
    }

    pub fn insert(&mut self) -> Option<Place> {
        let free = self.taken.iter().position(|taken| !taken)?;
        self.taken[free] = true;
        Some(Place(free as u8))
    }

    pub fn remove(&mut self, key: Place) {
        self.taken[usize::from(key.0)] = false;
        self.removed_last = Some(key.0);
    }
}

beget::suite! {
    /// Two places.
    pub suite Slabs {
        for Slab {
            fn new() -> Self;
            fn insert(&mut self) -> Option<Place>;
            fn remove(&mut self, key: Place);
        }
        for Place {}
    }
}

/// A slab and what its calls of `insert` have returned.
type WithKeys = (Slab, Vec<Option<u8>>);

const MOST_KEYS: usize = 4;

/// All of them, and the calls made, of which those beyond the bound and those that are misuse: a
/// loop that shares nothing with the code under test.
fn slabs_by_hand() -> (BTreeSet<WithKeys>, [u64; 3]) {
    let mut known = BTreeSet::from([(Slab::new(), vec![])]);
    let (mut todo, mut counts) = (vec![(Slab::new(), vec![])], [1, 0, 0]);
    while let Some((slab, issued)) = todo.pop() {
        let mut longer = (slab.clone(), issued.clone());
        longer.1.push(longer.0.insert().map(|key| key.0));
        let mut left = vec![longer];
        // Another slab issues 0, then 1, then none.
        let foreign = [0, 1].into_iter().find(|key| !issued.contains(&Some(*key)));
        let own = (0..MOST_KEYS).map(|number| issued.get(number).copied().flatten());
        for key in own.chain([foreign]) {
            let Some(key) = key else {
                counts[2] += 1;
                continue;
            };
            let mut other = (slab.clone(), issued.clone());
            other.0.remove(Place(key));
            left.push(other);
        }
        counts[0] += 1 + MOST_KEYS as u64 + 1;
        for one in left {
            if one.1.len() > MOST_KEYS {
                counts[1] += 1;
            } else if known.insert(one.clone()) {
                todo.push(one);
            }
        }
    }
    (known, counts)
}

/// Runs the lines of a recipe, which know nothing but variables.
fn slab_of(lines: &str, variable: &str) -> WithKeys {
    let mut slabs: BTreeMap<&str, WithKeys> = BTreeMap::new();
    let mut keys: BTreeMap<&str, u8> = BTreeMap::new();
    for line in lines.lines() {
        let (name, call) = line.strip_prefix("let ").unwrap().split_once(" = ").unwrap();
        let name = name.trim_start_matches("mut ");
        if call == "Slab::new();" {
            slabs.insert(name, (Slab::new(), vec![]));
            continue;
        }
        let (on, call) = call.split_once('.').unwrap();
        let (slab, issued) = slabs.get_mut(on).unwrap();
        match call {
            "insert();" => issued.push(slab.insert().map(|key| key.0)),
            "insert().unwrap();" => {
                issued.push(slab.insert().map(|key| key.0));
                keys.insert(name, issued[issued.len() - 1].unwrap());
            }
            _ => {
                let key = call.strip_prefix("remove(").unwrap().strip_suffix(");").unwrap();
                slab.remove(Place(keys[key]));
            }
        }
    }
    slabs.remove(variable).unwrap()
}

/// A foreign key is the first that the structure has not issued, however many of its calls have
/// issued none, or an old one again.
#[test]
fn a_foreign_key_does_not_depend_on_how_many_calls_have_issued_none_or_an_old_one() {
    let scope =
        format!(r#"k: 2, objects: {{"*": "k"}}, arrays: {MOST_KEYS}, fields: {{"*": "any"}}"#);
    let (expected, [explored, out_of_scope, misuse]) = slabs_by_hand();
    for copy_options in [RECONSTRUCT, CLONES, REPLAY] {
        let corpus = run(Slabs::suite(), &scope, copy_options, 2);
        let counters = corpus.report.ledger.counters;
        assert_eq!(corpus.store.len() as usize, expected.len());
        assert_eq!(
            (counters.explored(), counters.out_of_scope, counters.misuse),
            (explored, out_of_scope, misuse)
        );
        assert_eq!(counters.failures, 0, "{:?}", corpus.report.findings);
        let of_recipe = |id: u64| {
            let (lines, variable) =
                to_source(&corpus.plan.suite, &corpus.recipe(StructureId::new(id)).unwrap());
            slab_of(&lines, &variable)
        };
        let built: BTreeSet<WithKeys> = (0..corpus.store.len()).map(of_recipe).collect();
        assert_eq!(built, expected);
    }
}

/// The keys that a map with that defect, and the one without, are asked about.
#[test]
fn the_table_of_seeded_defects_has_every_kind_of_key() {
    let quiet = |ended: Option<String>| table::quiet(usize::from(ended.is_some()), 1);
    let row = |kind: &str, shown: Option<String>, sound: Option<String>| {
        let shown = shown.expect("it is found");
        let mut docs = shown.lines().filter(|line| line.trim_start().starts_with("/// "));
        let said = docs.find(|line| line.contains(" gives ") || line.contains("panicked"));
        let said = said.unwrap().trim().trim_start_matches("/// ");
        [kind, said, &quiet(sound)].map(str::to_owned).to_vec()
    };
    let rows = [
        row("of a value that was removed", difference!(AcceptsRemoved), difference!(Right)),
        row("of another structure", difference!(AcceptsForeign), difference!(Right)),
    ];
    table::check_section("Keys", &["key", "finding", "without"], &rows);
}
