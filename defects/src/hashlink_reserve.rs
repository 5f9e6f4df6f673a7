//! `LinkedHashMap::reserve` lets the hash table ask for hashes by a hasher that panics, as soon as
//! there is an entry to move.

crate::defect! {
    old: "hashlink 0.8.4",
    fixed: "hashlink 0.9.0",
    claim: "hashlink's CHANGELOG, 0.9.0",
    what: "`reserve` panics if there is an entry",
    shown: 1, "panic", "", "let _ = linked_hash_map.reserve(8);",
    own: {
        beget::suite! {
            pub suite Map for hashlink_0_8::LinkedHashMap<u8, u8> {
                abstraction |map| -> (usize, Vec<(u8, u8)>) {
                    (map.capacity(), map.iter().map(|(key, value)| (*key, *value)).collect())
                };
                fn new() -> Self;
                fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
                fn reserve(&mut self, additional: usize);
            }
        }
        pub fn run() -> Run { check!(Map, k = 2, ints = [0, 1, 8]) }
    }
}
