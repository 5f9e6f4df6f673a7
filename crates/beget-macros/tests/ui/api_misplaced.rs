#[derive(Clone, beget::Heap)]
pub struct Stack;

impl Stack {
    #[beget::api]
    pub fn new() -> Self {
        Stack
    }

    #[beget::invariant]
    fn is_sound(&self) -> bool {
        true
    }
}

#[beget::api]
struct Queue;

fn main() {}
