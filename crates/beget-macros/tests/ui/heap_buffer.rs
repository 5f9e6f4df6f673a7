use std::ptr::NonNull;

#[derive(beget::Heap)]
#[heap(unsafe(pointers))]
struct Bytes {
    first: *mut u8,
    len: usize,
}

#[derive(beget::Heap)]
struct List<T: 'static> {
    #[heap(unsafe(pointer))]
    start: NonNull<T>,
    capacity: usize,
}

struct Entry;

#[derive(beget::Heap)]
#[heap(unsafe(pointers))]
struct Table {
    data: Option<NonNull<Entry>>,
    size: u32,
}

#[derive(beget::Heap)]
struct Unknown {
    #[heap(unsafe(buffer = length))]
    first: *mut u8,
    len: usize,
}

#[derive(beget::Heap)]
struct Other {
    #[heap(unsafe(buffers))]
    first: *mut u8,
    #[heap(unsafe(buffer = a.b))]
    second: *mut u8,
    #[heap(arena(sorted))]
    third: Vec<u8>,
}

fn main() {}
