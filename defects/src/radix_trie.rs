//! `Trie::remove` of a key that is not there panics.

crate::defect! {
    old: "radix_trie 0.1.3",
    fixed: "radix_trie 0.1.5",
    claim: "radix_trie's CHANGELOG, 0.1.4 (#40)",
    what: "`remove` panics if the key is not there",
    shown: 1, "model", "panic", "let _ = trie.remove(\"a\");",
    own: {
        use radix_trie::TrieCommon;
        beget::suite! { pub suite Tries for radix_trie::Trie<String, u8> {
            abstraction |trie| -> Vec<(String, u8)> { trie.iter().map(|(k, v)| (k.clone(), *v)).collect() };
            fn new() -> Self;
            fn insert(&mut self, key: String, value: u8) -> Option<u8>;
            fn remove(&mut self, key: &str) -> Option<u8>;
        } }
        beget::suite! { pub suite Model for std::collections::BTreeMap<String, u8> {
            fn new() -> Self;
            fn insert(&mut self, key: String, value: u8) -> Option<u8>;
            fn remove(&mut self, key: &str) -> Option<u8>;
        } }
        pub fn run() -> Run { diff!(Tries, Model, k = 2, strings = ["a", "b", "aa"]) }
    }
}
