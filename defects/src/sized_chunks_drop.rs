//! `Chunk::drop_left` drops elements before it moves the bounds: where a destructor panics, the
//! chunk drops them again. No version without it was published.

crate::defect! {
    old: "sized-chunks 0.6.2",
    fixed: "none",
    claim: "RUSTSEC-2026-0255",
    what: "`Chunk::drop_left` drops elements twice if a destructor panics",
    shown: 2, "contract", "elements_survive_drop_panics", "let _ = chunk.drop_left(1);",
    own: {
        beget::suite! {
            pub suite Chunks for sized_chunks::Chunk<Tracked, typenum::U3> {
                abstraction |chunk| -> Vec<Tracked> { chunk.to_vec() };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked);
                #[requires(index <= self.len())] fn drop_left(&mut self, index: usize);
            }
        }
        pub fn run() -> Run { check!(Chunks, k = 2) }
    }
}
