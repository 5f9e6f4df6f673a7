#[derive(Clone, beget::Heap)]
struct Stack;

beget::suite! {
    suite Stacks for Stack {
        fn extend<I: Iterator<Item = u8>>(&mut self, items: I);
        fn each(&self, visit: impl FnMut(u8));
        fn all(&self, visit: &dyn Fn(u8));
        fn map(&mut self, by: fn(u8) -> u8);
        async fn wait(&self);
        unsafe fn raw(&self);
        fn pointer(&self, at: *const u8);
    }
}

fn main() {}
