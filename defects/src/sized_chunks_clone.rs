//! `Chunk::clone` takes the bounds of the original before it has cloned an element: where a clone
//! panics, it drops what was never written.

crate::defect! {
    old: "sized-chunks 0.6.2",
    fixed: "sized-chunks 0.6.3",
    claim: "RUSTSEC-2020-0041",
    what: "`Chunk::clone` drops what was never written if a clone panics",
    shown: 2, "contract", "elements_survive_panics", "let _ = chunk.clone();",
    alarms: [("contract", "borrow_agrees")],
    own: {
        beget::suite! {
            pub suite Chunks for sized_chunks::Chunk<Tracked, typenum::U3> {
                abstraction |chunk| -> Vec<Tracked> { chunk.to_vec() };
                fn new() -> Self;
                fn unit(value: Tracked) -> Self;
                fn clone(&self) -> Self;
            }
        }
        pub fn run() -> Run { check!(Chunks, k = 2) }
    }
}
