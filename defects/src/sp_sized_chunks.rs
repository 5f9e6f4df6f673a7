//! `Chunk::clear` drops the elements before it moves the bounds: where a destructor panics, the
//! chunk drops them again. No version without it was published.

crate::defect! {
    old: "sp-sized-chunks 0.1.0",
    fixed: "none",
    claim: "RUSTSEC-2026-0254",
    what: "`Chunk::clear` drops elements twice if a destructor panics",
    shown: 2, "contract", "elements_survive_drop_panics", "let _ = chunk.clear();",
    own: {
        beget::suite! {
            pub suite Chunks for sp_sized_chunks::Chunk<Tracked, 3> {
                abstraction |chunk| -> Vec<Tracked> { chunk.to_vec() };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked);
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(Chunks, k = 2) }
    }
}
