//! Recipes that are deeper than a stack.

#![allow(unreachable_pub, reason = "the types stand for those of a library")]

use beget::{HasSuite, Heap};
use beget_suite::{Argument, MethodIdx, Recipe, to_source};

#[derive(Clone, Heap)]
struct Counter {
    count: u32,
}

#[beget::api]
impl Counter {
    pub fn new() -> Self {
        Counter { count: 0 }
    }

    pub fn add(&mut self) {
        self.count += 1;
    }
}

#[test]
fn a_recipe_of_200000_calls_is_cloned_printed_and_dropped() {
    let call = |method, arguments| {
        let method = MethodIdx::new(method);
        Recipe { method, arguments, output: 0, panics: false }
    };
    let add = |recipe, _| call(1, vec![Argument::Structure(Box::new(recipe))]);
    let recipe = (0..200_000).fold(call(0, Vec::new()), add);
    assert_eq!(recipe.clone().n_calls(), 200_001);
    let (source, name) = to_source(&Counter::suite(), &recipe);
    assert_eq!(source.lines().count(), 200_001);
    assert!(source.starts_with("let mut counter = Counter::new();\nlet _ = counter.add();\n"));
    assert_eq!(name, "counter");
}
