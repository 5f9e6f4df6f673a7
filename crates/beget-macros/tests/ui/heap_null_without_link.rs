#[derive(beget::Heap)]
struct List {
    #[heap(null = 0)]
    first: usize,
}

fn main() {}
