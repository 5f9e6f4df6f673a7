//! `HistoryBuf::write` of a full buffer drops the oldest element before it writes the new one into
//! its place: where the destructor panics, the buffer drops the oldest again. Version 0.9.3 has
//! the defect too.

crate::defect! {
    old: "heapless 0.9.2",
    fixed: "heapless 0.9.4",
    claim: "heapless #659",
    what: "`HistoryBuf::write` drops the oldest element twice if its destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = history_buf.write(beget::elements::Tracked::new(0));",
    own: {
        beget::suite! {
            pub suite Buffers for heapless::HistoryBuf<Tracked, 2> {
                abstraction |buffer| -> Vec<Tracked> { buffer.oldest_ordered().cloned().collect() };
                fn new() -> Self;
                fn write(&mut self, value: Tracked);
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 2) }
    }
}
