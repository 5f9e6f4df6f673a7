//! One call: the values it works on and how it ended.

use std::any::Any;

use crate::Literal;

/// A place for a structure: empty once a call has taken it by value.
pub type Slot = Option<Box<dyn Any>>;

/// The structures of one call: arguments in parameter order (the receiver first), then what it returned.
#[derive(Debug, Default)]
pub struct Frame {
    /// The structures passed, in the order of the structure parameters.
    pub arguments: Vec<Slot>,
    /// The structures returned, in the order of the method's outputs; `None` where an `Option` was `None`.
    pub results: Vec<Slot>,
}

/// How a call ended, as far as the call itself can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned.
    Returned,
    /// It returned `Err`.
    Error,
}

/// What a method's glue gets: the frame, and the literals in the order of the literal parameters.
///
/// The accessors panic on a mismatch of types or numbers: only a wrong hand-written suite can cause it.
#[derive(Debug)]
pub struct Call<'c> {
    frame: &'c mut Frame,
    literals: &'c [&'c Literal],
}

impl<'c> Call<'c> {
    /// A call on `frame` with `literals`.
    #[inline]
    pub fn new(frame: &'c mut Frame, literals: &'c [&'c Literal]) -> Self {
        Call { frame, literals }
    }

    /// Structure argument number `index`, for `&T` and `&mut T` parameters.
    #[inline]
    pub fn structure<T: 'static>(&mut self, index: usize) -> &mut T {
        let value = self.frame.arguments[index].as_mut().and_then(|value| value.downcast_mut());
        value.unwrap_or_else(|| wrong_type::<T>("structure", index))
    }

    /// Two different structure arguments at once.
    ///
    /// # Panics
    /// If `indices` are not distinct.
    #[inline]
    pub fn structures<const N: usize>(&mut self, indices: [usize; N]) -> [&mut dyn Any; N] {
        let slots = self.frame.arguments.get_disjoint_mut(indices).expect("distinct arguments");
        slots.map(|slot| &mut **slot.as_mut().expect("the argument is there"))
    }

    /// Takes structure argument number `index` by value.
    #[inline]
    pub fn take<T: 'static>(&mut self, index: usize) -> T {
        let value = self.frame.arguments[index].take().and_then(|value| value.downcast().ok());
        *value.unwrap_or_else(|| wrong_type::<T>("structure", index))
    }

    /// Literal number `index`.
    #[inline]
    pub fn literal<T: 'static>(&self, index: usize) -> &'c T {
        self.literals[index]
            .value
            .downcast_ref()
            .unwrap_or_else(|| wrong_type::<T>("literal", index))
    }

    /// Records the next returned structure.
    #[inline]
    pub fn give<T: 'static>(&mut self, result: T) {
        self.frame.results.push(Some(Box::new(result)));
    }

    /// Records that the next structure the method may return was not there.
    #[inline]
    pub fn give_none(&mut self) {
        self.frame.results.push(None);
    }

    /// [`Call::give`], or [`Call::give_none`].
    #[inline]
    pub fn give_option<T: 'static>(&mut self, result: Option<T>) {
        match result {
            Some(result) => self.give(result),
            None => self.give_none(),
        }
    }
}

/// An argument that [`Call::structures`] lent, as its type.
///
/// # Panics
/// If it is not a `T`.
#[inline]
pub fn argument<T: 'static>(value: &mut dyn Any) -> &mut T {
    let value = value.downcast_mut();
    value.unwrap_or_else(|| panic!("an argument is not a {}", std::any::type_name::<T>()))
}

#[cold]
fn wrong_type<T>(what: &str, index: usize) -> ! {
    panic!("{what} argument {index} is missing or not a {}", std::any::type_name::<T>())
}
