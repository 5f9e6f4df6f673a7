//! Sequences as the source of tests: what compiles wherever the types are in scope.
#![allow(
    missing_docs,
    clippy::new_without_default,
    reason = "the types stand for those of a library"
)]

use std::collections::BinaryHeap;

use beget::{HasSuite, Heap};
use beget_suite::{
    Argument, Binding, MethodIdx, Operand, Recipe, ReturnValue, Sequence, Statement, Suite,
    Variable, plain_value,
};

beget::suite! {
    pub suite Queue for BinaryHeap<u8> {
        abstraction |heap| -> Vec<u8> { heap.iter().copied().collect() };
        fn from(items: [u8; 2]) -> Self = From::from;
        fn new() -> Self;
        fn push(&mut self, item: u8);
        fn peek(&self) -> Option<&u8>;
    }
}

/// A type whose name in snake case is a keyword.
#[derive(Clone, Debug, Heap)]
pub struct Match {
    value: u8,
}

#[beget::api]
impl Match {
    pub fn new() -> Self {
        Match { value: 0 }
    }

    pub fn add(&mut self, n: i8) -> u8 {
        self.value = self.value.saturating_add_signed(n);
        self.value
    }
}

fn call(suite: &Suite, name: &str, arguments: Vec<Argument>) -> Recipe {
    let method = suite.find_method(name).unwrap();
    Recipe { method, arguments, output: 0, panics: false }
}

fn literal(source: &str) -> Argument {
    Argument::Literal(source.to_owned())
}

fn structure(recipe: Recipe) -> Argument {
    Argument::Structure(Box::new(recipe))
}

#[test]
fn a_trait_s_function_does_not_tell_the_type_of_what_it_makes() {
    let suite = Queue::suite();
    let from = call(&suite, "from", vec![literal("[0, 1]")]);
    let pushed = call(&suite, "push", vec![structure(from), literal("2")]);
    let (source, name) = beget::suites::to_source(&suite, &pushed);
    let expected =
        "let mut binary_heap: BinaryHeap<u8> = From::from([0, 1]);\nlet _ = binary_heap.push(2);";
    assert_eq!((source.as_str(), name.as_str()), (expected, "binary_heap"));
    // And that it compiles.
    let mut binary_heap: BinaryHeap<u8> = From::from([0, 1]);
    let _: () = binary_heap.push(2);
    // Other functions tell it.
    let (new, _) = beget::suites::to_source(&suite, &call(&suite, "new", Vec::new()));
    assert_eq!(new, "let binary_heap = BinaryHeap::<u8>::new();");
}

#[test]
fn no_variable_has_the_name_of_a_keyword() {
    let suite = Match::suite();
    let new = call(&suite, "new", Vec::new());
    let added = call(&suite, "add", vec![structure(new), literal("1")]);
    let (source, name) = beget::suites::to_source(&suite, &added);
    assert_eq!(source, "let mut value = Match::new();\nlet _ = value.add(1);");
    assert_eq!(name, "value");
}

#[test]
fn a_test_writes_calls_as_it_likes() {
    let suite = Match::suite();
    let method = |name| suite.find_method(name).unwrap();
    let new = Statement {
        method: method("new"),
        arguments: Vec::new(),
        bindings: vec![Binding { output: 0, variable: Variable(0) }],
        ends: vec![],
        panics: false,
    };
    let add = |n: &str, panics| Statement {
        method: method("add"),
        arguments: vec![Operand::Variable(Variable(0)), Operand::Literal(n.to_owned())],
        bindings: Vec::new(),
        ends: vec![],
        panics,
    };
    let statements = vec![new, add("1", false), add("-1", false), add("2", true)];
    let sequence = Sequence { statements, result: None };
    let mut asked = Vec::new();
    let asked_of = std::cell::RefCell::new(&mut asked);
    let (lines, name) = sequence.to_test_source(&suite, &|index, call| {
        asked_of.borrow_mut().push(index);
        (index == 2).then(|| format!("assert_eq!({call}, 0);"))
    });
    assert_eq!(
        lines,
        [
            "let mut value = Match::new();",
            "let _ = value.add(1);",
            "assert_eq!(value.add(-1), 0);",
            "let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| value.add(2)));",
        ]
    );
    // What binds or panics is written by the sequence alone.
    assert_eq!((name.as_str(), asked), ("", vec![1, 2]));
}

#[test]
fn names_tell_the_calls_and_are_cut() {
    let suite = Match::suite();
    let mut recipe = call(&suite, "new", Vec::new());
    recipe = call(&suite, "add", vec![structure(recipe), literal("-1")]);
    assert_eq!(recipe.to_name(&suite), "new_add_minus_1");
    for _ in 0..20 {
        recipe = call(&suite, "add", vec![structure(recipe), literal("10")]);
    }
    let name = recipe.to_name(&suite);
    assert!(name.starts_with("new_add_minus_1_add_10_add_10") && name.len() <= 60, "{name}");
    assert!(!name.ends_with('_'));
}

#[test]
fn what_equals_itself_is_told() {
    struct Opaque;
    let shows = |value: &beget_suite::PlainValue| value.equals_itself;
    assert!(shows(&plain_value!(&3_u8)));
    assert!(shows(&plain_value!("text")));
    assert!(!shows(&plain_value!(&f64::NAN)));
    let list = [0.5, f64::NAN];
    assert!(!shows(&plain_value!(&list)));
    assert!(!shows(&plain_value!(&Opaque)));
}

/// The glue of the macros tells it too.
#[test]
fn results_of_methods_tell_it() {
    let suite = Match::suite();
    let mut frame = beget_suite::Frame::default();
    frame.arguments.push(Some(Box::new(Match::new())));
    let one = beget::suites::Literal::new(1_i8);
    let literals = [&one];
    let method = suite.method(MethodIdx::new(1));
    let (_, returned) = method.observe(&mut beget_suite::Call::new(&mut frame, &literals));
    let Some(ReturnValue::Plain(value)) = returned else { panic!("{returned:?}") };
    assert!(value.equals_itself);
}
