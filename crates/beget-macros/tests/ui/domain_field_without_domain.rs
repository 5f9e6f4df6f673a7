#[derive(Clone, beget::Domain)]
struct Options {
    path: std::time::Instant,
}

fn main() {}
