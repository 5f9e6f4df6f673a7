/// No path of a file system.
#[derive(Clone)]
pub struct Path(Vec<u8>);

#[derive(Clone, beget::Heap)]
pub struct Map;

#[beget::api]
impl Map {
    pub fn new() -> Self {
        Map
    }

    pub fn walk(&mut self, path: &Path) {
        drop(path.0.clone());
    }
}

fn main() {}
