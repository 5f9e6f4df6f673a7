#[derive(beget::Heap)]
struct List {
    #[heap(arena)]
    nodes: Vec<u8>,
    #[heap(link = u8)]
    first: Vec<bool>,
}

fn main() {}
