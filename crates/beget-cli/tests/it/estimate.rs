//! `estimate`: what it says of scopes, how it ends.

use crate::common;

use common::{assert_fields, beget_summary, run, run_beget, summary};
use serde_json::Value;

const LISTS: &str = "estimate ../../../scopes/korat/slist.ron";
const MAPS: &str = "estimate ../../../scopes/kiasan/treemap.ron";

/// What is not measured.
fn reproducible(text: &str) -> String {
    let measured = |line: &&str| ["took", "time", "memory"].iter().any(|it| line.starts_with(it));
    text.lines().filter(|line| !measured(line)).map(|line| format!("{line}\n")).collect()
}

#[track_caller]
fn assert_holds(bar: &Value, truth: f64) {
    let [low, likely, high] = ["low", "likely", "high"].map(|name| bar[name].as_f64().unwrap());
    assert!(low <= truth && truth <= high, "{bar} does not hold {truth}");
    assert!(low <= likely && likely <= high, "{bar}");
}

#[test]
fn smaller_scopes_say_what_a_scope_would_take() {
    let ended = run_beget(&format!("{LISTS} -k 9 --max-calls 5000 --threads 1"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!("estimate_of_lists", reproducible(&ended.stdout));
}

/// Lists of fewer than k of k values; each has a call of each method and value.
#[test]
fn the_truth_of_a_smooth_growth_lies_in_its_bars() {
    let summary = beget_summary(&format!("{LISTS} -k 8 --max-calls 61000"));
    assert_eq!(summary["steps"], 2);
    let lists: u64 = (0..8).map(|n| 8_u64.pow(n)).sum();
    assert_holds(&summary["structures"], lists as f64);
    assert_holds(&summary["calls"], (8 * lists + 1) as f64);
    assert_eq!(summary["stored"], summary["structures"]);
}

/// Deques of at most k of k values, two methods that take two of them, 152 calls on each at k = 5
/// and six constructors: every bound of the calls follows from that of the structures.
#[test]
fn calls_follow_from_structures_and_literals() {
    let deques = "estimate ../../../scopes/real/vecdeque.ron -k 5 --max-calls 20000";
    let summary = beget_summary(deques);
    assert_eq!(summary["steps"], 2);
    for bound in ["low", "likely", "high"] {
        let [structures, calls] =
            ["structures", "calls"].map(|count| summary[count][bound].as_f64().unwrap());
        let formula = 2.0 * structures.powi(2) + 152.0 * structures + 6.0;
        // Both are rounded to four digits.
        assert!((calls / formula - 1.0).abs() < 0.002, "{bound}: {calls} for {formula}");
    }
    assert_holds(&summary["structures"], 3_906.0);
    assert_holds(&summary["calls"], 31_107_390.0);
}

/// Keys are literals, as many as a structure may issue, and a foreign one: 47 calls on each slab.
#[test]
fn calls_with_keys_follow_from_structures_too() {
    let summary = beget_summary("estimate ../../../scopes/real/slab.ron -k 4 --max-calls 3000");
    assert!(summary["steps"].as_u64() > Some(0), "{summary}");
    let counts = beget_summary("generate ../../../scopes/real/slab.ron -k 4");
    let [explored, generated] = ["explored", "generated"].map(|it| counts[it].as_f64().unwrap());
    assert_holds(&summary["calls"], explored);
    for bound in ["low", "likely", "high"] {
        let [structures, calls] =
            ["structures", "calls"].map(|it| summary[it][bound].as_f64().unwrap());
        let formula = 47.0 * (structures - generated) + explored;
        assert!((calls / formula - 1.0).abs() < 0.002, "{bound}: {calls} for {formula}");
    }
}

/// Some twenty thousand million structures.
#[test]
fn a_store_on_disk_has_room_for_more_structures_than_32_bits_number() {
    let summary = beget_summary(&format!("{LISTS} -k 11 --max-calls 60000"));
    assert!(summary["stored"]["likely"].as_f64() > Some(f64::from(u32::MAX)), "{summary}");
    assert_eq!(&summary["memory_bytes"], &Value::Null);
    assert!(summary["disk_bytes"]["likely"].as_f64() > Some(1e11), "{summary}");
}

#[test]
fn no_memory_is_estimated_where_no_store_has_room() {
    let ended = run_beget(&format!("{LISTS} -k 13 --max-calls 60000"));
    assert!(ended.stdout.contains("more structures than the disk store has room for (1.83e11)"));
    assert!(!ended.stdout.contains("\nmemory") && !ended.stdout.contains("\ndisk "), "{ended:?}");
    let summary = beget_summary(&format!("{LISTS} -k 13 --max-calls 60000"));
    assert_eq!((&summary["memory_bytes"], &summary["disk_bytes"]), (&Value::Null, &Value::Null));
}

#[test]
fn counts_do_not_depend_on_threads() {
    let of = |threads: u32| {
        let mut summary =
            beget_summary(&format!("{MAPS} -k 7 --max-calls 40000 --threads {threads}"));
        let fields = ["counted", "begun", "explored", "structures", "calls", "notes"];
        fields.map(|field| summary[field].take())
    };
    assert_eq!(of(1), of(2));
}

#[test]
fn a_scope_that_fits_the_budget_is_counted() {
    let summary = summary("estimate scopes/tree.ron -k 3");
    let counts = common::summary("generate scopes/tree.ron -k 3");
    assert_eq!(
        (&summary["complete"], &summary["stop_reason"]),
        (&true.into(), &"exhausted".into())
    );
    for bound in ["low", "likely", "high"] {
        assert_eq!(summary["structures"][bound].as_f64(), counts["generated"].as_f64());
        assert_eq!(summary["calls"][bound].as_f64(), counts["explored"].as_f64());
    }
    assert_eq!(summary["steps"], 0);
}

#[test]
fn the_limits_of_the_scope_file_do_not_limit_what_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("limited.ron");
    let scope = r#"Scope(suite: "tree", k: 3, objects: {"*": "k"}, ints: "0..k",
        budget: (max_calls: Some(2)))"#;
    std::fs::write(&path, scope).unwrap();
    let summary = summary(&format!("estimate {}", path.display()));
    assert_eq!((&summary["complete"], &summary["k"]), (&true.into(), &3.into()));
}

#[test]
fn one_scope_is_too_little_to_go_on() {
    let ended = run_beget(&format!("{LISTS} -k 9 --max-calls 4"));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(
        ended.stdout.contains("\nnote        too little to go on: only one scope with"),
        "{ended:?}"
    );
    assert!(ended.stdout.contains("\nNOT ESTIMATED: the budget of 4 calls is spent\n"));
    let summary = beget_summary(&format!("{LISTS} -k 9 --max-calls 4"));
    for field in ["structures", "calls", "hours", "memory_bytes", "disk_bytes"] {
        assert_eq!(summary[field], Value::Null, "{field}");
    }
}

#[test]
fn of_a_scope_beyond_all_numbers_nothing_is_said() {
    let ended = run_beget(&format!("{LISTS} -k 400 --max-calls 5000"));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.contains("go on: k = 400 is too far from the last scope"), "{ended:?}");
}

/// Of k = 2 there are 4 structures, and 3 has 18.
#[test]
fn what_was_found_is_the_least_that_there_is() {
    let ncl = "estimate ../../../scopes/roops/ncl.ron -k 3 --max-calls 100";
    let summary = beget_summary(ncl);
    assert_eq!(summary["begun"]["generated"], 17);
    assert_eq!(summary["structures"]["low"], 17.0);
    assert_eq!(summary["calls"]["low"], summary["begun"]["explored"].as_f64().unwrap());
}

#[test]
fn slack_is_counted_in_what_a_store_has_to_hold() {
    let summary = beget_summary("estimate ../../../scopes/roops/ncl.ron -k 3 --slack 1");
    let counts = beget_summary("generate ../../../scopes/roops/ncl.ron -k 3 --slack 1");
    assert_eq!(summary["structures"]["likely"].as_f64(), counts["generated"].as_f64());
    assert_eq!(summary["stored"]["likely"].as_f64(), counts["kept"].as_f64());
}

#[test]
fn a_run_that_time_ends_is_not_called_reproducible() {
    let ended = run_beget(&format!("{MAPS} -k 8 --max-seconds 0.000001"));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.contains("NOT ESTIMATED: the time of"), "{ended:?}");
}

#[test]
fn failures_on_the_way_are_shown() {
    let ended = run("estimate scopes/tree-all.ron -k 5 --max-calls 2000");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.starts_with("failure     panicked at "), "{ended:?}");
    assert!(ended.stdout.contains("\nstructures  "), "{ended:?}");
}

#[test]
fn the_json_summary_has_exactly_the_promised_fields() {
    let summary = beget_summary(&format!("{LISTS} -k 9 --max-calls 5000"));
    assert_fields(
        &summary,
        &[
            "suite",
            "k",
            "methods",
            "complete",
            "stop_reason",
            "beget",
            "counted",
            "begun",
            "explored",
            "steps",
            "confidence",
            "structures",
            "stored",
            "calls",
            "cpu_hours",
            "hours",
            "threads",
            "memory_bytes",
            "disk_bytes",
            "nanoseconds_per_call",
            "bytes_per_structure",
            "disk_bytes_per_structure",
            "notes",
            "failures",
            "findings",
            "seconds",
            "cpu_seconds",
            "peak_rss_bytes",
        ],
    );
}

#[test]
fn wrong_input_is_refused() {
    for (arguments, said) in [
        ("estimate scopes/tree.ron --max-calls 0", "0 is not in 1.."),
        ("estimate scopes/tree.ron --max-seconds=-1", "a positive number of seconds"),
        ("estimate scopes/tree.ron --methods new,push", "push"),
        ("estimate scopes/unknown-suite.ron", "no suite named"),
        ("estimate scopes/none.ron", "cannot read"),
        ("estimate", "<SCOPE>"),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.contains(said), "{arguments}: {}", ended.stderr);
    }
}
