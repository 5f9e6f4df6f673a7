#[derive(Clone, beget::Heap)]
struct Stack<T>(Vec<T>);

#[beget::api]
impl<T> Stack<T> {
    pub fn new() -> Self {
        Stack(Vec::new())
    }
}

#[beget::api]
impl Default for Stack<u8> {
    fn default() -> Self {
        Stack::new()
    }
}

fn main() {}
