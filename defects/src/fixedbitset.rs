//! `FixedBitSet::count_ones` looks at the block behind the last one if the range ends with a block.

crate::defect! {
    old: "fixedbitset 0.1.5",
    fixed: "fixedbitset 0.1.6",
    claim: "fixedbitset's README, 0.1.6",
    what: "`count_ones` panics at the end of a block",
    shown: 1, "panic", "", "let _ = count(&fixed_bit_set, 0..0);",
    own: {
        use std::ops::Range;
        fn count(set: &fixedbitset::FixedBitSet, bits: Range<usize>) -> usize {
            set.count_ones(bits)
        }
        beget::suite! {
            pub suite Set for fixedbitset::FixedBitSet {
                abstraction |set| -> Vec<u32> { set.as_slice().to_vec() };
                fn with_capacity(bits: usize) -> Self;
                #[requires(bits.start <= bits.end && bits.end <= self.len())]
                fn count_ones(&self, bits: Range<usize>) -> usize = self::count;
            }
        }
        pub fn run() -> Run { check!(Set, ints = [0, 31, 32, 33]) }
    }
}
