//! Derived domains: values in a fixed order, restricted by pools, printed as source.
#![deny(missing_docs, warnings)]
#![forbid(unsafe_code)]

use beget::Domain;
use beget::suites::{DomainError, DomainKind, Pools};

#[derive(Clone, Debug, PartialEq, Domain)]
enum Shape {
    Empty,
    Dot(u8, bool),
    r#Box { width: u8, r#type: Option<u8> },
}

#[derive(Clone, Debug, PartialEq, Domain)]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(Clone, Debug, PartialEq, Domain)]
struct Pair(u8, Point<u8>);

#[derive(Clone, Debug, PartialEq, Domain)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Domain)]
enum Never {}

fn pools() -> Pools {
    Pools { ints: Some(vec![1, 2]), ..Pools::default() }
}

fn sources<T: Domain>(pools: &Pools) -> Vec<String> {
    T::values(pools).unwrap().iter().map(T::to_source).collect()
}

#[test]
fn variants_come_in_source_order_each_with_its_product() {
    assert_eq!(
        sources::<Shape>(&pools()),
        [
            "Shape::Empty",
            "Shape::Dot(1, false)",
            "Shape::Dot(1, true)",
            "Shape::Dot(2, false)",
            "Shape::Dot(2, true)",
            "Shape::r#Box { width: 1, r#type: None }",
            "Shape::r#Box { width: 1, r#type: Some(1) }",
            "Shape::r#Box { width: 1, r#type: Some(2) }",
            "Shape::r#Box { width: 2, r#type: None }",
            "Shape::r#Box { width: 2, r#type: Some(1) }",
            "Shape::r#Box { width: 2, r#type: Some(2) }",
        ]
    );
}

#[test]
fn structs_are_the_product_of_their_fields() {
    // 2 for the first field, 2 * 2 for the point.
    let pairs = sources::<Pair>(&pools());
    assert_eq!(pairs.len(), 8);
    assert_eq!(pairs[1], "Pair(1, Point { x: 1, y: 2 })");
    assert_eq!(sources::<Unit>(&pools()), ["Unit"]);
    assert!(sources::<Never>(&pools()).is_empty());
}

#[test]
fn pools_restrict_the_variants_and_unknown_ones_are_refused() {
    let restricted = |names: &[&str]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Pools { enums: [("Shape".to_owned(), names)].into(), ..Pools::default() }
    };
    assert_eq!(Shape::values(&restricted(&["Empty"])), Ok(vec![Shape::Empty]));
    assert_eq!(Shape::values(&restricted(&["Box"])), Err(DomainError::Missing("ints")));
    let error = DomainError::NoVariant {
        of: "Shape",
        name: "Dott".to_owned(),
        known: vec!["Empty", "Dot", "Box"],
    };
    assert_eq!(Shape::values(&restricted(&["Dott"])), Err(error));
}

#[test]
fn the_kind_is_the_first_field_that_draws_on_a_pool() {
    assert_eq!(Shape::KIND, DomainKind::Ints);
    assert_eq!(Pair::KIND, DomainKind::Ints);
    assert_eq!(Unit::KIND, DomainKind::User);
}
