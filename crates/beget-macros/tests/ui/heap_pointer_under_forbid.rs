#![forbid(unsafe_code)]

#[derive(beget::Heap)]
struct List {
    #[heap(unsafe(pointer))]
    head: *mut u8,
}

fn main() {}
