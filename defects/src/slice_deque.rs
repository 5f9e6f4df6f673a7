//! `SliceDeque::drain_filter` counts an element as seen before it has asked the predicate: where
//! that panics, the destructor goes on behind it. No version without it was published.

crate::defect! {
    old: "slice-deque 0.3.0",
    fixed: "none",
    claim: "RUSTSEC-2021-0047",
    what: "`drain_filter` drops an element twice if the predicate panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = take_all(&mut deque, beget::elements::Tracked::new(0));",
    own: {
        type Deque = slice_deque::SliceDeque<Tracked>;
        fn take_all(deque: &mut Deque, value: Tracked) {
            deque.drain_filter(|one| *one == value).for_each(drop);
        }
        beget::suite! {
            pub suite Deques for Deque {
                abstraction |deque| -> Vec<Tracked> { deque.to_vec() };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked);
                fn drain_filter(&mut self, value: Tracked) = self::take_all;
            }
        }
        pub fn run() -> Run { check!(Deques, k = 2) }
    }
}
