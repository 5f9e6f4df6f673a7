//! `suite!` and `api`: the suite they describe and the calls they make.
#![deny(missing_docs, warnings)]
#![forbid(unsafe_code)]

use std::any::Any;

use beget::HasSuite;
use beget::suites::{Call, Frame, Literal, Outcome, Passing, Suite, TypeIdx};

beget::suite! {
    /// The standard double-ended queue.
    #[name = "std::deque"]
    pub suite Deque for std::collections::VecDeque<u8> {
        fn new() -> Self;
        fn push_back(&mut self, value: u8);
        fn pop_front(&mut self) -> Option<u8>;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, at: usize) -> Self;
        fn two(first: u8, second: &u8) -> Self = two;
        fn put(&mut self, value: u8) = push_back;
        fn of(values: &[u8]) -> Self = Self::from_iter_of;
    }
}

trait FromSlice {
    fn from_iter_of(values: &[u8]) -> Self;
}

impl FromSlice for std::collections::VecDeque<u8> {
    fn from_iter_of(values: &[u8]) -> Self {
        values.iter().copied().collect()
    }
}

type VecDeque = std::collections::VecDeque<u8>;

fn two(first: u8, second: &u8) -> VecDeque {
    [first, *second].into()
}

/// Calls `method` with the structures and literals; the frame it leaves.
fn call(
    suite: &Suite,
    method: &str,
    structures: Vec<Box<dyn Any>>,
    literals: &[Literal],
) -> (Frame, Outcome) {
    let mut frame =
        Frame { arguments: structures.into_iter().map(Some).collect(), results: vec![] };
    let literals: Vec<&Literal> = literals.iter().collect();
    let method = suite.method(method).unwrap();
    let outcome = (method.call)(&mut Call::new(&mut frame, &literals));
    (frame, outcome)
}

fn literal<T: Send + Sync + 'static>(value: T) -> Literal {
    Literal { value: std::sync::Arc::new(value), source: String::new() }
}

#[track_caller]
fn argument<T: Clone + 'static>(frame: &Frame, index: usize) -> T {
    frame.arguments[index].as_ref().unwrap().downcast_ref::<T>().unwrap().clone()
}

#[track_caller]
fn result<T: Clone + 'static>(frame: &Frame, index: usize) -> Option<T> {
    frame.results[index].as_ref().map(|value| value.downcast_ref::<T>().unwrap().clone())
}

#[test]
fn a_suite_tells_names_signatures_and_passing() {
    let suite = Deque::suite();
    assert_eq!(
        (suite.name.as_str(), suite.doc),
        ("std::deque", "The standard double-ended queue.")
    );
    assert_eq!(suite.types[0].name, "VecDeque<u8>");
    let described: Vec<_> =
        suite.methods.iter().map(|method| (method.name, method.path, method.signature)).collect();
    assert_eq!(
        described,
        [
            ("new", "VecDeque::<u8>::new", "fn new() -> Self"),
            ("push_back", "VecDeque::<u8>::push_back", "fn push_back(&mut self, value: u8)"),
            ("pop_front", "VecDeque::<u8>::pop_front", "fn pop_front(&mut self) -> Option<u8>"),
            ("append", "VecDeque::<u8>::append", "fn append(&mut self, other: &mut Self)"),
            (
                "split_off",
                "VecDeque::<u8>::split_off",
                "fn split_off(&mut self, at: usize) -> Self"
            ),
            ("two", "two", "fn two(first: u8, second: &u8) -> Self"),
            ("put", "VecDeque::<u8>::push_back", "fn put(&mut self, value: u8)"),
            ("of", "VecDeque::<u8>::from_iter_of", "fn of(values: &[u8]) -> Self"),
        ]
    );
    let passed: Vec<_> = suite.methods[3].structure_params().collect();
    assert_eq!(passed, [(TypeIdx(0), Passing::Mut), (TypeIdx(0), Passing::Mut)]);
    assert!(suite.types[0].clone.is_some() && !suite.types[0].is_abstracted);
}

#[test]
fn calls_reach_the_methods_and_give_what_they_return() {
    let suite = Deque::suite();
    let (frame, outcome) = call(&suite, "new", vec![], &[]);
    assert_eq!((result::<VecDeque>(&frame, 0), outcome), (Some([].into()), Outcome::Returned));
    let (frame, _) = call(&suite, "two", vec![], &[literal(1_u8), literal(2_u8)]);
    assert_eq!(result::<VecDeque>(&frame, 0), Some([1, 2].into()));
    let (frame, _) = call(&suite, "put", vec![Box::new(VecDeque::from([1]))], &[literal(2_u8)]);
    assert_eq!(argument::<VecDeque>(&frame, 0), [1, 2]);
    assert!(frame.results.is_empty());
    let slice = literal(beget::suites::Slice(vec![3_u8, 4]));
    let (frame, _) = call(&suite, "of", vec![], &[slice]);
    assert_eq!(result::<VecDeque>(&frame, 0), Some([3, 4].into()));
    let deques: Vec<Box<dyn Any>> =
        vec![Box::new(VecDeque::from([1])), Box::new(VecDeque::from([2]))];
    let (frame, _) = call(&suite, "append", deques, &[]);
    assert_eq!(argument::<VecDeque>(&frame, 0), [1, 2]);
    assert_eq!(argument::<VecDeque>(&frame, 1), []);
}
