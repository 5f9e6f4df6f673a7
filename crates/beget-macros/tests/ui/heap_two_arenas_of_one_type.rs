#[derive(beget::Heap)]
struct Graph {
    #[heap(arena)]
    left: Vec<Node>,
    #[heap(arena)]
    right: Vec<Node>,
}

#[derive(beget::Heap)]
struct Node;

fn main() {}
