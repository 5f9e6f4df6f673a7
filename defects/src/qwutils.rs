//! `VecExt::insert_slice_clone` makes room by moving elements, then clones others into it: where a
//! clone panics, nothing says which elements are there twice.

crate::defect! {
    old: "qwutils 0.3.0",
    fixed: "qwutils 0.3.1",
    claim: "RUSTSEC-2021-0018",
    what: "`insert_slice_clone` drops elements twice if a clone panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = vec.insert_slice_clone(0, &[beget::elements::Tracked::new(0)]);",
    own: {
        use qwutils::imp::vec::VecExt;
        beget::suite! {
            pub suite List for Vec<Tracked> {
                fn new() -> Self;
                fn push(&mut self, value: Tracked);
                fn insert_slice_clone(&mut self, index: usize, slice: &[Tracked]);
            }
        }
        pub fn run() -> Run { check!(List, k = 2, misuse = (panics: ["index <= vlen"])) }
    }
}
