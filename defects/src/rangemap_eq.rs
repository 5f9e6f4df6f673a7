//! `RangeMap::eq` compares where ranges start, and not where they end.

crate::defect! {
    old: "rangemap 1.3.0",
    fixed: "rangemap 1.3.1",
    claim: "rangemap's CHANGELOG, 1.3.1",
    what: "`==` does not compare the ends of ranges",
    shown: 1, "contract", "*result == self.iter().eq(other.iter())", "let _ = range_set.eq(&range_set_2);",
    own: {
        use std::ops::Range;
        beget::suite! {
            pub suite Set for rangemap::RangeSet<u8> {
                abstraction |set| -> Vec<Range<u8>> { set.iter().cloned().collect() };
                fn new() -> Self;
                #[requires(range.start < range.end)] fn insert(&mut self, range: Range<u8>);
                #[ensures(*result == self.iter().eq(other.iter()))]
                fn eq(&self, other: &Self) -> bool;
            }
        }
        pub fn run() -> Run { check!(Set, k = 3) }
    }
}
