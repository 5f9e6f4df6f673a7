//! Sequences with variables: as source, checked, executed, written down; and that every recipe is
//! one.
#![deny(missing_docs, warnings)]
#![allow(clippy::let_and_return, clippy::let_unit_value, reason = "sequences are uniform")]
#![forbid(unsafe_code)]

use crate::recipe_twin;

use std::any::Any;

use beget::{HasSuite, Heap};
use beget_heap::{Bounds, CanonicalForm, canonical_form};
use beget_search::sequence_data::{SequenceData, SequenceDataError};
use beget_suite::{
    Binding, Execution, Literal, MethodIdx, Operand, Outcome, Recipe, Sequence, SequenceError,
    SequenceProblem, Statement, UnknownLiteral, Variable, to_source,
};
use proptest::prelude::*;

/// A stack that can hold another one.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Stack {
    values: Vec<u8>,
    spare: Option<Box<Stack>>,
}

/// What a stack is poured into.
#[derive(Clone, Debug, Default, PartialEq, Heap)]
pub struct Bowl {
    sum: u32,
}

beget::suite! {
    /// Stacks with several results, and bowls.
    pub suite Stacks {
        for Stack {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn append(&mut self, other: &mut Self);
            fn keep(&mut self, spare: Self);
            fn spare(&self) -> Option<&Self>;
            fn cut(self, at: usize) -> (Self, Option<(Self, Box<Self>)>, u8);
            fn checked(self) -> Result<Box<(Self, Self)>, u8>;
            fn is_prefix_of(&self, other: &Self) -> bool;
            fn pour(self, bowl: &mut Bowl);
        }
        for Bowl {
            fn empty() -> Self = Bowl::default;
        }
    }
}

impl Stack {
    fn new() -> Self {
        Stack { values: Vec::new(), spare: None }
    }

    fn push(&mut self, value: u8) {
        self.values.push(value);
    }

    fn append(&mut self, other: &mut Self) {
        self.values.append(&mut other.values);
    }

    fn keep(&mut self, spare: Self) {
        self.spare = Some(Box::new(spare));
    }

    fn spare(&self) -> Option<&Self> {
        self.spare.as_deref()
    }

    fn cut(mut self, at: usize) -> (Self, Option<(Self, Box<Self>)>, u8) {
        let rest = (at < self.values.len()).then(|| stack(&self.values.split_off(at)));
        (self, rest.map(|rest| (rest.clone(), Box::new(rest))), 0)
    }

    fn checked(self) -> Result<Box<(Self, Self)>, u8> {
        match self.values.first() {
            Some(&first) => Err(first),
            None => Ok(Box::new((self.clone(), self))),
        }
    }

    fn is_prefix_of(&self, other: &Self) -> bool {
        other.values.starts_with(&self.values)
    }

    fn pour(self, bowl: &mut Bowl) {
        bowl.sum += self.values.iter().map(|&value| u32::from(value)).sum::<u32>();
    }
}

fn stack(values: &[u8]) -> Stack {
    Stack { values: values.to_vec(), spare: None }
}

/// A statement: `results = method(arguments)`; a digit with a `$` is a variable, `_` an output that
/// is not kept.
fn statement(results: &str, method: &str, arguments: &str) -> Statement {
    let number = |text: &str| text.strip_prefix('$').map(|n| Variable(n.parse().unwrap()));
    let operand = |text: &str| match number(text) {
        Some(variable) => Operand::Variable(variable),
        None => Operand::Literal(text.to_owned()),
    };
    let results = results.split_whitespace().enumerate();
    let bindings = results
        .filter_map(|(output, text)| number(text).map(|variable| Binding { output, variable }));
    Statement {
        method: position(method),
        arguments: arguments.split_whitespace().map(operand).collect(),
        bindings: bindings.collect(),
        ends: vec![],
        panics: false,
    }
}

fn position(method: &str) -> MethodIdx {
    Stacks::suite().find_method(method).unwrap()
}

fn sequence(statements: &[(&str, &str, &str)], result: Option<usize>) -> Sequence {
    let statements =
        statements.iter().map(|(results, method, arguments)| statement(results, method, arguments));
    Sequence { statements: statements.collect(), result: result.map(Variable) }
}

/// The literals are small numbers.
fn number(method: MethodIdx, index: usize, source: &str) -> Option<Literal> {
    let suite = Stacks::suite();
    let (_, domain) = suite.method(method).literal_params().nth(index).unwrap();
    let value: u8 = source.parse().ok()?;
    match domain.ty {
        "usize" => Some(Literal::new(usize::from(value))),
        _ => Some(Literal::new(value)),
    }
}

/// Uses a variable again after it was changed and while others hold parts of it, binds every
/// result, and passes a variable twice.
fn long_sequence() -> Sequence {
    let statements = [
        ("$0", "new", ""),
        ("", "push", "$0 1"),
        ("", "push", "$0 2"),
        ("$1", "new", ""),
        ("", "push", "$1 3"),
        ("", "append", "$0 $1"),
        ("", "push", "$1 4"),
        ("", "keep", "$0 $1"),
        ("$2", "spare", "$0"),
        ("", "push", "$2 5"),
        ("", "is_prefix_of", "$0 $0"),
        ("$3 $4 $5", "cut", "$0 1"),
        ("$6", "empty", ""),
        ("", "pour", "$3 $6"),
        ("", "append", "$4 $2"),
        ("$7 $8", "checked", "$2"),
        ("", "push", "$8 6"),
        ("", "append", "$8 $4"),
        ("", "push", "$7 7"),
        ("", "append", "$8 $7"),
        ("", "keep", "$8 $5"),
    ];
    sequence(&statements, Some(8))
}

#[test]
fn a_sequence_is_written_as_source_that_compiles_and_leaves_its_values() {
    let (source, result) = long_sequence().to_source(&Stacks::suite());
    let written = format!("{{\n{source}\n{result}\n}}\n");
    assert_eq!(written, include_str!("sequences/long.rs.in"));
    let built: Stack = include!("sequences/long.rs.in");
    let spare = Some(Box::new(stack(&[2, 3])));
    assert_eq!(built, Stack { values: vec![6, 2, 3, 4, 5, 7], spare });
    let values = long_sequence().execute(&Stacks::suite(), number).unwrap().0;
    assert_eq!(values[8].as_ref().unwrap().downcast_ref(), Some(&built));
}

#[test]
fn only_structures_that_are_used_are_bound_in_source() {
    let source = |results, result| {
        let statements = [("$0", "new", ""), (results, "cut", "$0 0")];
        sequence(&statements, result).to_source(&Stacks::suite())
    };
    let lines = |second: &str| format!("let stack = Stack::new();\n{second}");
    assert_eq!(source("$1 $2 $3", None), (lines("let _ = stack.cut(0);"), "".into()));
    let second = lines("let stack_2 = *stack.cut(0).1.unwrap().1;");
    assert_eq!(source("$1 $2 $3", Some(3)), (second, "stack_2".into()));
}

#[test]
fn execution_gives_all_values_and_an_outcome_for_each_statement() {
    let suite = Stacks::suite();
    let statements = [
        ("$0", "new", ""),
        ("", "push", "$0 1"),
        ("$1", "spare", "$0"),
        ("", "push", "$1 2"),
        ("$2", "new", ""),
        ("", "is_prefix_of", "$0 $0"),
        ("$3 $4", "checked", "$0"),
        ("", "append", "$2 $3"),
    ];
    let sequence = sequence(&statements, None);
    sequence.check(&suite).unwrap();
    let (values, outcomes) = sequence.execute(&suite, number).unwrap();
    let returned = Some(Outcome::Returned);
    let error = Some(Outcome::Error);
    assert_eq!(
        outcomes,
        [returned, returned, returned, None, returned, returned, error, None],
        "statements are left out whose variables hold nothing"
    );
    let held: Vec<_> = values.iter().map(Option::is_some).collect();
    assert_eq!(held, [false, false, true, false, false]);
}

#[test]
fn calls_are_made_as_the_caller_likes_and_one_at_a_time() {
    let suite = Stacks::suite();
    let mut execution = Execution::new(&suite);
    let mut step = |line: (&str, &str, &str), literals: &[&Literal]| {
        let statement = statement(line.0, line.1, line.2);
        execution.step(&statement, literals, |method, call| {
            let (_, shown) = method.observe(call);
            (method.name, shown.map(|shown| shown.to_string()))
        })
    };
    assert_eq!(step(("$0", "new", ""), &[]), Some(("new", None)));
    assert_eq!(step(("", "push", "$0 9"), &[&Literal::new(9_u8)]), Some(("push", None)));
    let shown = Some(("is_prefix_of", Some("true".to_owned())));
    assert_eq!(step(("", "is_prefix_of", "$0 $0"), &[]), shown);
    let shown = Some(("checked", Some("Err(9)".to_owned())));
    assert_eq!(step(("", "checked", "$0"), &[]), shown);
    assert_eq!(step(("", "push", "$0 9"), &[]), None, "the stack was taken");
    assert!(execution.value(Variable(0)).is_none() && execution.value(Variable(1)).is_none());
}

#[test]
fn a_literal_that_is_not_found_is_an_error_before_any_call() {
    let sequence = sequence(&[("$0", "new", ""), ("", "push", "$0 many")], None);
    let error = sequence.execute(&Stacks::suite(), number).unwrap_err();
    assert_eq!(error, UnknownLiteral { source: "many".into() });
}

#[test]
fn what_is_no_sequence_of_the_suite_is_refused_where_it_is_wrong() {
    #[track_caller]
    fn check(more: &[(&str, &str, &str)], result: Option<usize>, problem: SequenceProblem) {
        let statements = [&[("$0", "new", ""), ("$1", "empty", "")], more].concat();
        let expected =
            SequenceError { statement: statements.len() - usize::from(result.is_none()), problem };
        let sequence = sequence(&statements, result);
        assert_eq!(sequence.check(&Stacks::suite()), Err(expected));
    }
    use SequenceProblem::*;
    check(&[("", "push", "$0")], None, Arguments);
    check(&[("", "push", "1 $0")], None, Arguments);
    check(&[("", "push", "$1 1")], None, Type(Variable(1)));
    check(&[("", "push", "$2 1")], None, Unbound(Variable(2)));
    check(&[("", "append", "$0 $0")], None, Aliased(Variable(0)));
    check(&[("", "keep", "$0 $0")], None, Aliased(Variable(0)));
    check(&[("", "pour", "$0 $1"), ("", "push", "$0 1")], None, Unbound(Variable(0)));
    check(&[("$0", "new", "")], None, BoundTwice(Variable(0)));
    check(&[("$3", "new", "")], None, Gap(Variable(3)));
    check(&[("_ $2", "new", "")], None, Output(1));
    check(&[("", "pour", "$0 $1")], Some(0), Unbound(Variable(0)));
    long_sequence().check(&Stacks::suite()).unwrap();
    let no_method = Statement {
        method: MethodIdx::new(10),
        arguments: vec![],
        bindings: vec![],
        ends: vec![],
        panics: false,
    };
    let sequence = Sequence { statements: vec![no_method], result: None };
    let expected = SequenceError { statement: 0, problem: NoMethod("10".into()) };
    assert_eq!(sequence.check(&Stacks::suite()), Err(expected));
}

#[test]
fn a_sequence_is_written_down_and_read_again() {
    let suite = Stacks::suite();
    let sequence = sequence(&[("$0", "new", ""), ("", "push", "$0 1")], Some(0));
    let json = serde_json::to_string(&SequenceData::of(&suite, &sequence)).unwrap();
    let expected = r#"{"version":1,"statements":[{"method":"new","arguments":[],"bindings":[{"output":0,"variable":0}]},{"method":"push","arguments":[{"variable":0},{"literal":"1"}],"bindings":[]}],"result":0}"#;
    assert_eq!(json, expected);
    let read = |json: &str| serde_json::from_str::<SequenceData>(json).unwrap().to_sequence(&suite);
    assert_eq!(read(&json), Ok(sequence));
    let newer = json.replace("\"version\":1", "\"version\":2");
    assert_eq!(read(&newer), Err(SequenceDataError::Version(2)));
    let problem = SequenceProblem::NoMethod("pull".into());
    let renamed = SequenceDataError::Sequence(SequenceError { statement: 1, problem });
    assert_eq!(read(&json.replace("push", "pull")), Err(renamed));
    let problem = SequenceProblem::Unbound(Variable(18446744073709551615));
    let far = SequenceDataError::Sequence(SequenceError { statement: 1, problem });
    assert_eq!(
        read(&json.replace("[{\"variable\":0}", "[{\"variable\":18446744073709551615}")),
        Err(far)
    );
}

/// The canonical form of a structure of the suite.
fn form(value: &dyn Any) -> CanonicalForm {
    let unlimited = Bounds::unlimited();
    match value.downcast_ref::<Stack>() {
        Some(stack) => canonical_form(stack, &unlimited).unwrap(),
        None => canonical_form(value.downcast_ref::<Bowl>().unwrap(), &unlimited).unwrap(),
    }
}

proptest! {
    #[test]
    fn every_recipe_is_a_sequence_with_the_same_source_and_value(choices: Vec<(u8, u8, u8)>) {
        let suite = Stacks::suite();
        let recipe: Recipe = recipe_twin::recipe(&suite, &choices);
        let sequence = Sequence::of_recipe(&suite, &recipe);
        sequence.check(&suite).unwrap();
        prop_assert_eq!(sequence.statements.len(), recipe.n_calls());
        let source = sequence.to_source(&suite);
        prop_assert_eq!(&source, &recipe_twin::to_source(&suite, &recipe));
        prop_assert_eq!(&source, &to_source(&suite, &recipe));
        let data = SequenceData::of(&suite, &sequence);
        prop_assert_eq!(data.to_sequence(&suite), Ok(sequence.clone()));
        let (mut values, outcomes) = sequence.execute(&suite, number).unwrap();
        prop_assert_eq!(outcomes.len(), sequence.statements.len());
        // A call that is not made leaves its arguments as they were, which the recipe does not
        // mean.
        let reached = outcomes.iter().all(Option::is_some);
        let result = sequence.result.filter(|_| reached);
        let value = result.and_then(|Variable(number)| values.get_mut(number)?.take());
        let replayed = recipe_twin::replay(&suite, &recipe, &number);
        prop_assert_eq!(value.map(|value| form(&*value)), replayed.map(|value| form(&*value)));
    }
}
