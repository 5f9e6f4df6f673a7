//! `LinkedHashMap::shrink_to_fit` lets the hash table ask for hashes by a hasher that panics, as
//! soon as there is an entry to move.

crate::defect! {
    old: "hashlink 0.7.0",
    fixed: "hashlink 0.8.0",
    claim: "hashlink's CHANGELOG, 0.8.0",
    what: "`shrink_to_fit` panics if there is an entry",
    shown: 1, "panic", "", "let _ = linked_hash_map.shrink_to_fit();",
    own: {
        beget::suite! {
            pub suite Map for hashlink::LinkedHashMap<u8, u8> {
                abstraction |map| -> (usize, Vec<(u8, u8)>) {
                    (map.capacity(), map.iter().map(|(key, value)| (*key, *value)).collect())
                };
                fn with_capacity(capacity: usize) -> Self;
                fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
                fn remove(&mut self, key: &u8) -> Option<u8>;
                fn shrink_to_fit(&mut self);
            }
        }
        pub fn run() -> Run { check!(Map, k = 2, ints = [0, 1, 8]) }
    }
}
