#[derive(Clone, beget::Domain)]
struct Options {
    path: std::path::PathBuf,
}

fn main() {}
