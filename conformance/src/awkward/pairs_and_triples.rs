//! Methods on two and three structures, by value and by reference.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Stack { values: Vec<u8> }
}

impl Stack {
    pub fn new() -> Self {
        Stack { values: Vec::new() }
    }

    pub fn push(&mut self, value: u8) {
        self.values.push(value);
    }

    pub fn append(&mut self, other: &mut Self) {
        self.values.append(&mut other.values);
    }

    pub fn merge(self, other: Stack) -> Stack {
        let values = self.values.into_iter().zip(other.values).map(|(a, b)| a.max(b));
        Stack { values: values.collect() }
    }

    pub fn rotate(&mut self, second: &mut Stack, third: &mut Self) {
        std::mem::swap(self, second);
        std::mem::swap(second, third);
    }

    pub fn pick(&self, second: &Stack, third: Stack) -> Option<Stack> {
        (self.values.len() > second.values.len()).then_some(third)
    }
}

both! {
    /// Stacks.
    suite Stacks "awkward::pairs_and_triples" {
        for Stack {
            fn new() -> Self;
            fn push(&mut self, value: u8);
            fn append(&mut self, other: &mut Self);
            fn merge(self, other: Stack) -> Stack;
            fn rotate(&mut self, second: &mut Stack, third: &mut Self);
            fn pick(&self, second: &Stack, third: Stack) -> Option<Stack>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Stacks, Scope::of(2))
}
