#[derive(Clone, beget::Heap)]
pub struct Stack {
    items: Vec<u8>,
}

#[beget::api]
impl Stack {
    #[api(requires())]
    pub fn new() -> Self {
        Stack { items: Vec::new() }
    }

    #[api(ensures(self.items.is_empty()))]
    pub fn into_items(self) -> Vec<u8> {
        self.items
    }
}

#[derive(Clone, beget::Heap)]
pub struct Queue {
    items: Vec<u8>,
}

#[beget::api]
impl Queue {
    pub fn new() -> Self {
        Queue { items: Vec::new() }
    }

    #[api(ensures(self.items.is_empty()))]
    pub fn into_items(self) -> Vec<u8> {
        self.items
    }

    #[api(requires(self.items.len()))]
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
}

fn main() {}
