#[derive(Clone, beget::Heap)]
pub struct Stack;

impl Stack {
    pub fn new() -> Self {
        Stack
    }
}

fn main() {
    beget::check!(Stack);
    beget::for_all!(Stack, |_| true);
    beget::random!(Stack);
    beget::diff!(Stack, Stack);
}
