//! Binary heaps: by their sorted contents, or by the order in memory if that can be observed.

use std::collections::BinaryHeap;

use crate::{Heap, Schema, Walker};

use super::collections::walk_sequence;

/// Shows a binary heap as its sorted contents. They do not determine the order in memory, which
/// `iter`, `as_slice` and `into_vec` show. So a heap is never decoded, and has the order that its
/// recipe gives it.
///
/// If `Ord` may call unequal elements equal, the order in memory decides which of them `pop`
/// returns first. That also concerns elements pushed later, so the contents do not show whether it
/// matters: a heap of such a type is shown in its order in memory. The choice depends on the type
/// alone.
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
        // Both orders depend on integers.
        walker.begin_sorted();
        walk_sequence(Self::class(), elements.len(), elements.into_iter(), walker);
        walker.end_sorted();
    }
}
