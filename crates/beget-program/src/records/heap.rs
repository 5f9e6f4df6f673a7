//! A structure's heap as readable objects.

use std::collections::BTreeMap;

use beget_heap::HeapGraph;
use beget_heap::graph::{Object, ShownField, ShownPart, Value};
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

/// The content of a field.
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
    /// An optional value that is there and holds none: `Some(None)`.
    Some {
        /// The value.
        some: Box<FieldRecord>,
    },
    /// Several parts at one path, such as a variant of a `Result` and what it holds.
    Parts(Vec<FieldRecord>),
    /// No value, or a null pointer.
    Null,
}

impl FieldRecord {
    fn of(field: &ShownField<'_>) -> FieldRecord {
        let mut parts: Vec<FieldRecord> = field.parts.iter().map(FieldRecord::of_part).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => FieldRecord::Parts(parts),
        }
    }

    fn of_part(part: &ShownPart<'_>) -> FieldRecord {
        match *part {
            ShownPart::Value(value) => FieldRecord::of_value(value),
            ShownPart::Object(object) => FieldRecord::Reference { object },
            ShownPart::NullWithin(depth) => (0..depth)
                .fold(FieldRecord::Null, |inner, _| FieldRecord::Some { some: Box::new(inner) }),
        }
    }

    fn of_value(value: &Value) -> FieldRecord {
        let text = || FieldRecord::Text(value.to_string());
        match value {
            Value::Some | Value::Null => FieldRecord::Null,
            Value::Bool(value) => FieldRecord::Bool(*value),
            Value::Int(value) => i64::try_from(*value).map_or_else(|_| text(), FieldRecord::Int),
            Value::Word(value) => i64::try_from(*value).map_or_else(|_| text(), FieldRecord::Int),
            Value::Long(_) => text(),
            Value::Float(bits, width) => float(*bits, *width).unwrap_or_else(text),
            Value::Text(text) => FieldRecord::Text(text.clone()),
            Value::Variant(name) => FieldRecord::Variant { variant: (*name).to_owned() },
            Value::Length(length) => FieldRecord::Int(*length as i64),
        }
    }
}

fn float(bits: u64, width: u32) -> Option<FieldRecord> {
    let float = if width == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
    float.is_finite().then_some(FieldRecord::Float(float))
}

/// The objects of a heap, the root first.
pub fn objects_of(heap: &HeapGraph) -> Vec<ObjectRecord> {
    let record = |(number, object): (usize, &Object)| {
        let fields = heap.fields(number);
        let fields = fields.iter().map(|field| (path_of(field), FieldRecord::of(field)));
        ObjectRecord { object: number, class: object.class.to_owned(), fields: fields.collect() }
    };
    heap.objects().iter().enumerate().map(record).collect()
}

fn path_of(field: &ShownField<'_>) -> String {
    match (field.path, field.parts.first()) {
        ("", Some(ShownPart::Value(Value::Length(_)))) => "len".to_owned(),
        (path, Some(ShownPart::Value(Value::Length(_)))) => format!("{path}.len"),
        ("", _) => "self".to_owned(),
        (path, _) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    use beget_heap::Heap;

    use super::*;

    /// Values that all differ have records and texts that all differ.
    #[track_caller]
    fn check_distinct<T: Heap>(values: impl IntoIterator<Item = T>) {
        let graphs: Vec<HeapGraph> =
            values.into_iter().map(|value| HeapGraph::of(&value)).collect();
        let records = graphs.iter().map(|graph| serde_json::to_string(&objects_of(graph)).unwrap());
        assert_eq!(records.collect::<BTreeSet<_>>().len(), graphs.len());
        let texts: BTreeSet<_> = graphs.iter().map(HeapGraph::to_text).collect();
        assert_eq!(texts.len(), graphs.len(), "{texts:#?}");
    }

    fn pairs<A: Clone, B: Clone>(left: &[A], right: &[B]) -> Vec<(A, B)> {
        let row = |left: &A| right.iter().map(|right| (left.clone(), right.clone())).collect();
        left.iter().flat_map(|left| -> Vec<(A, B)> { row(left) }).collect()
    }

    /// All lists of at most two of `values`.
    fn lists<T: Clone>(values: &[T]) -> Vec<Vec<T>> {
        let mut lists = vec![Vec::new()];
        lists.extend(values.iter().map(|one| vec![one.clone()]));
        lists.extend(pairs(values, values).into_iter().map(|(one, other)| vec![one, other]));
        lists
    }

    const NESTED: [Option<Option<bool>>; 4] =
        [None, Some(None), Some(Some(false)), Some(Some(true))];
    const RESULTS: [Result<u8, u8>; 4] = [Ok(0), Ok(1), Err(0), Err(1)];

    #[test]
    fn nested_wrappers_lose_nothing() {
        check_distinct(NESTED);
        check_distinct(NESTED.map(Some).into_iter().chain([None]));
        check_distinct(RESULTS);
        check_distinct([Ok(Some(0_u8)), Ok(None), Err(Some(0)), Err::<Option<u8>, _>(None)]);
        check_distinct([Some(Box::new(None)), None, Some(Box::new(Some(1_u8)))]);
        check_distinct([None, Some(())]);
    }

    #[test]
    fn elements_stored_in_place_lose_nothing() {
        let couples = pairs(&[0_u8, 1], &NESTED);
        check_distinct(couples.iter().cloned());
        check_distinct(lists(&couples));
        check_distinct(pairs(&couples, &couples));
        check_distinct(pairs(&lists(&couples), &[false, true]));
        check_distinct(pairs(&couples, &RESULTS).into_iter().map(|(one, other)| [(one, other); 2]));
        check_distinct(lists(&[[0_u8, 1], [1, 0], [1, 1]]));
        check_distinct(lists(&[0_u8..1, 0..2, 1..2]));
        check_distinct(lists(&pairs(&[vec![], vec![(0_u8, 1_u8)], vec![(1, 0)]], &[0_u8, 1])));
    }

    #[test]
    fn entries_of_maps_lose_nothing() {
        let keys = pairs(&[0_u8, 1], &[false, true]);
        let maps = lists(&pairs(&keys, &RESULTS)).into_iter().map(BTreeMap::from_iter);
        let maps: BTreeSet<BTreeMap<(u8, bool), Result<u8, u8>>> = maps.collect();
        check_distinct(maps);
        let sets = lists(&pairs(&keys, &NESTED)).into_iter().map(BTreeSet::from_iter);
        check_distinct(sets.collect::<BTreeSet<BTreeSet<_>>>());
    }

    #[test]
    fn numbers_of_two_words_are_one_value() {
        let wide = [0, 1, u128::from(u64::MAX), 1 << 64, i128::MAX as u128, u128::MAX];
        check_distinct(wide);
        check_distinct([i128::MIN, -1, 0, 1, 1 << 64, i128::MAX]);
        check_distinct([Duration::ZERO, Duration::from_secs(1), Duration::from_nanos(1)]);
        let record = |value| objects_of(&HeapGraph::of(&value)).remove(0).fields.remove("self");
        assert_eq!(record(7_u128), Some(FieldRecord::Int(7)));
        assert_eq!(record(u128::MAX), Some(FieldRecord::Text(u128::MAX.to_string())));
    }

    #[test]
    fn floats_lose_nothing() {
        check_distinct([0.0, -0.0, 1.5, f32::INFINITY, f32::NAN, f32::from_bits(0x7fc0_0001)]);
        check_distinct([0.0, -0.0, f64::NEG_INFINITY, f64::NAN, -f64::NAN]);
    }

    #[test]
    fn a_result_is_written_as_in_rust() {
        let graph = HeapGraph::of(&(1_u8, Ok::<Option<Option<u8>>, ()>(Some(None))));
        let text = graph.to_text();
        assert!(text.ends_with("#0 { 0: 1, 1: Ok(some(null)) }\n"), "{text}");
    }
}
