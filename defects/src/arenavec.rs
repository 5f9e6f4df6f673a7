//! `SliceVec::split_off` copies the elements from an index on, and leaves them where they were too.
//! No version without it was published.

crate::defect! {
    old: "arenavec 0.1.1",
    fixed: "none",
    claim: "RUSTSEC-2025-0053",
    what: "`split_off` leaves the elements in both vectors",
    shown: 1, "contract", "elements_dropped_once", "let _ = slice_vec.split_off(0);",
    own: {
        use arenavec::{ArenaBacking, rc::{Arena, SliceVec}};
        fn new() -> SliceVec<Tracked> {
            let arena = Arena::init_capacity(ArenaBacking::SystemAllocation, 4096).unwrap();
            SliceVec::new(Box::leak(Box::new(arena)).inner())
        }
        beget::suite! {
            pub suite List for SliceVec<Tracked> {
                abstraction |list| -> Vec<Tracked> { list.to_vec() };
                fn new() -> SliceVec<Tracked> = self::new;
                fn push(&mut self, value: Tracked);
                #[requires(at <= self.len())] fn split_off(&mut self, at: usize) -> Self;
            }
        }
        pub fn run() -> Run { check!(List, k = 2) }
    }
}
