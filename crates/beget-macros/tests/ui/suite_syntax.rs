beget::suite! {
    suit Stacks for u8 {}
}

beget::suite! {
    suite Empty {}
}

beget::suite! {
    suite Unnamed for (u8, u8) {}
}

beget::suite! {
    suite Abstracted for u8 {
        abstraction |value| *value;
    }
}

beget::suite! {
    suite Unended for u8 {
        fn new() -> Self
    }
}

fn main() {}
