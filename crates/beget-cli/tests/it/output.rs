//! Output directories: what they hold, and that nothing half-done is left.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use beget_program::records::{BriefRecord, StructureRecord};
use common::{Ended, names_in, run, run_beget};
use regex::Regex;
use serde::de::DeserializeOwned;

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

fn records<R: DeserializeOwned>(output: &BTreeMap<String, Vec<u8>>) -> Vec<R> {
    let text = std::str::from_utf8(&output["structures.jsonl"]).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn summary(output: &BTreeMap<String, Vec<u8>>) -> serde_json::Value {
    serde_json::from_slice(&output["summary.json"]).unwrap()
}

#[test]
fn each_structure_is_one_line_with_its_last_call() {
    let output = output_of("generate scopes/tree.ron");
    let names: Vec<_> = output.keys().map(String::as_str).collect();
    assert_eq!(names, ["manifest.json", "scope.ron", "structures.jsonl", "summary.json"]);
    let records: Vec<BriefRecord> = records(&output);
    assert_eq!(records.len(), 15);
    assert_eq!(
        serde_json::to_value(&records[4]).unwrap(),
        serde_json::json!({
            "id": 4,
            "type": "Tree",
            "calls": 3,
            "made_by": "#1.insert(1)",
            "form": records[4].form,
        })
    );
}

/// The calls of a line and of those that it names, in the order of a recipe.
fn followed(records: &[BriefRecord], record: &BriefRecord, calls: &mut Vec<String>) {
    let number = Regex::new(r"#(\d+)").unwrap();
    for named in number.captures_iter(&record.made_by) {
        let id: u64 = named[1].parse().unwrap();
        let named = records.iter().find(|other| other.id == id).unwrap();
        followed(records, named, calls);
    }
    calls.push(number.replace_all(&record.made_by, "_").into_owned());
}

/// Numbered names of variables differ between the two, so they are left out of both.
#[test]
fn the_calls_that_lines_name_are_those_of_full_recipes() {
    let of_case_study = |name, options| format!("generate ../../../scopes/{name}.ron {options}");
    for (run, arguments) in [
        (run as fn(&str) -> Ended, "generate scopes/tree-slack.ron".to_owned()),
        (run, "generate scopes/tree-misuse.ron --methods all".to_owned()),
        (run_beget, of_case_study("roops/ncl", "-k 3")),
        // Each union takes two heaps, one of them by value.
        (run_beget, of_case_study("ours/skewheap", "-k 3")),
        // Some calls leave two structures.
        (run_beget, of_case_study("real/btreeset", "-k 2 --methods all")),
    ] {
        let brief: Vec<BriefRecord> = records(&output_by(run, &arguments));
        let full: Vec<StructureRecord> = records(&output_by(run, &format!("{arguments} --full")));
        assert_eq!(brief.len(), full.len(), "{arguments}");
        for (one, whole) in brief.iter().zip(&full) {
            assert_eq!(
                (one.id, &one.ty, one.calls, &one.form),
                (whole.id, &whole.ty, whole.calls, &whole.form),
                "{arguments}"
            );
            let mut calls = Vec::new();
            followed(&brief, one, &mut calls);
            assert_eq!(calls.len(), whole.calls as usize, "{arguments}: {one:?}");
            let last = whole.recipe.last().unwrap();
            let method = one.made_by.split('(').next().unwrap().rsplit(['.', ':']).next().unwrap();
            assert!(last.contains(method), "{arguments}: {one:?}, {last}");
        }
    }
}

#[test]
fn a_full_line_has_recipe_and_heap() {
    let output = output_of("generate scopes/tree.ron --full");
    let records: Vec<StructureRecord> = records(&output);
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
    let full = output_by(run, &format!("{arguments} --full"));
    for way in WAYS {
        let output = output_by(run, &format!("{arguments} {way}"));
        assert!(output == reference, "{arguments} {way}");
        let output = output_by(run, &format!("{arguments} {way} --full"));
        assert!(output == full, "{arguments} {way}");
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
    let forms = |output| {
        let records: Vec<BriefRecord> = records(output);
        records.into_iter().map(|record| record.form).collect::<Vec<_>>()
    };
    let without = output_of("generate scopes/tree.ron --methods new,insert");
    assert_eq!(forms(&output), forms(&without));
}

#[test]
fn the_output_of_a_run_that_stopped_early_is_marked() {
    let output = output_of("generate scopes/counter.ron --max-structures 10");
    let mark = std::str::from_utf8(&output["INCOMPLETE"]).unwrap();
    assert_eq!(mark, "Structures are missing here: the budget of 10 structures is spent.\n");
    assert_eq!(records::<BriefRecord>(&output).len(), 10);
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

/// The commands write to one path each.
#[cfg(unix)]
#[test]
fn only_a_file_is_replaced() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    fs::create_dir(at("directory")).unwrap();
    symlink(at("nothing"), at("astray")).unwrap();
    for command in ["check scopes/tree.ron --sarif", "emit scopes/tree.ron --force -o"] {
        for (name, what) in [
            ("pipe", "is a device or a pipe: name a file"),
            ("directory", "is a directory: name a file"),
            ("astray", "is a link that leads nowhere: name a file"),
        ] {
            let ended = run(&format!("{command} {}", at(name).display()));
            assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
            assert!(ended.stderr.contains(what), "{ended:?}");
        }
    }
    for (command, wanted) in [
        ("check scopes/tree.ron --sarif", "file"),
        ("emit scopes/tree.ron --force -o", "file"),
        ("generate scopes/tree.ron -o", "directory"),
    ] {
        let ended = run(&format!("{command} -"));
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
        let message = format!("`-` is not the standard output here: name a {wanted}");
        assert!(ended.stderr.contains(&message), "{ended:?}");
    }
    assert!(fs::symlink_metadata(at("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(names_in(dir.path()), ["astray", "directory", "pipe"]);
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("file.sarif"), "old").unwrap();
    std::os::unix::fs::symlink("file.sarif", at("link.sarif")).unwrap();
    run(&format!("check scopes/tree.ron --sarif {}", at("link.sarif").display()));
    assert!(fs::symlink_metadata(at("link.sarif")).unwrap().is_symlink());
    let log: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(at("file.sarif")).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
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
        let arguments = format!("generate {} -k 3 --max-structures 1500 --full", scope.display());
        let records: Vec<StructureRecord> = records(&output_by(run_beget, &arguments));
        let heaps = records.iter().map(|it| serde_json::to_string(&(&it.ty, &it.heap)));
        let heaps: std::collections::BTreeSet<String> = heaps.map(Result::unwrap).collect();
        assert_eq!(heaps.len(), records.len(), "{}", scope.display());
        n_structures += records.len();
    }
    assert!(scopes.len() >= 41 && n_structures > 2500, "{n_structures} of {}", scopes.len());
}
