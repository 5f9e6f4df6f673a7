#[derive(beget::Heap)]
struct List {
    #[heap(unsafe(pointer))]
    head: Box<u8>,
}

fn main() {}
