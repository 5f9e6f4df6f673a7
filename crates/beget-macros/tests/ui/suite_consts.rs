//! `consts` takes paths of constants of types with literals, each once.

#[derive(Clone, beget::Heap)]
pub struct Stack {
    len: usize,
}

pub const LIMIT: usize = 4096;

pub const CELL: std::cell::Cell<u8> = std::cell::Cell::new(1);

pub fn limit() -> usize {
    LIMIT
}

beget::suite! {
    suite Literals for Stack {
        consts(4096, LIMIT + 1);
    }
}

beget::suite! {
    suite Nothing for Stack {
        consts();
    }
}

beget::suite! {
    suite Twice for Stack {
        consts(LIMIT, Self::CAP, LIMIT);
    }
}

beget::suite! {
    suite TwoLists for Stack {
        consts(LIMIT);
        consts(LIMIT);
    }
}

beget::suite! {
    suite Misspelt for Stack {
        const_values(LIMIT);
    }
}

beget::suite! {
    suite OfAFunction for Stack {
        consts(limit);
    }
}

beget::suite! {
    suite OfAType for Stack {
        consts(CELL);
    }
}

#[beget::api(consts(16))]
impl Stack {
    pub fn new() -> Self {
        Stack { len: 0 }
    }
}

fn main() {}
