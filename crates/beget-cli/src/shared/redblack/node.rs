//! Nodes of red-black trees: their published names, and the data beside their keys.

use std::fmt;

use beget::Heap;

/// The two colors, in the type that a published class uses.
pub trait Color: Copy + Eq + fmt::Debug {
    /// The color of a red node.
    const RED: Self;
    /// The color of a black node.
    const BLACK: Self;
}

impl Color for bool {
    const RED: Self = false;
    const BLACK: Self = true;
}

impl Color for i32 {
    const RED: Self = 0;
    const BLACK: Self = 1;
}

/// A node of a [`Tree`](super::Tree). Each published class has a node type with its own fields.
pub trait Node: Heap {
    /// The type of the node's color.
    type Color: Color;
    /// The data beside the node's key; `()` for none.
    type Value;
    /// The published name of the tree's class.
    const TREE: &'static str;

    /// Creates a node without links.
    fn new(key: i32, value: Self::Value, color: Self::Color) -> Self;
    /// Copies all fields except the value.
    fn view(&self) -> View<Self::Color>;
    /// Borrows the color and the links, to change them.
    fn links(&mut self) -> Links<'_, Self::Color>;
    /// Returns the data beside the key.
    fn value(&self) -> &Self::Value;
    /// Replaces the value and returns the old one.
    fn set_value(&mut self, value: Self::Value) -> Self::Value;
    /// Exchanges the key and the value with another node.
    fn swap_entries(&mut self, other: &mut Self);
    /// Returns the value.
    fn into_value(self) -> Self::Value;
}

/// A copy of the fields of a [`Node`].
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct View<C> {
    pub key: i32,
    pub color: C,
    pub parent: Option<usize>,
    pub left: Option<usize>,
    pub right: Option<usize>,
}

/// The fields of a [`Node`] that repairs change.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Links<'a, C> {
    pub color: &'a mut C,
    pub parent: &'a mut Option<usize>,
    pub left: &'a mut Option<usize>,
    pub right: &'a mut Option<usize>,
}

/// Declares the node type of a published class: its name, the class of the tree, the color type
/// and, if nodes have values, the value type.
macro_rules! node {
    ($(#[$doc:meta])* $name:ident of $tree:literal { color: $color:ty $(, value: $value:ty)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, beget::Heap, beget::HeapView)]
        pub struct $name {
            key: i32,
            $(value: $value,)?
            color: $color,
            #[heap(link = $name)]
            parent: Option<usize>,
            #[heap(link = $name)]
            left: Option<usize>,
            #[heap(link = $name)]
            right: Option<usize>,
        }

        impl $crate::shared::redblack::Node for $name {
            type Color = $color;
            $crate::shared::redblack::node!(@value $name $($value)?);
            const TREE: &'static str = $tree;

            fn view(&self) -> $crate::shared::redblack::View<$color> {
                let &Self { key, color, parent, left, right, .. } = self;
                $crate::shared::redblack::View { key, color, parent, left, right }
            }

            fn links(&mut self) -> $crate::shared::redblack::Links<'_, $color> {
                let Self { color, parent, left, right, .. } = self;
                $crate::shared::redblack::Links { color, parent, left, right }
            }
        }
    };
    (@value $name:ident) => {
        type Value = ();

        fn new(key: i32, (): (), color: Self::Color) -> Self {
            Self { key, color, parent: None, left: None, right: None }
        }

        fn value(&self) -> &() {
            &()
        }

        fn set_value(&mut self, (): ()) {}

        fn swap_entries(&mut self, other: &mut Self) {
            std::mem::swap(&mut self.key, &mut other.key);
        }

        fn into_value(self) {}
    };
    (@value $name:ident $value:ty) => {
        type Value = $value;

        fn new(key: i32, value: $value, color: Self::Color) -> Self {
            Self { key, value, color, parent: None, left: None, right: None }
        }

        fn value(&self) -> &$value {
            &self.value
        }

        fn set_value(&mut self, value: $value) -> $value {
            std::mem::replace(&mut self.value, value)
        }

        fn swap_entries(&mut self, other: &mut Self) {
            std::mem::swap(&mut self.key, &mut other.key);
            std::mem::swap(&mut self.value, &mut other.value);
        }

        fn into_value(self) -> $value {
            self.value
        }
    };
}

pub(crate) use node;
