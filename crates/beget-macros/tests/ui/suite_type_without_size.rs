trait Step {}

beget::suite! {
    suite Slices for [u8] as Slice {
        fn len(&self) -> usize;
    }
}

beget::suite! {
    suite Texts for str {
        fn len(&self) -> usize;
    }
}

beget::suite! {
    suite Steps for dyn Step as Step {}
}

fn main() {}
