#[derive(Clone, beget::Heap)]
struct Stack;

impl Stack {
    fn push(&mut self, _: u8) -> bool {
        true
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn push(&mut self, value: u8);
        fn pop(&mut self) -> Option<u8>;
    }
}

fn main() {}
