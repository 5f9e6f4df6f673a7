//! Types and methods under test, as plain values.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use beget_heap::decode::decode_value;
use beget_heap::{
    CanonicalForm, Class, Decoder, Encoder, Heap, HeapGraph, Layout, Schema, Undecodable,
};

use crate::downcast::downcast;
use crate::{Call, LiteralDomain, Outcome, ReturnValue, StateKind, StateView, TypeTraits};

/// The position of a type in its suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeIdx(usize);

impl TypeIdx {
    /// The position `index`, whether the suite has it or not.
    #[inline]
    pub const fn new(index: usize) -> Self {
        TypeIdx(index)
    }

    /// The position as a number, for tables indexed by type.
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// The position of a method in its suite. A position in a plan, which may leave methods out, is
/// another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIdx(usize);

impl MethodIdx {
    /// The position `index`, whether the suite has it or not.
    #[inline]
    pub const fn new(index: usize) -> Self {
        MethodIdx(index)
    }

    /// The position as a number, for tables indexed by method.
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }
}

impl fmt::Debug for MethodIdx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A type of a suite: functions for its values with their type erased.
#[derive(Clone, Debug)]
pub struct Type {
    /// The type as source writes it.
    pub name: &'static str,
    /// Adds its own classes to a schema; [`Type::describe_in`] adds everything known of the type.
    pub describe: fn(&mut Schema),
    /// Writes a value's heap; the form must have been begun.
    pub walk: fn(&dyn Any, &mut Encoder<'_>),
    /// The heap as a graph.
    pub graph: fn(&dyn Any, &Schema, &Layout) -> HeapGraph,
    /// Makes a value from its own form; [`Type::decode`] does so for all types.
    pub decode_own: fn(&mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable>,
    /// The type's `Clone`, if it has one.
    pub clone: Option<CloneFn>,
    /// The other common traits that it has.
    pub traits: TypeTraits,
    /// The identity of its values.
    pub state: StateKind,
    /// Other views by which its values can be identified.
    pub further_views: Vec<StateView>,
    /// The parts of its values, if they are pairs of two suites in [lockstep](crate::Lockstep).
    pub(crate) pair: Option<&'static dyn TypeLayer>,
    /// The keys that its values carry, if they carry those that they have issued.
    pub(crate) keyed: Option<&'static dyn TypeLayer>,
    /// The canonical form of a value's own heap, if it has one but is shown through an abstraction:
    /// it distinguishes values that the abstraction merges.
    pub own_form: Option<FormFn>,
}

impl Type {
    /// The type with its traits.
    pub fn with_traits(self, traits: TypeTraits) -> Self {
        Type { traits, ..self }
    }

    /// The type with a function that writes the values' own heaps.
    pub fn with_own_form(self, own_form: Option<FormFn>) -> Self {
        Type { own_form, ..self }
    }

    /// Returns whether the heap is not the value's own, so that it may merge different values.
    pub fn is_abstracted(&self) -> bool {
        self.state != StateKind::Fields
    }

    /// Adds its classes to a schema, and whether its values can be decoded.
    pub fn describe_in(&self, schema: &mut Schema) {
        (self.describe)(schema);
        self.pair.into_iter().chain(self.keyed).for_each(|layer| layer.describe(schema));
    }

    /// Makes a value from its form.
    ///
    /// # Errors
    ///
    /// For types and values that cannot be decoded.
    #[inline]
    pub fn decode(&self, decoder: &mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable> {
        match self.pair {
            None => (self.decode_own)(decoder),
            Some(pair) => pair.decode(decoder),
        }
    }

    /// Returns whether values of this type and others may share what they own
    /// ([`Schema::may_share`]), so that it matters how long the others live.
    pub fn may_share(&self) -> bool {
        let mut schema = Schema::default();
        self.describe_in(&mut schema);
        schema.may_share()
    }

    /// The names of all common traits that it has, `Clone` last.
    pub fn trait_names(&self) -> impl Iterator<Item = &'static str> {
        self.traits.names().chain(self.clone.map(|_| "Clone"))
    }
}

/// Writes the canonical form of a value with its type erased, without bounds.
pub type FormFn = fn(&dyn Any) -> Option<CanonicalForm>;

/// Clones a value with its type erased.
pub type CloneFn = fn(&dyn Any) -> Box<dyn Any>;

/// The ways to pass a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// By value.
    Value,
    /// By shared reference.
    Ref,
    /// By exclusive reference.
    Mut,
}

/// The values of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A structure of a type of the suite.
    Structure {
        /// Its type.
        ty: TypeIdx,
        /// The way it is passed.
        passing: Passing,
    },
    /// A literal.
    Literal {
        /// The values it ranges over.
        domain: LiteralDomain,
        /// The text before the literal in source: `""`, `"&"` or `"&mut "`.
        prefix: &'static str,
    },
}

/// A parameter; the receiver is a parameter named `self`.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub kind: ParamKind,
}

/// One structure that a method may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its type.
    pub ty: TypeIdx,
    /// The access to it in source, after the call expression: `""`, `".unwrap()"`, `".0"`,
    /// `".clone()"`, ...; leading stars go before the call. If it has braces, the text between them
    /// goes after the call expression, and the rest around both: `"Rc::unwrap_or_clone({.0})"`.
    pub access: &'static str,
}

/// A callable of a suite: method, constructor or free function.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name, unique in the suite.
    pub name: &'static str,
    /// Its signature as the source writes it.
    pub signature: &'static str,
    /// The type of its result as the source writes it; `None` if the source names none.
    pub returns: Option<&'static str>,
    /// The text before the parenthesis in source when it is called as a function: `Stack::push`. If
    /// structures are inside other types it is the whole call, with `{n}` for parameter number `n`:
    /// `{0}.link(Some({1}))`.
    pub path: &'static str,
    /// The parameters in order.
    pub params: Vec<Param>,
    /// The structures that the result may hold, in the order in which the glue gives them.
    pub outputs: Vec<Output>,
    /// True if it returns a `Result`.
    pub fallible: bool,
    /// Makes the call.
    pub call: CallFn,
    /// Makes the same call and shows its result; `None` if the result holds nothing but structures.
    pub call_observed: Option<ObservedCallFn>,
    /// The call made instead of `call`, if the method stands for others.
    pub stand_in: Option<Arc<dyn Operation>>,
}

/// An operation that a method stands for, in place of its own function.
pub trait Operation: fmt::Debug + Send + Sync + Any {
    /// Makes the call.
    fn make(&self, call: &mut Call<'_>) -> Outcome;

    /// Makes the call and shows its result, if that is more than structures.
    fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>);

    /// The method that it makes the calls of, where it only surrounds them.
    fn surrounded(&self) -> Option<&Method> {
        None
    }
}

/// A layer over the values of a type that its own functions do not know.
pub(crate) trait TypeLayer: fmt::Debug + Send + Sync + Any {
    /// Adds to the schema of the type.
    fn describe(&self, schema: &mut Schema);

    /// Makes a value from its form.
    fn decode(&'static self, decoder: &mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable>;
}

/// Makes a call.
pub type CallFn = fn(&mut Call<'_>) -> Outcome;

/// Makes a call and shows its result; `None` for a call that a precondition forbids. It also runs
/// code of the result's types: their `Debug`.
pub type ObservedCallFn = fn(&mut Call<'_>) -> (Outcome, Option<ReturnValue>);

impl Method {
    /// The types of the structure parameters, in order.
    pub fn structure_params(&self) -> impl Iterator<Item = (TypeIdx, Passing)> + '_ {
        self.params.iter().filter_map(|param| match param.kind {
            ParamKind::Structure { ty, passing } => Some((ty, passing)),
            ParamKind::Literal { .. } => None,
        })
    }

    /// The literal parameters, in order.
    pub fn literal_params(&self) -> impl Iterator<Item = (&Param, &LiteralDomain)> + '_ {
        self.params.iter().filter_map(|param| match &param.kind {
            ParamKind::Structure { .. } => None,
            ParamKind::Literal { domain, .. } => Some((param, domain)),
        })
    }

    /// Returns whether two structure parameters, by their positions among themselves, can take the
    /// same structure: both are `&` of one type.
    pub fn may_alias(&self, one: usize, other: usize) -> bool {
        let param = |index| self.structure_params().nth(index);
        let is_shared = matches!(param(one), Some((_, Passing::Ref)));
        one != other && is_shared && param(one) == param(other)
    }

    /// Makes the call.
    #[inline]
    pub fn make(&self, call: &mut Call<'_>) -> Outcome {
        match self.stand_in.as_deref() {
            None => (self.call)(call),
            Some(stand_in) => make_in_place(stand_in, call),
        }
    }

    /// Makes the call and shows its result, if that is more than structures.
    pub fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        match (self.stand_in.as_deref(), self.call_observed) {
            (Some(stand_in), _) => stand_in.observe(call),
            (None, Some(observed)) => observed(call),
            (None, None) => ((self.call)(call), None),
        }
    }

    /// The operation that it stands for, if that is of this type, whatever surrounds it.
    pub(crate) fn stands_for<O: Operation>(&self) -> Option<&O> {
        let stand_in = self.stand_in.as_deref()?;
        match stand_in.surrounded() {
            Some(method) => method.stands_for(),
            None => (stand_in as &dyn Any).downcast_ref(),
        }
    }

    /// Returns whether it needs no structure: it is called only in the first level.
    pub fn is_constructor(&self) -> bool {
        self.structure_params().next().is_none()
    }
}

/// Makes the call of an operation. Apart, so that where there is none, a call is no more than that.
#[inline(never)]
fn make_in_place(stand_in: &dyn Operation, call: &mut Call<'_>) -> Outcome {
    stand_in.make(call)
}

impl Type {
    /// The current view of the values.
    pub fn view(&self) -> StateView {
        StateView {
            state: self.state,
            describe: self.describe,
            walk: self.walk,
            graph: self.graph,
            decode: self.decode_own,
        }
    }

    /// The type with another view of its values, if there is one.
    pub fn with_view(mut self, view: Option<StateView>) -> Self {
        self.further_views.extend(view);
        self
    }

    /// All available views of the values, in the order of [`StateKind::ALL`].
    pub fn states(&self) -> Vec<StateKind> {
        let further = self.further_views.iter().map(|view| view.state);
        let mut states: Vec<StateKind> = further.chain([self.state]).collect();
        states.sort();
        states
    }

    /// Returns whether values show anything at all.
    pub fn shows_anything(&self) -> bool {
        let mut schema = Schema::default();
        self.describe_in(&mut schema);
        let is_empty = |class: &Class| class.fields.is_empty() && !class.is_object;
        !schema.classes().iter().all(is_empty)
    }

    /// The type with values identified by `state`; `None` if it has no such view.
    pub fn seen_by(&self, state: StateKind) -> Option<Type> {
        if self.state == state {
            return Some(self.clone());
        }
        let mut further_views = self.further_views.clone();
        let view = further_views.iter_mut().find(|view| view.state == state)?;
        let StateView { state, describe, walk, graph, decode } =
            std::mem::replace(view, self.view());
        Some(Type {
            state,
            describe,
            walk,
            graph,
            decode_own: decode,
            further_views,
            ..self.clone()
        })
    }
}

/// Describes `T`, shown through its own heap.
pub fn type_of<T: Heap>(name: &'static str, clone: Option<CloneFn>) -> Type {
    type_with(name, clone, view_of_fields::<T>())
}

fn view_of_fields<T: Heap>() -> StateView {
    StateView {
        state: StateKind::Fields,
        describe: |schema| schema.add_root::<T>(),
        walk: |value, encoder| encoder.walk(downcast::<T>(value)),
        graph: |value, schema, layout| HeapGraph::under(downcast::<T>(value), schema, layout),
        decode: |decoder| Ok(Box::new(decode_value::<T>(decoder)?)),
    }
}

/// A type whose values are shown by one view.
pub(crate) fn type_with(name: &'static str, clone: Option<CloneFn>, view: StateView) -> Type {
    let StateView { state, describe, walk, graph, decode } = view;
    Type {
        name,
        describe,
        walk,
        graph,
        decode_own: decode,
        clone,
        traits: TypeTraits::default(),
        state,
        further_views: Vec::new(),
        pair: None,
        keyed: None,
        own_form: None,
    }
}

/// An abstraction function as a type, for a foreign type.
///
/// The macros implement it. Matching by an abstraction merges structures with equal abstractions.
pub trait Abstraction: 'static {
    /// The type under test.
    type Of: 'static;
    /// The abstract value.
    type Seen: Heap;
    /// The abstraction function.
    fn see(value: &Self::Of) -> Self::Seen;
}

/// Describes `A::Of`, shown through the abstraction function `A`.
pub fn type_seen_as<A: Abstraction>(name: &'static str, clone: Option<CloneFn>) -> Type {
    let view = StateView {
        state: StateKind::Abstraction,
        describe: |schema| {
            schema.add_root::<A::Seen>();
            schema.unseen::<A::Of>();
            schema.seen_through_function("it is seen through an abstraction");
        },
        walk: |value, encoder| encoder.walk(&A::see(downcast(value))),
        graph: |value, schema, layout| HeapGraph::under(&A::see(downcast(value)), schema, layout),
        decode: |_| Err(Undecodable::new("the type is seen through an abstraction")),
    };
    type_with(name, clone, view)
}

/// Finds out whether a concrete type has a heap, as [`clone_probe`] does for `Clone`.
pub mod heap_probe {
    use super::{FormFn, StateView, clone_probe::Probe};
    use beget_heap::{Bounds, Heap, canonical_form};

    /// Chosen where `T: Heap`.
    pub trait HasHeap {
        /// The function that writes its form.
        fn own_form(&self) -> Option<FormFn>;
        /// Shows values by their fields.
        fn own_view(&self) -> Option<StateView>;
    }

    impl<T: Heap> HasHeap for Probe<T> {
        fn own_form(&self) -> Option<FormFn> {
            Some(|value| {
                canonical_form(crate::downcast::downcast::<T>(value), &Bounds::unlimited()).ok()
            })
        }

        fn own_view(&self) -> Option<StateView> {
            Some(super::view_of_fields::<T>())
        }
    }

    /// Chosen otherwise.
    pub trait LacksHeap {
        /// `None`.
        fn own_form(&self) -> Option<FormFn>;
        /// `None`.
        fn own_view(&self) -> Option<StateView>;
    }

    impl<T> LacksHeap for &Probe<T> {
        fn own_form(&self) -> Option<FormFn> {
            None
        }

        fn own_view(&self) -> Option<StateView> {
            None
        }
    }
}

/// Finds out whether a concrete type is `Clone`, in emitted code that cannot ask by bounds.
///
/// `(&Probe::<T>::new()).clone_fn()` is the method of `IsClone` where `T: Clone`, and that of
/// `IsNotClone` otherwise; [`Probe`](clone_probe::Probe) describes how.
pub mod clone_probe {
    use std::any::Any;

    pub use beget_heap::probe::Probe;

    use super::CloneFn;

    /// Chosen where `T: Clone`.
    pub trait IsClone<T> {
        /// The clone function.
        fn clone_fn(&self) -> Option<CloneFn>;
        /// A clone of the value.
        fn try_clone(&self, value: &T) -> Option<T>;
    }

    impl<T: Clone + 'static> IsClone<T> for Probe<T> {
        fn clone_fn(&self) -> Option<CloneFn> {
            Some(|value: &dyn Any| Box::new(crate::downcast::downcast::<T>(value).clone()))
        }

        fn try_clone(&self, value: &T) -> Option<T> {
            Some(value.clone())
        }
    }

    /// Chosen otherwise.
    pub trait IsNotClone<T> {
        /// `None`.
        fn clone_fn(&self) -> Option<CloneFn>;
        /// `None`.
        fn try_clone(&self, value: &T) -> Option<T>;
    }

    impl<T> IsNotClone<T> for &Probe<T> {
        fn clone_fn(&self) -> Option<CloneFn> {
            None
        }

        fn try_clone(&self, _: &T) -> Option<T> {
            None
        }
    }
}
