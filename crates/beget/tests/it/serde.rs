//! Round trips through `serde`, where a suite says that they keep the value.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::collections::BTreeMap;

use beget::Heap;
use serde::{Deserialize, Serialize};

use crate::common::message_of;

/// What formats lose: keys that are no texts, floats that are no numbers, a unit in an option, a
/// field that is flat, a variant without a tag, and what says whether people read it.
#[derive(Clone, Debug, PartialEq, Heap, Serialize, Deserialize)]
pub struct Rich {
    by_pair: BTreeMap<(u8, bool), char>,
    float: f64,
    unit: Option<()>,
    bytes: [u8; 3],
    #[serde(flatten)]
    flat: Flat,
    address: Address,
}

#[derive(Clone, Debug, PartialEq, Heap, Serialize, Deserialize)]
pub struct Flat {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Heap, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Kind {
    Number(u8),
    Text(String),
}

/// A text for people, a number otherwise.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Address(u8);

impl Serialize for Address {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_str(&self.0.to_string()),
            false => serializer.serialize_u8(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => {
                let text = String::deserialize(deserializer)?;
                text.parse().map(Address).map_err(serde::de::Error::custom)
            }
            false => u8::deserialize(deserializer).map(Address),
        }
    }
}

#[beget::api(serde)]
impl Rich {
    pub fn new(kind: u8, float: f64) -> Self {
        let kind = match kind {
            0 => Kind::Text("z".to_owned()),
            number => Kind::Number(number),
        };
        let flat = Flat { kind };
        let (by_pair, bytes, address) = (BTreeMap::new(), [1, 2, 3], Address(7));
        Rich { by_pair, float, unit: None, bytes, flat, address }
    }

    pub fn insert(&mut self, key: (u8, bool), value: char) {
        self.by_pair.insert(key, value);
        self.unit = Some(());
    }
}

/// Nothing is lost on the way, so a type that keeps its promise raises no alarm.
#[test]
fn what_formats_lose_is_kept() {
    let run = beget::check!(
        Rich,
        k = 1,
        arrays = 2,
        ints = 0..2,
        floats = [0.5, inf],
        chars = ['x'],
        fields = {"*": "any"}
    );
    // Two kinds and two floats: maps of at most two of four keys, with the unit once there is one.
    assert_eq!(run.generated(), 2 * 2 * (1 + 4 + 6));
}

/// A count that is not written, and cannot be read then.
#[derive(Clone, Heap, Serialize, Deserialize)]
pub struct Counted {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<u8>,
}

impl Counted {
    pub fn new() -> Self {
        Counted { items: Vec::new() }
    }
}

/// A number that is left out, of a type that cannot be compared.
#[derive(Clone, Heap, Serialize, Deserialize)]
pub struct Forgetful {
    #[serde(skip)]
    number: u8,
}

impl Forgetful {
    pub fn new(number: u8) -> Self {
        Forgetful { number }
    }
}

beget::suite! {
    /// Lists.
    pub suite Lists for Counted {
        serde;
        fn new() -> Self;
    }
}

beget::suite! {
    /// Numbers.
    pub suite Numbers {
        for Forgetful {
            serde;
            fn new(number: u8) -> Self;
        }
    }
}

#[test]
fn what_is_written_and_cannot_be_read_is_told() {
    let shown = message_of(|| drop(beget::check!(Lists, k = 1)));
    let told = "the contract `serde_round_trip` is broken: what is written is not read: missing field `items`";
    assert!(shown.contains(told), "{shown}");
}

/// Without `PartialEq` the heaps are compared, in the printed test as well.
#[test]
fn types_that_cannot_be_compared_have_heaps() {
    let shown = message_of(|| drop(beget::check!(Numbers, k = 1, ints = 0..2)));
    let told = "the contract `serde_round_trip` is broken: what is read is not what was written";
    let calls =
        "let forgetful = Forgetful::new(1);\n        beget::assert_serde_same_heap(&forgetful);\n";
    assert!(shown.contains(told) && shown.contains(calls), "{shown}");
    let again = message_of(|| beget::assert_serde_same_heap(&Forgetful::new(1)));
    assert_eq!(again, told);
    beget::assert_serde_same_heap(&Forgetful::new(0));
}

/// What enriched runs call of a type: both round trips, whose result is a structure.
pub mod enriched {
    use beget::{HasSuite, Heap};
    use beget_suite::{Argument, Call, Frame, MethodIdx, Outcome, Recipe, Suite, to_source};
    use serde::{Deserialize, Serialize};

    /// What is written for people cannot be read.
    #[derive(Debug, PartialEq, Heap)]
    pub struct Number(u8);

    impl Serialize for Number {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match serializer.is_human_readable() {
                true => serializer.serialize_str("a number"),
                false => serializer.serialize_u8(self.0),
            }
        }
    }

    impl<'de> Deserialize<'de> for Number {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            u8::deserialize(deserializer).map(Number)
        }
    }

    #[beget::api(serde)]
    impl Number {
        pub fn new(number: u8) -> Self {
            Number(number)
        }
    }

    fn enriched() -> Suite {
        let mut suite = Number::suite();
        suite.methods.extend(suite.trait_methods());
        suite
    }

    /// What a call of a method on 5 ends with, and the number that it gives.
    fn called(name: &str) -> (Outcome, Vec<u8>) {
        let suite = enriched();
        let method = suite.method_named(name).unwrap();
        let mut frame = Frame::of(vec![Some(Box::new(Number(5)))]);
        let outcome = method.make(&mut Call::new(&mut frame, &[]));
        let given = frame.results.iter().flatten();
        (outcome, given.map(|one| one.downcast_ref::<Number>().unwrap().0).collect())
    }

    #[test]
    fn both_round_trips_are_methods_where_the_suite_says_serde() {
        let names: Vec<_> = enriched().methods.iter().map(|method| method.name).collect();
        let trips = ["serde_round_trip", "serde_round_trip_for_people"];
        assert_eq!(names, [&["new", "eq"][..], &trips].concat());
        assert_eq!(called(trips[0]), (Outcome::Returned, vec![5]));
        assert_eq!(called(trips[1]), (Outcome::Error, vec![]));
        // It has the traits, but nobody promises anything of them.
        let mut suite = Number::suite();
        suite.types[0].traits.serde = None;
        assert_eq!(suite.trait_methods().len(), 1);
    }

    #[test]
    fn the_source_of_a_round_trip_makes_it() {
        let suite = enriched();
        let recipe =
            |method, arguments, output| Recipe { method, arguments, output, panics: false };
        let made = recipe(MethodIdx::new(0), vec![Argument::Literal("5".to_owned())], 0);
        for (name, is_for_people) in
            [("serde_round_trip", false), ("serde_round_trip_for_people", true)]
        {
            let method = suite.find_method(name).unwrap();
            let arguments = vec![Argument::Structure(Box::new(made.clone()))];
            let (source, _) = to_source(&suite, &recipe(method, arguments, 1));
            let line =
                format!("let number_2 = beget::round_trip(&number, {is_for_people}).unwrap();");
            assert_eq!(source.lines().last().unwrap(), line);
        }
        let number = Number::new(5);
        let number_2 = beget::round_trip(&number, false).unwrap();
        assert_eq!(number_2, number);
        beget::round_trip(&number, true).unwrap_err();
    }
}
