#[derive(beget::Heap)]
struct Graph {
    #[heap(arena)]
    a: Vec<u8>,
    #[heap(arena)]
    b: Vec<u16>,
    #[heap(arena)]
    c: Vec<u32>,
    #[heap(arena)]
    d: Vec<u64>,
}

fn main() {}
