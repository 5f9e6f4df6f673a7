//! `IdMap::clone_from` drops the values, then clones those of the other map: where a clone panics,
//! what was dropped is dropped again. Version 0.2.2 has no unsafe code.

crate::defect! {
    old: "id-map 0.2.1",
    fixed: "id-map 0.2.2",
    claim: "RUSTSEC-2021-0052",
    what: "`clone_from` drops values twice if a clone panics",
    shown: 3, "contract", "elements_survive_panics", "let _ = id_map.clone_from(&id_map_2);",
    own: {
        beget::suite! {
            pub suite Map for id_map::IdMap<Tracked> {
                abstraction |map| -> Vec<(usize, Tracked)> {
                    map.iter().map(|(id, value)| (id, value.clone())).collect()
                };
                fn new() -> Self;
                fn insert(&mut self, value: Tracked) -> usize;
                fn remove(&mut self, id: usize) -> Option<Tracked>;
                fn clone_from(&mut self, other: &Self);
            }
        }
        pub fn run() -> Run { check!(Map, k = 2) }
    }
}
