//! `VecDeque::clear` drops the elements before it notes that they are gone: where a destructor
//! panics, the destructor of the queue drops them again.

crate::defect! {
    old: "fixed-queue 0.5.1",
    fixed: "fixed-queue 0.5.2",
    claim: "fixed-queue #1",
    what: "`VecDeque::clear` drops elements twice if a destructor panics",
    shown: 1, "contract", "elements_survive_drop_panics", "let _ = vec_deque.clear();",
    own: {
        beget::suite! {
            pub suite Queues for fixed_queue::VecDeque<Tracked, 2> {
                abstraction |queue| -> Vec<Option<Tracked>> {
                    (0..2).map(|at| queue.get(at).cloned()).collect()
                };
                fn new() -> Self;
                fn push_back(&mut self, value: Tracked) -> Result<(), Tracked>;
                fn clear(&mut self);
            }
        }
        pub fn run() -> Run { check!(Queues, k = 2) }
    }
}
