//! Trait objects.

use std::fmt::Debug;

/// What a pipeline does with a number.
pub trait Step: Debug {
    /// The next number, or nothing if it stops here.
    fn apply(&self, number: u8) -> Option<u8>;
}

/// Stops at larger numbers.
#[derive(Debug)]
pub struct AtMost(pub u8);

impl Step for AtMost {
    fn apply(&self, number: u8) -> Option<u8> {
        (number <= self.0).then_some(number)
    }
}

/// Adds to each number.
#[derive(Debug)]
pub struct Plus(pub u8);

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

    /// Adds a step at the end.
    #[cfg_attr(test, api(values(step = [Box::new(AtMost(1)), Box::new(Plus(0)), Box::new(Plus(1))])))]
    pub fn push(&mut self, step: Box<dyn Step>) {
        self.steps.push(step);
    }

    /// Whether a step would let a number through behind all others.
    #[cfg_attr(test, api(values(step = [AtMost(0), Plus(1)])))]
    pub fn lets_through(&self, number: u8, step: &dyn Step) -> bool {
        self.run(number).and_then(|number| step.apply(number)).is_some()
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
        // At most 3 steps, each one of three.
        let pipelines = beget::check!(Pipeline, k = 3, ints = 0..2);
        assert_eq!(pipelines.generated(), 1 + 3 + 9 + 27);
    }
}
