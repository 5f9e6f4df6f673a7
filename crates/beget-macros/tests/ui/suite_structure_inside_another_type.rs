#[derive(Clone, beget::Heap)]
struct Stack;

beget::suite! {
    suite Stacks for Stack {
        fn join(&mut self, others: Vec<Self>);
        fn maybe(&mut self, other: Option<&Stack>);
        fn rc(self: std::rc::Rc<Self>);
    }
}

fn main() {}
