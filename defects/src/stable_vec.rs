//! `StableVec::clear` drops the elements before it notes that they are gone: where a destructor
//! panics, the vector drops them again.

crate::defect! {
    old: "stable-vec 0.4.2",
    fixed: "stable-vec 0.4.3",
    claim: "GHSA-mr2v-63pc-gmr4",
    what: "`clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = stable_vec.clear();",
    own: {
        beget::suite! {
            pub suite List for stable_vec::StableVec<Tracked> {
                abstraction |list| -> Vec<(usize, Tracked)> {
                    list.iter().map(|(index, value)| (index, value.clone())).collect()
                };
                fn new() -> Self;
                fn push(&mut self, value: Tracked) -> usize;
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(List, k = 2) }
    }
}
