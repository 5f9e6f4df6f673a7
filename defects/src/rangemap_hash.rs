//! `RangeInclusiveMap::eq` compares where ranges start, and not where they end; `Hash` sees both.

crate::defect! {
    old: "rangemap 1.7.0",
    fixed: "rangemap 1.7.1",
    claim: "rangemap's CHANGELOG, 1.7.1",
    what: "`==` of inclusive ranges does not compare their ends",
    shown: 1, "contract", "hash_agrees_with_eq", "let _ = insert(&mut range_inclusive_set, 0, 1);",
    own: {
        fn insert(set: &mut rangemap::RangeInclusiveSet<u8>, start: u8, end: u8) {
            set.insert(start..=end);
        }
        beget::suite! {
            pub suite Set for rangemap::RangeInclusiveSet<u8> {
                abstraction |set| -> Vec<std::ops::RangeInclusive<u8>> { set.iter().cloned().collect() };
                fn new() -> Self;
                #[requires(start <= end)] fn insert(&mut self, start: u8, end: u8) = self::insert;
            }
        }
        pub fn run() -> Run { check!(Set, k = 2) }
    }
}
