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
    let ended = run("check scopes/tree-repok.ron --repok too_strict");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "rejected    by too_strict: not empty (1 structure)\n    let tree = Tree::new();\n    \
                 Tree#0 { root: null, size: 0 }\n\
                 rejected    by too_strict: the root has no left child (6 structures)\n    \
                 let mut tree = Tree::new();\n    let _ = tree.insert(1);\n    let _ = tree.insert(0);\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
}

#[test]
fn witnesses_of_all_repoks_come_shortest_first() {
    let summary = summary("check scopes/tree-repok.ron");
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
    let ended = run("check scopes/tally.ron");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "contracts   3 hold, 1 broken: is_empty_is_len_zero\n\
                 failure     the contract `is_empty_is_len_zero` is broken: is_empty() is true, len() is 1\n    \
                 let mut tally = Tally::new();\n    let _ = tally.push(7);\n    let _ = tally.pop();\n  \
                 after the last call\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n            and 1 more like it\nscope       tally, k = 2, "));
    let each = "\n            debug_returns: asked 6 times, broken 0 times\n";
    assert!(run("check scopes/tally.ron -v").stdout.contains(each));
    let rerun = "to see the first failure again: own_suites check scopes/tally.ron -k 2\n";
    assert!(ended.stdout.contains(rerun), "{}", ended.stdout);
    let summary = summary("check scopes/tally.ron");
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
