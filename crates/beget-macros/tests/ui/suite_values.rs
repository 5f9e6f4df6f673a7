#[derive(Clone, beget::Heap)]
pub struct Stack;

#[derive(Clone)]
pub enum Mode {
    Read,
}

impl Stack {
    pub fn open(&mut self, _mode: Mode) {}
}

beget::suite! {
    suite Files for Stack {
        fn open(&mut self, #[values(Mode::Write)] mode: Mode);
    }
}

beget::suite! {
    suite Stacks for Stack {
        fn open(&mut self, mode: Mode);
        #[invariant]
        fn is_sound(&self, strictly: bool) -> bool;
    }
}

fn main() {}
