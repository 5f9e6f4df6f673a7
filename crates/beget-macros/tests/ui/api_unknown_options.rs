#[derive(Clone, beget::Heap)]
struct Stack;

#[beget::api(onyl(new))]
impl Stack {}

#[derive(Clone, beget::Heap)]
struct Queue;

#[beget::api(only(nwe))]
impl Queue {
    pub fn new() -> Self {
        Queue
    }
}

#[derive(Clone, beget::Heap)]
struct Bag;

#[beget::api]
impl Bag {
    #[api(skp)]
    pub fn new() -> Self {
        Bag
    }
}

fn main() {}
