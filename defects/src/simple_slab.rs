//! `Slab::index` gives what is behind the elements, where it should panic. (`remove` reads there
//! too: what it finds is whatever the allocator left, and so the finding is another one in each
//! run.)

crate::defect! {
    old: "simple-slab 0.3.2",
    fixed: "simple-slab 0.3.3",
    claim: "RUSTSEC-2020-0039",
    what: "indexing reads behind the elements",
    shown: 1, "contract", "old(offset) < self.len()", "let _ = std::ops::Index::index(&slab, 0);",
    own: {
        beget::suite! {
            pub suite Slab for simple_slab::Slab<u8> {
                abstraction |slab| -> Vec<u8> { slab.iter().copied().collect() };
                fn new() -> Self;
                fn insert(&mut self, value: u8);
                #[ensures(old(offset) < self.len())]
                fn index(&self, offset: usize) -> &u8 = std::ops::Index::index;
            }
        }
        pub fn run() -> Run { check!(Slab, k = 2, misuse = (panics: ["out of bounds"])) }
    }
}
