//! The binary `table2` and its committed data.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use beget_benchmarks::table2::data::{Data, Ours};
use beget_benchmarks::table2::sets::{SEARCHES, methods_of};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the repository")
}

fn committed() -> Data {
    let text = fs::read_to_string(root().join("benchmarks/published/table2.ron"));
    Data::parse(&text.expect("the data")).expect("data")
}

fn table2(command: &str, output: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_table2"))
        .args([command, "--quick", "-o"])
        .arg(output)
        .args(more)
        .current_dir(root())
        .output()
        .expect("table2 starts")
}

/// The containers of the coverage experiments are there for what calls cover of them; the case
/// studies that they are like are measured.
#[test]
fn every_suite_is_measured_but_the_containers_with_marks() {
    let measured: BTreeSet<_> = committed().subjects.into_iter().map(|s| s.suite).collect();
    let suites = beget_subjects::suites().into_iter().map(|s| s.name);
    let suites: BTreeSet<_> = suites
        .filter(|suite| !suite.starts_with("jpf::") && !suite.starts_with("paper::"))
        .collect();
    assert_eq!(measured, suites);
}

#[test]
fn methods_that_the_data_names_are_in_the_suites() {
    for subject in committed().subjects {
        let methods = methods_of(&subject.suite).expect("a suite");
        let left_out = subject.left_out.iter().map(|left_out| &left_out.method);
        for name in subject.published.iter().flatten().chain(left_out) {
            assert!(methods.contains(name), "{}: {name}", subject.suite);
        }
        assert!(root().join(subject.scope_file()).exists(), "{}", subject.suite);
    }
}

/// Table 2 of the paper has four configurations of these suites at four scopes each.
#[test]
fn published_times_are_those_of_the_printed_table() {
    let mut suites = Vec::new();
    for subject in committed().subjects {
        let times = subject.published_times.all();
        let times: Vec<&String> = times.into_iter().flatten().collect();
        if times.is_empty() {
            continue;
        }
        assert_eq!(times.len(), 4, "{}", subject.suite);
        for times in times {
            let cells: Vec<_> = times.split(", ").map(|cell| cell.split_once(": ")).collect();
            assert_eq!(cells.len(), 4, "{}: {times}", subject.suite);
            for (k, seconds) in cells.into_iter().map(|cell| cell.expect("a scope and a time")) {
                assert!(k.parse::<u32>().is_ok(), "{times}");
                let is_time = seconds.parse::<f64>().is_ok_and(|seconds| seconds <= 3600.0);
                assert!(is_time || ["no result", "blank"].contains(&seconds), "{times}");
            }
        }
        suites.push(subject.suite);
    }
    let of_roops = ["ncl", "llist", "avl", "bintree", "binheap", "fibheap", "rbt"];
    let mut wanted: Vec<String> = of_roops.iter().map(|name| format!("roops::{name}")).collect();
    wanted.push("apache::ncl".to_owned());
    assert_eq!(suites, wanted);
}

#[test]
fn statements_are_about_suites_and_searches_that_there_are() {
    let suites: Vec<_> = beget_subjects::suites().into_iter().map(|suite| suite.name).collect();
    for statement in committed().statements {
        let named = match statement.ours {
            Ours::SpeedUp(named) | Ours::MoreScopes(named) | Ours::StateMatching(named) => named,
            Ours::Identification { search, suites } => {
                assert!(SEARCHES.contains(&&*search), "{search}");
                suites
            }
        };
        for name in named {
            assert!(suites.iter().any(|suite| suite.starts_with(&name)), "{name}");
        }
    }
}

#[test]
fn the_sets_of_a_subject_are_found_and_compared_with_the_published_one() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("builders");
    let ended = table2("builders", &output, &["--suite", "korat::rbt", "--suite", "apache::ncl"]);
    assert!(ended.status.success(), "{ended:?}");
    let markdown = fs::read_to_string(output.with_extension("md")).expect("written");
    for (search, relation) in SEARCHES.map(|search| (search, "another; both suffice")) {
        // At scope 3 no removal is needed.
        let start = format!("| `korat::rbt` | 3 | 4 | 11 | {search} | `new`, `add` | yes | yes | ");
        let row = markdown.lines().find(|line| line.starts_with(&start)).expect("a row");
        assert!(row.ends_with(&format!(" | {relation} |")), "{row}");
    }
    let published =
        "| `korat::rbt` | 3 | 4 | 11 | published | `new`, `add`, `remove` | yes | no | ";
    assert!(markdown.contains(published), "{markdown}");
    let start = "| `apache::ncl` | 3 | 34 | 18 | exact | `new`, `add`, `clear` | yes | yes | ";
    assert!(markdown.contains(start), "{markdown}");
    let csv = fs::read_to_string(output.with_extension("csv")).expect("written");
    assert!(csv.contains("\nkorat::rbt,3,4,exact,new add,true,exhausted,true,true,11,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * 4);
}

#[test]
fn a_measurement_goes_on_where_it_was_stopped() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("table2");
    let first = table2("ablation", &output, &["--suite", "korat::sortedlist"]);
    assert!(first.status.success(), "{first:?}");
    let csv = fs::read_to_string(output.with_extension("csv")).expect("written");
    let markdown = fs::read_to_string(output.with_extension("md")).expect("written");
    // Sum of the multisets of m of the literals 1 and up, for m < k: 1, 2, 6.
    for row in ["SM/BLD,2,3,true,exhausted,6,", "SM,2,3,true,exhausted,6,"] {
        assert!(csv.contains(&format!("\nkorat::sortedlist,{row}")), "{csv}");
    }
    // Two orders of adding 1 and 2 give one list, which is extended twice. Nothing is removed, so
    // the scope ends the run.
    for row in ["BLD,2,3,true,exhausted,7,22,", "NoOPT,2,3,true,exhausted,7,22,"] {
        assert!(csv.contains(&format!("\nkorat::sortedlist,{row}")), "{csv}");
    }
    assert!(markdown.contains("| `korat::sortedlist` | 2 | 2 | 3 | 3 | 3 | 3 |"), "{markdown}");
    assert!(markdown.contains("Table 2 of the BEAPI paper"), "{markdown}");
    let again = table2("ablation", &output, &["--suite", "korat::sortedlist"]);
    assert!(again.status.success() && again.stderr.is_empty(), "nothing runs twice: {again:?}");
    assert_eq!(fs::read_to_string(output.with_extension("csv")).expect("written"), csv);
}

/// At scope 1 there is no room for what the constructor among the builders makes.
#[test]
fn a_small_scope_that_is_refused_is_passed_over() {
    let directory = TempDir::new().expect("a directory");
    let output = directory.path().join("table2");
    let ended = table2("ablation", &output, &["--suite", "real::smallvec"]);
    assert!(ended.status.success(), "{ended:?}");
    let csv = fs::read_to_string(output.with_extension("csv")).expect("written");
    assert!(csv.contains("\nreal::smallvec,SM/BLD,3,1,false,refused,,,"), "{csv}");
    assert!(csv.contains("\nreal::smallvec,SM/BLD,3,2,true,exhausted,"), "{csv}");
}

#[test]
fn a_subject_that_is_not_there_is_an_error() {
    let directory = TempDir::new().expect("a directory");
    let ended = table2("ablation", &directory.path().join("a"), &["--suite", "korat::rbtree"]);
    assert!(!ended.status.success());
    assert!(String::from_utf8_lossy(&ended.stderr).contains("korat::rbtree"), "{ended:?}");
}
