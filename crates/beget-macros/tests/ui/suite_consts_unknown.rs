//! A constant that is not there.

#[derive(Clone, beget::Heap)]
pub struct Stack {
    len: usize,
}

pub const LIMIT: usize = 4096;

beget::suite! {
    suite Stacks for Stack {
        consts(LIMTI, Self::CAP);
    }
}

fn main() {}
