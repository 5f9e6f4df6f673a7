//! `From` of an array copies the elements into the buffer and drops the array too.
//!
//! In both versions `size_hint` and `len` of an iterator stay as they were at its beginning.

crate::defect! {
    old: "ringbuffer 0.15.0",
    fixed: "ringbuffer 0.16.0",
    claim: "ringbuffer #138",
    what: "`ConstGenericRingBuffer::from` an array drops the elements twice",
    shown: 3, "contract", "elements_dropped_once", "let buffer = pair(beget::elements::Tracked::new(0), beget::elements::Tracked::new(0));",
    alarms: [("contract", "size_hint"), ("contract", "exact_size")],
    own: {
        use ringbuffer::RingBuffer;
        type Buffer = ringbuffer::ConstGenericRingBuffer<Tracked, 2>;
        fn pair(first: Tracked, second: Tracked) -> Buffer { [first, second].into() }
        beget::suite! {
            pub suite Buffers for Buffer {
                abstraction |buffer| -> Vec<Tracked> { buffer.to_vec() };
                fn pair(first: Tracked, second: Tracked) -> Buffer = self::pair;
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 2) }
    }
}
