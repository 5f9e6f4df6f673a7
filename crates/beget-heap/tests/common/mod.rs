//! Records by hand, as `derive(Heap)` would show them.

/// Defines a struct whose fields are shown in the order given.
macro_rules! record {
    ($(#[$attribute:meta])* $name:ident { $($field:ident: $ty:ty),+ $(,)? }) => {
        $(#[$attribute])*
        struct $name {
            $($field: $ty,)+
        }

        impl beget_heap::Heap for $name {
            const IS_REGULAR: bool = true;

            fn describe(schema: &mut beget_heap::Schema) {
                let field = |name, ty| beget_heap::Field { name, ty, skipped: false };
                let fields = [$(field(stringify!($field), stringify!($ty))),+];
                if schema.class(Self::class(), &fields) {
                    $(schema.part::<$ty>();)+
                }
            }

            fn walk<W: beget_heap::Walker>(&self, walker: &mut W) {
                let class = Self::class();
                walker.begin_record(class);
                let mut indices = 0..;
                $(
                    if walker.field(class, indices.next().expect("there is no last one")) {
                        self.$field.walk_in_place(walker);
                    }
                )+
                walker.end_record();
            }
        }
    };
}
