//! `Map::keys` takes each value out of its slot to see whether there is one, and drops it. No
//! version without it was published.
//!
//! That maps never drop their values is told first. It is why one look at the keys drops none
//! twice.

crate::defect! {
    old: "emap 0.0.13",
    fixed: "none",
    claim: "RUSTSEC-2026-0128",
    what: "iteration over the keys drops the values",
    shown: 2, "contract", "elements_dropped_once", "let _ = keys_twice(&map);",
    own: {
        type Map = emap::Map<Tracked>;
        fn new() -> Map { Map::with_capacity_none(2) }
        fn keys_twice(map: &Map) -> [usize; 2] { [map.keys().count(), map.keys().count()] }
        beget::suite! {
            pub suite Maps for Map {
                abstraction |map| -> Vec<Option<Tracked>> { (0..2).map(|k| map.get(k).cloned()).collect() };
                fn new() -> Map = self::new;
                #[requires(self.get(key).is_none())] fn insert(&mut self, key: usize, value: Tracked);
                fn keys(&self) -> [usize; 2] = self::keys_twice;
            }
        }
        pub fn run() -> Run { check!(Maps, k = 2) }
    }
}
