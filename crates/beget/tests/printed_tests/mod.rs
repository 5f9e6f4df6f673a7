//! What is printed for each defect; `tests/printed.rs` writes this file.
#![allow(clippy::all, unreachable_pub)]

pub const TESTS: &[fn()] = &[
    ensures_of_push,
    ensures_of_append,
    invariant_of_pop,
    model_of_a_result,
    model_of_a_panic,
    model_of_an_outcome,
    invariant_after_a_panic,
    destructor_after_a_panic,
    property,
];

pub fn ensures_of_push() {
    use crate::*;
    let mut queue = Queue::new();
    let _ = queue.push(1);
    let item: u8 = 0;
    let _ = queue.push(0);
    assert!(queue.items.last() == Some(&item), "`push` does not ensure `self.items.last() == Some(&item)`");
}

pub fn ensures_of_append() {
    use crate::*;
    let mut queue = Queue::new();
    let mut queue_2 = Queue::new();
    let _ = queue_2.push(0);
    let old_1 = queue_2.items.clone();
    queue.append(&mut queue_2);
    assert!(queue.items.ends_with(&old_1), "`append` does not ensure `self.items.ends_with(&old(other.items.clone()))`");
}

pub fn invariant_of_pop() {
    use crate::*;
    let mut queue = Queue::new();
    let _ = queue.push(0);
    let _ = queue.pop();
    beget::assert_invariant("is_counted", queue.is_counted());
}

pub fn model_of_a_result() {
    let ours = {
        use crate::*;
        let mut queue = Queue::new();
        let _ = queue.push(0);
        let _ = queue.push(1);
        format!("{:?}", queue.pop())
    };
    let theirs = {
        use crate::*;
        let mut model = Model::new();
        let _ = model.push(0);
        let _ = model.push(1);
        format!("{:?}", model.pop())
    };
    assert_eq!(ours, theirs, "`Queue::pop` and `Model::pop` differ");
}

pub fn model_of_a_panic() {
    let ours = {
        use crate::*;
        let mut queue = Queue::new();
        let _ = queue.push(1);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| { let _ = queue.pop(); })).is_err()
    };
    let theirs = {
        use crate::*;
        let mut model = Model::new();
        let _ = model.push(1);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| { let _ = model.pop(); })).is_err()
    };
    assert_eq!(ours, theirs, "`Queue::pop` and `Model::pop` differ");
}

pub fn model_of_an_outcome() {
    let ours = {
        use crate::*;
        let mut queue = Queue::new();
        let _ = queue.offer(0);
        queue.offer(0).is_ok()
    };
    let theirs = {
        use crate::*;
        let mut model = Model::new();
        let _ = model.offer(0);
        model.offer(0).is_ok()
    };
    assert_eq!(ours, theirs, "`Queue::offer` and `Model::offer` differ");
}

pub fn invariant_after_a_panic() {
    use crate::*;
    let mut press = Press::new();
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| press.press(1)));
    beget::assert_invariant("is_even", press.is_even());
}

pub fn destructor_after_a_panic() {
    use crate::*;
    let mut press = Press::new();
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| press.press(1)));
    press.clear();
}

pub fn property() {
    use crate::*;
    let mut queue = Queue::new();
    let _ = queue.push(0);
    let _ = queue.push(1);
    beget::assert_property(queue, |mut queue|
{
    let first = queue.items.first().copied(); if queue.pop() == first
    { Ok(()) } else { Err("it is not the first") }
});
}
