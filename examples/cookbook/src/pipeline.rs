//! Trait objects.

use std::fmt::Debug;

/// What a pipeline does with a number.
pub trait Step: Debug {
    /// The next number, or nothing if it stops here.
    fn apply(&self, number: u8) -> Option<u8>;
}

#[derive(Debug)]
struct AtMost(u8);

impl Step for AtMost {
    fn apply(&self, number: u8) -> Option<u8> {
        (number <= self.0).then_some(number)
    }
}

#[derive(Debug)]
struct Plus(u8);

impl Step for Plus {
    fn apply(&self, number: u8) -> Option<u8> {
        number.checked_add(self.0)
    }
}

/// Steps one after another.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Pipeline {
    #[cfg_attr(test, heap(debug))]
    steps: Vec<Box<dyn Step>>,
}

#[cfg_attr(test, beget::api)]
impl Pipeline {
    /// A pipeline that changes nothing.
    pub fn new() -> Self {
        Pipeline::default()
    }

    /// Stops at larger numbers.
    pub fn at_most(&mut self, limit: u8) {
        self.steps.push(Box::new(AtMost(limit)));
    }

    /// Adds to each number.
    pub fn plus(&mut self, number: u8) {
        self.steps.push(Box::new(Plus(number)));
    }

    /// Takes the last step away.
    pub fn undo(&mut self) {
        self.steps.pop();
    }

    /// What becomes of a number.
    pub fn run(&self, number: u8) -> Option<u8> {
        self.steps.iter().try_fold(number, |number, step| step.apply(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pipeline_is_sound() {
        // At most 3 steps, each of two kinds with one of 2 numbers.
        let pipelines = beget::check!(Pipeline, k = 3, ints = 0..2);
        assert_eq!(pipelines.generated(), 1 + 4 + 16 + 64);
    }
}
