#[derive(beget::Heap)]
struct Timer {
    since: std::time::Instant,
}

fn main() {}
