//! At most k objects of each class: what counts as an object, by exact numbers.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use beget::check::{ScopeSource, try_check};
use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::{Corpus, Run, counted_class};
use beget_heap::{Bounds, OutOfScope, canonical_form};
use beget_plan::scope::{Overrides, ScopeFile};
use beget_run::Catalog;

fn run(suite: Suite, k: u32) -> Corpus {
    run_with(suite, &format!(r#"k: {k}, objects: {{"*": "k"}}, ints: "0..k""#))
}

fn run_with(suite: Suite, fields: &str) -> Corpus {
    let scope = format!(r#"Scope(suite: "{}", {fields})"#, suite.name);
    let file = ScopeFile::parse("scope.ron", &scope).expect("a scope");
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &Overrides::default(), &no_files);
    Run::new(resolved.expect("a plan").plan).go()
}

/// A root that is an object of the class that boxes lead to, too.
#[derive(Clone, Heap)]
pub enum Expr {
    Unit,
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
}

#[beget::api]
impl Expr {
    pub fn unit() -> Self {
        Expr::Unit
    }

    pub fn negated(self) -> Self {
        Expr::Neg(Box::new(self))
    }

    pub fn plus(self, other: Self) -> Self {
        Expr::Add(Box::new(self), Box::new(other))
    }
}

/// Motzkin numbers: trees of n nodes, each with none, one or two children.
const N_TREES: [u64; 6] = [0, 1, 1, 2, 4, 9];

#[test]
fn a_root_is_an_object_of_its_class() {
    for k in 1..=5 {
        let corpus = run(Expr::suite(), k);
        let totals = corpus.totals().unwrap();
        assert_eq!(corpus.report.findings, []);
        // Each tree under its number of nodes, the root among them.
        assert_eq!(totals.by_objects, N_TREES[..=k as usize], "k = {k}");
        assert_eq!(totals.by_type, [N_TREES[..=k as usize].iter().sum::<u64>()], "k = {k}");
    }
}

/// A run that a bound cut at its very start is a mistake in the scope, not a complete one.
#[test]
fn a_scope_without_room_for_any_structure_is_refused() {
    let checked = |scope: &str| {
        let catalog = Catalog::new(vec![Expr::suite()]);
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = dir.join(format!("bounds-{}.ron", std::process::id()));
        std::fs::write(&path, format!("Scope(suite: \"Expr\", {scope})")).unwrap();
        let checked = try_check(catalog, ScopeSource::File(path), &mut |_| {});
        checked.map(|checked| checked.generated()).map_err(|error| error.to_string())
    };
    assert_eq!(checked(r#"k: 1, objects: {"*": "k"}"#), Ok(1));
    let error = checked(r#"k: 3, objects: {"*": "k", "Expr": "k - 3"}"#).unwrap_err();
    let message =
        "no structure was built: 1 call made more objects of class `Expr` than the scope allows";
    assert!(error.contains(message), "{error}");
    let place = ".ron:1:57\n";
    assert!(error.contains(place) && error.contains("help: write a larger number"), "{error}");
}

/// A root of a class of its own, to which no pointer leads.
#[derive(Clone, Default, Heap)]
pub struct Chain {
    first: Option<Box<Link>>,
}

#[derive(Clone, Heap)]
struct Link {
    next: Option<Box<Link>>,
}

#[beget::api]
impl Chain {
    pub fn new() -> Self {
        Chain::default()
    }

    pub fn push(&mut self) {
        self.first = Some(Box::new(Link { next: self.first.take() }));
    }
}

#[test]
fn a_root_is_no_object_of_the_class_of_its_nodes() {
    for k in 1..=5 {
        let by_objects = run(Chain::suite(), k).totals().unwrap().by_objects;
        assert_eq!(by_objects, vec![1; k as usize + 1], "none, one, ... k links");
    }
}

/// Pointers, cells and collections as roots: the pointer is no object, what it leads to is, once.
#[test]
fn a_root_that_is_a_pointer_or_a_collection_counts_what_it_holds_once() {
    fn least<T: Heap>(value: &T) -> u32 {
        (0..9).find(|&k| canonical_form(value, &Bounds::uniform(k)).is_ok()).expect("a scope")
    }
    let two = || Expr::Neg(Box::new(Expr::Unit));
    assert_eq!(least(&Expr::Unit), 1);
    assert_eq!(least(&two()), 2);
    assert_eq!(least(&Box::new(two())), 2);
    assert_eq!(least(&Some(Rc::new(two()))), 2);
    assert_eq!(least(&vec![two(), two()]), 2, "of two elements in place, each with one behind it");
    let out = canonical_form(&two(), &Bounds::uniform(1));
    assert_eq!(out, Err(OutOfScope::Objects("Expr")));
}

/// Two rows of different classes.
#[derive(Clone, Debug, Default, Heap)]
pub struct Rows {
    left: Option<Box<Left>>,
    right: Option<Box<Right>>,
}

#[derive(Clone, Debug, Heap)]
pub struct Left {
    next: Option<Box<Left>>,
}

#[derive(Clone, Debug, Heap)]
pub struct Right {
    next: Option<Box<Right>>,
}

#[beget::api(name = "rows")]
impl Rows {
    /// Both empty.
    pub fn new() -> Self {
        Rows::default()
    }

    /// One more on the left.
    pub fn push_left(&mut self) {
        self.left = Some(Box::new(Left { next: self.left.take() }));
    }

    /// One more on the right.
    pub fn push_right(&mut self) {
        self.right = Some(Box::new(Right { next: self.right.take() }));
    }
}

/// The class with the smallest bound above 1, or else the first.
#[test]
fn objects_are_counted_of_the_class_that_grows() {
    let counted = |left: u32, right: u32| {
        let fields = format!(r#"k: 1, objects: {{"Left": "{left}", "Right": "{right}"}}"#);
        let corpus = run_with(Rows::suite(), &fields);
        let class =
            counted_class(&corpus.plan).map(|class| corpus.plan.schema().classes()[class].key);
        (class.map(|class| class.name), corpus.totals().unwrap().by_objects)
    };
    assert_eq!(counted(3, 2), (Some("Right"), vec![4, 4, 4]));
    assert_eq!(counted(2, 3), (Some("Left"), vec![4, 4, 4]));
    assert_eq!(counted(1, 3), (Some("Right"), vec![2, 2, 2, 2]));
    assert_eq!(counted(3, 1), (Some("Left"), vec![2, 2, 2, 2]));
    assert_eq!(counted(1, 1), (Some("Left"), vec![2, 2]));
}

/// A file by its name, which only its constructor sets, and its copies.
#[derive(Clone, Debug, Heap)]
pub struct Named {
    name: String,
    copies: Vec<u8>,
}

#[beget::api]
impl Named {
    pub fn new(name: &str) -> Self {
        Named { name: name.to_owned(), copies: Vec::new() }
    }

    pub fn copy(&mut self) {
        self.copies.push(0);
    }

    pub fn extend(&mut self, more: &str) {
        self.name.push_str(more);
    }
}

/// The names are longer than arrays may be: what the scope itself passes is within its bounds.
#[test]
fn a_text_may_be_as_long_as_the_longest_of_the_scope() {
    let all = beget::check!(
        Named,
        k = 3,
        arrays = 1,
        strings = ["config.toml", "a"],
        methods = Except(["extend"])
    );
    assert_eq!(all.generated(), 2 * 2);
    // "config.toml", and "a" up to eleven times: all that is no longer.
    let extended = beget::check!(
        Named,
        k = 3,
        arrays = 1,
        strings = ["config.toml", "a"],
        methods = Except(["copy"])
    );
    assert_eq!(extended.generated(), 1 + 11);
    let said = extended.to_string();
    assert!(said.contains("beyond the length of strings"), "{said}");
}
