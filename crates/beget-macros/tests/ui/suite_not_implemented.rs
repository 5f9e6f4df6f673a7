#[derive(Clone, beget::Heap)]
pub struct Stack;

fn main() {
    beget::check!(Stack, "stack.ron");
    beget::for_all!(Stack, "stack.ron", |_| 7_u8);
}
