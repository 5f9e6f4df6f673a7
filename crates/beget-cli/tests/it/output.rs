//! Output directories: what they hold, and that nothing half-done is left.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use beget_program::records::StructureRecord;
use common::{Ended, names_in, run, run_beget};

/// The files of the output of a run, by name.
fn output_of(arguments: &str) -> BTreeMap<String, Vec<u8>> {
    output_by(run, arguments)
}

fn output_by(run: fn(&str) -> Ended, arguments: &str) -> BTreeMap<String, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    run(&format!("{arguments} -o {}", out.display()));
    assert_eq!(names_in(dir.path()), ["out"]);
    names_in(&out)
        .into_iter()
        .map(|name| (name.clone(), fs::read(out.join(name)).unwrap()))
        .collect()
}

fn records(output: &BTreeMap<String, Vec<u8>>) -> Vec<StructureRecord> {
    let text = std::str::from_utf8(&output["structures.jsonl"]).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn summary(output: &BTreeMap<String, Vec<u8>>) -> serde_json::Value {
    serde_json::from_slice(&output["summary.json"]).unwrap()
}

#[test]
fn each_structure_is_one_line_with_its_recipe_and_heap() {
    let output = output_of("generate scopes/tree.ron");
    let names: Vec<_> = output.keys().map(String::as_str).collect();
    assert_eq!(names, ["manifest.json", "scope.ron", "structures.jsonl", "summary.json"]);
    let records = records(&output);
    assert_eq!(records.len(), 15);
    let first_of_two = &records[4];
    assert_eq!(
        serde_json::to_value(first_of_two).unwrap(),
        serde_json::json!({
            "id": 4,
            "type": "Tree",
            "calls": 3,
            "form": first_of_two.form,
            "recipe": ["let mut tree = Tree::new();", "let _ = tree.insert(0);", "let _ = tree.insert(1);"],
            "variable": "tree",
            "heap": [
                {"object": 0, "class": "Tree", "fields": {"root": {"object": 1}, "size": 2}},
                {"object": 1, "class": "Node", "fields": {"info": 0, "left": null, "right": {"object": 2}}},
                {"object": 2, "class": "Node", "fields": {"info": 1, "left": null, "right": null}},
            ],
        })
    );
}

const WAYS: [&str; 9] = [
    "--threads 1",
    "--threads 2",
    "--threads 4",
    "--ways region",
    "--ways clone",
    "--ways remake",
    "--ways decode",
    "--ways replay",
    "--ways remake,replay --threads 3",
];

#[track_caller]
fn is_the_same_in_every_way(run: fn(&str) -> Ended, arguments: &str) {
    let reference = output_by(run, arguments);
    for way in WAYS {
        let output = output_by(run, &format!("{arguments} {way}"));
        assert!(output == reference, "{arguments} {way}");
    }
}

#[test]
fn equal_runs_leave_equal_bytes_in_whatever_way_they_are_made() {
    is_the_same_in_every_way(run, "generate scopes/tree-all.ron -k 4");
    is_the_same_in_every_way(run, "generate scopes/tree-slack.ron");
}

#[test]
fn so_do_case_studies_with_cycles_omitted_fields_and_several_results() {
    for scope in ["roops/ncl", "roops/llist", "korat/fibheap", "ours/skewheap"] {
        is_the_same_in_every_way(run_beget, &format!("generate ../../../scopes/{scope}.ron -k 3"));
    }
}

#[test]
fn structures_that_lie_in_the_slack_only_are_not_written() {
    let output = output_of("generate scopes/tree-slack.ron");
    let forms = |output| records(output).into_iter().map(|record| record.form).collect::<Vec<_>>();
    let without = output_of("generate scopes/tree.ron --methods new,insert");
    assert_eq!(forms(&output), forms(&without));
}

#[test]
fn the_output_of_a_run_that_stopped_early_is_marked() {
    let output = output_of("generate scopes/counter.ron --max-structures 10");
    let mark = std::str::from_utf8(&output["INCOMPLETE"]).unwrap();
    assert_eq!(mark, "Structures are missing here: the budget of 10 structures is spent.\n");
    assert_eq!(records(&output).len(), 10);
    assert_eq!(summary(&output)["complete"], false);
    assert_eq!(summary(&output)["version"], 1);
}

#[test]
fn a_summary_file_holds_nothing_that_differs_between_runs() {
    let summary = summary(&output_of("generate scopes/tree.ron"));
    for field in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes", "ways", "notes"] {
        assert!(summary.get(field).is_none(), "{field}");
    }
}

#[track_caller]
fn refuses(out: &Path, message: &str) {
    let ended = run(&format!("generate scopes/counter.ron -o {}", out.display()));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains(message), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_place_that_cannot_be_used_is_refused_before_an_endless_run() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("taken")).unwrap();
    refuses(&dir.path().join("taken"), "exists already");
    refuses(&dir.path().join("no/where"), "does not exist");
    assert_eq!(names_in(dir.path()), ["taken"]);
    assert_eq!(names_in(&dir.path().join("taken")), Vec::<String>::new());
}

#[test]
fn wrong_input_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let ended = run(&format!("generate scopes/unknown-suite.ron -o {}", out.display()));
    assert_eq!(ended.code, Some(2));
    assert_eq!(names_in(dir.path()), Vec::<String>::new());
}

/// A form is told apart from others by every bit; what is shown of the structure must be too.
#[test]
fn structures_of_every_shipped_scope_have_heaps_that_differ() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut scopes: Vec<_> = fs::read_dir(root.join("scopes"))
        .unwrap()
        .flat_map(|group| fs::read_dir(group.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    scopes.sort();
    let mut n_structures = 0;
    for scope in &scopes {
        let arguments = format!("generate {} -k 3 --max-structures 1500", scope.display());
        let records = records(&output_by(run_beget, &arguments));
        let heaps = records.iter().map(|it| serde_json::to_string(&(&it.ty, &it.heap)));
        let heaps: std::collections::BTreeSet<String> = heaps.map(Result::unwrap).collect();
        assert_eq!(heaps.len(), records.len(), "{}", scope.display());
        n_structures += records.len();
    }
    assert!(scopes.len() >= 41 && n_structures > 2500, "{n_structures} of {}", scopes.len());
}
