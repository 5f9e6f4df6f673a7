use std::rc::Rc;

trait Step {}

#[derive(Clone, beget::Heap)]
struct Pipeline;

#[beget::api]
impl Pipeline {
    pub fn new() -> Self {
        Pipeline
    }

    pub fn push(&mut self, step: Box<dyn Step>) {}

    pub fn share(&mut self, first: u8, step: Rc<dyn Step>) {}

    pub fn try_one(&self, step: &dyn Step) {}
}

fn main() {}
