//! A crate that tests its own types with beget: a ring buffer and a list, fields private.
//!
//! beget is a dev-dependency. Derive and attribute stand behind `cfg_attr(test, ..)`, so nothing of
//! it is in a build of the library.

mod shelf;

pub use shelf::Shelf;

/// A queue in a buffer of fixed size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct RingBuffer {
    slots: Vec<Option<u8>>,
    first: usize,
    len: usize,
}

#[cfg_attr(test, beget::api)]
impl RingBuffer {
    /// An empty buffer for `capacity` values.
    pub fn with_capacity(capacity: usize) -> Self {
        RingBuffer { slots: vec![None; capacity], first: 0, len: 0 }
    }

    /// Appends a value.
    ///
    /// # Errors
    /// The value, if the buffer is full.
    pub fn push(&mut self, value: u8) -> Result<(), u8> {
        if self.len == self.slots.len() {
            return Err(value);
        }
        let last = (self.first + self.len) % self.slots.len();
        self.slots[last] = Some(value);
        self.len += 1;
        Ok(())
    }

    /// Takes the oldest value.
    pub fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.first].take();
        self.first = (self.first + 1) % self.slots.len();
        self.len -= 1;
        value
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A singly linked stack.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Stack {
    head: Option<Box<Node>>,
    len: usize,
}

#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[cfg_attr(test, beget::api)]
impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Puts a value on top.
    pub fn push(&mut self, value: u8) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { value, next }));
        self.len += 1;
    }

    /// Takes the value on top.
    pub fn pop(&mut self) -> Option<u8> {
        let node = self.head.take()?;
        self.head = node.next;
        self.len -= 1;
        Some(node.value)
    }

    /// Moves all values of `other` on top, keeping their order.
    pub fn append(&mut self, other: Self) {
        let mut values = Vec::new();
        let mut other = other;
        while let Some(value) = other.pop() {
            values.push(value);
        }
        for value in values.into_iter().rev() {
            self.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stack_of_scope_4_is_sound() {
        // All sequences of at most 4 of 4 values: 1 + 4 + 16 + 64 + 256.
        assert_eq!(beget::check!(Stack, "scopes/stack.ron").generated(), 341);
    }

    #[test]
    fn a_scope_of_a_few_words_is_the_same() {
        assert_eq!(beget::check!(Stack, k = 4, ints = 0..4).generated(), 341);
    }

    #[test]
    fn every_ring_buffer_of_scope_4_is_sound() {
        let buffers = beget::check!(RingBuffer, "scopes/ring_buffer.ron");
        // A buffer of n > 0 slots has n places for the first value and then 0 to n values, of 4
        // each; one without slots is always empty. Capacities are 0..4.
        let of_capacity = |n: u32| (0..=n).map(|len| 4_u64.pow(len)).sum::<u64>() * u64::from(n);
        assert_eq!(buffers.generated(), 1 + (1..4).map(of_capacity).sum::<u64>());
    }
}
