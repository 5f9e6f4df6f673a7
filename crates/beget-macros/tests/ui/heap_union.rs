#[derive(beget::Heap)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}
