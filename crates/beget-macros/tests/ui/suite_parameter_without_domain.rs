#[derive(Clone, beget::Heap)]
struct Stack;

impl Stack {
    fn open(_: std::time::Instant) -> Self {
        Stack
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn open(path: std::time::Instant) -> Self;
    }
}

fn main() {}
