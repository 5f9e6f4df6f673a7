//! The steps of findings: what each call returned, left and changed, and where that is not known.

use crate::common;

use common::{example, of_program, run, summary};
use serde_json::{Value, json};

/// The fields that findings of all commands have.
const FIELDS: [&str; 10] = [
    "kind",
    "name",
    "method",
    "message",
    "place",
    "witnesses",
    "recipe",
    "methods",
    "calls",
    "steps",
];

fn steps(finding: &Value) -> &Vec<Value> {
    finding["steps"].as_array().expect("a list of steps")
}

#[test]
fn findings_of_all_commands_have_the_same_fields() {
    for command in [
        "generate scopes/tree-all.ron",
        "check scopes/tally.ron",
        "check scopes/tree-repok.ron --repok broken",
        "random scopes/tree-all.ron --seed 1 --max-calls 50",
        "diff scopes/tree-all.ron --against tree",
        "builders scopes/tree-all.ron",
        "estimate scopes/tree-all.ron -k 4",
    ] {
        let found = summary(command);
        let findings = found["findings"].as_array().unwrap();
        if command.starts_with("diff") {
            // Both sides panic.
            assert_eq!(findings.len(), 0, "{command}");
            continue;
        }
        assert!(!findings.is_empty(), "{command}");
        for finding in findings {
            for field in FIELDS {
                assert!(finding.get(field).is_some(), "{command}: {field} in {finding}");
            }
            let n_calls = finding["calls"].as_u64().unwrap() as usize;
            assert_eq!(steps(finding).len(), n_calls, "{command}: {finding}");
            let sources: Vec<&str> = steps(finding)
                .iter()
                .flat_map(|step| step["source"].as_str().unwrap().lines())
                .collect();
            assert_eq!(json!(sources), finding["recipe"], "{command}");
        }
    }
}

#[test]
fn a_step_has_what_its_call_returned_left_and_changed() {
    let found = summary("check scopes/tally.ron");
    let finding = &found["findings"][0];
    assert_eq!(finding["name"], "is_empty_is_len_zero");
    let [new, push, pop] = &steps(finding)[..] else { panic!("{finding}") };
    assert_eq!((&new["variable"], &new["changed"]), (&json!("tally"), &json!([])));
    assert_eq!((&push["returned"], &pop["returned"]), (&json!("()"), &json!("Some(7)")));
    let heap = |step: &Value| step["heap"].as_array().unwrap().clone();
    assert_eq!(heap(push)[0]["fields"], json!({"items": {"object": 1}, "len": 1}));
    assert_eq!(heap(push)[1]["fields"], json!({"len": 1, "0": 7}));
    assert_eq!(heap(pop)[1]["fields"], json!({"len": 0}));
    let class = &heap(pop)[1]["class"];
    let change = |field: &str, before: Value, after: Value| json!({"variable": "tally", "object": 1, "class": class, "field": field, "before": before, "after": after});
    let popped = [change("length", json!("1"), json!("0")), change("0", json!("7"), Value::Null)];
    assert_eq!(pop["changed"], json!(popped));
    assert_eq!(push["changed"][0]["field"], "len");
}

#[test]
fn a_panic_is_what_its_call_returned_and_the_receiver_is_what_it_left() {
    let found = summary("generate scopes/tree-all.ron");
    let [new, min] = &steps(&found["findings"][0])[..] else { panic!("{found}") };
    assert_eq!(min["returned"], "panicked: the tree is empty");
    assert_eq!((&min["heap"], &min["changed"]), (&new["heap"], &json!([])));
    let text = run("generate scopes/tree-all.ron").stdout;
    let shown =
        "let _ = tree.min();\n  after the last call\n    Tree#0 { root: None, size: 0 }\nscope";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn the_text_shows_the_state_and_the_lines_that_changed() {
    let shown = "  after the last call\n    Tally#0 { items: #1, len: 1 }\n    Vec<u8>#1 { length: 0 }\n  \
                 changed by the last call\n    ~ Vec<u8>#1 length: 1 -> 0\n    - Vec<u8>#1 0: 7\n";
    let text = run("check scopes/tally.ron").stdout;
    assert!(text.contains(shown), "{text}");
    let shown = "  changed by the last call\n    ~ Tree#0 size: 1 -> 2\n    ~ Node#1 left: None -> #2\n    \
                 + Node#2 { info: 0, left: None, right: None }\n";
    let text = run("check scopes/tree-repok.ron --repok too_strict --all").stdout;
    assert!(text.contains(shown), "{text}");
}

#[test]
fn steps_are_the_same_in_every_run() {
    for scope in ["scopes/tally.ron", "scopes/tree-all.ron", "scopes/tree-repok.ron"] {
        let findings = |threads: u32| {
            let found = summary(&format!("check {scope} --threads {threads}"));
            found["findings"].to_string()
        };
        let first = findings(1);
        assert!(first.contains("\"steps\":[{"), "{first}");
        assert!([1, 2, 2].into_iter().all(|threads| findings(threads) == first), "{scope}");
    }
}

/// A call that ends its process in the run is not made again, and one that does so only when its
/// result is shown ends the film, not the program.
#[cfg(target_os = "linux")]
#[test]
fn a_call_that_ends_its_thread_ends_the_film() {
    let line = "generate scopes/deadly-grim.ron --summary json";
    let ended = common::ended(of_program(&example("deadly_suites"), line));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2);
    for finding in findings {
        let note = finding["steps_note"].as_str().unwrap();
        assert!(
            note.starts_with("made again, a call ended its thread or did not return"),
            "{note}"
        );
        let [new, hand_out, refuse] = &steps(finding)[..] else { panic!("{finding}") };
        assert_eq!(new["heap"][0]["fields"], json!({"handed_out": null}));
        assert!([hand_out, refuse].iter().all(|step| step["returned"].is_null()), "{finding}");
    }
    let line = "generate scopes/deadly.ron --methods new,push,abort --processes 1 --summary json";
    let ended = common::ended(of_program(&example("deadly_suites"), line));
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    let finding = &found["findings"][0];
    assert!(finding["steps_note"].as_str().unwrap().starts_with("the last call is not made again"));
    let [_, push, abort] = &steps(finding)[..] else { panic!("{finding}") };
    assert_eq!(push["heap"][1]["fields"], json!({"len": 1, "0": 3}));
    assert_eq!((&abort["heap"], &abort["returned"]), (&Value::Null, &Value::Null));
}
