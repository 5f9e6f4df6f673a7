//! `Map` never drops its values. No version without it was published.

crate::defect! {
    old: "emap 0.0.13",
    fixed: "none",
    claim: "emap #150",
    what: "the destructor of a map leaks the values",
    shown: 1, "contract", "elements_dropped", "let _ = map.insert(0, beget::elements::Tracked::new(0));",
    own: {
        type Map = emap::Map<Tracked>;
        fn new() -> Map { Map::with_capacity_none(2) }
        beget::suite! {
            pub suite Maps for Map {
                abstraction |map| -> Vec<Option<Tracked>> { (0..2).map(|k| map.get(k).cloned()).collect() };
                fn new() -> Map = self::new;
                #[requires(self.get(key).is_none())] fn insert(&mut self, key: usize, value: Tracked);
            }
        }
        pub fn run() -> Run { check!(Maps, k = 2) }
    }
}
