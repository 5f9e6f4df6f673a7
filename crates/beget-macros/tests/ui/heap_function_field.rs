#[derive(beget::Heap)]
struct Machine {
    step: fn(u8) -> u8,
    all: Vec<Box<dyn Fn()>>,
}

fn main() {}
