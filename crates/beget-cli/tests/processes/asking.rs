//! Contracts that end the process, or do not return: each is a finding, and all that was found
//! before is kept.
#![cfg(target_os = "linux")]

use std::fs;

use serde_json::Value;

use crate::common::{ended, example, of_program};

/// The findings of a check of stacks of at most two numbers, 0 and another one, which tells what is
/// deadly: kind, name, message, witnesses, calls.
fn findings(deadly: u8, options: &str) -> Vec<(String, String, String, u64, u64)> {
    let dir = tempfile::tempdir().unwrap();
    let scope = dir.path().join("frail.ron");
    let text = format!(
        "Scope(suite: \"frail\", k: 2, objects: {{\"*\": \"k\"}}, arrays: \"k\", ints: [\"0\", \"{deadly}\"])"
    );
    fs::write(&scope, text).unwrap();
    let line = format!("check {} --summary json {options}", scope.display());
    let ended = ended(of_program(&example("deadly_suites"), &line));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap_or("").to_owned();
    let finding = |finding: &Value| {
        let number = |field: &str| finding[field].as_u64().unwrap();
        let [kind, name, message] = ["kind", "name", "message"].map(|field| text(finding, field));
        (kind, name, message, number("witnesses"), number("calls"))
    };
    summary["findings"].as_array().unwrap().iter().map(finding).collect()
}

/// Checks that what is found before stands before the one that is deadly, whoever asks.
#[track_caller]
fn check(deadly: u8, kind: &str, name: &str, message: &str, count: u64, ways: &[&str]) {
    for way in ways {
        let found = findings(deadly, &format!("--all {way}"));
        let kinds: Vec<_> = found.iter().map(|(kind, name, ..)| (&**kind, &**name)).collect();
        let all = [("panic", ""), ("contract", "is_empty_is_len_zero"), (kind, name)];
        assert_eq!(kinds, all, "{way}: {found:?}");
        let (.., told, n_witnesses, n_calls) = &found[2];
        assert_eq!((&**told, *n_witnesses, *n_calls), (message, count, 2), "{way}");
        // The level of `[0]` is the first that shows a failure; the panic is one of the next.
        let first = findings(deadly, way);
        let kinds: Vec<_> = first.iter().map(|(kind, name, ..)| (&**kind, &**name)).collect();
        assert_eq!(kinds, all[1..], "{way}: {first:?}");
        assert_eq!((first[1].2.as_str(), first[1].3), (message, 1), "{way}");
    }
}

const WAYS: [&str; 3] = ["--threads 1", "--processes 1", "--processes 2"];

#[test]
fn a_contract_that_aborts_is_a_finding_and_is_asked_twice() {
    let message = "asking the contract `debug_returns` ended the process by SIGABRT";
    check(1, "crash", "debug_returns", message, 2, &WAYS);
}

/// Elements that panic while they are copied, by a function that makes a pallet and a method that
/// changes it: both die of it. A third one dies in the run too, which is found there. A contract of
/// the type dies by no call at all.
#[test]
fn a_call_that_a_contract_about_elements_makes_is_the_witness_of_its_death() {
    let dir = tempfile::tempdir().unwrap();
    let scope = dir.path().join("pallet.ron");
    let text = r#"Scope(suite: "pallet", k: 2, objects: {"*": "k"}, arrays: "k", ints: "0..1")"#;
    fs::write(&scope, text).unwrap();
    for way in ["--threads 1", "--processes 1", "--processes 2"] {
        let line = format!("check --all {} --summary json {way}", scope.display());
        let checked = ended(of_program(&example("deadly_suites"), &line));
        assert_eq!(checked.code, Some(1), "{way}: {checked:?}");
        let summary: Value = serde_json::from_str(&checked.stdout).unwrap();
        let text = |finding: &Value, field: &str| finding[field].as_str().unwrap_or("").to_owned();
        let all = summary["findings"].as_array().unwrap();
        let found: Vec<_> =
            all.iter().map(|one| ["name", "method"].map(|field| text(one, field))).collect();
        let unsurvived = |method: &str| ["elements_survive_panics", method].map(str::to_owned);
        let dies_by_itself = ["", "unpack"].map(str::to_owned);
        let of_type = ["default_repeats", ""].map(str::to_owned);
        let expected = [dies_by_itself, of_type, unsurvived("twice"), unsurvived("double")];
        assert_eq!(found, expected, "{way}");
        assert_eq!(all[1]["recipe"].as_array().unwrap().len(), 0);
        let calls: Vec<_> = all[2]["recipe"].as_array().unwrap().iter().collect();
        assert_eq!(calls, ["let pallet = Pallet::twice(beget::elements::Tracked::new(0));"]);
        let asked = |name: &str| {
            let contracts = summary["contracts"].as_array().unwrap();
            let one = contracts.iter().find(|one| one["name"] == name).unwrap();
            one["broken"].as_u64().unwrap()
        };
        assert_eq!((asked("elements_survive_panics"), asked("elements_dropped")), (2, 0), "{way}");
        let left_out =
            ended(of_program(&example("deadly_suites"), &line.replace("json", "text"))).stdout;
        let method = "the contract `elements_survive_panics` ended its process in a call of `twice`: of \
                      that method it was asked no more";
        assert!(left_out.contains(method), "{way}: {left_out}");
    }
}

#[test]
fn a_contract_that_does_not_return_is_a_finding_in_a_worker() {
    let message = "asking the contract `debug_returns` does not return: it was stopped";
    let way = "--processes 1 --call-seconds 1";
    check(2, "hang", "debug_returns", message, 1, &[way]);
}

#[test]
fn a_structure_that_dies_when_it_is_dropped_is_a_finding() {
    let message = "making, copying or dropping the structure ended the process by SIGABRT";
    check(3, "crash", "", message, 3, &WAYS);
}
