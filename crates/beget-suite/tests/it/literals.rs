//! Literals by hand: their measures to the byte, their sources behind `&`, the names in their
//! types.
#![allow(clippy::disallowed_types, reason = "the maps are literals")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::sync::Arc;

use beget_heap::{Bounds, Schema, canonical_form};
use beget_suite::elements::{Tracked, TrackedUnit};
use beget_suite::{
    Domain, DomainKind, Extent, ItemSteps, Literal, PlainValue, Pools, Referent, Slice, Text,
    first_kind, type_names,
};

fn pools() -> Pools {
    Pools { ints: Some(vec![0, 10, 200]), longest: 2, ..Pools::default() }
}

/// The bytes of the values written one after the other, each with a comma and a space.
fn bytes<'v, T: Domain>(values: impl IntoIterator<Item = &'v T>) -> u64 {
    values.into_iter().map(|value| value.to_source().len() as u64 + 2).sum()
}

#[test]
fn the_measure_of_sets_and_maps_is_that_of_their_entries_and_paths() {
    let sets = BTreeSet::<u8>::values(&pools()).unwrap();
    let elements: u64 = sets.iter().map(bytes).sum();
    // 3 + 4 + 5 bytes alone, and each beside two others.
    assert_eq!((sets.len(), elements), (7, 3 * 12));
    assert_eq!(BTreeSet::<u8>::extent(&pools()), Ok(Extent { count: 7, bytes: 36 + 7 * 24 }));

    let maps = <BTreeMap<u8, bool> as Domain>::values(&pools()).unwrap();
    let entries = maps.iter().map(|map| bytes(map.keys()) + bytes(map.values()));
    let (count, bytes) = (maps.len() as u64, entries.sum::<u64>());
    let extent = Extent { count, bytes: bytes + count * 24 };
    assert_eq!(<BTreeMap<u8, bool> as Domain>::extent(&pools()), Ok(extent));
    assert_eq!(HashMap::<u8, bool>::extent(&pools()), Ok(extent));
}

#[test]
fn the_measure_of_a_wrapper_is_that_of_what_it_wraps() {
    let ints = Ok(Extent { count: 3, bytes: 12 });
    assert_eq!(u8::extent(&pools()), ints);
    assert_eq!(Referent::<u8>::extent(&pools()), ints);
    assert_eq!(Arc::<u8>::extent(&pools()), ints);
    assert_eq!(Reverse::<u8>::extent(&pools()), ints);
    let vectors = Vec::<u8>::extent(&pools());
    // 3 of one, 9 of two, with each element 3 times in each place.
    assert_eq!(vectors, Ok(Extent { count: 13, bytes: 12 + 2 * 3 * 12 }));
    assert_eq!(VecDeque::<u8>::extent(&pools()), vectors);
    assert_eq!(LinkedList::<u8>::extent(&pools()), vectors);
    assert_eq!(Box::<[u8]>::extent(&pools()), vectors);
}

#[test]
fn the_measure_of_literals_is_that_of_their_values() {
    let values = u8::values(&pools()).unwrap();
    let literals: Vec<Literal> = values.iter().copied().map(Literal::new).collect();
    assert_eq!(Extent::of_literals(&literals), Extent { count: 3, bytes: 12 });
    assert_eq!(Extent::of_literals(&literals), Extent::of(&values));
    assert_eq!(Extent::of_literals(&literals[..2]), Extent { count: 2, bytes: 7 });
}

#[track_caller]
fn check_lent<T: Domain>(value: T, expected: &str) {
    assert_eq!(Referent(value).to_source(), expected);
}

#[test]
fn ranges_behind_a_reference_stand_in_parentheses_and_nothing_else_does() {
    check_lent('a'..'c', "&('a'..'c')");
    check_lent('\''..'\\', r"&('\''..'\\')");
    check_lent(Some(1_u8)..Some(2), "&(Some(1)..Some(2))");
    check_lent(..3_u8, "&(..3)");
    check_lent(0.5, "&0.5");
    check_lent(Text("..".into()), r#"&"..""#);
    check_lent(Text(r#"".."#.into()), r#"&"\"..""#);
    check_lent(Text(r"\".into())..Text("".into()), r#"&("\\".."")"#);
    check_lent('.', "&'.'");
    check_lent(Box::new(1_u8), "&Box::new(1)");
}

#[test]
fn the_scalars_of_a_wrapper_are_those_of_what_it_wraps() {
    let ints = |value: &dyn Fn(&mut Pools)| {
        let mut pools = Pools::default();
        value(&mut pools);
        pools.ints.unwrap_or_default()
    };
    assert_eq!(ints(&|pools| 7_u8.add_scalars(pools)), [7]);
    assert_eq!(ints(&|pools| Slice(vec![7_u8, 9]).add_scalars(pools)), [7, 9]);
    assert_eq!(ints(&|pools| Referent(7_u8).add_scalars(pools)), [7]);
    assert_eq!(ints(&|pools| Box::new(7_u8).add_scalars(pools)), [7]);
}

#[test]
fn the_kind_of_several_is_the_first_that_a_scope_has_literals_for() {
    use DomainKind::{Chars, Ints, Unit, User};
    assert_eq!(first_kind([Ints]), Ints);
    assert_eq!(first_kind([User, Unit, Chars, Ints]), Chars);
    assert_eq!(first_kind([Unit, User]), User);
    assert_eq!(first_kind([]), User);
}

#[test]
fn names_in_a_type_are_words_without_the_wrappers_of_std() {
    let names = |ty| type_names(ty).collect::<Vec<_>>();
    assert_eq!(names("Option<&mut my_crate::Two_Words>"), ["my_crate", "Two_Words"]);
    assert_eq!(names("Vec<Box<dyn Shape>>"), ["Shape"]);
    assert_eq!(names("u8"), ["u8"]);
}

#[test]
fn a_value_is_opaque_where_it_has_no_text() {
    let value = |text| PlainValue { ty: "T", text, literal: None, equals_itself: true };
    assert!(value(None).is_opaque());
    assert!(!value(Some(String::new())).is_opaque());
}

#[test]
fn a_tracked_element_is_an_integer_until_it_is_watched() {
    let tracked = Tracked::values(&pools()).unwrap();
    assert_eq!(
        tracked,
        i32::values(&pools()).unwrap().iter().copied().map(Tracked::new).collect::<Vec<_>>()
    );
    assert_eq!(Tracked::extent(&pools()), i32::extent(&pools()));
    assert_eq!(tracked[1].to_source(), "beget::elements::Tracked::new(10)");
    let bounds = Bounds::unlimited();
    assert_eq!(canonical_form(&tracked[1], &bounds), canonical_form(&10_i32, &bounds));
    let schemas = [Schema::of::<Tracked>(), Schema::of::<TrackedUnit>(), Schema::of::<i32>()];
    assert_eq!(schemas.map(|schema| schema.has_elements), [true, true, false]);
    let units = TrackedUnit::values(&pools()).unwrap();
    assert_eq!(units, [TrackedUnit::new()]);
    assert_eq!(units[0].to_source(), "beget::elements::TrackedUnit::new()");
}

#[test]
fn a_text_is_one_of_those_of_its_scope() {
    let mut pools = Pools::default();
    "a".add_scalars(&mut pools);
    assert_eq!(pools.strings, Some(vec!["a".to_owned()]));
}

#[test]
fn items_are_counted_as_their_iterator_does() {
    let (mut all, some) = ([1, 2, 3].iter(), [1, 2, 3].iter().filter(|_| true));
    assert_eq!((all.hint(), some.hint()), ((3, Some(3)), (0, Some(3))));
    assert_eq!((all.step(), all.hint()), (Some("1".to_owned()), (2, Some(2))));
}
