//! One call: the values it works on and how it ended.
//!
//! # Reporting the result of a call
//!
//! A method has two functions: `call`, which the engine uses, drops plain results; `call_observed`
//! shows them as a `ReturnValue`. The macro emits one function for both, generic over the listener,
//! so that a call without a listener pays nothing. Autoref specialization (`trait_probe`,
//! `value_probe`) finds out whether a type has `Debug` or a `Domain`, because emitted code cannot
//! ask by bounds.
//!
//! A call can end with `Outcome::Misuse` (a precondition does not hold: it was not made) or
//! `Outcome::Broken` (a postcondition, a model). The latter leaves a `Breach` in place of a result.
//! This is no field of the frame, so that other calls pay nothing.
//!
//! An argument passed by `&` may be the same structure as another one of its type: its slot then
//! holds a `SameAs` with the position of that one. It is a value in the slot, not a field of the
//! frame, so that calls without it cost nothing; only the glue of methods that have two such
//! parameters looks for it.
//!
//! A scope may keep an argument that an **expected panic** changed. Such calls are numbered after
//! those that return, so the recipe says that the call panics; replays expect it, and source
//! catches it. Structures merged by an **abstraction** are compared after the run, for a sample of
//! calls, by the types' own heaps (`crates/beget-engine/src/run/abstraction.rs`).

use std::any::Any;

use crate::Literal;

/// A place for a structure: empty once a call has taken it by value.
///
/// An argument's slot may hold a [`SameAs`] instead, where
/// [`Method::may_alias`](crate::Method::may_alias) allows it.
pub type Slot = Option<Box<dyn Any>>;

/// Marks the slot of an argument passed by `&` that is the same structure as another one, as in
/// `a.eq(&a)`.
///
/// It is a value in the slot rather than a part of the frame, so that other calls pay nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameAs(
    /// The position of the other one among the structure arguments; its slot holds the structure.
    pub usize,
);

/// The structures of one call: arguments in parameter order (the receiver first), then its results.
#[derive(Debug, Default)]
pub struct Frame {
    /// The structures passed, in the order of the structure parameters.
    pub arguments: Vec<Slot>,
    /// The structures returned, in the order of the method's outputs; `None` where an `Option` was
    /// `None`.
    pub results: Vec<Slot>,
}

/// The way a call ended, as far as the call itself knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned.
    Returned,
    /// It returned `Err`.
    Error,
    /// A precondition forbids it: it was not made, or its caller knows that its result is
    /// meaningless.
    Misuse,
    /// It broke a contract, which is in [`Frame::breach`].
    Broken,
    /// It returned a list of more structures than the method has outputs for: its results are out
    /// of scope.
    LongerList,
}

impl Outcome {
    /// Returns whether the frame holds structures that the call may leave: it was made, and broke
    /// nothing.
    pub fn leaves_structures(self) -> bool {
        matches!(self, Outcome::Returned | Outcome::Error)
    }
}

/// A contract that a call broke, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The kind of the problem in findings: `contract`, `model`.
    pub kind: &'static str,
    /// The contract.
    pub name: &'static str,
    /// The message: a sentence without its full stop.
    pub message: String,
    /// The message of the panic, if the breach is one: if the scope expects it, the call is misuse.
    pub panic: Option<String>,
}

impl Frame {
    /// The structures passed, and nothing returned yet.
    pub fn of(arguments: Vec<Slot>) -> Self {
        Frame { arguments, results: Vec::new() }
    }

    /// The broken contract of a call that ended with [`Outcome::Broken`].
    pub fn breach(&self) -> Option<&Breach> {
        self.results.last()?.as_ref()?.downcast_ref()
    }
}

/// The input of a method's glue: the frame, and the literals in the order of the literal
/// parameters.
///
/// The accessors panic on a mismatch of types or numbers, which only a wrong hand-written suite can
/// cause.
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

    /// Structure arguments of which the `shared` ones, passed by `&`, may be one structure. The
    /// glue of a method with two of a type uses it in place of [`Call::structures`].
    ///
    /// # Panics
    ///
    /// If a structure is requested both as an `exclusive` one and as another one.
    pub fn borrowed<const E: usize, const S: usize>(
        &mut self,
        exclusive: [usize; E],
        shared: [usize; S],
    ) -> ([&mut dyn Any; E], [&dyn Any; S]) {
        let owners = shared.map(|index| self.owner(index));
        let mut exclusively = [const { None }; E];
        let mut together = [None; S];
        for (index, slot) in self.frame.arguments.iter_mut().enumerate() {
            if let Some(position) = exclusive.iter().position(|&wanted| wanted == index) {
                exclusively[position] = slot.as_deref_mut();
            } else {
                let value = slot.as_deref();
                let wanted = together.iter_mut().zip(owners).filter(|(_, owner)| *owner == index);
                wanted.for_each(|(place, _)| *place = value);
            }
        }
        let message = "the argument is there, and is no other one if it is passed by `&mut`";
        (
            exclusively.map(|value| value.expect(message)),
            together.map(|value| value.expect(message)),
        )
    }

    /// The position of the slot that holds argument number `index`.
    fn owner(&self, index: usize) -> usize {
        let alias = self.frame.arguments[index].as_ref().and_then(|value| value.downcast_ref());
        alias.map_or(index, |SameAs(owner)| *owner)
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
        self.give_slot(Some(Box::new(result)));
    }

    /// [`Call::give`] for a boxed value, or [`Call::give_none`].
    #[inline]
    pub(crate) fn give_slot(&mut self, result: Slot) {
        self.frame.results.push(result);
    }

    /// Records that the next structure that the method may return is absent.
    #[inline]
    pub fn give_none(&mut self) {
        self.frame.results.push(None);
    }

    /// Records the contract that the call broke. The glue gives nothing more, and returns this
    /// result.
    ///
    /// It takes the place of a returned structure, so that other calls pay nothing.
    #[cold]
    pub fn break_contract(&mut self, breach: Breach) -> Outcome {
        self.give(breach);
        Outcome::Broken
    }

    /// The frame, and the literals in the order of the literal parameters.
    pub(crate) fn parts(&mut self) -> (&mut Frame, &'c [&'c Literal]) {
        (self.frame, self.literals)
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

/// Downcasts an argument lent by [`Call::structures`].
///
/// # Panics
/// If it is not a `T`.
#[inline]
pub fn argument<T: 'static>(value: &mut dyn Any) -> &mut T {
    let value = value.downcast_mut();
    value.unwrap_or_else(|| panic!("an argument is not a {}", std::any::type_name::<T>()))
}

/// Downcasts an argument lent by [`Call::borrowed`] as a shared one.
///
/// # Panics
/// If it is not a `T`.
#[inline]
pub fn shared_argument<T: 'static>(value: &dyn Any) -> &T {
    let value = value.downcast_ref();
    value.unwrap_or_else(|| panic!("an argument is not a {}", std::any::type_name::<T>()))
}

#[cold]
fn wrong_type<T>(what: &str, index: usize) -> ! {
    panic!("{what} argument {index} is missing or not a {}", std::any::type_name::<T>())
}
