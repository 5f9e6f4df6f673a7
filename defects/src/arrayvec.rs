//! `ArrayVec::insert` takes an index behind the elements as long as it is below the capacity.

crate::defect! {
    old: "arrayvec 0.3.17",
    fixed: "arrayvec 0.3.18",
    claim: "arrayvec's CHANGELOG, 0.3.18",
    what: "`insert` behind the elements is not refused",
    shown: 1, "panic", "", "let _ = array_vec.insert(1, 0);",
    own: {
        beget::suite! {
            pub suite List for arrayvec::ArrayVec<[u8; 3]> {
                abstraction |list| -> Vec<u8> { list.to_vec() };
                fn new() -> Self;
                fn push(&mut self, value: u8) -> Option<u8>;
                fn insert(&mut self, index: usize, value: u8) -> Option<u8>;
            }
        }
        pub fn run() -> Run { check!(List, k = 3, ints = 0..4) }
    }
}
