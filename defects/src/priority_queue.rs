//! `PriorityQueue::remove` fills the gap with the last element, and moves it down only: where it
//! should go up, the order is lost. Some removals still go wrong in 1.0.4.

crate::defect! {
    old: "priority-queue 1.0.3",
    fixed: "priority-queue 1.0.5",
    claim: "priority-queue #28",
    what: "`remove` leaves the elements out of order",
    shown: 1, "contract", "*result == old(greatest(self))", "let _ = queue.pop();",
    own: {
        type Queue = priority_queue::PriorityQueue<u8, u8>;
        fn seven() -> Queue { (0..7).fold(Queue::new(), |mut all, n| { all.push(n, n); all }) }
        fn greatest(queue: &Queue) -> Option<(u8, u8)> { queue.iter().max().map(|(n, p)| (*n, *p)) }
        fn remove(queue: &mut Queue, item: u8) { queue.remove(&item); }
        beget::suite! { pub suite Queues for Queue {
            abstraction |queue| -> Vec<(u8, u8)> { queue.clone().into_sorted_iter().collect() };
            fn seven() -> Queue = self::seven;
            fn remove(&mut self, item: u8) = self::remove;
            #[ensures(*result == old(greatest(self)))]
            fn pop(&mut self) -> Option<(u8, u8)>;
        } }
        pub fn run() -> Run { check!(Queues, k = 7) }
    }
}
