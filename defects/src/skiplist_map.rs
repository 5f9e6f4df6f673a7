//! `SkipMap::ne` says that maps of one length differ.
//!
//! Both versions also compare maps in two ways: `cmp` goes from entry to entry, `partial_cmp`
//! compares all keys before it looks at values. Nobody seems to have told of that.

crate::defect! {
    old: "skiplist 0.2.10",
    fixed: "skiplist 0.3.0",
    claim: "skiplist's CHANGELOG, 0.3.0",
    what: "`!=` of maps is true wherever they have one length",
    shown: 1, "contract", "ne_negates_eq", "let skip_map = SkipMap::<u8, u8>::new();",
    alarms: [("contract", "partial_cmp_agrees_with_cmp")],
    own: {
        beget::suite! {
            pub suite Map for skiplist::SkipMap<u8, u8> {
                abstraction |map| -> Vec<(u8, u8)> { map.iter().map(|(k, v)| (*k, *v)).collect() };
                fn new() -> Self;
                fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
            }
        }
        pub fn run() -> Run { check!(Map, k = 2) }
    }
}
