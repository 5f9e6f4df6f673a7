#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    #[api(at(value = u8))]
    pub fn push(&mut self, _values: impl Iterator<Item = u8>) {}

    #[api(at(T = u8))]
    pub fn put<T, U>(&mut self, _value: T, _other: U) {}
}

#[derive(Clone, beget::Heap)]
pub struct Queue;

#[beget::api]
impl Queue {
    pub fn extend(&mut self, values: impl Iterator<Item = u8>) {
        drop(values);
    }

    pub fn append(&mut self, _others: std::collections::VecDeque<Self>) {}
}

fn main() {}
