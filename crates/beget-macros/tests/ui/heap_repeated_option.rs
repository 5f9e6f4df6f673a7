#[derive(beget::Heap)]
#[heap(name = "a", name = "b")]
struct List {
    #[heap(skip, skip)]
    twice: u8,
    #[heap(skip)]
    #[heap(plain)]
    both: u8,
    #[heap(link = u8, null = 0, null = 1)]
    nulls: u8,
}

fn main() {}
