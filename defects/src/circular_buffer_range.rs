//! `CircularBuffer::range` gives elements beyond its end where the range lies in the second of two
//! pieces. A clone has one piece, which the suite tells apart: both versions show that.

crate::defect! {
    old: "circular-buffer 0.1.3",
    fixed: "circular-buffer 0.1.7",
    claim: "circular-buffer's CHANGELOG, 0.1.4",
    what: "`range` gives more elements than were asked for",
    shown: 2, "contract", "*result == end - start", "let _ = count(&buffer, 0, 1);",
    alarms: [("clone_differs", "")],
    own: {
        type Buffer = circular_buffer::CircularBuffer<3, u8>;
        fn count(buffer: &Buffer, start: usize, end: usize) -> usize { buffer.range(start..end).count() }
        beget::suite! {
            pub suite Buffers for Buffer {
                abstraction |buffer| -> (usize, Vec<u8>) {
                    (buffer.as_slices().0.len(), buffer.iter().copied().collect())
                };
                fn new() -> Self;
                fn push_front(&mut self, value: u8);
                fn pop_back(&mut self) -> Option<u8>;
                #[requires(start <= end && end <= self.len())] #[ensures(*result == end - start)]
                fn range(&self, start: usize, end: usize) -> usize = self::count;
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 3) }
    }
}
