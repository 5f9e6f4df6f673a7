#[derive(Clone, beget::Heap)]
pub struct Stack;

#[beget::api]
impl Stack {
    pub fn new() -> Self {
        Stack
    }

    pub fn retain(&mut self, keep: impl FnMut(&u8) -> bool) {
        drop(keep);
    }

    pub fn update<T, F>(&mut self, more: T, by: F)
    where
        F: Fn(&mut u8) + Copy,
    {
        drop((more, by));
    }

    pub fn sort_by<F: Fn(u8, u8) -> std::cmp::Ordering>(&mut self, order: F) {
        drop(order);
    }

    pub fn visit(&self, each: fn(&u8)) {
        each(&0);
    }

    #[api(at(by = fn(u8) -> u8), values(by = [|item| item + self.len()]))]
    pub fn map(&mut self, by: impl Fn(u8) -> u8) {
        by(0);
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn retain<F: FnMut(&u8) -> bool>(&mut self, keep: F);
        fn each(&self, visit: fn(&u8));
    }
}

fn main() {}
