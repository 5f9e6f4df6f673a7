//! Methods of traits that a suite does not list: which there are, that they call what they say, and
//! that their source does the same.

#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use std::any::Any;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use beget::{HasSuite, Heap, api};
use beget_suite::{Argument, Call, Frame, MethodIdx, Outcome, Recipe, SameAs, Suite, to_source};

thread_local! {
    /// The functions that were called, in order.
    static CALLED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

fn note<T>(function: &'static str, result: T) -> T {
    CALLED.with_borrow_mut(|called| called.push(function));
    result
}

/// The functions that `call` calls.
fn called(call: impl FnOnce()) -> Vec<&'static str> {
    CALLED.take();
    call();
    CALLED.take()
}

/// Has all traits that are looked for, and notes who calls them.
#[derive(Heap)]
pub struct Row {
    cells: Vec<u8>,
}

impl Clone for Row {
    fn clone(&self) -> Self {
        note("clone", Row { cells: self.cells.clone() })
    }
}

impl Default for Row {
    fn default() -> Self {
        note("default", Row { cells: vec![7] })
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        note("eq", self.cells == other.cells)
    }
}

impl Eq for Row {}

#[allow(clippy::non_canonical_partial_ord_impl, reason = "each notes its own call")]
impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        note("partial_cmp", Some(self.cells.cmp(&other.cells)))
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        note("cmp", self.cells.cmp(&other.cells))
    }
}

impl Hash for Row {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.cells.hash(state);
        note("hash", ());
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        note("fmt", write!(f, "{} cells", self.cells.len()))
    }
}

/// Notes from which end its items are taken.
pub struct Cells<'r>(std::slice::Iter<'r, u8>);

impl<'r> Iterator for Cells<'r> {
    type Item = &'r u8;

    fn next(&mut self) -> Option<&'r u8> {
        note("next", self.0.next())
    }
}

impl DoubleEndedIterator for Cells<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        note("next_back", self.0.next_back())
    }
}

impl<'r> IntoIterator for &'r Row {
    type Item = &'r u8;
    type IntoIter = Cells<'r>;

    fn into_iter(self) -> Cells<'r> {
        Cells(self.cells.iter())
    }
}

#[api(name = "test::row")]
impl Row {
    /// With two cells.
    pub fn new() -> Self {
        Row { cells: vec![1, 2] }
    }
}

/// Lists a function of a trait itself, and has two more.
#[derive(Clone, PartialEq, PartialOrd, Heap)]
pub struct Cell {
    value: f32,
}

/// All that is made of cells.
#[derive(Clone, Heap)]
pub struct Grid {
    cells: Vec<u8>,
}

beget::suite! {
    suite Grids {
        for Grid {
            fn of(cell: &Cell) -> Self;
        }
        for Cell {
            fn empty() -> Self;
            fn eq(&self, other: &Self) -> bool;
        }
    }
}

impl Grid {
    fn of(cell: &Cell) -> Self {
        Grid { cells: vec![cell.value as u8] }
    }
}

impl Cell {
    fn empty() -> Self {
        Cell { value: 0.0 }
    }
}

/// A suite with the methods of traits behind its own.
fn enriched(mut suite: Suite) -> Suite {
    suite.methods.extend(suite.trait_methods());
    suite
}

fn names(suite: &Suite) -> Vec<&'static str> {
    suite.trait_methods().iter().map(|method| method.name).collect()
}

const ROW_NAMES: [&str; 9] = [
    "clone",
    "default",
    "eq",
    "partial_cmp",
    "cmp",
    "hash",
    "to_string",
    "into_iter",
    "into_iter_rev",
];

/// What each of them calls, in the order of their names.
fn row_calls() -> [Vec<&'static str>; 9] {
    let once = |name| vec![name];
    let twice_and_end = |name| vec![name, name, name];
    [
        once("clone"),
        once("default"),
        once("eq"),
        once("partial_cmp"),
        once("cmp"),
        once("hash"),
        once("fmt"),
        twice_and_end("next"),
        twice_and_end("next_back"),
    ]
}

#[test]
fn a_type_has_the_functions_of_its_traits_and_each_calls_its_own() {
    let suite = enriched(Row::suite());
    assert_eq!(names(&Row::suite()), ROW_NAMES);
    for (name, expected) in ROW_NAMES.iter().zip(row_calls()) {
        let method = suite.method_named(name).unwrap();
        let row = || -> Box<dyn Any> { Box::new(Row::new()) };
        let arguments = method.structure_params().map(|_| Some(row())).collect();
        let mut frame = Frame::of(arguments);
        let found = called(|| {
            assert_eq!(method.make(&mut Call::new(&mut frame, &[])), Outcome::Returned);
        });
        assert_eq!(found, expected, "{name}");
        assert!(frame.arguments.iter().all(Option::is_some), "{name} takes nothing away");
        let given: Vec<Vec<u8>> = frame
            .results
            .iter()
            .map(|result| result.as_ref().unwrap().downcast_ref::<Row>().unwrap().cells.clone())
            .collect();
        let expected = match *name {
            "clone" => vec![vec![1, 2]],
            "default" => vec![vec![7]],
            _ => vec![],
        };
        assert_eq!(given, expected, "{name}");
        assert_eq!(method.outputs.len(), expected.len());
    }
}

#[test]
fn both_sides_may_be_one_structure() {
    let suite = enriched(Row::suite());
    for name in ["eq", "partial_cmp", "cmp"] {
        let method = suite.method_named(name).unwrap();
        assert!(method.may_alias(0, 1), "{name}");
        let row: Box<dyn Any> = Box::new(Row::new());
        let mut frame = Frame::of(vec![Some(row), Some(Box::new(SameAs(0)))]);
        let found = called(|| {
            method.make(&mut Call::new(&mut frame, &[]));
        });
        assert_eq!(found, [name]);
    }
}

/// For each line what is bound, its expression as text, and what that does with two rows.
macro_rules! lines {
    (|$row:ident, $other:ident| $($bound:literal $line:expr;)+) => {
        [$(($bound, stringify!($line), {
            fn line($row: Row, $other: Row) {
                let _ = (&$row, &$other);
                let _ = $line;
            }
            line as fn(Row, Row)
        })),+]
    };
}

#[test]
fn the_source_of_a_call_does_what_the_call_does() {
    let suite = enriched(Row::suite());
    let made = || {
        let method = MethodIdx::new(0);
        let recipe = Recipe { method, arguments: vec![], output: 0, panics: false };
        Argument::Structure(Box::new(recipe))
    };
    let lines = lines! {|row, row_2|
        "row_2" Clone::clone(&row);
        "row" <Row as Default>::default();
        "_" PartialEq::eq(&row, &row_2);
        "_" PartialOrd::partial_cmp(&row, &row_2);
        "_" Ord::cmp(&row, &row_2);
        "_" std::hash::Hash::hash(&row, &mut std::hash::DefaultHasher::new());
        "_" ToString::to_string(&row);
        "_" (&row).into_iter().for_each(drop);
        "_" (&row).into_iter().rev().for_each(drop);
    };
    for (((bound, line, run), name), expected) in lines.into_iter().zip(ROW_NAMES).zip(row_calls())
    {
        let method = suite.find_method(name).unwrap();
        let n = suite.method(method).params.len();
        // What it gives comes behind what it takes.
        let output = if suite.method(method).outputs.is_empty() { 0 } else { n };
        let arguments = (0..n).map(|_| made()).collect();
        let (source, _) = to_source(&suite, &Recipe { method, arguments, output, panics: false });
        let line = format!("let {bound} = {};", line);
        let without_blanks = |text: &str| text.replace([' ', '\n'], "");
        assert_eq!(without_blanks(source.lines().last().unwrap()), without_blanks(&line));
        let found = called(|| {
            run(Row::new(), Row::new());
        });
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn what_the_suite_lists_is_left_to_it_and_other_types_are_named() {
    let suite = Grids::suite();
    assert_eq!(names(&suite), ["clone", "Cell::clone", "Cell::partial_cmp"]);
    // A function of the same name that has nothing to do with the type is in the way all the same.
    let mut suite = Row::suite();
    suite.methods.push(beget_suite::Method { name: "hash", ..suite.methods[0].clone() });
    assert!(!names(&suite).contains(&"hash"));
}

#[test]
fn a_suite_has_the_same_fingerprint_with_them() {
    let suite = Row::suite();
    let fingerprint = beget_plan::scope::suite_fingerprint;
    assert_eq!(fingerprint(&suite), fingerprint(&enriched(suite.clone())));
}
