struct Stack;

impl Stack {
    fn new() -> Self {
        Stack
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn new() -> Self;
    }
}

fn main() {}
