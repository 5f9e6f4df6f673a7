//! Operations: the methods of a suite, by functions of this crate's own making.

use std::any::{Any, TypeId};

use super::literals::makers;
use super::{Listed, Pools, Show, Sight};

/// A place for a value.
pub type Slot = Option<Box<dyn Any>>;

/// What a parameter takes.
pub enum Role {
    /// A structure of the suite's type with this id.
    Structure(TypeId),
    /// One of these literals.
    Literal(Vec<Box<dyn Fn() -> Slot>>),
}

/// A parameter, before its literals are listed.
pub type Param = fn(&Pools) -> Role;

/// A type of arguments; suites implement it for their own types.
pub trait Argument: 'static {
    /// What a parameter of this type takes.
    fn role(pools: &Pools) -> Role;
}

macro_rules! literals {
    ($($ty:ty),+) => {$(
        impl Argument for $ty {
            fn role(pools: &Pools) -> Role {
                Role::Literal(makers::<$ty>(pools))
            }
        }
    )+};
}

/// The role of a type of literals.
pub fn literal_role<T: Listed>(pools: &Pools) -> Role {
    Role::Literal(makers::<T>(pools))
}

literals!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
literals!((), bool, char, f32, f64, String);

impl<T: Listed> Argument for Option<T> {
    fn role(pools: &Pools) -> Role {
        Role::Literal(makers::<Self>(pools))
    }
}

impl<T: Listed> Argument for Vec<T> {
    fn role(pools: &Pools) -> Role {
        Role::Literal(makers::<Self>(pools))
    }
}

impl<A: Listed, B: Listed> Argument for (A, B) {
    fn role(pools: &Pools) -> Role {
        Role::Literal(makers::<Self>(pools))
    }
}

/// An argument while its call runs.
#[derive(Debug)]
pub struct Held<'s, T> {
    slot: &'s mut Slot,
    value: Option<Box<T>>,
}

impl<'s, T: 'static> Held<'s, T> {
    /// Takes the argument out of its slot.
    pub fn take(slot: Option<&'s mut Slot>) -> Self {
        let slot = slot.expect("a slot for each parameter");
        let value = slot.take().expect("an argument").downcast().expect("of its type");
        Held { slot, value: Some(value) }
    }

    /// The argument by value.
    pub fn moved(&mut self) -> T {
        *self.value.take().expect("it is there")
    }

    /// The argument by exclusive reference.
    pub fn exclusive(&mut self) -> &mut T {
        self.value.as_mut().expect("it is there")
    }

    /// The argument by shared reference.
    pub fn shared(&mut self) -> &T {
        self.value.as_ref().expect("it is there")
    }

    /// The argument as a text or slice.
    pub fn text(&mut self) -> &T::Target
    where
        T: std::ops::Deref,
    {
        self.shared()
    }

    /// Where it lies.
    pub fn address(&self) -> usize {
        self.value.as_deref().map_or(0, |value| std::ptr::from_ref(value).addr())
    }

    /// Puts back what was not moved.
    pub fn end(self) {
        *self.slot = self.value.map(|value| value as Box<dyn Any>);
    }
}

/// A type of results: which structures are in it.
pub trait Give: Sized {
    /// How many structures it may hold.
    const N: usize;

    /// Whether it is an error.
    fn is_error(&self) -> bool {
        false
    }

    /// Moves the structures to `out`, one slot for each that may be there; what lies at one of the
    /// addresses `known` is an argument and no new structure.
    fn give(self, known: &[usize], out: &mut Vec<Slot>);
}

/// A type that results may refer to.
pub trait GiveRef {
    /// How many structures it is.
    const N: usize;

    /// A clone to `out`.
    fn give_ref(&self, known: &[usize], out: &mut Vec<Slot>);
}

impl<T: GiveRef> Give for &T {
    const N: usize = T::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        self.give_ref(known, out);
    }
}

impl<T: GiveRef> Give for &mut T {
    const N: usize = T::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        self.give_ref(known, out);
    }
}

macro_rules! values {
    ($($ty:ty),+) => {$(
        impl Give for $ty {
            const N: usize = 0;
            fn give(self, _: &[usize], _: &mut Vec<Slot>) {}
        }
        impl GiveRef for $ty {
            const N: usize = 0;
            fn give_ref(&self, _: &[usize], _: &mut Vec<Slot>) {}
        }
    )+};
}

values!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
values!((), bool, char, f32, f64, String, std::cmp::Ordering, std::time::Duration);

impl<T> Give for Vec<T> {
    const N: usize = 0;
    fn give(self, _: &[usize], _: &mut Vec<Slot>) {}
}

fn give_nothing(n: usize, out: &mut Vec<Slot>) {
    out.extend((0..n).map(|_| None));
}

impl<T: Give> Give for Option<T> {
    const N: usize = T::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        match self {
            Some(value) => value.give(known, out),
            None => give_nothing(T::N, out),
        }
    }
}

impl<T: Give, E> Give for Result<T, E> {
    const N: usize = T::N;

    fn is_error(&self) -> bool {
        self.is_err()
    }

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        self.ok().give(known, out);
    }
}

impl<T: Give> Give for Box<T> {
    const N: usize = T::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        (*self).give(known, out);
    }
}

impl<A: Give, B: Give> Give for (A, B) {
    const N: usize = A::N + B::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        self.0.give(known, out);
        self.1.give(known, out);
    }
}

impl<A: Give, B: Give, C: Give> Give for (A, B, C) {
    const N: usize = A::N + B::N + C::N;

    fn give(self, known: &[usize], out: &mut Vec<Slot>) {
        self.0.give(known, out);
        self.1.give(known, out);
        self.2.give(known, out);
    }
}

/// A method.
pub struct Op {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// Makes the call: leaves arguments that were not moved in their slots, and pushes results.
    /// Returns whether the result is an error.
    pub run: fn(&mut [Slot], &mut Vec<Slot>) -> bool,
}

/// A type of a suite.
pub struct Type {
    /// Its id.
    pub id: TypeId,
    /// Writes a value's form.
    pub show: fn(&dyn Any, &mut Sight<'_>),
}

/// The type `T`.
pub fn ty<T: Show>() -> Type {
    Type {
        id: TypeId::of::<T>(),
        show: |value, sight| {
            sight.root::<T>();
            value.downcast_ref::<T>().expect("of its type").show(sight);
        },
    }
}

/// Types and methods.
pub struct OwnSuite {
    /// The types, the main one first.
    pub types: Vec<Type>,
    /// The methods in source order.
    pub ops: Vec<Op>,
}

/// A type with its methods in suite `S`.
pub trait Operated<S> {
    /// Adds the methods.
    fn ops(ops: &mut Vec<Op>);
}
