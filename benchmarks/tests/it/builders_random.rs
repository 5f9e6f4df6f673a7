//! The binary `builders_random` on one suite with small budgets, and its committed result.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use beget_benchmarks::builders_random::{ARMS, Arm, FILTERS, Filter, Runs, journal};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the repository")
}

fn measure(output: &Path, calls: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_builders_random"))
        .args(["--suite", "roops::avl", "--seeds", "2", "--calls", calls, "-o"])
        .arg(output)
        .current_dir(root())
        .output()
        .expect("it starts")
}

fn structures(runs: &[Runs], filter: Filter, arm: Arm) -> u64 {
    let is_it = |runs: &&Runs| (runs.filter, runs.arm) == (filter, arm);
    let runs = runs.iter().find(is_it).expect("runs of each kind");
    runs.left.iter().map(|left| left.structures).sum()
}

#[test]
fn equal_budgets_give_equal_bytes_and_builders_more_trees() {
    let directory = TempDir::new().expect("a directory");
    let [one, other] = ["one", "other"].map(|name| directory.path().join(name));
    for output in [&one, &other] {
        let ran = measure(output, "400");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let text = fs::read_to_string(one.with_extension("csv")).expect("the table");
    assert_eq!(fs::read_to_string(other.with_extension("csv")).expect("the table"), text);
    let runs = journal::parse(&text).expect("a table");
    assert_eq!(runs.len(), FILTERS.len() * ARMS.len());
    for filter in FILTERS {
        let [api, builders] = [Arm::Api, Arm::Builders].map(|arm| structures(&runs, filter, arm));
        assert!(builders > api, "{}: {builders} and {api}", filter.name());
    }
    // What is filtered is not extended: there is more that is new.
    assert!(structures(&runs, Filter::Form, Arm::Api) > structures(&runs, Filter::None, Arm::Api));
    // It goes on from what there is, and not with other budgets.
    let again = measure(&one, "400");
    assert!(again.status.success() && again.stderr.is_empty(), "{again:?}");
    assert!(String::from_utf8_lossy(&measure(&one, "500").stderr).contains("--fresh"));
}
