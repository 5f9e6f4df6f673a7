//! The summary as text.

use std::collections::BTreeMap;
use std::time::Duration;

use beget_plan::finding::{Kind, StopReason};
use beget_plan::scope::BoundName;
use beget_program::records::{
    ExpectedPanicRecord, FindingRecord, Header, LevelRecord, Measures, PassedRecord, RunEnd,
    Summary, TextSummary, Verbosity,
};

fn finding(message: &str, witnesses: u64, call: &str) -> FindingRecord {
    FindingRecord {
        kind: Kind::Panic,
        name: None,
        method: Some("set".to_owned()),
        message: message.to_owned(),
        place: None,
        witnesses,
        recipe: vec!["let mut list = List::new();".to_owned(), call.to_owned()],
        before: Vec::new(),
        methods: vec!["new".to_owned(), "set".to_owned()],
        calls: 2,
        first: None,
        after: Vec::new(),
        changed: Vec::new(),
        steps: Vec::new(),
        steps_note: None,
        candidate: None,
    }
}

fn passed(bound: &'static str, name: &str, calls: u64) -> PassedRecord {
    PassedRecord { bound: BoundName { bound: bound.into(), name: Some(name.to_owned()) }, calls }
}

fn expected(place: &str) -> ExpectedPanicRecord {
    let (pattern, method) = ("out of".to_owned(), "set".to_owned());
    ExpectedPanicRecord { pattern, place: place.to_owned(), method, calls: 1 }
}

fn summary() -> Summary {
    Summary {
        header: Header {
            suite: "list".to_owned(),
            k: 2,
            methods: vec!["new".to_owned(), "set".to_owned()],
            complete: false,
            stop_reason: "max_seconds".to_owned(),
            beget: String::new(),
        },
        slack: 0,
        generated: 5,
        generated_by_type: BTreeMap::from([("Iter".to_owned(), 3), ("List".to_owned(), 5)]),
        generated_by_objects: BTreeMap::from([(0, 1), (2, 4)]),
        written: None,
        explored: 17,
        kept: 8,
        matched: 1,
        out_of_scope: 3,
        out_of_scope_by: vec![passed("objects", "Node", 2), passed("fields", "List.size", 1)],
        misuse: 2,
        expected_panics: ["a.rs:1:2", "b.rs:3:4"].map(expected).into(),
        probes: None,
        doubted: vec!["bytes of `List` 1..8: an address".to_owned()],
        failures: 3,
        levels: vec![LevelRecord { calls: 1, new: 1, explored: 1 }],
        digest: "0123456789abcdef0123456789abcdef".to_owned(),
        findings: vec![
            finding("overflow", 1, "let _ = list.set(-1);"),
            finding("index out of bounds", 2, "let _ = list.set(2);"),
            finding("no 4", 1, "let _ = list.set(4);"),
            finding("no room for 5", 1, "let _ = list.set(5);"),
            finding("no 6 and no 7", 1, "let _ = list.set(6);"),
            finding("the list is full\nof numbers", 70, "let _ = list.set(7);"),
        ],
        advice: Some("only integers grew".to_owned()),
        measures: Some(Measures {
            seconds: 1.5,
            cpu_seconds: 2.75,
            peak_rss_bytes: 3 << 30,
            store_bytes: 5 << 20,
            disk_bytes: 0,
            ways: BTreeMap::from([("List".to_owned(), "replay for each call".to_owned())]),
            notes: vec!["clones share".to_owned()],
            omissions: vec!["calls of `spin` are made no more".to_owned()],
        }),
    }
}

fn text(verbosity: Verbosity) -> String {
    let summary = summary();
    let stop_reason = StopReason::MaxSeconds(Duration::from_millis(1500));
    TextSummary {
        summary: &summary,
        failures: &summary.findings,
        end: RunEnd { reason: stop_reason, is_enough: false },
        verbosity,
        details: "",
        verdict: None,
        rerun: Some("beget generate list.ron"),
    }
    .to_string()
    .replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
}

#[test]
fn witnesses_of_the_first_findings_are_shown_and_the_others_are_counted() {
    insta::assert_snapshot!(text(Verbosity::Normal));
}

#[test]
fn everything_is_shown_where_that_is_wanted() {
    insta::assert_snapshot!(text(Verbosity::Verbose));
}

#[test]
fn long_states_are_cut() {
    let mut finding = finding("the list is too long", 1, "let _ = list.set(0);");
    finding.after = (0..20).map(|number| format!("Node#{number} {{ }}")).collect();
    finding.changed = vec!["~ Node#0 next: #1 -> None".to_owned()];
    let summary = Summary { findings: vec![finding], ..summary() };
    let text = TextSummary {
        summary: &summary,
        failures: &summary.findings,
        end: RunEnd { reason: StopReason::Exhausted, is_enough: true },
        verbosity: Verbosity::Normal,
        details: "",
        verdict: None,
        rerun: None,
    }
    .to_string();
    let shown = "    Node#11 { }\n    (8 more lines)\n  changed by the last call\n    ~ Node#0 next: #1 -> None\n";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn a_part_that_is_enough_is_not_called_incomplete() {
    let summary = summary();
    let end = RunEnd { reason: StopReason::MaxLevels(6), is_enough: true };
    let (failures, verbosity) = (&[][..], Verbosity::Normal);
    let (details, verdict, rerun) = ("", None, None);
    let text = TextSummary { summary: &summary, failures, end, verbosity, details, verdict, rerun }
        .to_string();
    let shown = "a part, and enough: all sequences of 6 calls or fewer were made\n";
    assert!(text.contains(shown) && !text.contains("INCOMPLETE"), "{text}");
}
