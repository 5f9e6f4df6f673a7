//! Heaps as records.

use std::rc::Rc;

use beget_heap::{Heap, HeapGraph};
use beget_program::records::{ObjectRecord, objects_of};
use serde_json::json;

#[track_caller]
fn check<T: Heap>(value: &T, expected: serde_json::Value) {
    let records = objects_of(&HeapGraph::of(value));
    let written = serde_json::to_value(&records).unwrap();
    assert_eq!(written, expected);
    let read: Vec<ObjectRecord> = serde_json::from_value(written).unwrap();
    assert_eq!(read, records);
}

#[test]
fn a_shared_object_is_one_record_with_two_references() {
    let shared = Rc::new(7_u8);
    let heap = objects_of(&HeapGraph::of(&(shared.clone(), shared)));
    assert_eq!(heap.len(), 2);
    assert_eq!(heap[0].fields["0"], heap[0].fields["1"]);
    assert_eq!(serde_json::to_value(&heap[1].fields).unwrap(), json!({"self": 7}));
}

#[test]
fn values_keep_their_kind() {
    let value = (Some(-3_i64), None::<bool>, 0.5_f64, "a\"b".to_owned(), u64::MAX);
    let heap = objects_of(&HeapGraph::of(&(value.0, value.1)));
    assert_eq!(serde_json::to_value(&heap[0].fields).unwrap(), json!({"0": -3, "1": null}));
    let heap = objects_of(&HeapGraph::of(&(value.2, value.3, value.4)));
    let expected = json!({"0": 0.5, "1": "a\"b", "2": "18446744073709551615"});
    assert_eq!(serde_json::to_value(&heap[0].fields).unwrap(), expected);
}

#[test]
fn an_object_behind_a_pointer_is_a_record_of_its_own() {
    let class = |record: &ObjectRecord| record.class.clone();
    let value = Some(Box::new(1_u8));
    let records = objects_of(&HeapGraph::of(&value));
    check(
        &value,
        json!([
            {"object": 0, "class": class(&records[0]), "fields": {"self": {"object": 1}}},
            {"object": 1, "class": "u8", "fields": {"self": 1}},
        ]),
    );
}
