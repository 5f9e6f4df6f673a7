//! `BitVec::append` behind an incomplete block stores a block too many where the bits fit into the
//! last one. Version 0.6.2 has the defect too.

crate::defect! {
    old: "bit-vec 0.6.1",
    fixed: "bit-vec 0.6.3",
    claim: "bit-vec #68",
    what: "`append` stores a block too many",
    shown: 1, "contract", "hash_agrees_with_eq", "let _ = bit_vec.append(&mut bit_vec_2);",
    own: {
        beget::suite! {
            pub suite Bits for bit_vec::BitVec {
                abstraction |bits| -> (usize, Vec<bool>) { (bits.storage().len(), bits.iter().collect()) };
                fn from_elem(nbits: usize, bit: bool) -> Self;
                fn append(&mut self, other: &mut Self);
            }
        }
        pub fn run() -> Run { check!(Bits, k = 2, ints = 0..3) }
    }
}
