#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api(part = 1)]
impl Stack {
    pub fn new() -> Self {
        Stack
    }
}

#[beget::api]
impl Drop for Stack {
    fn drop(&mut self) {}
}

#[derive(Clone, beget::Heap)]
pub struct Queue;

#[beget::api(part = 2)]
impl Queue {
    pub fn new() -> Self {
        Queue
    }
}

fn main() {
    beget::check!(Queue, "queue.ron");
}
