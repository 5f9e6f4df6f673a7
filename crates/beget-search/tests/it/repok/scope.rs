//! Finitizations as scope files give them.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use beget::heap::view::Shapes;
use beget::{Heap, HeapView};
use beget_plan::scope::{FieldDomain, FieldValues};
use beget_search::repok::{CandidateSpace, Finitization, FinitizationError, ValueDomain};

#[derive(Heap, HeapView)]
#[allow(dead_code)]
struct Root {
    first: Option<Box<Node>>,
    other: Option<Box<Node>>,
    bytes: Vec<u8>,
    is_open: bool,
}

#[derive(Heap, HeapView)]
#[allow(dead_code)]
struct Bytes {
    bytes: Vec<u8>,
}

#[derive(Heap, HeapView)]
#[allow(dead_code)]
struct Node {
    key: Option<i32>,
    color: Color,
    nodes: Option<Pair>,
}

#[derive(Heap, HeapView)]
#[allow(dead_code)]
struct Pair {
    left: u8,
    right: u64,
}

#[derive(Clone, Copy, Heap, HeapView)]
#[allow(dead_code)]
enum Color {
    Red,
    Black,
}

fn scope(fields: &[(&str, &str, &[FieldValues])]) -> beget_plan::scope::Finitization {
    let field = |&(class, field, values): &(&str, &str, &[FieldValues])| FieldDomain {
        class: class.to_owned(),
        field: field.to_owned(),
        values: values.to_vec(),
    };
    beget_plan::scope::Finitization {
        name: "published".to_owned(),
        objects: BTreeMap::from([("Node".to_owned(), 3), ("Elsewhere".to_owned(), 9)]),
        arrays: 1..4,
        fields: fields.iter().map(field).collect(),
    }
}

fn read(fields: &[(&str, &str, &[FieldValues])]) -> Result<Finitization, FinitizationError> {
    Finitization::of_scope(&scope(fields), &Shapes::of::<Root>())
}

#[test]
fn every_kind_of_field_is_read() {
    let null = FieldValues::Null;
    let variant = |name: &str| FieldValues::Variant(name.to_owned());
    let read = read(&[
        ("Root", "is_open", &[FieldValues::Bool(true)]),
        ("Root", "first", &[FieldValues::Objects("Node".to_owned())]),
        ("Node", "key", &[null.clone(), FieldValues::Ints(0..=1), FieldValues::Ints(7..=7)]),
        ("Node", "color", &[variant("Black"), variant("Red")]),
        ("Node", "nodes", &[null]),
        ("Pair", "left", &[FieldValues::Ints(1..=1)]),
        ("Pair", "right", &[FieldValues::Ints(2..=3)]),
        ("Vec<u8>", "[]", &[FieldValues::Ints(4..=5)]),
    ]);
    // What is not named comes last, in the order of the walk.
    let expected = Finitization::new()
        .pool("Node", 3)
        .field("Root", "is_open", ValueDomain::fixed(1))
        .field("Root", "first", ValueDomain::nodes())
        .field("Node", "key", ValueDomain::ints([0, 1, 7]).or_null())
        .field("Node", "color", ValueDomain::ints([1, 0]))
        .field("Node", "nodes?", ValueDomain::fixed(0))
        .field("Node", "nodes.left", ValueDomain::fixed(1))
        .field("Node", "nodes.right", ValueDomain::ints([2, 3]))
        .field("Root", "bytes[]", ValueDomain::ints([4, 5]))
        .field("Root", "bytes", ValueDomain::arrays(1..=3))
        .field("Root", "other", ValueDomain::nodes().or_null());
    assert_eq!(read, Ok(expected));
}

#[test]
fn values_of_another_kind_are_refused() {
    let objects = |name: &str| FieldValues::Objects(name.to_owned());
    let cases: [(&str, &str, FieldValues, &str); 5] = [
        ("Root", "first", FieldValues::Ints(0..=1), "a reference"),
        ("Root", "first", objects("Root"), "a reference"),
        ("Root", "is_open", FieldValues::Ints(0..=1), "a boolean"),
        ("Node", "key", objects("Node"), "an integer or null"),
        ("Node", "color", FieldValues::Variant("Green".to_owned()), "an enum"),
    ];
    for (class, field, value, holds) in cases {
        let (class, field) = (class.to_owned(), field.to_owned());
        let found = read(&[(&class, &field, &[value])]);
        assert_eq!(found, Err(FinitizationError::WrongKind { class, field, holds }));
    }
}

#[test]
fn no_length_at_all_is_an_empty_domain() {
    let byte = &[FieldValues::Ints(0..=0)];
    let scope =
        beget_plan::scope::Finitization { arrays: 0..0, ..scope(&[("Vec<u8>", "[]", byte)]) };
    let shapes = Shapes::of::<Bytes>();
    let space = Finitization::of_scope(&scope, &shapes)
        .and_then(|it| CandidateSpace::of_shapes(shapes, &it));
    let (class, field) = ("Bytes".to_owned(), "bytes".to_owned());
    assert_eq!(space.map(drop), Err(FinitizationError::EmptyDomain { class, field }));
}
