#[derive(beget::Heap)]
pub struct Stack {
    head: Option<Box<Node>>,
    len: usize,
}

struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

fn main() {}
