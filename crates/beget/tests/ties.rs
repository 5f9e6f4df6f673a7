//! Hash maps and sets whose keys are equal by their address: structures are as many as there are,
//! whatever the seeds of the hashers.
#![allow(unsafe_code, reason = "an allocator is installed")]
#![allow(missing_docs, reason = "the signatures are what is tested")]
#![allow(
    clippy::disallowed_types,
    clippy::mutable_key_type,
    reason = "the order of hash maps is what the tests are about"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::process::Command;
use std::rc::Rc;

use beget::heap::laws;
use beget::{HasSuite, Heap};
use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_heap::PassedBound;
use beget_plan::finding::StopReason;
use common::{CLONES, RECONSTRUCT, REGION, REPLAY, found, plan, run, run_all_ways};

beget::install_allocator!(unsafe);

#[derive(Clone, Heap)]
pub struct ById(Rc<u8>);

impl PartialEq for ById {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ById {}

impl Hash for ById {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// Points, some of which lead to another one or to themselves.
#[derive(Heap)]
pub struct Web {
    points: HashSet<ById>,
    next: HashMap<ById, ById>,
}

/// A copy with points of its own.
impl Clone for Web {
    fn clone(&self) -> Self {
        let new: HashMap<&ById, ById> =
            self.points.iter().map(|point| (point, ById(Rc::new(*point.0)))).collect();
        Web {
            points: new.values().cloned().collect(),
            next: self.next.iter().map(|(from, to)| (new[from].clone(), new[to].clone())).collect(),
        }
    }
}

#[beget::api(name = "web")]
impl Web {
    /// Three points, each of which leads to that of the number given; 3: it leads nowhere.
    pub fn of(first: u8, second: u8, third: u8) -> Self {
        let points = [(); 3].map(|()| ById(Rc::new(0)));
        let next = [first, second, third].map(|number| points.get(usize::from(number)).cloned());
        let next = points.iter().zip(next).filter_map(|(from, to)| Some((from.clone(), to?)));
        Web { next: next.collect(), points: points.iter().cloned().collect() }
    }

    /// No points.
    pub fn clear(&mut self) {
        self.next.clear();
        self.points.clear();
    }

    /// No point leads to one that leads nowhere.
    pub fn prune(&mut self) {
        let ends: HashSet<ById> = self.points.iter().cloned().collect();
        let ends: HashSet<ById> =
            ends.into_iter().filter(|point| !self.next.contains_key(point)).collect();
        self.next.retain(|_, to| !ends.contains(to));
    }
}

/// Maps of three points, some of which are mapped to a point, up to a renaming of the points. With
/// all three mapped there are 7: the identity, a swap, a ring, all to one of them, a chain of two
/// behind a fixed point, a fixed point beside one that a third leads to, a swap with a third
/// behind. With two mapped there are 6: both fixed; a swap; a fixed point and one that leads to it;
/// a fixed point and one that leads to the third; both to the third; a chain of all. With one
/// mapped 2: fixed, or not. With none 1. That is 16, and no points at all.
const N_WEBS: u64 = 7 + 6 + 2 + 1 + 1;

const WEBS: &str = r#"k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..4""#;

fn digest(corpus: &Corpus) -> String {
    corpus.totals().unwrap().digest.to_string()
}

#[test]
fn webs_of_three_points_are_seventeen_in_all_ways() {
    let corpus = run_all_ways(&plan(Web::suite(), WEBS));
    assert_eq!(corpus.store.len(), N_WEBS);
    assert!(corpus.report.is_complete());
    assert_eq!(corpus.report.findings, []);
    for (copy_options, threads) in
        [(REGION, 4), (CLONES, 1), (CLONES, 4), (RECONSTRUCT, 1), (REPLAY, 2), (REPLAY, 4)]
    {
        assert_eq!(found(&run(Web::suite(), WEBS, copy_options, threads)), found(&corpus));
    }
}

/// The same number without any form: the least of the maps under all renamings.
#[test]
fn seventeen_is_the_number_of_maps_up_to_renaming() {
    let numbers = [0, 1, 2, 3_usize];
    let renamings = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut least = BTreeSet::new();
    for map in (0..64).map(|code| [code / 16, code / 4 % 4, code % 4].map(|at| numbers[at])) {
        let renamed = renamings.map(|names| {
            let name = |number: usize| names.get(number).copied().unwrap_or(3);
            (0..3).map(|at| (names[at], name(map[at]))).collect::<BTreeMap<_, _>>()
        });
        least.insert(renamed.into_iter().min());
    }
    assert_eq!(least.len() as u64 + 1, N_WEBS);
}

/// Set where the test below is run by itself.
const CHILD: &str = "BEGET_TEST_TIES_CHILD";

#[test]
fn twelve_processes_find_the_same() {
    let own = run(Web::suite(), WEBS, RECONSTRUCT, 1);
    if std::env::var_os(CHILD).is_some() {
        println!("digest {} {}", own.store.len(), digest(&own));
        return;
    }
    let program = std::env::current_exe().unwrap();
    for _ in 0..12 {
        let mut command = Command::new(&program);
        command.args(["--exact", "twelve_processes_find_the_same", "--nocapture"]).env(CHILD, "1");
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let line = format!("digest {N_WEBS} {}\n", digest(&own));
        assert!(output.contains(&line), "{output} {line}");
    }
}

#[test]
fn webs_keep_the_laws_of_heaps() {
    for code in 0..64 {
        let web = Web::of(code / 16, code / 4 % 4, code % 4);
        laws::check(&web).unwrap();
        laws::check_clone(&web, Web::clear).unwrap();
    }
}

/// Pairs of points.
#[derive(Clone, Heap)]
pub struct Clique {
    pairs: HashSet<(ById, ById)>,
}

#[beget::api(name = "clique")]
impl Clique {
    /// All pairs of so many points.
    pub fn of(n: u8) -> Self {
        let points: Vec<ById> = (0..n).map(|_| ById(Rc::new(0))).collect();
        let pairs = points.iter().flat_map(|one| points.iter().map(move |other| (one, other)));
        let pairs = pairs.filter(|(one, other)| one != other);
        Clique { pairs: pairs.map(|(one, other)| (one.clone(), other.clone())).collect() }
    }

    /// No pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }
}

fn cliques(ints: &str, threads: usize) -> Corpus {
    let scope = format!(r#"k: 7, objects: {{"*": "k"}}, arrays: 42, ints: "{ints}""#);
    run(Clique::suite(), &scope, RECONSTRUCT, threads)
}

#[test]
fn what_takes_too_long_to_tell_apart_ends_the_run_undecided() {
    let small = cliques("0..6", 1);
    // Those of 0 and 1 points have no pairs.
    assert_eq!((small.store.len(), small.report.is_complete()), (5, true));
    for threads in [1, 2, 4] {
        let corpus = cliques("7..8", threads);
        assert_eq!(corpus.report.stop_reason, StopReason::Undecided);
        assert!(!corpus.report.is_complete());
        assert_eq!(corpus.report.findings, []);
        let [passed] = &corpus.report.ledger.passed[..] else {
            panic!("{:?}", corpus.report.ledger.passed)
        };
        assert_eq!((passed.bound, passed.calls), (PassedBound::Undecided, 1));
        // The first such tie ends it: nothing is called after level 1.
        assert_eq!(corpus.report.ledger.counters.explored(), 1);
    }
}

#[test]
#[should_panic(expected = "cannot be told from others")]
fn a_checked_run_that_is_undecided_fails() {
    beget::check!(Clique, k = 7, arrays = 42, ints = 6..8);
}
