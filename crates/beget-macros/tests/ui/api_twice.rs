#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }
}

#[beget::api]
impl Stack {
    pub fn push(&mut self) {}
}

fn main() {}
