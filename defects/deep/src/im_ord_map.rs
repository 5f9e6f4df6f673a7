//! `OrdMap::range` leaves entries out where it begins in a node that is not the first: a node has
//! 64 entries, and so no map of at most 64 entries shows it.

crate::deep_defect! {
    old: "im 15.0.0",
    fixed: "im 15.1.0",
    claim: "im-rs #152",
    what: "`OrdMap::range` leaves entries out where the tree has more than one node",
    shown: "*result == keys_from(self, key)", 67,
    own: {
        type Map = im::OrdMap<u8, ()>;
        fn insert(map: &mut Map, key: u8) { map.insert(key, ()); }
        fn remove(map: &mut Map, key: u8) { map.remove(&key); }
        fn keys_from(map: &Map, key: u8) -> Vec<u8> {
            map.keys().copied().filter(|n| *n >= key).collect()
        }
        fn range_from(map: &Map, key: u8) -> Vec<u8> { map.range(key..).map(|(n, _)| *n).collect() }
        beget::suite! { pub suite Maps for Map {
            abstraction |map| -> Vec<u8> { map.keys().copied().collect() };
            fn new() -> Self;
            fn insert(&mut self, key: u8) = self::insert;
            fn remove(&mut self, key: u8) = self::remove;
            #[ensures(*result == keys_from(self, key))]
            fn range_from(&self, key: u8) -> Vec<u8> = self::range_from;
        } }
        pub fn random() -> Run { random!(Maps, calls = 20000, k = 250, ints = 0..k) }
        pub fn exhaustive() -> Run { check!(Maps, k = 10, ints = 0..k) }
    }
}
