#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    #[api(requires)]
    pub fn pop(&mut self) {}

    #[api(ensures = true)]
    pub fn push(&mut self) {}
}

beget::suite! {
    suite Stacks for Stack {
        #[requires]
        fn pop(&mut self);
        #[ensures]
        fn push(&mut self);
    }
}

fn main() {}
