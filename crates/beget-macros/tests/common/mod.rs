//! Calls by hand: what the engine does, on plain values.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::any::Any;
use std::sync::Arc;

use beget_suite::{Call, Frame, Literal, Outcome, Suite};

/// A structure to pass.
pub(crate) fn structure<T: 'static>(value: T) -> Box<dyn Any> {
    Box::new(value)
}

/// A literal to pass.
pub(crate) fn literal<T: Send + Sync + 'static>(value: T) -> Literal {
    Literal { value: Arc::new(value), source: String::new() }
}

/// Calls `method`: the frame it leaves, and how it ended.
#[track_caller]
pub(crate) fn call<const S: usize, const L: usize>(
    suite: &Suite,
    method: &str,
    structures: [Box<dyn Any>; S],
    literals: [Literal; L],
) -> (Frame, Outcome) {
    let arguments = structures.into_iter().map(Some).collect();
    let mut frame = Frame { arguments, results: Vec::new() };
    let literals: Vec<&Literal> = literals.iter().collect();
    let method = suite.method_named(method).expect("a method of that name");
    let outcome = (method.call)(&mut Call::new(&mut frame, &literals));
    let expected = if outcome == Outcome::Returned { method.outputs.len() } else { 0 };
    assert_eq!(frame.results.len(), expected, "one result for each output");
    (frame, outcome)
}

/// Argument number `index` after the call; `None` if it was taken.
#[track_caller]
pub(crate) fn argument<T: Clone + 'static>(frame: &Frame, index: usize) -> Option<T> {
    frame.arguments[index].as_ref().map(|value| value.downcast_ref::<T>().unwrap().clone())
}

/// The structures that the call returned.
#[track_caller]
pub(crate) fn results<T: Clone + 'static>(frame: &Frame) -> Vec<Option<T>> {
    let results = frame.results.iter();
    results
        .map(|slot| slot.as_ref().map(|value| value.downcast_ref::<T>().unwrap().clone()))
        .collect()
}
