//! `HistoryBuf::clear` drops the elements before it notes that they are gone: where a destructor
//! panics, the buffer drops them again.

crate::defect! {
    old: "heapless 0.9.2",
    fixed: "heapless 0.9.4",
    claim: "heapless #659",
    what: "`HistoryBuf::clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = history_buf.clear();",
    own: {
        beget::suite! {
            pub suite Buffers for heapless::HistoryBuf<Tracked, 2> {
                abstraction |buffer| -> Vec<Tracked> { buffer.oldest_ordered().cloned().collect() };
                fn new() -> Self;
                fn write(&mut self, value: Tracked);
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(Buffers, k = 2) }
    }
}
