//! `LruCache::put` into a cache without places removes the least recent entry, of which there is
//! none. Version 0.5.2 has the defect too.

crate::defect! {
    old: "lru 0.5.1",
    fixed: "lru 0.5.3",
    claim: "lru #88",
    what: "`put` into a cache of capacity 0 panics",
    shown: 1, "panic", "", "let _ = lru_cache.put(0, 0);",
    own: {
        beget::suite! {
            pub suite Cache for lru::LruCache<u8, u8> {
                abstraction |cache| -> (usize, Vec<(u8, u8)>) {
                    (cache.cap(), cache.iter().map(|(key, value)| (*key, *value)).collect())
                };
                fn new(cap: usize) -> Self;
                fn put(&mut self, key: u8, value: u8) -> Option<u8>;
            }
        }
        pub fn run() -> Run { check!(Cache, k = 2) }
    }
}
