#[derive(beget::Heap)]
struct File {
    path: std::path::PathBuf,
}

fn main() {}
