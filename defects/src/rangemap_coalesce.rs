//! `RangeMap::insert` leaves two ranges with one value side by side.

crate::defect! {
    old: "rangemap 0.1.8",
    fixed: "rangemap 0.1.9",
    claim: "rangemap's CHANGELOG, 0.1.9",
    what: "`insert` leaves contiguous ranges apart",
    shown: 1, "invariant", "is_coalesced", "let _ = map.insert(1..2, false);",
    own: {
        use std::ops::Range;
        type Map = rangemap_0_1::RangeMap<u8, bool>;
        fn coalesced(map: &Map) -> bool {
            let all: Vec<_> = map.iter().collect();
            all.windows(2).all(|two| two[0].0.end < two[1].0.start || two[0].1 != two[1].1)
        }
        beget::suite! { pub suite Maps for Map {
            abstraction |map| -> Vec<(Range<u8>, bool)> {
                map.iter().map(|(range, value)| (range.clone(), *value)).collect()
            };
            fn new() -> Self;
            #[requires(range.start < range.end)] fn insert(&mut self, range: Range<u8>, value: bool);
            #[invariant] fn is_coalesced(&self) -> bool = self::coalesced;
        } }
        pub fn run() -> Run { check!(Maps, k = 5, objects = {"*": "k"}) }
    }
}
