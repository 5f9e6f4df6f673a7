//! Constants that a suite names: literals of the parameters of their types, in every run.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_plan::scope::{Overrides, default_scope};
use beget_run::{Catalog, Host, Input, RandomOptions, Watch, random};
use common::{assert_complete, plan, run_all_ways};

/// What no file has for an identifier.
const RESERVED: u16 = 0xfff0;

mod limits {
    pub(super) const NAME: &str = "root";
    pub(super) const PAIRS: &[(u8, bool)] = &[(7, true)];
}

/// Identifiers in a list.
#[derive(Clone, Debug, Heap)]
pub struct Ids {
    ids: Vec<u16>,
}

impl Ids {
    const FULL: usize = 40;
}

#[beget::api(consts(RESERVED, Self::FULL, limits::NAME, limits::PAIRS))]
impl Ids {
    pub fn new() -> Self {
        Ids { ids: Vec::new() }
    }

    pub fn add(&mut self, id: u16) {
        self.ids.push(id);
    }

    pub fn add_if_some(&mut self, id: Option<&u16>) {
        self.ids.extend(id);
    }

    pub fn truncate(&mut self, len: &usize) {
        self.ids.truncate(*len);
    }

    pub fn is_named(&self, name: &str) -> bool {
        name == limits::NAME
    }

    pub fn counts(&self, pairs: &[(u8, bool)]) -> bool {
        pairs.len() == self.ids.len()
    }

    pub fn shift(&mut self, by: u8) {
        self.ids.iter_mut().for_each(|id| *id = id.saturating_sub(by.into()));
    }
}

/// The literals of all parameters, by name.
fn literals(suite: Suite, fields: &str) -> BTreeMap<String, Vec<String>> {
    let plan = plan(suite, fields);
    let of_method = |idx| {
        let (method, domains) = (plan.method(idx), &plan.planned(idx).domains);
        let named = method.literal_params().zip(domains).map(|((param, _), literals)| {
            let sources = literals.iter().map(|literal| literal.source.clone()).collect();
            (format!("{}.{}", method.name, param.name), sources)
        });
        named.collect::<Vec<_>>()
    };
    plan.planned_idxs().flat_map(of_method).collect()
}

#[test]
fn parameters_get_the_constants_of_their_types_behind_other_literals() {
    let found = literals(Ids::suite(), r#"k: 1, objects: {"*": 1}, arrays: 0, ints: [0, 40]"#);
    let expected = [
        ("add.id", vec!["0", "40", "65520"]),
        ("add_if_some.id", vec!["None", "Some(&0)", "Some(&40)", "Some(&65520)"]),
        // The scope has the constant already.
        ("truncate.len", vec!["0", "40"]),
        // The scope has no text and no list.
        ("is_named.name", vec!["\"root\""]),
        ("counts.pairs", vec!["[]", "[(7, true)]"]),
        ("shift.by", vec!["0", "40"]),
    ];
    let expected = expected.map(|(name, sources)| {
        (name.to_owned(), sources.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(found, expected.into());
}

#[test]
fn what_a_scope_gives_a_parameter_is_all_that_it_gets() {
    let scope = r#"k: 1, objects: {"*": 1}, arrays: 0, ints: [0], params: {"add.id": [1]}"#;
    let found = literals(Ids::suite(), scope);
    assert_eq!(found["add.id"], ["1"]);
    assert_eq!(found["add_if_some.id"], ["None", "Some(&0)", "Some(&65520)"]);
}

/// The integers in structures may be the constant, though the scope says nothing of it.
#[test]
fn structures_with_constants_are_in_scope() {
    let fields =
        r#"k: 2, objects: {"*": 1}, arrays: 2, ints: "0..2", methods: Only(["new", "add"])"#;
    let plan = plan(Ids::suite(), fields).limit_ints(&BTreeSet::new());
    // Lists of at most two of three identifiers.
    assert_complete(&run_all_ways(&plan), 1 + 3 + 9);
}

/// A register whose numbers may be anything but its own mark of an empty place.
#[derive(Clone, Debug, Default, PartialEq, Heap)]
pub struct Register {
    places: [u32; 2],
}

impl Register {
    const EMPTY: u32 = 0x7fff_1234;

    fn put(&mut self, number: u32) -> bool {
        let free = self.places.iter().position(|&place| place == 0 || place == Self::EMPTY);
        free.map(|free| self.places[free] = number).is_some()
    }

    fn last(&self) -> u32 {
        let last = self.places.iter().rev().find(|&&place| place != 0);
        let last = last.copied().unwrap_or_default();
        assert_ne!(last, Self::EMPTY, "nobody can have put it there");
        last
    }
}

beget::suite! {
    /// With the constant.
    pub suite Registers {
        for Register {
            consts(Self::EMPTY);
            fn default() -> Self;
            fn put(&mut self, number: u32) -> bool;
            fn last(&self) -> u32;
        }
    }
}

fn without_constants() -> Suite {
    Suite { constants: Vec::new(), ..Registers::suite() }
}

#[test]
fn an_exhaustive_run_finds_what_only_a_constant_shows() {
    let shown = std::panic::catch_unwind(|| beget::check!(Registers, k = 2));
    let shown = *shown.unwrap_err().downcast::<String>().unwrap();
    for line in ["nobody can have put it there", "let _ = register.put(2147422772);"] {
        assert!(shown.contains(line), "{shown}");
    }
    let fields = r#"k: 2, objects: {"*": 1}, ints: "0..=2""#;
    let findings = |suite| run_all_ways(&plan(suite, fields)).report.findings.len();
    assert_eq!((findings(Registers::suite()), findings(without_constants())), (1, 0));
}

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

#[test]
fn a_random_run_draws_constants() {
    let findings = |suite: Suite| {
        let text = default_scope(&suite, &[("ints".to_owned(), "0..3".to_owned())]);
        let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let watch = Watch::new(plan.budget, &NoClock);
        let options = RandomOptions { max_calls: 1000, ..RandomOptions::default() };
        random(&input, &[], plan, options, &watch).findings.len()
    };
    assert_eq!((findings(Registers::suite()), findings(without_constants())), (1, 0));
}

/// In a block of `suite!`, `Self` is the type of that block.
mod two_types {
    use beget::{HasSuite, Heap};

    #[derive(Clone, Debug, Default, Heap)]
    pub(crate) struct Left(u8);

    #[derive(Clone, Debug, Default, Heap)]
    pub(crate) struct Right(u8);

    impl Left {
        const VALUE: u8 = 10;

        fn set(&mut self, value: u8) {
            self.0 = value;
        }
    }

    impl Right {
        const VALUE: u8 = 20;
    }

    beget::suite! {
        /// Two types with a constant each.
        pub(crate) suite Both {
            for Left {
                consts(Self::VALUE);
                fn default() -> Self;
                fn set(&mut self, value: u8);
            }
            for Right {
                abstraction |right| -> u8 { right.0 };
                consts(Self::VALUE, u8::MAX, <Left as Limit>::LIMIT);
                fn right() -> Self = Right::default;
            }
        }
    }

    trait Limit {
        const LIMIT: u8;
    }

    impl Limit for Left {
        const LIMIT: u8 = 30;
    }

    #[test]
    fn each_block_names_its_own() {
        let named = Both::suite().constants;
        let named: Vec<_> = named.iter().map(|one| (one.path, &*one.literals[0].source)).collect();
        let expected = [
            ("Self::VALUE", "10"),
            ("Self::VALUE", "20"),
            ("u8::MAX", "255"),
            ("<Left as Limit>::LIMIT", "30"),
        ];
        assert_eq!(named, expected);
        let found = super::literals(Both::suite(), r#"k: 1, objects: {"*": 1}, ints: []"#);
        assert_eq!(found["set.value"], ["10", "20", "255", "30"]);
    }
}
