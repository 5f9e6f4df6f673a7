//! `check`: rejected structures and failing calls, how it ends.

use crate::common;

use common::{beget_summary, run, run_beget, summary};
use serde_json::{Value, json};

#[test]
fn structures_that_every_repok_admits_end_with_0() {
    let ended = run("check scopes/tree-repok.ron --repok corrected");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let shown = "repOK       corrected: 0 of 15 structures rejected\ncontracts   2 hold\nscope       tree, k = 3, ";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    let ncl = beget_summary("check ../../../scopes/roops/ncl.ron -k 3");
    assert_eq!(ncl["checked"], 18);
    let repok = |name: &str| json!({"name": name, "rejected": 0});
    assert_eq!(ncl["repoks"], json!([repok("published"), repok("corrected")]));
}

#[test]
fn the_json_summary_has_the_fields_of_generate_and_its_own() {
    let names =
        |summary: Value| -> Vec<String> { summary.as_object().unwrap().keys().cloned().collect() };
    let mut expected = names(summary("generate scopes/tree-repok.ron"));
    expected.extend(["checked", "contracts", "repoks", "witnesses"].map(str::to_owned));
    expected.sort();
    assert_eq!(names(summary("check scopes/tree-repok.ron")), expected);
}

#[test]
fn a_rejected_structure_ends_with_1_and_shows_a_shortest_recipe() {
    let ended = run("check scopes/tree-repok.ron --repok too_strict --all");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "rejected    by too_strict: not empty (1 structure)\n    let tree = Tree::new();\n    \
                 Tree#0 { root: null, size: 0 }\n\
                 rejected    by too_strict: the root has no left child (6 structures)\n    \
                 let mut tree = Tree::new();\n    let _ = tree.insert(1);\n    let _ = tree.insert(0);\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
}

#[test]
fn witnesses_of_all_repoks_come_shortest_first() {
    let summary = summary("check scopes/tree-repok.ron --all");
    let rejected: Vec<_> =
        summary["repoks"].as_array().unwrap().iter().map(|repok| &repok["rejected"]).collect();
    assert_eq!(rejected, [&json!(0), &json!(0), &json!(7), &json!(12)]);
    let witnesses = summary["witnesses"].as_array().unwrap();
    let calls: Vec<_> =
        witnesses.iter().map(|witness| witness["calls"].as_u64().unwrap()).collect();
    assert_eq!(calls, [1, 1, 3, 3]);
    assert_eq!(witnesses[1]["repok"], "broken");
    let clause = witnesses[1]["clause"].as_str().unwrap();
    assert!(clause.starts_with("repOK panicked at ") && clause.ends_with(": there is a root"));
    assert_eq!(witnesses[3]["heap"][0]["fields"]["size"], 2);
}

#[test]
fn failing_calls_are_findings_too() {
    let ended = run("check scopes/tree-all.ron --repok corrected");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.stdout.contains(
            ": the tree is empty\n    let tree = Tree::new();\n    let _ = tree.min();\n"
        )
    );
}

#[test]
fn with_slack_only_what_is_reported_is_checked() {
    let summary = summary("check scopes/tree-repok.ron --repok corrected --slack 1");
    assert_eq!((&summary["checked"], &summary["generated"]), (&json!(15), &json!(15)));
    assert!(summary["kept"].as_u64() > Some(15));
    assert_eq!(summary["contracts"][0]["asked"], 15);
}

#[test]
fn a_suite_without_repoks_has_its_calls_checked() {
    let ended = run("check scopes/counter.ron --max-calls 5");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert_eq!(
        ended.stderr,
        "note: no repOK is known for the suite: only calls and contracts are checked\n"
    );
    let summary = summary("check scopes/counter.ron --max-calls 5");
    assert_eq!((&summary["repoks"], &summary["checked"]), (&json!([]), &json!(0)));
}

/// Structures `(items, len)` with at most 2 items and a length of at most 2: after a `pop` one is
/// empty by one count and not by the other.
#[test]
fn a_broken_contract_ends_with_1_and_is_a_finding() {
    let ended = run("check scopes/tally.ron --all");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "contracts   3 hold, 1 broken: is_empty_is_len_zero\n\
                 failure     the contract `is_empty_is_len_zero` is broken: is_empty() is true, len() is 1\n    \
                 let mut tally = Tally::new();\n    let _ = tally.push(7);\n    let _ = tally.pop();\n  \
                 after the last call\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n            and 1 more like it\nscope       tally, k = 2, "));
    let each = "\n            debug_returns: asked 6 times, broken 0 times\n";
    assert!(run("check scopes/tally.ron --all -v").stdout.contains(each));
    let rerun = "to see the first failure again: own_suites check scopes/tally.ron -k 2\n";
    assert!(ended.stdout.contains(rerun), "{}", ended.stdout);
    let summary = summary("check scopes/tally.ron --all");
    let finding = &summary["findings"][0];
    assert_eq!(
        (&finding["kind"], &finding["name"]),
        (&json!("contract"), &json!("is_empty_is_len_zero"))
    );
    assert_eq!((&finding["method"], &finding["witnesses"]), (&json!("pop"), &json!(2)));
    let contract = |name: &str, broken: u64| json!({"name": name, "asked": 6, "broken": broken});
    let contracts = summary["contracts"].as_array().unwrap();
    assert_eq!(contracts[0], contract("debug_returns", 0));
    assert_eq!(contracts[3], contract("is_empty_is_len_zero", 2));
    let generated = run("generate scopes/tally.ron");
    assert_eq!(generated.code, Some(0), "{generated:?}");
}

#[test]
fn wrong_input_ends_with_2_and_names_the_right_word() {
    let ended = run("check scopes/tree-repok.ron --repok corected");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("no repOK named `corected` for suite `tree`: did you mean `corrected`?")
    );
    let ended = run("check scopes/counter.ron --repok corrected");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(run_beget("check ../../../scopes/roops/missing.ron").code, Some(2));
}

/// `min` fails on the empty tree, in level 2: it has all of it, and none of level 3.
#[test]
fn a_check_ends_with_the_first_level_that_shows_a_failure() {
    let line = "check scopes/tree-all.ron -k 4 --repok corrected";
    let mut summaries: Vec<serde_json::Value> = ["--threads 1", "--threads 3", "--processes 2"]
        .iter()
        .map(|way| summary(&format!("{line} {way}")))
        .collect();
    let first = &summaries[0];
    assert_eq!(
        (&first["complete"], &first["stop_reason"]),
        (&false.into(), &"failure_found".into())
    );
    // The empty tree and those of one of four numbers.
    assert_eq!((&first["generated"], &first["failures"]), (&5.into(), &1.into()));
    assert_eq!(first["levels"].as_array().unwrap().len(), 2);
    // Workers outlive what more contracts may end in, so more are asked.
    for summary in &mut summaries {
        for measured in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes", "contracts"] {
            summary.as_object_mut().unwrap().remove(measured);
        }
    }
    assert_eq!(summaries[0], summaries[1]);
    assert_eq!(summaries[0]["findings"], summaries[2]["findings"]);
    let all = summary(&format!("{line} --all"));
    let generated = summary("generate scopes/tree-all.ron -k 4");
    assert_eq!((&all["complete"], &all["digest"]), (&true.into(), &generated["digest"]));
    let ended = run(line);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let says = "\n1 cause of failure; INCOMPLETE: stopped after the first level with a failure; `--all` goes on\n";
    assert!(ended.stdout.contains(says), "{}", ended.stdout);
}

/// A scope says the same for every check of it, and what has stopped can go on.
#[test]
fn a_check_goes_on_where_the_scope_says_so_or_it_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scopes/tree-all.ron"),
    );
    let scope = dir.path().join("all.ron");
    std::fs::write(&scope, text.unwrap().replacen("Scope(", "Scope(all: true,", 1)).unwrap();
    let all = summary(&format!("check {}", scope.display()));
    assert_eq!(all["complete"], true, "{all}");
    let saved = dir.path().join("saved");
    let stopped = summary(&format!("check scopes/tree-all.ron --checkpoint {}", saved.display()));
    assert_eq!(stopped["stop_reason"], "failure_found");
    let resume = format!("check scopes/tree-all.ron --resume {}", saved.display());
    assert_eq!(summary(&resume)["stop_reason"], "failure_found");
    let gone_on = summary(&format!("{resume} --all"));
    for same in ["digest", "levels", "findings", "explored", "complete"] {
        assert_eq!(gone_on[same], all[same], "{same}");
    }
}
