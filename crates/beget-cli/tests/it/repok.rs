//! `repok`: what it prints and writes, how it ends.

use crate::common;

use common::{assert_fields, beget_summary, names_in, run, summary};
use serde_json::json;

/// For each number of keys below 3, the number of trees; a size of any of 4 values passes the
/// published repOK.
const TREES_OF_3: u64 = 15;

#[test]
fn a_search_counts_what_the_repok_admits() {
    let ended = run("repok scopes/tree-repok.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("scope       tree, k = 3, repOK corrected\nstructures  15\n"));
    assert!(ended.stdout.contains("\ncomplete: the space is exhausted\n"), "{}", ended.stdout);
    assert_eq!(
        summary("repok scopes/tree-repok.ron --repok published")["generated"],
        4 * TREES_OF_3
    );
}

#[test]
fn the_json_summary_has_exactly_the_promised_fields() {
    let summary = summary("repok scopes/tree-repok.ron");
    assert_fields(
        &summary,
        &[
            "suite",
            "k",
            "methods",
            "repok",
            "complete",
            "stop_reason",
            "beget",
            "generated",
            "unrepresentable",
            "explored",
            "digest",
            "findings",
            "seconds",
            "cpu_seconds",
            "peak_rss_bytes",
        ],
    );
}

#[test]
fn equal_sets_have_the_digest_of_the_api() {
    let api = summary("generate scopes/tree-repok.ron");
    let of = |arguments: &str| {
        summary(&format!("repok scopes/tree-repok.ron {arguments}"))["digest"].clone()
    };
    assert_eq!(of(""), api["digest"]);
    assert_eq!(of("--threads 1"), api["digest"]);
    assert_ne!(of("--repok published"), api["digest"]);
}

#[test]
fn the_counts_of_a_case_study_are_the_published_ones() {
    let ncl = "repok ../../../scopes/roops/ncl.ron";
    let published = beget_summary(&format!("{ncl} -k 4 --repok published"));
    assert_eq!(
        (published["generated"].as_u64(), published["explored"].as_u64()),
        (Some(2930), Some(4269))
    );
    let corrected = beget_summary(&format!("{ncl} -k 3"));
    assert_eq!(corrected["repok"], "corrected");
    assert_eq!(
        (corrected["generated"].as_u64(), corrected["explored"].as_u64()),
        (Some(18), Some(998))
    );
}

#[test]
fn a_directory_holds_the_structures_as_readable_heaps() {
    let dir = tempfile::tempdir().unwrap();
    let trees = dir.path().join("trees");
    let ended = run(&format!("repok scopes/tree-repok.ron -k 2 -o {}", trees.display()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(
        names_in(&trees),
        ["manifest.json", "scope.ron", "structures.jsonl", "summary.json"]
    );
    let lines = std::fs::read_to_string(trees.join("structures.jsonl")).unwrap();
    let records: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 5);
    assert_eq!(records[0]["number"], 0);
    let empty = json!([{"object": 0, "class": "Tree", "fields": {"root": null, "size": 0}}]);
    assert_eq!(records[0]["heap"], empty);
    let file = std::fs::read_to_string(trees.join("summary.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["version"], &file["generated"]), (&json!(1), &json!(5)));
    assert!(file.get("seconds").is_none());
}

#[test]
fn a_repok_that_panics_is_a_finding() {
    let ended = run("repok scopes/tree-repok.ron --repok broken");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains(": there is a root, on 1 candidate, first on number 1:\n    Tree#0 { root: null, size: 0 }\n"), "{}", ended.stdout);
    let summary = summary("repok scopes/tree-repok.ron --repok broken");
    assert_eq!(summary["generated"], 3);
    assert_eq!(summary["findings"][0]["witnesses"], 1);
}

#[test]
fn budgets_end_with_3_at_a_reproducible_place() {
    for threads in [1, 2] {
        let search = format!("repok scopes/tree-repok.ron --threads {threads}");
        let ended = run(&format!("{search} --max-structures 7"));
        assert_eq!(ended.code, Some(3), "{ended:?}");
        let structures = summary(&format!("{search} --max-structures 7"));
        assert_eq!(
            (&structures["generated"], &structures["stop_reason"]),
            (&json!(7), &json!("max_structures"))
        );
        assert_eq!(structures["complete"], false);
        assert_eq!(structures["explored"], 171);
        let calls = summary(&format!("{search} --max-calls 100"));
        assert_eq!((&calls["explored"], &calls["stop_reason"]), (&json!(100), &json!("max_calls")));
        assert_eq!(calls["generated"], 6);
    }
    let time = summary("repok scopes/tree-repok.ron -k 9 --max-seconds 0.05");
    assert_eq!(time["stop_reason"], "max_seconds");
}

#[test]
fn a_stopped_search_leaves_a_directory_that_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let trees = dir.path().join("trees");
    run(&format!("repok scopes/tree-repok.ron --max-structures 7 -o {}", trees.display()));
    assert_eq!(
        names_in(&trees),
        ["INCOMPLETE", "manifest.json", "scope.ron", "structures.jsonl", "summary.json"]
    );
}

#[test]
fn wrong_input_ends_with_2_and_says_what_to_write() {
    let cases = [
        ("repok scopes/tree-repok.ron --repok corected", "did you mean `corrected`?"),
        ("repok scopes/counter.ron", "no repOK is known for suite `counter`"),
        (
            "repok scopes/tree.ron",
            "does not bound the search from repOK `corrected`: add `repoks: ",
        ),
        ("repok scopes/tree-repok-missing-field.ron", "the field info of Node has no domain"),
        ("repok scopes/missing.ron", "cannot read `scopes/missing.ron`"),
        ("repok scopes/tree-repok.ron --methods new", "--methods"),
        ("repok scopes/tree-repok.ron -o scopes", "exists already"),
    ];
    for (arguments, expected) in cases {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{arguments}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments}");
    }
}
