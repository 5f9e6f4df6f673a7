//! Values whose type is forgotten, as what they are.

use std::any::Any;

/// The value as a `T`.
///
/// # Panics
/// If it is none.
#[inline]
pub(crate) fn downcast<T: 'static>(value: &dyn Any) -> &T {
    value.downcast_ref().unwrap_or_else(|| panic!("not a {}", std::any::type_name::<T>()))
}
