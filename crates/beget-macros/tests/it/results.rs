//! Where structures are found in results, and what recipes write to reach them.
#![deny(missing_docs, warnings)]
#![allow(clippy::new_without_default, reason = "a suite has the methods it has")]
#![allow(clippy::let_and_return, clippy::let_unit_value, reason = "recipes are uniform")]
#![forbid(unsafe_code)]

use crate::common;

use beget::{HasSuite, Heap};
use beget_suite::{Argument, Outcome, Recipe, to_source};
use common::{argument, call, literal, results, structure};

/// A stack that can hold another one.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Stack {
    values: Vec<u8>,
    spare: Option<Box<Stack>>,
}

/// A part that cannot be cloned.
#[derive(Debug, Heap)]
pub struct Token(u8);

/// Holds a token.
#[derive(Debug, Heap)]
pub struct Holder {
    token: Token,
}

/// Stacks with every kind of result.
#[beget::api(name = "stacks")]
impl Stack {
    /// Empty.
    pub fn new() -> Self {
        Stack { values: Vec::new(), spare: None }
    }

    /// The builder style.
    pub fn push(&mut self, value: u8) -> &mut Self {
        self.values.push(value);
        self
    }

    /// Keeps another one.
    pub fn keep(&mut self, other: Self) {
        self.spare = Some(Box::new(other));
    }

    /// A structure that is part of another.
    pub fn spare(&self) -> Option<&Stack> {
        self.spare.as_deref()
    }

    /// The same, to change, in its box.
    pub fn spare_mut(&mut self) -> Option<&mut Box<Self>> {
        self.spare.as_mut()
    }

    /// The spare's place.
    pub fn place(&self) -> &Option<Box<Stack>> {
        &self.spare
    }

    /// Several, some of them missing.
    pub fn halves(mut self, at: usize) -> (Self, u8, Option<Self>) {
        let rest = (at < self.values.len()).then(|| self.values.split_off(at));
        (self, 0, rest.map(|values| Stack { values, spare: None }))
    }

    /// In a box.
    pub fn boxed(self) -> Box<Self> {
        Box::new(self)
    }

    /// In a tuple in a box in an option.
    pub fn wrapped(&self, really: bool) -> Option<Box<((u8, Self), bool)>> {
        really.then(|| Box::new(((0, self.clone()), really)))
    }

    /// One of the arguments, and one that is not.
    pub fn longer<'a>(&'a self, other: &'a Self) -> (&'a Self, Option<&'a Self>) {
        let longer = if other.values.len() > self.values.len() { other } else { self };
        (longer, longer.spare())
    }

    /// By value, by exclusive and by shared reference, with an error.
    pub fn merge(mut self, other: &mut Self, third: &Self) -> Result<(Self, Option<Self>), String> {
        if third.values.is_empty() {
            return Err("nothing to merge".to_owned());
        }
        self.values.append(&mut other.values);
        self.values.extend(&third.values);
        Ok((self, None))
    }

    /// What borrows the receiver and runs code when dropped.
    pub fn drain(&mut self) -> std::vec::Drain<'_, u8> {
        self.values.drain(..)
    }

    /// A type without a name.
    pub fn iter(&self) -> impl Iterator<Item = &u8> {
        self.values.iter()
    }

    /// Always an error.
    pub fn refuse(&self) -> Result<(), std::num::ParseIntError> {
        "stack".parse::<u8>().map(|_| ())
    }

    /// Not in the suite.
    #[api(skip)]
    pub fn each(&self, visit: impl FnMut(&u8)) {
        self.values.iter().for_each(visit);
    }

    fn private(&self) -> usize {
        self.values.len()
    }
}

beget::suite! {
    /// A part without `Clone` cannot be kept.
    pub suite Holders {
        for Holder {
            fn token(&self) -> &Token;
        }
        for Token {}
    }
}

impl Holder {
    fn token(&self) -> &Token {
        &self.token
    }
}

fn stack(values: &[u8]) -> Stack {
    Stack { values: values.to_vec(), spare: None }
}

fn with_spare(values: &[u8], spare: &[u8]) -> Stack {
    Stack { spare: Some(Box::new(stack(spare))), ..stack(values) }
}

#[test]
fn access_paths_follow_the_result_type() {
    let suite = Stack::suite();
    let access = |method: &str| -> Vec<_> {
        suite.method_named(method).unwrap().outputs.iter().map(|output| output.access).collect()
    };
    assert_eq!(access("new"), [""]);
    assert_eq!(access("push"), [".clone()"]);
    assert_eq!(access("spare"), [".unwrap().clone()"]);
    assert_eq!(access("spare_mut"), [".unwrap().as_ref().clone()"]);
    assert_eq!(access("place"), [".as_ref().unwrap().as_ref().clone()"]);
    assert_eq!(access("halves"), [".0", ".2.unwrap()"]);
    assert_eq!(access("boxed"), ["*"]);
    assert_eq!(access("wrapped"), [".unwrap().0.1"]);
    assert_eq!(access("longer"), [".0.clone()", ".1.unwrap().clone()"]);
    assert_eq!(access("merge"), [".unwrap().0", ".unwrap().1.unwrap()"]);
    assert_eq!(access("iter"), [""; 0]);
}

#[test]
fn a_suite_of_an_impl_block_has_its_public_functions_in_source_order() {
    let suite = Stack::suite();
    assert_eq!((suite.name.as_str(), suite.doc), ("stacks", "Stacks with every kind of result."));
    let names: Vec<_> = suite.methods.iter().map(|method| method.name).collect();
    assert_eq!(names[..4], ["new", "push", "keep", "spare"]);
    assert!(!names.contains(&"each") && !names.contains(&"private"));
    let fallible = suite.methods.iter().filter(|method| method.fallible);
    assert_eq!(fallible.map(|method| method.name).collect::<Vec<_>>(), ["merge", "refuse"]);
    assert_eq!(stack(&[1]).private(), 1);
    stack(&[1]).each(|value| assert_eq!(*value, 1));
}

#[test]
fn a_reference_to_an_argument_gives_nothing_new() {
    let suite = Stack::suite();
    let (frame, _) = call(&suite, "push", [structure(stack(&[1]))], [literal(2_u8)]);
    assert_eq!(results::<Stack>(&frame), [None]);
    assert_eq!(argument::<Stack>(&frame, 0), Some(stack(&[1, 2])));
    let pair = [structure(stack(&[])), structure(with_spare(&[1], &[2]))];
    let (frame, _) = call(&suite, "longer", pair, []);
    assert_eq!(results::<Stack>(&frame), [None, Some(stack(&[2]))]);
}

#[test]
fn a_reference_to_a_part_gives_a_clone() {
    let suite = Stack::suite();
    for method in ["spare", "spare_mut", "place"] {
        let (frame, _) = call(&suite, method, [structure(with_spare(&[1], &[2]))], []);
        assert_eq!(results::<Stack>(&frame), [Some(stack(&[2]))]);
        let (frame, _) = call(&suite, method, [structure(stack(&[1]))], []);
        assert_eq!(results::<Stack>(&frame), [None]);
    }
}

#[test]
fn a_reference_to_a_part_that_is_not_clone_gives_nothing() {
    let holder = structure(Holder { token: Token(1) });
    let (frame, outcome) = call(&Holders::suite(), "token", [holder], []);
    assert!(frame.results[0].is_none());
    assert_eq!(outcome, Outcome::Returned);
}

#[test]
fn structures_are_taken_out_of_tuples_options_and_boxes() {
    let suite = Stack::suite();
    let (frame, _) = call(&suite, "halves", [structure(stack(&[1, 2]))], [literal(1_usize)]);
    assert_eq!(results::<Stack>(&frame), [Some(stack(&[1])), Some(stack(&[2]))]);
    assert_eq!(argument::<Stack>(&frame, 0), None);
    let (frame, _) = call(&suite, "halves", [structure(stack(&[1]))], [literal(1_usize)]);
    assert_eq!(results::<Stack>(&frame), [Some(stack(&[1])), None]);
    let (frame, _) = call(&suite, "boxed", [structure(stack(&[1]))], []);
    assert_eq!(results::<Stack>(&frame), [Some(stack(&[1]))]);
    for really in [true, false] {
        let (frame, _) = call(&suite, "wrapped", [structure(stack(&[1]))], [literal(really)]);
        assert_eq!(results::<Stack>(&frame), [really.then(|| stack(&[1]))]);
    }
}

#[test]
fn an_error_gives_no_structures_and_leaves_what_was_borrowed() {
    let suite = Stack::suite();
    let stacks = |third| [structure(stack(&[1])), structure(stack(&[2])), structure(stack(third))];
    let (frame, outcome) = call(&suite, "merge", stacks(&[3]), []);
    assert_eq!(outcome, Outcome::Returned);
    assert_eq!(results::<Stack>(&frame), [Some(stack(&[1, 2, 3])), None]);
    assert_eq!(argument::<Stack>(&frame, 1), Some(stack(&[])));
    let (frame, outcome) = call(&suite, "merge", stacks(&[]), []);
    assert_eq!(outcome, Outcome::Error);
    assert_eq!(argument::<Stack>(&frame, 0), None);
    assert_eq!(argument::<Stack>(&frame, 1), Some(stack(&[2])));
    let (_, outcome) = call(&suite, "refuse", [structure(stack(&[]))], []);
    assert_eq!(outcome, Outcome::Error);
}

#[test]
fn values_that_borrow_are_dropped_before_the_call_ends() {
    let suite = Stack::suite();
    let (frame, _) = call(&suite, "drain", [structure(stack(&[1]))], []);
    assert_eq!(argument::<Stack>(&frame, 0), Some(stack(&[])));
    call(&suite, "iter", [structure(stack(&[1]))], []);
}

/// A recipe of `method` by name.
fn recipe(method: &str, arguments: Vec<Argument>, output: usize) -> Recipe {
    let method = Stack::suite().find_method(method).unwrap();
    Recipe { method, arguments, output, panics: false }
}

fn given(recipe: Recipe) -> Argument {
    Argument::Structure(Box::new(recipe))
}

fn written(literal: &str) -> Argument {
    Argument::Literal(literal.to_owned())
}

fn pushed(value: &str) -> Recipe {
    recipe("push", vec![given(recipe("new", vec![], 0)), written(value)], 0)
}

/// A recipe that passes through every kind of result.
fn long_recipe() -> Recipe {
    let boxed = recipe("boxed", vec![given(pushed("1"))], 1);
    let kept = recipe("keep", vec![given(pushed("2")), given(boxed)], 0);
    let spare = recipe("spare", vec![given(kept)], 1);
    let wrapped = recipe("wrapped", vec![given(spare), written("true")], 1);
    let first = recipe("halves", vec![given(wrapped), written("1")], 1);
    recipe("merge", vec![given(first), given(pushed("3")), given(pushed("4"))], 3)
}

#[test]
fn a_recipe_is_written_as_source_that_compiles_and_builds_its_structure() {
    let (source, variable) = to_source(&Stack::suite(), &long_recipe());
    let written = format!("{{\n{source}\n{variable}\n}}\n");
    assert_eq!(written, include_str!("recipes/merge.rs.in"));
    let built: Stack = include!("recipes/merge.rs.in");
    assert_eq!(built, stack(&[1, 3, 4]));
}
