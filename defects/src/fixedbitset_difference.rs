//! `FixedBitSet::difference_count` leaves out the bits beyond the length of the other set.

crate::defect! {
    old: "fixedbitset 0.5.7",
    fixed: "fixedbitset 0.5.9",
    claim: "fixedbitset #131",
    what: "`difference_count` leaves out the bits beyond the other set",
    shown: 1, "contract", "*result == self.difference(other).count()", "let _ = fixed_bit_set.difference_count(&fixed_bit_set_2);",
    own: {
        beget::suite! {
            pub suite Bits for fixedbitset_0_5::FixedBitSet {
                abstraction |bits| -> (usize, Vec<usize>) { (bits.len(), bits.ones().collect()) };
                fn with_capacity(bits: usize) -> Self;
                #[requires(bit < self.len())] fn insert(&mut self, bit: usize);
                #[ensures(*result == self.difference(other).count())]
                fn difference_count(&self, other: &Self) -> usize;
            }
        }
        pub fn run() -> Run { check!(Bits, k = 2, ints = [0, 1, 64, 65]) }
    }
}
