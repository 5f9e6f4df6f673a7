//! The error bars of `beget estimate` on the rows of Table 1: what is committed is what they come to.

use std::fs;
use std::path::{Path, PathBuf};

use beget_benchmarks::estimates::beyond::QUESTIONS;
use beget_benchmarks::estimates::{Coverage, CsvError, Printed, Row, classes, markdown};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

fn read(name: &str) -> String {
    let path: PathBuf = root().join("benchmarks/results").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn printed() -> Printed {
    serde_json::from_str(&read("estimate.json")).unwrap()
}

#[test]
fn the_committed_table_is_what_the_estimates_come_to() {
    let classes = classes(&read("table1.csv")).unwrap();
    let printed = printed();
    let text = markdown::markdown(&classes, &printed);
    assert!(text == read("estimate.md"), "write it again: just estimate");
    let answers = &printed.beyond;
    for (question, answer) in QUESTIONS.iter().zip(answers) {
        assert_eq!((question.suite, question.k), (answer.suite.as_str(), answer.k));
    }
    assert_eq!(QUESTIONS.len(), answers.len());
}

/// 29 first rows have nothing before them, 29 second rows one scope, and the disjoint sets of one
/// element are no structure.
#[test]
fn nine_of_ten_bars_hold_on_the_rows_of_table_1() {
    let classes = classes(&read("table1.csv")).unwrap();
    let rows: Vec<Row> = classes.iter().flat_map(|class| class.rows()).collect();
    assert_eq!((classes.len(), rows.len()), (29, 267));
    assert_eq!(rows.iter().filter(|row| row.estimate.is_none()).count(), 60);
    let structures = rows
        .iter()
        .filter_map(|row| Some((row.estimate.as_ref()?.structures, row.truth.generated as f64)));
    assert_eq!(Coverage::of(structures), Coverage { hold: 192, all: 207 });
    let calls = rows
        .iter()
        .filter_map(|row| Some((row.estimate.as_ref()?.calls, row.truth.explored as f64)));
    assert_eq!(Coverage::of(calls), Coverage { hold: 193, all: 207 });
}

#[test]
fn suites_elsewhere_are_no_classes_and_each_scope_follows_the_one_before() {
    let (classes, trials) = (classes(&read("table1.csv")).unwrap(), printed().elsewhere);
    assert!(trials.iter().all(|trial| classes.iter().all(|class| class.suite != trial.suite)));
    let suites = trials.chunk_by(|one, next| one.suite == next.suite);
    for trials in suites {
        assert!(trials.iter().map(|trial| trial.k).eq(2..trials[0].k + trials.len() as u32));
        assert!(trials.iter().any(|trial| trial.generated > 1), "{}", trials[0].suite);
    }
}

#[test]
fn classes_that_grow_alike_are_one_growth() {
    let classes = classes(&read("table1.csv")).unwrap();
    let growth = |suite: &str| {
        classes.iter().find(|class| class.suite == suite).expect("it is there").growth
    };
    assert_eq!(growth("roops::llist"), growth("kiasan::dllist"));
    assert_eq!(growth("roops::bintree"), growth("kiasan::bst"));
    assert_ne!(growth("roops::llist"), growth("korat::dllist"));
    assert_ne!(growth("roops::avl"), growth("roops::rbt"));
}

#[test]
fn a_row_that_was_not_run_has_its_published_counts() {
    let classes = classes(&read("table1.csv")).unwrap();
    let heaps = classes.iter().find(|class| class.suite == "korat::binheap").unwrap();
    let last = heaps.scopes.last().unwrap();
    assert_eq!((last.k, last.generated, last.store_bytes), (11, 2_835_325_296, 0));
}

#[test]
fn a_text_that_is_no_table_is_refused() {
    assert!(matches!(classes("suite,k\na,1"), Err(CsvError::NoColumn("generated"))));
    let text = "suite,k,generated,published_generated,explored,published_explored,cpu_seconds,store_bytes\n\
                a,1,many,,,,,";
    let wrong = classes(text).unwrap_err().to_string();
    assert_eq!(wrong, "line 2: no number in column \"generated\"");
}
