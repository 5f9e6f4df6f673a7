//! `ArrayQueue::push_front` moves the beginning of the queue before it clones the element: where
//! the clone panics, the queue begins with what is not its own.
//!
//! The advisory names 0.4.0, whose destructor calls the `pop_back` of the other advisory: there
//! each call breaks `elements_dropped_once`.

/// Version 0.4 has other parameters, and takes elements by value.
#[cfg(feature = "fixed")]
type Queue = array_queue::ArrayQueue<Tracked, 2>;

#[cfg(feature = "fixed")]
fn push(queue: &mut Queue, value: &Tracked) {
    let _ = queue.push_front(value.clone());
}

crate::defect! {
    old: "array-queue 0.3.3",
    fixed: "array-queue 0.4.1",
    claim: "RUSTSEC-2025-0054",
    what: "`push_front` leaves a wrong beginning if the clone panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = push(&mut queue, &beget::elements::Tracked::new(0));",
    own: {
        #[cfg(not(feature = "fixed"))] type Queue = array_queue::ArrayQueue<[Tracked; 2]>;
        #[cfg(not(feature = "fixed"))]
        fn push(queue: &mut Queue, value: &Tracked) { let _ = queue.push_front(value); }
        fn pop(queue: &mut Queue) { queue.pop_front(); }
        beget::suite! {
            pub suite Queues for Queue {
                abstraction |queue| -> Vec<Tracked> { queue.into_iter().cloned().collect() };
                fn new() -> Self;
                fn push_front(&mut self, value: &Tracked) = self::push;
                fn rotate(&mut self) = self::pop;
            }
        }
        pub fn run() -> Run { check!(Queues, k = 2) }
    }
}
