#[derive(beget::Heap)]
#[heap(nmae = "list")]
struct List {
    #[heap(skp)]
    near: u8,
    #[heap(frobnicate)]
    far: u8,
    #[heap(unsafe(ptr))]
    pointer: *mut u8,
}

fn main() {}
