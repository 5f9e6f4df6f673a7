#[derive(Clone, beget::Heap)]
struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    pub fn extend<I: Iterator<Item = u8>>(&mut self, _: I) {}

    pub fn retain(&mut self, _: impl FnMut(&u8) -> bool) {}

    pub async fn wait(&self) {}

    pub fn pinned(self: std::pin::Pin<&mut Self>) {}
}

fn main() {
    Stack::new();
}
