//! Findings in outputs, also of kinds that this crate has not heard of.

use std::borrow::Cow;

use beget_plan::finding::{Finding, Kind, Problem, Witness};
use beget_program::records::FindingRecord;
use beget_suite::Suite;
use serde_json::json;

const MODEL: Kind = Kind::Other(Cow::Borrowed("model"));

#[test]
fn a_kind_from_another_crate_has_its_name_and_text() {
    let suite = Suite { name: "list".to_owned(), doc: "", ..Suite::default() };
    let problem = Problem::new(MODEL, "the list has 2 elements, its model 1")
        .with_name("length")
        .at("src/list.rs:7:1");
    let finding = Finding { problem, count: 3, witness: Witness::default() };
    let expected = json!({
        "kind": "model",
        "name": "length",
        "method": null,
        "message": "the list has 2 elements, its model 1",
        "place": "src/list.rs:7:1",
        "witnesses": 3,
        "recipe": [],
        "methods": [],
        "calls": 0,
        "steps": [],
    });
    assert_eq!(serde_json::to_value(FindingRecord::of(&suite, &finding)).unwrap(), expected);
}
