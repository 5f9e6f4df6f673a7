//! `ArrayQueue::pop_back` takes the element at the place of its number in the array, wherever the
//! queue begins. The advisory names no version without the defect; 0.4.1 has it no more.
//!
//! Where it begins cannot be seen, and an abstraction without it merges the queues that matter: so
//! this one takes the distance of the first element from the queue itself.

/// Version 0.4 has other parameters, and takes elements by value.
#[cfg(feature = "fixed")]
type Queue = array_queue::ArrayQueue<u8, 2>;

#[cfg(feature = "fixed")]
fn push(queue: &mut Queue, value: &u8) {
    let _ = queue.push_back(*value);
}

crate::defect! {
    old: "array-queue 0.3.3",
    fixed: "array-queue 0.4.1",
    claim: "RUSTSEC-2020-0047",
    what: "`pop_back` of a queue that does not begin at 0 takes another element",
    shown: 1, "contract", "*result == old(self.last().copied())", "let _ = queue.pop_back();",
    own: {
        #[cfg(not(feature = "fixed"))] type Queue = array_queue::ArrayQueue<[u8; 2]>;
        #[cfg(not(feature = "fixed"))] fn push(to: &mut Queue, value: &u8) { let _ = to.push_back(value); }
        beget::suite! { pub suite Queues for Queue {
            abstraction |queue| -> (usize, Vec<u8>) {
                let at = |first: &u8| (&raw const *first as usize - &raw const *queue as usize) % 2;
                (queue.first().map_or(0, at), queue.into_iter().copied().collect())
            };
            fn new() -> Self;
            fn push_back(&mut self, value: &u8) = self::push;
            fn pop_front(&mut self) -> Option<u8>;
            #[ensures(*result == old(self.last().copied()))]
            fn pop_back(&mut self) -> Option<u8>;
        } }
        pub fn run() -> Run { check!(Queues, k = 2) }
    }
}
