//! A structure's heap as readable objects.

use std::collections::BTreeMap;

use beget_heap::HeapGraph;
use beget_heap::graph::Value;
use serde::{Deserialize, Serialize};

/// One object of a heap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectRecord {
    /// Its number in the walk; the root has 0.
    pub object: usize,
    /// Its class.
    pub class: String,
    /// Its fields by path within the object. A value that is the object itself stands at `self`,
    /// the number of elements of an array at `len`.
    pub fields: BTreeMap<String, FieldRecord>,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldRecord {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float that is a number.
    Float(f64),
    /// Text; also numbers that the other kinds cannot hold.
    Text(String),
    /// A reference to another object of the heap.
    Reference {
        /// The object's number.
        object: usize,
    },
    /// A variant of an enum.
    Variant {
        /// Its name.
        variant: String,
    },
    /// No value, or a null pointer.
    Null,
}

impl FieldRecord {
    fn of(value: &Value) -> Option<FieldRecord> {
        Some(match value {
            Value::Some => return None,
            Value::Null => FieldRecord::Null,
            Value::Bool(value) => FieldRecord::Bool(*value),
            Value::Int(value) => match i64::try_from(*value) {
                Ok(value) => FieldRecord::Int(value),
                Err(_) => FieldRecord::Text(value.to_string()),
            },
            Value::Word(value) => match i64::try_from(*value) {
                Ok(value) => FieldRecord::Int(value),
                Err(_) => FieldRecord::Text(value.to_string()),
            },
            Value::Float(bits, width) => float(*bits, *width, value),
            Value::Text(text) => FieldRecord::Text(text.clone()),
            Value::Variant(name) => FieldRecord::Variant { variant: (*name).to_owned() },
            Value::Length(length) => FieldRecord::Int(*length as i64),
        })
    }
}

fn float(bits: u64, width: u32, value: &Value) -> FieldRecord {
    let float = if width == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
    if float.is_finite() { FieldRecord::Float(float) } else { FieldRecord::Text(value.to_string()) }
}

/// The objects of a heap, the root first.
pub fn objects_of(heap: &HeapGraph) -> Vec<ObjectRecord> {
    let mut records: Vec<ObjectRecord> = heap
        .objects()
        .iter()
        .enumerate()
        .map(|(number, object)| {
            let values = object.values.iter();
            let values = values
                .filter_map(|(path, value)| Some((path_of(path, value), FieldRecord::of(value)?)));
            let class = object.class.to_owned();
            ObjectRecord { object: number, class, fields: values.collect() }
        })
        .collect();
    // If links stand at one path, the first is shown.
    for link in heap.links().iter().rev() {
        let reference = FieldRecord::Reference { object: link.to };
        records[link.from].fields.insert(named(&link.path), reference);
    }
    records
}

fn path_of(path: &str, value: &Value) -> String {
    match value {
        Value::Length(_) if path.is_empty() => "len".to_owned(),
        Value::Length(_) => format!("{path}.len"),
        _ => named(path),
    }
}

fn named(path: &str) -> String {
    if path.is_empty() { "self".to_owned() } else { path.to_owned() }
}
