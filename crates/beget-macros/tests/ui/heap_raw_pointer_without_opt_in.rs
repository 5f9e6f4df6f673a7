#[derive(beget::Heap)]
struct List {
    head: *mut u8,
    tail: Option<std::ptr::NonNull<u8>>,
    all: Vec<*const u8>,
    inside: std::cell::Cell<std::ptr::NonNull<u8>>,
}

fn main() {}
