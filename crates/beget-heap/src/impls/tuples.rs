//! Tuples: records stored in place.

use crate::{Decoder, Heap, Schema, Undecodable, Walker};

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Heap),+> Heap for ($($name,)+) {
            const IS_REGULAR: bool = true;
            const ORDER_IS_FORM: bool = $($name::ORDER_IS_FORM)&&+;

            fn describe(schema: &mut Schema) {
                $(schema.part::<$name>();)+
            }

            #[inline(always)]
            fn walk<W: Walker>(&self, walker: &mut W) {
                walker.begin_elements();
                $(walker.element($index); self.$index.walk_in_place(walker);)+
                walker.end_elements();
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                Ok(($($name::decode(decoder)?,)+))
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
