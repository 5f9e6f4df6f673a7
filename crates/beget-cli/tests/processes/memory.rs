//! Structures told apart by their memory: what is the same in all processes, and what is told of
//! what is not.
#![cfg(target_os = "linux")]

use crate::common;

use common::{Ended, ended, example, of_program, run};
use serde_json::Value;

fn run_memory(arguments: &str) -> Ended {
    ended(of_program(&example("memory_suites"), arguments))
}

/// The summary of a run, without what differs from one to the next.
#[track_caller]
fn summary(arguments: &str) -> Value {
    let ended = run_memory(&format!("{arguments} --summary json"));
    let mut summary: Value =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("one object: {ended:?}"));
    for measured in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes", "notes"] {
        summary[measured] = Value::Null;
    }
    summary
}

/// The same, however often and by however many threads it is asked for.
#[track_caller]
fn repeated(scope: &str) -> Value {
    let first = summary(&format!("generate scopes/{scope} --threads 1"));
    let is_doubted = !doubted(&first).is_empty();
    let reason = if is_doubted { "doubted" } else { "exhausted" };
    assert_eq!(
        (&first["stop_reason"], &first["complete"]),
        (&reason.into(), &(!is_doubted).into())
    );
    for threads in [1, 4, 2, 1, 3, 4] {
        assert_eq!(first, summary(&format!("generate scopes/{scope} --threads {threads}")));
    }
    first
}

/// What is doubted, each without the calls that showed it.
fn doubted(summary: &Value) -> Vec<&str> {
    let all = summary["doubted"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |one: &Value| one.as_str().and_then(|text| text.split(", after ").next()).is_some();
    assert!(all.iter().all(text));
    all.iter().filter_map(|one| one.as_str()?.split(", after ").next()).collect()
}

/// Lists of at most three of two numbers with two flags: 1 + 4 + 16 + 64.
const N_LISTS: u64 = 85;

#[test]
fn lists_that_say_all_are_as_many_by_memory_as_by_fields() {
    let by_fields = summary("generate scopes/memory-list-fields.ron");
    let by_bytes = repeated("memory-list.ron");
    for of in [&by_fields, &by_bytes] {
        assert_eq!(of["generated"], N_LISTS);
    }
    for same in ["explored", "kept", "matched", "out_of_scope", "levels"] {
        assert_eq!(by_fields[same], by_bytes[same], "{same}");
    }
}

/// Stacks of room for two of two numbers, emptied never, once or twice. What is left behind the
/// items is memory too: with the numbers that each of the two places may hold.
#[test]
fn a_defect_that_nothing_shows_is_found_by_memory_alone() {
    let shown = summary("generate scopes/memory-secret-shown.ron");
    assert_eq!((&shown["generated"], &shown["failures"]), (&7.into(), &0.into()));
    let by_bytes = repeated("memory-secret.ron");
    assert_eq!(by_bytes["generated"], n_secrets());
    let findings = by_bytes["findings"].as_array().unwrap();
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let message = finding["message"].as_str().unwrap();
    assert!(message.ends_with(": emptied too often"), "{message}");
    assert_eq!(finding["recipe"].as_array().unwrap().len(), 7);
    assert_eq!(doubted(&by_bytes), [""; 0]);
}

/// By sets of (both places, length, times emptied).
fn n_secrets() -> u64 {
    let mut seen = std::collections::BTreeSet::new();
    let mut queue = vec![([0_u8; 2], 0_usize, 0_u8)];
    while let Some((places, len, n_emptied)) = queue.pop() {
        if !seen.insert((places, len, n_emptied)) {
            continue;
        }
        for item in (0..2).filter(|_| len < 2) {
            let mut places = places;
            places[len] = item;
            queue.push((places, len + 1, n_emptied));
        }
        let emptied = n_emptied + u8::from(len > 0);
        if emptied < 3 {
            queue.push((places, 0, emptied));
        }
    }
    seen.len() as u64
}

/// Values of four variants by three numbers. What a variant leaves of another one is memory too.
#[test]
fn padding_is_the_same_in_all_processes() {
    let by_fields = summary("generate scopes/memory-padded-fields.ron");
    assert_eq!(by_fields["generated"], 12);
    let by_bytes = repeated("memory-padded.ron");
    assert!(by_bytes["generated"].as_u64() >= Some(12), "{by_bytes}");
}

#[test]
fn what_is_by_chance_is_told_and_not_believed() {
    let random = repeated("memory-random.ron");
    // A counter from 0 to 3.
    assert_eq!(random["generated"], 4);
    let told = ["bytes of `Random` 0..8: chance, time or an address: not believed", IS_EVEN];
    assert_eq!(doubted(&random), told);
    let calls = random["doubted"][0].as_str().unwrap();
    assert!(calls.ends_with(", after `let random = Random::new();`"), "{calls}");
    // By their number of entries, which is a state too.
    assert_eq!(repeated("memory-hashed.ron")["generated"], 4);
}

const IS_EVEN: &str = "what `is_even` says: chance, time or an address: not believed";

#[test]
fn an_address_that_is_a_number_is_told_and_not_believed() {
    let placed = repeated("memory-placed.ron");
    assert_eq!(placed["generated"], 4);
    let doubted = doubted(&placed);
    let [told] = &doubted[..] else { panic!("{doubted:?}") };
    assert!(told.starts_with("bytes of `Placed` "), "{told}");
}

/// Nodes of a tree in a block have room for eleven entries, in which removed ones stay.
#[test]
fn maps_of_the_standard_library_are_told_apart_at_least_as_by_what_they_show() {
    let map = repeated("memory-map.ron");
    // Of three keys each is absent or has one of two values.
    assert!(map["generated"].as_u64() >= Some(27), "{map}");
    assert_eq!(map["failures"], 0);
}

#[test]
fn processes_that_make_the_calls_come_to_the_same() {
    let plain = summary("generate scopes/memory-secret.ron --threads 1");
    assert_eq!(plain, summary("generate scopes/memory-secret.ron --processes 2"));
}

#[test]
fn contracts_are_asked_about_structures_by_memory() {
    let check = summary("check scopes/memory-map.ron --threads 2");
    assert_eq!(check["generated"], summary("generate scopes/memory-map.ron")["generated"]);
}

#[track_caller]
fn assert_refused(arguments: &str, part: &str) {
    let ended = run_memory(arguments);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains(part), "{ended:?}");
}

#[test]
fn what_cannot_compare_two_processes_refuses_memory() {
    let only = "`state: Bytes` is for `generate` and `check` of the command line";
    for command in ["random", "estimate", "evolve", "call"] {
        assert_refused(&format!("{command} scopes/memory-map.ron"), only);
    }
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let in_memory = "is kept in memory";
    assert_refused(
        &format!("generate scopes/memory-map.ron --store disk:{}", store.display()),
        in_memory,
    );
    assert_refused(
        &format!("generate scopes/memory-map.ron --checkpoint {}", store.display()),
        in_memory,
    );
    assert!(!store.exists());
    assert_refused("generate scopes/memory-map.ron --hosts local:2", "leave out `--hosts`");
}

#[test]
fn a_state_that_is_none_names_those_that_are() {
    let ended = run("generate scopes/tree-shown.ron");
    assert_ne!(ended.code, Some(2), "{ended:?}");
    let dir = tempfile::tempdir().unwrap();
    let scope = dir.path().join("wrong.ron");
    std::fs::write(&scope, r#"Scope(suite: "map", state: Memory, k: 1)"#).unwrap();
    assert_refused(&format!("generate {}", scope.display()), "`Bytes`");
}

/// The table of a `HashMap` with a random seed is doubted. The run is complete but for that, which
/// a scope can take for enough.
#[test]
fn a_run_with_doubts_has_exit_code_3_unless_it_is_enough() {
    for (scope, code) in [("memory-hashed.ron", 3), ("memory-hashed-enough.ron", 0)] {
        let ended = run_memory(&format!("generate scopes/{scope} --summary json"));
        assert_eq!(ended.code, Some(code), "{scope}: {}", ended.stderr);
        let summary: Value = serde_json::from_str(&ended.stdout).expect("a summary");
        assert_eq!(summary["stop_reason"], "doubted", "{scope}");
        assert!(!doubted(&summary).is_empty(), "{scope}");
    }
}
