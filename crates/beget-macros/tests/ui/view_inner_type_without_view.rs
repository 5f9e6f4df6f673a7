#[derive(beget::Heap, beget::HeapView)]
pub struct Stack {
    head: Option<Box<Node>>,
    len: usize,
}

#[derive(beget::Heap)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

fn main() {}
