//! The binary `measure`, run on small plans over the binary `rival`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use beget_benchmarks::plan::Plan;
use tempfile::TempDir;

fn measure(dir: &Path, plan: &str) -> Output {
    fs::write(dir.join("plan.ron"), plan).expect("the plan is written");
    Command::new(env!("CARGO_BIN_EXE_measure"))
        .args(["plan.ron", "-o", "table.md"])
        .current_dir(dir)
        .output()
        .expect("measure starts")
}

#[test]
fn table_has_one_row_per_command_with_its_counts() {
    let dir = TempDir::new().expect("a directory");
    let plan = r#"(title: "NCL", repeats: 2, rows: [
        (name: "floor k=3", command: ["{bin}/rival", "floor", "-k", "3"]),
        (name: "naive k=4", command: ["{bin}/rival", "naive", "-k", "4"],
         expect: (generated: 112, explored: 904)),
        (name: "stateright k=3", command: ["{bin}/rival", "stateright", "--threads", "2", "-k", "3"]),
    ])"#;
    let output = measure(dir.path(), plan);
    assert!(output.status.success(), "{output:?}");
    let table = fs::read_to_string(dir.path().join("table.md")).expect("the table is written");
    assert!(table.starts_with("# NCL\n\nMachine: "), "{table}");
    for row in [
        "| floor k=3 | – | 18 | 114 |",
        "| naive k=4 | – | 112 | 904 |",
        "| stateright k=3 | – | 18 | 114 |",
    ] {
        assert!(table.contains(row), "{table}");
    }
    assert!(table.contains("- floor k=3: `{bin}/rival floor -k 3`\n"), "{table}");
}

#[test]
fn wrong_counts_leave_no_table() {
    let dir = TempDir::new().expect("a directory");
    let plan = r#"(title: "NCL", repeats: 1, rows: [(name: "floor", command: ["{bin}/rival", "floor", "-k", "3"],
         expect: (generated: 19, explored: 114))])"#;
    let output = measure(dir.path(), plan);
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("row \"floor\": counted"),
        "{output:?}"
    );
    assert!(!dir.path().join("table.md").exists());
}

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/published/table1.ron");

#[test]
fn published_times_stand_behind_the_runs_of_their_scope() {
    let dir = TempDir::new().expect("a directory");
    let plan = format!(
        r#"(title: "NCL", repeats: 1, published: (table: {TABLE:?}, suite: "roops::ncl"), rows: [
            (name: "floor", k: 6, command: ["{{bin}}/rival", "floor", "-k", "6"]),
        ])"#
    );
    let output = measure(dir.path(), &plan);
    assert!(output.status.success(), "{output:?}");
    let table = fs::read_to_string(dir.path().join("table.md")).expect("the table is written");
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows[0].starts_with("| floor | 6 | 11,196 | 134,364 |"), "{table}");
    let beapi = "| BEAPI, as published | 6 | 11,196 | 134,364 | – | 2.27 |";
    assert!(rows[1].starts_with(beapi), "{table}");
    let korat = "| Korat, as published | 6 | 800,667 | 805,921 | – | 0.65 |";
    assert!(rows[2].starts_with(korat), "{table}");
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_subject_without_published_times_is_named() {
    let dir = TempDir::new().expect("a directory");
    let plan = format!(
        r#"(title: "NCL", repeats: 1, published: (table: {TABLE:?}, suite: "no::such"), rows: [])"#
    );
    let output = measure(dir.path(), &plan);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("no suite \"no::such\""), "{said}");
}

#[test]
fn committed_plans_parse() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("plans");
    let mut n_plans = 0;
    for entry in fs::read_dir(dir).expect("the plans") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text file");
        Plan::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        n_plans += 1;
    }
    assert!(n_plans > 0, "there are no plans");
}
