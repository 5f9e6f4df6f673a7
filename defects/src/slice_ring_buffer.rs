//! `SliceRingBuffer::extend_from_slice` clones into memory behind its end by `clone_from_slice`,
//! which drops what was never there. No version without it was published.

crate::defect! {
    old: "slice-ring-buffer 0.3.4",
    fixed: "none",
    claim: "RUSTSEC-2025-0044",
    what: "`extend_from_slice` drops elements that were never made",
    shown: 1, "contract", "elements_dropped_once", "let _ = slice_ring_buffer.extend_from_slice(&[beget::elements::Tracked::new(0)]);",
    own: {
        beget::suite! {
            pub suite Buffers for slice_ring_buffer::SliceRingBuffer<Tracked> {
                abstraction |buffer| -> Vec<Tracked> { buffer.to_vec() };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked);
                fn extend_from_slice(&mut self, values: &[Tracked]);
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 2) }
    }
}
