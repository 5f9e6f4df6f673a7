//! `ThinVec::clear` drops the elements before it sets the length: where a destructor panics, the
//! vector drops them again.

crate::defect! {
    old: "thin-vec 0.2.14",
    fixed: "thin-vec 0.2.16",
    claim: "RUSTSEC-2026-0103",
    what: "`clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = thin_vec.clear();",
    own: {
        beget::suite! {
            pub suite List for thin_vec::ThinVec<Tracked> {
                abstraction |list| -> Vec<Tracked> { list.to_vec() };
                fn new() -> Self;
                fn push(&mut self, value: Tracked);
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(List, k = 2) }
    }
}
