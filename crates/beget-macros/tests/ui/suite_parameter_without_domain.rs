#[derive(Clone, beget::Heap)]
struct Stack;

impl Stack {
    fn open(_: std::path::PathBuf) -> Self {
        Stack
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn open(path: std::path::PathBuf) -> Self;
    }
}

fn main() {}
