//! `LruCache::clone` makes a table with as many places as the cache may have, and a cache without
//! bound may have `usize::MAX`.

crate::defect! {
    old: "lru 0.16.0",
    fixed: "lru 0.16.1",
    claim: "lru's CHANGELOG, 0.16.1",
    what: "`clone` of a cache without bound panics",
    shown: 1, "contract", "clone_returns", "let lru_cache = LruCache::<u8, u8>::unbounded();",
    own: {
        beget::suite! {
            pub suite Cache for lru_0_16::LruCache<u8, u8> {
                abstraction |cache| -> Vec<(u8, u8)> {
                    cache.iter().map(|(key, value)| (*key, *value)).collect()
                };
                fn unbounded() -> Self;
                fn put(&mut self, key: u8, value: u8) -> Option<u8>;
                fn pop_lru(&mut self) -> Option<(u8, u8)>;
            }
        }
        pub fn run() -> Run { check!(Cache, k = 2) }
    }
}
