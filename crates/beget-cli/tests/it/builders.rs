//! `builders`: the set, its certificate, and its file.

use crate::common;

use std::path::{Path, PathBuf};

use common::{Ended, assert_fields, run, run_beget};
use serde_json::{Value, json};

fn scope(name: &str) -> String {
    format!("../../../scopes/{name}.ron")
}

#[track_caller]
fn json_of(ended: &Ended) -> Value {
    assert_eq!(ended.stdout.lines().count(), 1, "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("one JSON object")
}

#[track_caller]
fn found(arguments: &str) -> Value {
    let ended = run_beget(&format!("builders {arguments} --summary json"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    json_of(&ended)
}

#[test]
fn the_json_summary_has_exactly_the_promised_fields() {
    let summary = json_of(&run("builders scopes/tree.ron --summary json"));
    assert_fields(
        &summary,
        &[
            "suite",
            "k",
            "search",
            "seed",
            "methods",
            "left_out",
            "complete",
            "stop_reason",
            "beget",
            "builders",
            "full_generated",
            "sufficient",
            "sufficient_how",
            "minimal",
            "minimal_how",
            "full",
            "built",
            "missing",
            "needs",
            "observers",
            "search_notes",
            "confirmed",
            "explored",
            "misuse",
            "failures",
            "findings",
            "seconds",
            "cpu_seconds",
            "peak_rss_bytes",
        ],
    );
}

#[test]
fn the_methods_of_the_scope_have_no_effect() {
    let summary = json_of(&run("builders scopes/tree.ron --summary json"));
    assert_eq!(summary["methods"], json!(["new", "insert", "absorb", "min"]));
    assert_eq!(summary["builders"], json!(["new", "insert"]));
    assert_eq!(summary["full_generated"], 15);
    assert_eq!((&summary["sufficient"], &summary["minimal"]), (&json!(true), &json!(true)));
    assert_eq!(summary["observers"], json!([{"method": "min", "calls": 15, "returned": 14}]));
    let without = "15 structures, but 0 without new, 1 without insert";
    assert!(summary["minimal_how"].as_str().unwrap().ends_with(without), "{summary}");
    let lost = &summary["needs"][1]["lost"];
    let recipe = json!(["let mut tree = Tree::new();", "let _ = tree.insert(0);"]);
    assert_eq!(lost["recipe"], recipe);
    assert_eq!(lost["heap"][0]["class"], "Tree");
}

#[test]
fn the_text_says_what_is_lost_without_each_builder() {
    let ended = run("builders scopes/tree-misuse.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for line in [
        "builders    new, insert",
        "needed      insert: without it, this is lost",
        "    let _ = tree.insert(0);",
        "        Tree#0 { root: #1, size: 1 }",
        "complete: the space is exhausted",
    ] {
        assert!(ended.stdout.lines().any(|shown| shown == line), "{line}\n{}", ended.stdout);
    }
}

#[test]
fn failures_of_the_full_api_end_with_1() {
    // `min` panics on the empty tree, which this scope does not expect.
    let ended = run("builders scopes/tree.ron --summary json");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary = json_of(&ended);
    assert_eq!((&summary["failures"], &summary["complete"]), (&json!(1), &json!(true)));
    // The finding is the one that `generate` has of the full API: both try the constructor first.
    let generated = json_of(&run("generate scopes/tree.ron --methods all --summary json"));
    assert_eq!(summary["findings"], generated["findings"]);
    let [finding] = &summary["findings"].as_array().unwrap()[..] else { panic!("{summary}") };
    assert_eq!((&finding["kind"], &finding["method"]), (&json!("panic"), &json!("min")));
}

#[test]
fn red_black_trees_need_remove_at_scope_4() {
    for search in ["hill-climbing", "exact"] {
        let summary = found(&format!("{} -k 4 --search {search}", scope("kiasan/treeset")));
        let builders: Vec<&str> = names(&summary["builders"]);
        assert!(builders.contains(&"remove"), "{summary}");
    }
}

#[test]
fn height_balanced_trees_need_no_remove() {
    let summary = found(&format!("{} -k 4", scope("roops/avl")));
    assert!(names(&summary["methods"]).contains(&"remove"), "{summary}");
    assert_eq!(summary["builders"], json!(["new", "insert"]));
}

#[test]
fn caching_lists_need_an_addition_a_removal_and_the_size_of_the_cache() {
    let all = found(&format!("{} -k 3", scope("roops/ncl")));
    let builders = ["new", "add_last", "remove_index", "set_maximum_cache_size"];
    assert_eq!(all["builders"], json!(builders));
    let api = "new,add_last,remove_index,contains";
    let part = found(&format!("{} -k 3 --methods {api}", scope("roops/ncl")));
    assert_eq!(part["builders"], json!(["new", "add_last", "remove_index"]));
    assert_eq!(part["full_generated"], 18);
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn a_seed_decides_the_genetic_search() {
    let first = json_of(&run("builders scopes/tree.ron --search genetic --seed 7 --summary json"));
    let again = json_of(&run("builders scopes/tree.ron --search genetic --seed 7 --summary json"));
    assert_eq!((&first["seed"], &first["search"]), (&json!(7), &json!("genetic")));
    assert_eq!(first["builders"], again["builders"]);
    assert_eq!(first["search_notes"], again["search_notes"]);
}

#[test]
fn builders_that_do_not_suffice_at_a_larger_scope_end_with_1() {
    let treeset = scope("kiasan/treeset");
    let ended = run_beget(&format!("builders {treeset} -k 3 --confirm-at 4 --summary json"));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary = json_of(&ended);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["confirmed"][0]["sufficient"], false);
    assert!(!summary["confirmed"][0]["missing"]["recipe"].as_array().unwrap().is_empty());
    let ended = run_beget(&format!("builders {treeset} -k 4 --confirm-at 5"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn without_the_whole_space_there_is_no_answer() {
    let ended = run("builders scopes/counter.ron --max-calls 100 --summary json -o none.ron");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let summary = json_of(&ended);
    assert_eq!((&summary["complete"], &summary["builders"]), (&json!(false), &Value::Null));
    assert_eq!(summary["stop_reason"], "max_calls");
    let none = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/none.ron");
    assert!(!none.exists());
}

/// There `make_empty` leaves the size as it was, so that it grows without end where it may be any
/// integer.
#[test]
fn an_api_whose_space_has_no_end_is_stopped_by_the_budget() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(scope("fajita/avl"));
    let text = std::fs::read_to_string(path).unwrap();
    let unbounded = text.replace("k: 3,", r#"k: 2, fields: {"AvlTree.size": "any"},"#);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("avl.ron");
    std::fs::write(&path, unbounded).unwrap();
    let ended = run_beget(&format!("builders {} --max-calls 2000", path.display()));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.contains("builders    not known"), "{}", ended.stdout);
    // The literals are 0 and 1, so sizes go up to 3: all trees of at most two of two keys, which
    // are 5, with sizes from their own on: 4 of none, 2 * 3 of one, 2 * 2 of two.
    let bounded = found(&format!("{} -k 2", scope("fajita/avl")));
    assert_eq!(bounded["builders"], json!(["new", "insert", "make_empty"]));
    assert_eq!(bounded["full_generated"], 14);
    let api = "--methods new,insert,contains,find_min";
    let summary = found(&format!("{} -k 4 {api}", scope("fajita/avl")));
    assert_eq!(summary["builders"], json!(["new", "insert"]));
}

#[test]
fn methods_without_literals_are_left_out_by_name() {
    let (_dir, path) = scope_beside("All", "");
    let summary = json_of(&run(&format!("builders {} --summary json", path.display())));
    assert_eq!(summary["methods"], json!(["new", "absorb", "min"]));
    assert_eq!(summary["left_out"][0]["method"], "insert");
    assert_eq!(summary["left_out"][0]["reason"], "no `ints` for `insert.info: i32`");
}

/// A scope for trees in a directory of its own, with these methods and this line.
fn scope_beside(methods: &str, line: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tree.ron");
    let text =
        format!(r#"Scope(suite: "tree", k: 3, objects: {{"*": "k"}}, {line} methods: {methods})"#);
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

const INTS: &str = r#"ints: "0..k", misuse: (panics: ["the tree is empty"]),"#;
const NAMED: &str = r#"Builders("builders.ron")"#;

#[test]
fn the_file_serves_as_the_methods_of_a_scope() {
    let (dir, path) = scope_beside(NAMED, INTS);
    let (file, path) = (dir.path().join("builders.ron"), path.display());
    let written = run(&format!("builders {path} -o {}", file.display()));
    assert_eq!(written.code, Some(0), "{written:?}");
    for methods in ["", "--methods builders"] {
        let summary = json_of(&run(&format!("generate {path} {methods} --summary json")));
        assert_eq!(summary["methods"], json!(["new", "insert"]));
        assert_eq!(summary["generated"], 15);
    }
    let again = run(&format!("builders {path} -o {}", file.display()));
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
}

#[test]
fn the_file_of_a_changed_suite_is_refused() {
    let (dir, path) = scope_beside(NAMED, INTS);
    let (file, path) = (dir.path().join("builders.ron"), path.display());
    run(&format!("builders {path} -o {}", file.display()));
    let text = std::fs::read_to_string(&file).unwrap();
    let start = text.find("fingerprint: \"").unwrap() + "fingerprint: \"".len();
    let other = format!("{}{}{}", &text[..start], "0".repeat(32), &text[start + 32..]);
    std::fs::write(&file, other).unwrap();
    let ended = run(&format!("generate {path}"));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("have changed since"), "{}", ended.stderr);
}

#[test]
fn wrong_input_ends_with_2() {
    for (arguments, expected) in [
        ("generate scopes/tree.ron --methods builders", "names no file of builders"),
        ("check scopes/tree.ron --methods builders", "names no file of builders"),
        ("random scopes/tree.ron --methods builders", "names no file of builders"),
        ("builders scopes/tree.ron --methods builders", "is what this command finds"),
        ("builders scopes/tree.ron --methods new -o a.ron", "cannot be used with"),
        ("builders scopes/tree.ron --search best", "hill-climbing"),
        ("builders scopes/tree.ron --no-state-matching", "without state matching"),
        ("builders scopes/tree.ron -o missing/a.ron", "does not exist"),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{arguments}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments}");
    }
}
