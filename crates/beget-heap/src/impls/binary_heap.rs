//! Binary heaps: by their sorted contents, or by the order in memory where that can be seen.

use std::collections::BinaryHeap;

use crate::{Heap, Schema, Walker};

use super::collections::walk_sequence;

/// A binary heap is seen as its sorted contents. The order in its memory, which `iter`, `as_slice`
/// and `into_vec` show, is not told by them: so it is never decoded, and has that order that its
/// recipe gives it.
///
/// Where `Ord` may call elements equal that are not, the order in memory decides which of them
/// `pop` returns first. That holds of elements still to be pushed too, so the contents cannot tell
/// whether it matters: a heap of such a type is seen as its order in memory. Which of the two it is
/// depends on the type alone.
impl<T: Heap + Ord> Heap for BinaryHeap<T> {
    const COUNTS_ITSELF: bool = true;
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.sorted();
        schema.array(Self::class());
        schema.part::<T>();
        schema.not_decodable(
            "the order in the memory of a binary heap is not known from its contents",
        );
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let mut elements: Vec<&T> = self.iter().collect();
        if T::ORDER_IS_FORM {
            elements.sort();
        }
        // Integers decide both orders.
        walker.begin_sorted();
        walk_sequence(Self::class(), elements.len(), elements.into_iter(), walker);
        walker.end_sorted();
    }
}
