#[derive(Clone, beget::Heap)]
struct Stack;

#[derive(Clone, beget::Heap)]
struct Queue;

beget::suite! {
    suite Both {
        for Stack {
            fn new() -> Self;
        }
        for Queue {
            fn new() -> Self;
        }
    }
}

fn main() {}
