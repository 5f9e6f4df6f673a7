//! `compare`: verdicts, slack, witnesses, how it ends.

use crate::common;

use common::{assert_fields, beget_summary, names_in, run, run_beget, summary};
use serde_json::{Value, json};

const NCL: &str = "compare ../../../scopes/roops/ncl.ron";
const TREE_SET: &str = "compare ../../../scopes/kiasan/treeset.ron";

/// The fields of a summary with these names.
fn fields(summary: &Value, names: &[&str]) -> Vec<Value> {
    names.iter().map(|&name| summary[name].clone()).collect()
}

const COUNTS: [&str; 5] = ["api", "repok", "only_api", "only_repok", "verdict"];

#[test]
fn the_json_summary_has_exactly_the_promised_fields() {
    let summary = summary("compare scopes/tree-repok.ron");
    assert_fields(
        &summary,
        &[
            "suite",
            "k",
            "methods",
            "repok_name",
            "named_after",
            "complete",
            "stop_reason",
            "beget",
            "api",
            "repok",
            "only_api",
            "only_repok",
            "verdict",
            "slack",
            "slack_steps",
            "failures",
            "findings",
            "witnesses",
            "seconds",
            "cpu_seconds",
            "peak_rss_bytes",
        ],
    );
}

#[test]
fn equal_sets_end_with_0() {
    let ended = run("compare scopes/tree-repok.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stderr, "");
    assert!(
        ended.stdout.contains("\nverdict     equal: the repOK admits exactly what calls build\n")
    );
    let summary = summary("compare scopes/tree-repok.ron");
    assert_eq!(
        fields(&summary, &COUNTS),
        [json!(15), json!(15), json!(0), json!(0), json!("equal")]
    );
    assert_eq!(summary["witnesses"], json!({"only_api": [], "only_repok": []}));
}

#[test]
fn what_only_the_repok_admits_is_shown_once_a_clause_and_ends_with_1() {
    let ended = run("compare scopes/tree-repok.ron --repok published -q");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""), "{ended:?}");
    let shown = "only admitted by the repOK, rejected by corrected: size is the number of nodes (45 structures)\n    \
                 Tree#0 { root: null, size: 1 }\nscope ";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    let summary = summary("compare scopes/tree-repok.ron --repok published");
    assert_eq!(
        fields(&summary, &COUNTS),
        [json!(15), json!(60), json!(0), json!(45), json!("under")]
    );
    let witnesses = &summary["witnesses"]["only_repok"];
    assert_eq!(witnesses.as_array().unwrap().len(), 1);
    assert_eq!(witnesses[0]["clause"], "size is the number of nodes");
    let heap = json!([{"object": 0, "class": "Tree", "fields": {"root": null, "size": 1}}]);
    assert_eq!((&witnesses[0]["count"], &witnesses[0]["heap"]), (&json!(45), &heap));
    assert!(witnesses[0].get("recipe").is_none());
}

#[test]
fn what_only_calls_build_comes_with_its_clause_and_recipe() {
    let ended = run("compare scopes/tree-repok.ron --repok too_strict");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary = summary("compare scopes/tree-repok.ron --repok too_strict");
    assert_eq!(fields(&summary, &COUNTS), [json!(15), json!(8), json!(7), json!(0), json!("over")]);
    let witnesses = &summary["witnesses"]["only_api"];
    let clauses: Vec<_> =
        witnesses.as_array().unwrap().iter().map(|witness| &witness["clause"]).collect();
    assert_eq!(clauses, ["not empty", "the root has no left child"]);
    let recipe = json!([
        "let mut tree = Tree::new();",
        "let _ = tree.insert(1);",
        "let _ = tree.insert(0);"
    ]);
    assert_eq!(witnesses[1]["recipe"], recipe);
}

#[test]
fn methods_that_build_too_little_show_as_shapes_that_the_other_repok_admits() {
    let summary = summary("compare scopes/tree-repok.ron --methods new -k 1");
    assert_eq!(fields(&summary, &COUNTS), [json!(1), json!(2), json!(0), json!(1), json!("under")]);
    let witness = &summary["witnesses"]["only_repok"][0];
    assert_eq!((&witness["clause"], &witness["count"]), (&Value::Null, &json!(1)));
}

#[test]
fn the_flawed_caching_list_admits_210_that_no_calls_build() {
    let summary = beget_summary(&format!("{NCL} -k 3 --repok published"));
    assert_eq!(
        fields(&summary, &COUNTS),
        [json!(18), json!(228), json!(0), json!(210), json!("under")]
    );
    // Slack brings nothing here, which two more runs show.
    let step = |slack: u32| json!({"slack": slack, "api": 18, "only_repok": 210});
    assert_eq!(summary["slack_steps"], json!([step(0), step(1), step(2)]));
    assert_eq!((&summary["slack"], &summary["named_after"]), (&json!(0), &json!("corrected")));
    let witnesses = summary["witnesses"]["only_repok"].as_array().unwrap();
    let groups: Vec<_> = witnesses
        .iter()
        .map(|witness| (witness["clause"].as_str().unwrap(), witness["count"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("the header has no value", 171),
        ("cached nodes have no value", 27),
        ("elements are not null", 12),
    ];
    assert_eq!(groups, expected);
}

#[test]
fn a_clause_that_is_never_broken_first_has_its_witness_and_says_what_rejects_it() {
    let summary = beget_summary("compare ../../../scopes/fajita/ncl.ron -k 2 --repok published");
    let witnesses = |side: &str| {
        let witnesses = summary["witnesses"][side].as_array().unwrap().iter();
        let fields = |witness| fields(witness, &["clause", "rejected_by", "count"]);
        witnesses.map(fields).collect::<Vec<_>>()
    };
    let ring = "ring nodes have a value";
    let of_api = [
        [json!(ring), Value::Null, json!(4)],
        [json!("cached nodes have a value"), json!(ring), json!(1)],
    ];
    assert_eq!(witnesses("only_api"), of_api);
    let header = "the header has no value";
    let of_repok = [
        [json!(header), Value::Null, json!(10)],
        [json!("cached nodes have no value"), json!(header), json!(4)],
    ];
    assert_eq!(witnesses("only_repok"), of_repok);
}

#[test]
fn what_only_calls_build_and_no_clause_rejects_has_values_that_the_search_leaves_out() {
    let ended = run_beget(&format!("{NCL} -k 2 --repok corrected --methods all --slack 0"));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "only built by calls, with values that the search from the repOK leaves out (2 structures of one shape)\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
}

#[test]
fn the_corrected_caching_list_admits_exactly_what_calls_build() {
    for (k, n) in [(1, 1), (2, 4), (3, 18), (4, 112), (5, 975)] {
        let summary = beget_summary(&format!("{NCL} -k {k} --repok corrected"));
        assert_eq!(
            fields(&summary, &COUNTS),
            [json!(n), json!(n), json!(0), json!(0), json!("equal")]
        );
        assert_eq!((&summary["slack"], &summary["complete"]), (&json!(0), &json!(true)));
    }
}

/// What each slack that was tried came to: structures built, and structures of the repOK that were
/// not.
fn steps(summary: &Value) -> Vec<(u64, u64, u64)> {
    let steps = summary["slack_steps"].as_array().unwrap();
    let number = |step: &Value, name: &str| step[name].as_u64().unwrap();
    steps
        .iter()
        .map(|step| (number(step, "slack"), number(step, "api"), number(step, "only_repok")))
        .collect()
}

#[test]
fn slack_is_raised_until_red_black_trees_are_equal() {
    // One unit on both ends of the keys is enough for 3 to 6; without slack some colourings are not
    // reached.
    type Row = (u32, &'static [(u64, u64, u64)]);
    const SETS: &[Row] = &[
        (1, &[(0, 2, 0)]),
        (2, &[(0, 5, 0)]),
        (3, &[(0, 11, 1), (1, 12, 0)]),
        (4, &[(0, 29, 0)]),
        (5, &[(0, 72, 2), (1, 74, 0)]),
    ];
    // Each of the trees with every choice of values.
    const MAPS: &[Row] = &[(1, &[(0, 2, 0)]), (2, &[(0, 13, 0)]), (3, &[(0, 91, 27), (1, 118, 0)])];
    let sets = ["roops/rbt", "fajita/rbt", "korat/rbt", "kiasan/treeset"];
    for (scope, rows) in
        sets.map(|scope| (scope, SETS)).into_iter().chain([("kiasan/treemap", MAPS)])
    {
        for &(k, expected) in rows {
            let summary = beget_summary(&format!("compare ../../../scopes/{scope}.ron -k {k}"));
            assert_eq!(summary["verdict"], "equal", "{scope}, k = {k}");
            assert_eq!(steps(&summary), expected, "{scope}, k = {k}");
            assert_eq!(summary["slack"], expected[expected.len() - 1].0, "{scope}, k = {k}");
        }
    }
}

#[test]
fn slack_completes_the_fibonacci_heaps_of_two_nodes_but_not_those_of_three() {
    for scope in ["roops/fibheap", "korat/fibheap"] {
        let scope = format!("compare ../../../scopes/{scope}.ron");
        let summary = beget_summary(&format!("{scope} -k 2"));
        assert_eq!((&summary["verdict"], &summary["slack"]), (&json!("equal"), &json!(1)));
        assert_eq!(steps(&summary), [(0, 6, 3), (1, 9, 0)]);
        // Chains of three nodes, and roots with two leaves: 24 heaps that are not of binomial
        // trees.
        let summary = beget_summary(&format!("{scope} -k 3 --slack 2"));
        assert_eq!(
            fields(&summary, &COUNTS),
            [json!(54), json!(78), json!(0), json!(24), json!("under")]
        );
        let counts = summary["witnesses"]["only_repok"].as_array().unwrap().iter();
        let counts: Vec<_> = counts.map(|witness| witness["count"].as_u64().unwrap()).collect();
        assert_eq!(counts, [10, 14]);
    }
}

#[test]
fn the_slack_of_the_scope_is_the_first_that_is_tried() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("treeset.ron");
    let scopes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scopes");
    let scope = std::fs::read_to_string(format!("{scopes}/kiasan/treeset.ron")).unwrap();
    let write = |slack: &str| {
        std::fs::write(&file, scope.replacen("k: 3,", &format!("k: 3, slack: {slack},"), 1))
            .unwrap();
    };
    write("1");
    let compare = format!("compare {}", file.display());
    let summary = beget_summary(&compare);
    assert_eq!((steps(&summary), &summary["slack"]), (vec![(1, 12, 0)], &json!(1)));
    let raised = beget_summary(&format!("{compare} --methods new,add"));
    assert_eq!(steps(&raised), [(1, 11, 1), (2, 11, 1), (3, 11, 1)]);
    let overridden = beget_summary(&format!("{compare} --slack 0"));
    assert_eq!((steps(&overridden), &overridden["slack"]), (vec![(0, 11, 1)], &json!(0)));
    write("0");
    assert_eq!(steps(&beget_summary(&compare)), [(0, 11, 1), (1, 12, 0)]);
}

#[test]
fn slack_that_is_given_is_the_only_one_that_is_tried() {
    let without = beget_summary(&format!("{TREE_SET} -k 3 --slack 0"));
    assert_eq!(
        fields(&without, &COUNTS),
        [json!(11), json!(12), json!(0), json!(1), json!("under")]
    );
    assert_eq!(without["slack_steps"].as_array().unwrap().len(), 1);
    let with = beget_summary(&format!("{TREE_SET} -k 3 --slack 2"));
    assert_eq!((&with["slack"], &with["verdict"]), (&json!(2), &json!("equal")));
}

#[test]
fn raising_the_slack_is_told() {
    let ended = run_beget(&format!("{TREE_SET} -k 3"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let note = "note: not built with a slack of 0: 1 of the repOK's structures; trying 1\n";
    assert_eq!(ended.stderr, note);
    assert!(ended.stdout.contains("\nslack       1 (tried 0: 11 built, 1: 12 built)\n"));
}

#[test]
fn a_run_that_was_cut_has_no_verdict_and_ends_with_3() {
    for threads in [1, 2] {
        let arguments = format!("compare scopes/tree-repok.ron --max-calls 10 --threads {threads}");
        let ended = run(&arguments);
        assert_eq!(ended.code, Some(3), "{ended:?}");
        assert!(ended.stdout.contains("\nINCOMPLETE: the budget of 10 calls is spent\n"));
        let summary = summary(&arguments);
        assert_eq!((&summary["verdict"], &summary["complete"]), (&Value::Null, &json!(false)));
        assert_eq!(summary["stop_reason"], "max_calls");
    }
}

#[test]
fn a_slack_that_was_cut_leaves_the_result_with_less() {
    // 15 structures without slack and 146 with a slack of 1; the repOK admits 60.
    let summary = summary("compare scopes/tree-repok.ron --repok published --max-structures 100");
    assert_eq!(
        fields(&summary, &COUNTS),
        [json!(15), json!(60), json!(0), json!(45), json!("under")]
    );
    assert_eq!(
        (&summary["complete"], &summary["stop_reason"]),
        (&json!(false), &json!("max_structures"))
    );
    assert_eq!(summary["slack_steps"].as_array().unwrap().len(), 1);
}

#[test]
fn a_repok_that_panics_is_a_finding_and_leaves_no_verdict() {
    let ended = run("compare scopes/tree-repok.ron --repok broken");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("\nverdict     none: "), "{}", ended.stdout);
}

#[test]
fn a_directory_holds_pictures_of_the_witnesses() {
    let dir = tempfile::tempdir().unwrap();
    let differences = dir.path().join("differences");
    let ended = run_beget(&format!("{NCL} -k 2 --repok published -o {}", differences.display()));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(names_in(&differences), ["only_repok.svg", "summary.json"]);
    let svg = std::fs::read_to_string(differences.join("only_repok.svg")).unwrap();
    assert!(svg.contains(">the header has no value ("), "{svg}");
    let file = std::fs::read_to_string(differences.join("summary.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["version"], &file["verdict"]), (&json!(1), &json!("under")));
    assert!(file.get("seconds").is_none());
}

#[test]
fn wrong_input_ends_with_2_and_says_what_to_write() {
    let cases = [
        ("compare scopes/tree-repok.ron --repok corected", "did you mean `corrected`?"),
        ("compare scopes/counter.ron", "no repOK is known for suite `counter`"),
        (
            "compare scopes/tree.ron",
            "does not bound the search from repOK `corrected`: add `repoks: ",
        ),
        ("compare scopes/tree-repok.ron --methods new,insrt", "did you mean `insert`?"),
        ("compare scopes/tree-repok.ron --no-state-matching", "no set to compare with"),
        ("compare scopes/tree-repok.ron -o scopes", "exists already"),
    ];
    for (arguments, expected) in cases {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{arguments}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments}");
    }
}
