//! What is wrong in a declaration is said there, and not again where the type is used.

#[derive(beget::Heap)]
pub struct Cache<K, V> {
    #[heap(ignore)]
    entries: Vec<(K, V)>,
}

#[beget::api]
impl<K: Clone, V> Cache<K, V> {
    pub fn new() -> Self {
        Cache { entries: Vec::new() }
    }
}

#[derive(beget::Heap)]
pub struct Steps {
    steps: Vec<Box<dyn Fn()>>,
}

#[beget::api]
impl Steps {
    pub fn new() -> Self {
        Steps { steps: Vec::new() }
    }

    pub fn push(&mut self, step: fn()) {
        self.steps.push(Box::new(step));
    }
}

pub struct Reader<'a>(&'a str);

#[beget::api]
impl<'a> Reader<'a> {
    pub fn new() -> Self {
        Reader("")
    }
}

fn main() {
    beget::check!(Cache<u8, u8>);
    beget::check!(Steps);
    beget::check!(Reader<'static>);
}
