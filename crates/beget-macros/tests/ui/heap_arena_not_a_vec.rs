#[derive(beget::Heap)]
struct List {
    #[heap(arena)]
    nodes: std::collections::VecDeque<u8>,
}

fn main() {}
