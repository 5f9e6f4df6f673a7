//! `CircularBuffer::clear` drops the elements before it notes that they are gone: where a
//! destructor panics, the buffer drops them again.

crate::defect! {
    old: "circular-buffer 1.2.0",
    fixed: "circular-buffer 2.0.1",
    claim: "RUSTSEC-2026-0256",
    what: "`clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = clear(&mut buffer);",
    own: {
        #[cfg(not(feature = "fixed"))] type Buffer = circular_buffer_1::CircularBuffer<2, Tracked>;
        #[cfg(feature = "fixed")] type Buffer = circular_buffer_1::FixedCircularBuffer<Tracked, 2>;
        fn push(buffer: &mut Buffer, value: Tracked) { drop(buffer.try_push_back(value)); }
        fn clear(buffer: &mut Buffer) { buffer.clear(); }
        beget::suite! {
            pub suite Buffers for Buffer {
                abstraction |buffer| -> Vec<Tracked> { buffer.iter().cloned().collect() };
                fn new() -> Self;
                fn push(&mut self, value: Tracked) = self::push;
                fn clear(&mut self) = self::clear;
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 2) }
    }
}
