//! `Deque::clear` drops the elements before it notes that they are gone: where a destructor
//! panics, the deque drops them again.

crate::defect! {
    old: "heapless 0.9.2",
    fixed: "heapless 0.9.4",
    claim: "heapless #659",
    what: "`Deque::clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = deque.clear();",
    own: {
        beget::suite! {
            pub suite Deques for heapless::Deque<Tracked, 2> {
                abstraction |deque| -> Vec<Tracked> { deque.iter().cloned().collect() };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked) -> Result<(), Tracked>;
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(Deques, k = 2) }
    }
}
