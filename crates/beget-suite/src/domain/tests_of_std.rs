//! Domains of the standard library's types: the number of values, their order and source.
#![allow(clippy::disallowed_types, reason = "the maps are literals")]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::num::NonZero;
use std::ops::{Bound, Range, RangeFull, RangeInclusive, RangeTo};
use std::path::PathBuf;
use std::time::Duration;

use super::{Domain, PathText, Pools, Referent, Slice, Text};

fn pools() -> Pools {
    let strings = Some(vec!["a".to_owned(), "b".to_owned()]);
    Pools { ints: Some(vec![0, 1, 2]), strings, longest: 2, ..Pools::default() }
}

/// The sources of all values; each is written once.
#[track_caller]
fn check<T: Domain + Debug>(expected: &[&str]) {
    let values = T::values(&pools()).unwrap();
    let sources: Vec<String> = values.iter().map(Domain::to_source).collect();
    assert_eq!(sources, expected, "{}", std::any::type_name::<T>());
    assert_eq!(T::extent(&pools()).unwrap().count, values.len() as u64);
}

#[test]
fn ranges_are_all_pairs_of_ends() {
    check::<Range<u8>>(&["0..0", "0..1", "0..2", "1..0", "1..1", "1..2", "2..0", "2..1", "2..2"]);
    assert_eq!(RangeInclusive::<u8>::values(&pools()).unwrap()[5], 1..=2);
    assert_eq!((1_u8..=2).to_source(), "1..=2");
    check::<RangeTo<usize>>(&["..0", "..1", "..2"]);
    check::<RangeFull>(&[".."]);
    assert_eq!(Bound::<u8>::values(&pools()).unwrap().len(), 1 + 2 * 3);
}

#[test]
fn numbers_come_from_the_integers() {
    check::<NonZero<u8>>(&[
        "std::num::NonZero::new(1).unwrap()",
        "std::num::NonZero::new(2).unwrap()",
    ]);
    let seconds = |n| format!("std::time::Duration::from_secs({n})");
    check::<Duration>(&[&seconds(0), &seconds(1), &seconds(2)]);
}

#[test]
fn texts_come_from_the_strings() {
    let owned = |text| format!("std::borrow::Cow::Owned(String::from({text:?}))");
    check::<Cow<'static, str>>(&[&owned("a"), &owned("b")]);
    check::<PathBuf>(&[r#"std::path::PathBuf::from("a")"#, r#"std::path::PathBuf::from("b")"#]);
    check::<PathText>(&[r#"std::path::Path::new("a")"#, r#"std::path::Path::new("b")"#]);
    check::<Option<Text>>(&["None", r#"Some("a")"#, r#"Some("b")"#]);
    let slices = ["[]", r#"["a"]"#, r#"["b"]"#, r#"["a", "a"]"#, r#"["a", "b"]"#, r#"["b", "a"]"#];
    check::<Slice<Text>>(&[&slices[..], &[r#"["b", "b"]"#]].concat());
}

#[test]
fn what_is_lent_is_written_as_a_reference() {
    assert_eq!(Some(Referent(3_u8)).to_source(), "Some(&3)");
    assert_eq!(Referent(1_u8..2).to_source(), "&(1..2)");
    // Dots in brackets and texts do not make a range.
    assert_eq!(Referent(vec![1_u8..2, 0..1]).to_source(), "&vec![1..2, 0..1]");
    assert_eq!(Referent(String::from("\"..")).to_source(), r#"&String::from("\"..")"#);
}

#[test]
fn orderings_are_variants_that_a_scope_can_choose() {
    assert_eq!(Ordering::values(&pools()).unwrap().len(), 3);
    let enums = [("Ordering".to_owned(), vec!["Less".to_owned()])].into();
    let less = Pools { enums, ..pools() };
    assert_eq!(Ordering::values(&less), Ok(vec![Ordering::Less]));
    assert_eq!(Ordering::Less.to_source(), "std::cmp::Ordering::Less");
}

#[test]
fn sets_are_all_subsets_smaller_ones_first() {
    let of = |elements: &str| format!("std::collections::BTreeSet::from([{elements}])");
    let sets = ["0", "1", "2", "0, 1", "0, 2", "1, 2"].map(of);
    let empty = "std::collections::BTreeSet::new()";
    let expected: Vec<&str> = std::iter::once(empty).chain(sets.iter().map(|set| &**set)).collect();
    check::<BTreeSet<u8>>(&expected);
    // The order of a hash set's elements is not observable.
    assert_eq!(HashSet::<u8>::values(&pools()).unwrap().len(), 7);
    let set = HashSet::from([2_u8, 0, 1]).to_source();
    assert_eq!(set, "std::collections::HashSet::from([0, 1, 2])");
}

#[test]
fn maps_are_all_assignments_to_all_sets_of_keys() {
    // One without keys, 3 keys with 2 values each, 3 pairs of keys with 2 * 2.
    assert_eq!(<BTreeMap<u8, bool> as Domain>::values(&pools()).unwrap().len(), 1 + 3 * 2 + 3 * 4);
    assert_eq!(HashMap::<u8, bool>::extent(&pools()).unwrap().count, 19);
    let maps = <BTreeMap<u8, bool> as Domain>::values(&pools()).unwrap();
    let distinct: BTreeSet<_> = maps.iter().cloned().collect();
    assert_eq!(distinct.len(), maps.len());
    let source = "std::collections::BTreeMap::from([(0, false), (1, true)])";
    assert_eq!(maps[1 + 6 + 1].to_source(), source);
}

#[test]
fn maps_without_end_are_refused_before_they_are_made() {
    let many = Pools { ints: Some((0..200).collect()), longest: 100, ..pools() };
    assert!(<BTreeMap<u8, u8> as Domain>::values(&many).is_err());
    assert!(BTreeSet::<u8>::extent(&many).is_err());
}

#[test]
fn lists_are_written_with_their_type() {
    let deque = VecDeque::from([1_u8, 2]).to_source();
    assert_eq!(deque, "std::collections::VecDeque::from([1, 2])");
    assert_eq!(VecDeque::<u8>::values(&pools()).unwrap().len(), 1 + 3 + 9);
    assert_eq!(Box::<[u8]>::from([1]).to_source(), "Box::new([1])");
}

#[test]
fn long_tuples_are_products() {
    type Long = (bool, u8, bool, (), bool, u8, bool, bool);
    let values = Long::values(&pools()).unwrap();
    assert_eq!(values.len(), 2 * 3 * 2 * 2 * 3 * 2 * 2);
    assert_eq!(values[1].to_source(), "(false, 0, false, (), false, 0, false, true)");
}
