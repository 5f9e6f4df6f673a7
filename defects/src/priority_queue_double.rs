//! `DoublePriorityQueue::pop_max_if` orders the place of what it took again, which may be behind
//! the end.

crate::defect! {
    old: "priority-queue 2.2.1",
    fixed: "priority-queue 2.2.2",
    claim: "priority-queue's README, 2.2.2",
    what: "`pop_max_if` of the last item panics or reads behind the end",
    shown: 1, "panic", "", "let _ = pop_max(&mut queue);",
    own: {
        type Queue = priority_queue_2::DoublePriorityQueue<u8, u8>;
        fn pop_max(queue: &mut Queue) -> Option<(u8, u8)> { queue.pop_max_if(|_, _| true) }
        beget::suite! {
            pub suite Queues for Queue {
                abstraction |queue| -> Vec<(u8, u8)> { queue.iter().map(|(n, p)| (*n, *p)).collect() };
                fn new() -> Self;
                fn push(&mut self, item: u8, priority: u8) -> Option<u8>;
                fn pop_max_if(&mut self) -> Option<(u8, u8)> = self::pop_max;
            }
        }
        pub fn run() -> Run { check!(Queues, k = 2) }
    }
}
