//! What continuous integration reads: the schema of summaries, SARIF, JUnit's XML, and what GitHub
//! shows.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common;

use common::{beget_summary, command, ended, run, summary};
use regex::Regex;
use serde_json::{Value, json};

fn schema() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/summary.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).expect("it is a schema")
}

#[track_caller]
fn assert_valid(schema: &jsonschema::Validator, summary: &Value) {
    let problems: Vec<String> = schema
        .iter_errors(summary)
        .map(|problem| format!("{}: {problem}", problem.instance_path()))
        .collect();
    assert_eq!(problems, [""; 0]);
}

fn in_tmp(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn summaries_of_all_commands_fit_the_schema() {
    let schema = schema();
    for line in [
        "generate scopes/tree-all.ron",
        "generate scopes/tree.ron",
        "check scopes/tally.ron",
        "check scopes/tree-repok.ron",
        "check scopes/tree-all.ron",
        "check scopes/tree-auto.ron --max-seconds 0.5",
        "check scopes/tree-auto.ron --repok corrected --max-calls 100",
        "random scopes/tree-all.ron --seed 1 --max-calls 50",
        "call scopes/tree-all.ron",
        "diff scopes/tree-all.ron --against tree",
        "builders scopes/tree-all.ron",
        "estimate scopes/tree-all.ron -k 4",
    ] {
        assert_valid(&schema, &summary(line));
    }
    for line in [
        "random ../../../scopes/roops/ncl.ron --max-calls 5000",
        "repok ../../../scopes/roops/ncl.ron -k 2",
        "compare ../../../scopes/roops/ncl.ron -k 2",
    ] {
        assert_valid(&schema, &beget_summary(line));
    }
}

#[test]
fn a_summary_without_a_promised_field_does_not_fit_the_schema() {
    let schema = schema();
    let good = summary("check scopes/tally.ron");
    for field in ["kind", "message", "recipe", "steps"] {
        let mut bad = good.clone();
        bad["findings"][0].as_object_mut().unwrap().remove(field);
        assert!(!schema.is_valid(&bad), "{field}");
    }
    let mut bad = good.clone();
    bad["findings"][0]["steps"][0]["heap"] = json!([]);
    assert!(!schema.is_valid(&bad));
    let mut bad = good;
    bad["findings"][0]["unknown"] = json!(1);
    assert!(!schema.is_valid(&bad));
}

/// The properties that SARIF 2.1.0 requires of what there is, and their types (sections 3.13, 3.14,
/// 3.18, 3.27, 3.28 and 3.30 of the standard).
#[track_caller]
fn assert_is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().expect("a list of runs");
    for run in runs {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].as_str().is_some_and(|name| !name.is_empty()));
        let rules = driver["rules"].as_array().expect("a list of rules");
        let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        assert!((1..ids.len()).all(|at| !ids[..at].contains(&ids[at])), "{ids:?}");
        assert!(rules.iter().all(|rule| rule["shortDescription"]["text"].is_string()));
        for invocation in run["invocations"].as_array().unwrap() {
            assert!(invocation["executionSuccessful"].is_boolean());
        }
        for result in run["results"].as_array().expect("a list of results") {
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], ids[index]);
            assert!(
                ["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap())
            );
            assert!(result["occurrenceCount"].as_u64().unwrap() >= 1);
            assert!(
                result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string)
            );
            for location in result["locations"].as_array().unwrap() {
                let place = &location["physicalLocation"];
                let uri = place["artifactLocation"]["uri"].as_str().unwrap();
                assert!(!uri.contains([' ', '\\', '%']), "{uri}");
                assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
            }
        }
    }
}

#[test]
fn sarif_has_a_result_for_each_cause() {
    let path = in_tmp("tree.sarif");
    let ended = run(&format!("generate scopes/tree-all.ron --sarif {}", path.display()));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let log: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_is_sarif(&log);
    let [result] = &log["runs"][0]["results"].as_array().unwrap()[..] else { panic!("{log}") };
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "crates/beget-cli/examples/own_suites.rs");
    assert_eq!(place["region"]["startLine"], 67);
    let path = in_tmp("tally.sarif");
    run(&format!("check scopes/tally.ron --sarif {}", path.display()));
    let log: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_is_sarif(&log);
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "contract/is_empty_is_len_zero");
    let path = in_tmp("fine.sarif");
    let ended = run(&format!("generate scopes/tree.ron --sarif {}", path.display()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let log: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_is_sarif(&log);
    assert_eq!(log["runs"][0]["results"], json!([]));
}

#[test]
fn junit_has_a_case_for_each_cause_and_each_clause_that_held() {
    let path = in_tmp("tally.xml");
    run(&format!("check scopes/tally.ron --junit {}", path.display()));
    let xml = fs::read_to_string(&path).unwrap();
    let names = Regex::new(r#"<testcase name="([^"]*)""#).unwrap();
    let names: Vec<&str> =
        names.captures_iter(&xml).map(|found| found.get(1).unwrap().as_str()).collect();
    let held = summary("check scopes/tally.ron")["contracts"].as_array().unwrap().len() - 1;
    assert_eq!(names.len(), 2 + held, "{xml}");
    assert_eq!(names[..2], ["contract is_empty_is_len_zero pop #1", "calls every call returns"]);
    assert!(names.contains(&"contract debug_returns"), "{xml}");
    assert!(xml.contains("tests=\"5\" ") && xml.contains("failures=\"1\""), "{xml}");
    assert!(xml.contains("let _ = tally.pop();"), "{xml}");
    let path = in_tmp("cut.xml");
    run(&format!("generate scopes/counter.ron --max-calls 5 --junit {}", path.display()));
    let xml = fs::read_to_string(&path).unwrap();
    assert!(xml.contains("the run stopped early: max_calls"), "{xml}");
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_run() {
    for option in ["--sarif", "--junit"] {
        let ended = run(&format!("generate scopes/tree.ron {option} no/such/directory/file"));
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
    }
}

#[test]
fn on_github_causes_are_annotations_and_a_summary_is_added() {
    let path = in_tmp("step-summary.md");
    fs::write(&path, "before\n").unwrap();
    let in_job = |line: &str, actions: &str| {
        let mut command = command(line);
        command.env("GITHUB_ACTIONS", actions).env("GITHUB_STEP_SUMMARY", &path);
        ended(command)
    };
    let on_github = |line: &str| in_job(line, "true");
    let told = on_github("generate scopes/tree-all.ron");
    let errors: Vec<&str> = told.stderr.lines().filter(|line| line.starts_with("::")).collect();
    let start = "::error file=crates/beget-cli/examples/own_suites.rs,line=67,col=43,title=beget%3A panic by min::";
    assert!(matches!(&errors[..], [error] if error.starts_with(start)), "{told:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("before\n### beget generate: tree, k = 3: 1 cause\n"), "{text}");
    let quiet = in_job("generate scopes/tree-all.ron", "false");
    assert!(!quiet.stderr.contains("::error"), "{quiet:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let fine = on_github("check scopes/tree-repok.ron --repok corrected");
    assert!(!fine.stderr.contains("::error"), "{fine:?}");
    let added = fs::read_to_string(&path).unwrap();
    assert!(added[text.len()..].contains("nothing wrong within these bounds\n"), "{added}");
    let elsewhere = run("generate scopes/tree-all.ron");
    assert!(!elsewhere.stderr.contains("::error"), "{elsewhere:?}");
}
