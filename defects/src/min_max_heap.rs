//! `MinMaxHeap::replace_max` puts the element where the greatest was, whatever else is greater now.

crate::defect! {
    old: "min-max-heap 1.2.0",
    fixed: "min-max-heap 1.2.1",
    claim: "min-max-heap #3",
    what: "`replace_max` leaves the elements out of order",
    shown: 1, "contract", "min_is_iteration", "let _ = min_max_heap.replace_max(1);",
    own: {
        beget::suite! {
            pub suite Heap for min_max_heap::MinMaxHeap<u8> {
                abstraction |heap| -> Vec<u8> { heap.iter().copied().collect() };
                fn new() -> Self;
                fn push(&mut self, element: u8);
                fn replace_max(&mut self, element: u8) -> Option<u8>;
                fn peek_min(&self) -> Option<&u8>;
                fn peek_max(&self) -> Option<&u8>;
            }
        }
        pub fn run() -> Run { check!(Heap, k = 4, ints = 0..4) }
    }
}
