#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    #[api]
    pub fn push(&mut self) {}

    #[beget::invariant(always)]
    fn is_sound(&self) -> bool {
        true
    }
}

#[beget::api]
impl Stack {
    #[beget::invariant]
    fn is_full(&mut self) -> bool {
        true
    }
}

#[beget::api]
impl Stack {
    #[api(values(mode = [1]))]
    pub fn look(&self) {}
}

fn main() {}
