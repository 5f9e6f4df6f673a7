#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    #[beget::invariant]
    fn is_sound(&self) -> u8 {
        1
    }
}

fn main() {}
