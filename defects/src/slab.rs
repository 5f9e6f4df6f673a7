//! `Slab::from_iter` of keys with a gap makes a list of free slots that leads in a circle.

crate::defect! {
    old: "slab 0.4.3",
    fixed: "slab 0.4.4",
    claim: "slab #100",
    what: "after `from_iter` of keys with a gap, `insert` panics",
    shown: 1, "panic", "", "let _ = slab.insert(0);",
    own: {
        beget::suite! {
            pub suite Slab for slab::Slab<u8> {
                abstraction |slab| -> (usize, Vec<(usize, u8)>) {
                    (slab.clone().vacant_entry().key(), slab.iter().map(|(k, v)| (k, *v)).collect())
                };
                fn from_iter(entries: Vec<(usize, u8)>) -> Self;
                fn insert(&mut self, value: u8) -> usize;
                #[requires(self.contains(key))] fn remove(&mut self, key: usize) -> u8;
            }
        }
        pub fn run() -> Run { check!(Slab, k = 3) }
    }
}
