#[derive(Clone, beget::Heap)]
struct Stack;

beget::suite! {
    suite Stacks for Stack {
        fn join(&mut self, others: std::collections::VecDeque<Self>);
        fn maybe(&mut self, other: (&Stack, u8));
        fn rc(self: std::pin::Pin<&mut Self>);
    }
}

fn main() {}
