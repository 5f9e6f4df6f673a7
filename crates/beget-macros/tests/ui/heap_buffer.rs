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

#[derive(beget::Heap)]
struct Ring {
    #[heap(unsafe(buffer = len))]
    slots: *mut u8,
    head: usize,
    len: usize,
    cap: usize,
}

#[derive(beget::Heap)]
struct RingInPlace {
    #[heap(unsafe(buffer = len))]
    slots: [std::mem::MaybeUninit<u8>; 4],
    start: usize,
    len: usize,
}

#[derive(beget::Heap)]
struct Followed {
    #[heap(unsafe(pointer))]
    buf: *mut u8,
    front: usize,
    capacity: usize,
}

#[derive(beget::Heap)]
struct WithoutRoom {
    #[heap(unsafe(buffer = len, start = head))]
    slots: *mut u8,
    #[heap(unsafe(buffer = len, start = tail, room = 4))]
    more: *mut u8,
    #[heap(unsafe(buffer = len, start = tail, capacity = 4))]
    most: *mut u8,
    #[heap(unsafe(buffer = len))]
    list: Vec<u8>,
    head: usize,
    len: usize,
}

fn main() {}
