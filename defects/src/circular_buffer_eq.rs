//! `CircularBuffer::eq` compares parts that it cuts at the wrong places where both buffers are in
//! two pieces.

crate::defect! {
    old: "circular-buffer 0.1.3",
    fixed: "circular-buffer 0.1.7",
    claim: "circular-buffer's CHANGELOG, 0.1.6",
    what: "`==` panics on some buffers that wrap around",
    shown: 2, "contract", "eq_symmetric", "let _ = circular_buffer.push_back(0);",
    own: {
        beget::suite! {
            pub suite Buffers for circular_buffer::CircularBuffer<3, u8> {
                abstraction |buffer| -> (usize, Vec<u8>) {
                    (buffer.as_slices().0.len(), buffer.iter().copied().collect())
                };
                fn new() -> Self;
                fn push_back(&mut self, value: u8);
                fn pop_front(&mut self) -> Option<u8>;
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 3, ints = 0..1) }
    }
}
