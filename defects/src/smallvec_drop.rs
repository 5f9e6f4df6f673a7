//! The destructor of `SmallVec` drops the elements before it notes that they are gone: where one
//! of theirs panics, the array drops them again.

crate::defect! {
    old: "smallvec 0.1.4",
    fixed: "smallvec 0.1.6",
    claim: "smallvec #14",
    what: "the destructor drops elements twice if one of theirs panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = small_vec.push(beget::elements::Tracked::new(0));",
    own: {
        beget::suite! {
            pub suite List for smallvec::SmallVec<[Tracked; 2]> {
                abstraction |list| -> Vec<Tracked> { list.to_vec() };
                fn new() -> Self;
                fn push(&mut self, value: Tracked);
            }
        }
        pub fn run() -> Run { check!(List, k = 2) }
    }
}
