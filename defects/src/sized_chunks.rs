//! `Chunk::insert_from` makes room by moving elements, then asks the iterator for others: where it
//! panics, elements are there twice.
//!
//! Both versions break `borrow_agrees` too: a chunk hashes its elements alone, and the slice that
//! it lends as `Borrow` their number before them, so a map from chunks does not find a slice.

crate::defect! {
    old: "sized-chunks 0.6.2",
    fixed: "sized-chunks 0.6.3",
    claim: "RUSTSEC-2020-0041",
    what: "`Chunk::insert_from` drops elements twice if the iterator panics",
    shown: 2, "contract", "elements_survive_panics", "let _ = insert_cloned(&mut chunk, 0, &[beget::elements::Tracked::new(0)]);",
    alarms: [("contract", "borrow_agrees")],
    own: {
        type Chunk = sized_chunks::Chunk<Tracked, typenum::U3>;
        fn insert_cloned(chunk: &mut Chunk, index: usize, values: &[Tracked]) {
            chunk.insert_from(index, values.iter().cloned());
        }
        beget::suite! {
            pub suite Chunks for Chunk {
                abstraction |chunk| -> Vec<Tracked> { chunk.to_vec() };
                fn new() -> Self;
                fn insert_from(&mut self, index: usize, values: &[Tracked]) = self::insert_cloned;
            }
        }
        pub fn run() -> Run { check!(Chunks, k = 2, misuse = (panics: ["Chunk::insert_from:"])) }
    }
}
