//! Methods of common traits as methods of a suite, for runs that call more than it lists.
//!
//! They are derived from the known traits of the suite's types, so they need no code of their own.
//! Each has only structures as parameters, and is named after its function: that of the main type
//! `clone`, that of another type `Node::clone`. Results are not shown: contracts check the promises
//! of the traits. A function that the suite lists itself is not added.

use std::any::Any;
use std::hash::DefaultHasher;
use std::hint::black_box;
use std::sync::Arc;

use crate::traits::DisplayOf;
use crate::{
    Call, CloneFn, DebugFn, EqFn, HashFn, IterateBothFn, IterateFn, Method, Operation, OrdFn,
    Outcome, Output, Param, ParamKind, PartialOrdFn, Passing, ReturnValue, RoundTripFn, Suite,
    Type, TypeIdx, TypeTraits, without_keys,
};

/// A method of a trait that a type of a suite has.
#[derive(Debug)]
pub struct TraitMethod(TraitCall);

/// The function that is called.
#[derive(Clone, Copy, Debug)]
enum TraitCall {
    Clone(CloneFn),
    Default(fn() -> Box<dyn Any>),
    Compare(EqFn),
    PartialCmp(PartialOrdFn),
    Cmp(OrdFn),
    Hash(HashFn),
    Display(DebugFn),
    Iterate(IterateFn),
    IterateBack(IterateBothFn),
    /// Writes the value and reads it again, in a human-readable form or a binary one.
    RoundTrip(RoundTripFn, bool),
}

/// A function of a trait: its name, the source of a call, and its signature.
struct TraitFunction {
    name: &'static str,
    path: &'static str,
    signature: &'static str,
}

/// The most items taken from an iterator, which may have no end.
const MOST_ITEMS: usize = 10_000;

impl Suite {
    /// The methods of the common traits of its types that it does not list itself: `Clone`,
    /// `Default`, `PartialEq`, `PartialOrd`, `Ord`, `Hash`, `Display`, `IntoIterator` of
    /// references, from both ends if possible, and the round trip through `serde`, in both forms,
    /// for types whose suite has `serde`.
    ///
    /// Pairs of two suites in [lockstep](crate::Lockstep) have none. Names and paths made for them
    /// are never freed.
    pub fn trait_methods(&self) -> Vec<Method> {
        let mut methods: Vec<Method> = Vec::new();
        let types = self.types.iter().enumerate().filter(|(_, ty)| ty.pair.is_none());
        for (idx, ty) in types.map(|(index, ty)| (TypeIdx::new(index), ty)) {
            let calls = trait_calls(ty).into_iter();
            let calls = calls.filter(|call| !self.lists(idx, call.function().name));
            for method in calls.map(|call| call.method_of(ty, idx)) {
                let mut known = self.methods.iter().chain(&methods);
                if known.all(|known| known.name != method.name) {
                    methods.push(method);
                }
            }
        }
        methods
    }

    /// Returns whether a function of that name takes or returns the type, whatever its name in the
    /// suite.
    fn lists(&self, ty: TypeIdx, function: &str) -> bool {
        let is_named = |text: &str| last_segment(text) == function;
        self.methods.iter().any(|method| {
            let takes = method.structure_params().next().is_some_and(|(taken, _)| taken == ty);
            let gives = method.outputs.iter().any(|output| output.ty == ty);
            (takes || gives) && (is_named(method.name) || is_named(method.path))
        })
    }
}

impl Method {
    /// Returns whether it is a trait's function that the suite does not list.
    pub fn is_of_enrichment(&self) -> bool {
        self.stands_for::<TraitMethod>().is_some()
    }
}

/// All calls of a type's traits.
fn trait_calls(ty: &Type) -> Vec<TraitCall> {
    let TypeTraits { partial_eq, partial_ord, ord, hash, display, iterate, .. } = ty.traits;
    // A structure that carries keys begins with none, which its type alone cannot arrange.
    let default = ty.traits.default.filter(|_| ty.keyed.is_none());
    let round_trip = ty.traits.serde.filter(|_| ty.keyed.is_none());
    let calls = [
        ty.clone.map(TraitCall::Clone),
        default.map(TraitCall::Default),
        partial_eq.map(TraitCall::Compare),
        partial_ord.map(TraitCall::PartialCmp),
        ord.map(TraitCall::Cmp),
        hash.map(TraitCall::Hash),
        display.map(TraitCall::Display),
        iterate.map(TraitCall::Iterate),
        ty.traits.iterate_both.map(TraitCall::IterateBack),
        round_trip.map(|function| TraitCall::RoundTrip(function, false)),
        round_trip.map(|function| TraitCall::RoundTrip(function, true)),
    ];
    calls.into_iter().flatten().collect()
}

impl TraitCall {
    fn function(self) -> TraitFunction {
        let (name, path, signature) = match self {
            TraitCall::Clone(_) => ("clone", "Clone::clone(&{0})", "fn clone(&self) -> Self"),
            TraitCall::Default(_) => ("default", "", "fn default() -> Self"),
            TraitCall::Compare(_) => {
                ("eq", "PartialEq::eq(&{0}, {1})", "fn eq(&self, other: &Self) -> bool")
            }
            TraitCall::PartialCmp(_) => (
                "partial_cmp",
                "PartialOrd::partial_cmp(&{0}, {1})",
                "fn partial_cmp(&self, other: &Self) -> Option<Ordering>",
            ),
            TraitCall::Cmp(_) => {
                ("cmp", "Ord::cmp(&{0}, {1})", "fn cmp(&self, other: &Self) -> Ordering")
            }
            TraitCall::Hash(_) => (
                "hash",
                "std::hash::Hash::hash(&{0}, &mut std::hash::DefaultHasher::new())",
                "fn hash<H: Hasher>(&self, state: &mut H)",
            ),
            TraitCall::Display(_) => {
                ("to_string", "ToString::to_string(&{0})", "fn to_string(&self) -> String")
            }
            TraitCall::Iterate(_) => (
                "into_iter",
                "(&{0}).into_iter().for_each(drop)",
                "fn into_iter(&self) -> impl Iterator",
            ),
            TraitCall::IterateBack(_) => (
                "into_iter_rev",
                "(&{0}).into_iter().rev().for_each(drop)",
                "fn into_iter(&self) -> impl DoubleEndedIterator",
            ),
            TraitCall::RoundTrip(_, false) => (
                "serde_round_trip",
                "beget::round_trip(&{0}, false)",
                "fn serde_round_trip(&self) -> Result<Self, String>",
            ),
            TraitCall::RoundTrip(_, true) => (
                "serde_round_trip_for_people",
                "beget::round_trip(&{0}, true)",
                "fn serde_round_trip_for_people(&self) -> Result<Self, String>",
            ),
        };
        TraitFunction { name, path, signature }
    }

    /// The type of its result.
    fn returns(self) -> Option<&'static str> {
        match self {
            TraitCall::Clone(_) | TraitCall::Default(_) => Some("Self"),
            TraitCall::Compare(_) => Some("bool"),
            TraitCall::PartialCmp(_) => Some("Option<Ordering>"),
            TraitCall::Cmp(_) => Some("Ordering"),
            TraitCall::Hash(_) => None,
            TraitCall::Display(_) => Some("String"),
            TraitCall::Iterate(_) => Some("impl Iterator"),
            TraitCall::IterateBack(_) => Some("impl DoubleEndedIterator"),
            TraitCall::RoundTrip(..) => Some("Result<Self, String>"),
        }
    }

    /// The number of structures that it takes.
    fn n_params(self) -> usize {
        match self {
            TraitCall::Default(_) => 0,
            TraitCall::Compare(_) | TraitCall::PartialCmp(_) | TraitCall::Cmp(_) => 2,
            _ => 1,
        }
    }

    fn method_of(self, ty: &Type, idx: TypeIdx) -> Method {
        let TraitFunction { name, path, signature } = self.function();
        let param =
            |name| Param { name, kind: ParamKind::Structure { ty: idx, passing: Passing::Ref } };
        let is_fallible = matches!(self, TraitCall::RoundTrip(..));
        let gives = is_fallible || matches!(self, TraitCall::Clone(_) | TraitCall::Default(_));
        let access = if is_fallible { ".unwrap()" } else { "" };
        Method {
            name: match idx.index() {
                0 => name,
                _ => leaked(format!("{}::{name}", last_segment(ty.name))),
            },
            signature,
            returns: self.returns(),
            path: match self {
                TraitCall::Default(_) => leaked(format!("<{} as Default>::default()", ty.name)),
                _ => path,
            },
            params: ["self", "other"].into_iter().take(self.n_params()).map(param).collect(),
            outputs: gives.then_some(Output { ty: idx, access }).into_iter().collect(),
            fallible: is_fallible,
            call: |_| panic!("the function of a trait stands in"),
            call_observed: None,
            stand_in: Some(Arc::new(TraitMethod(self))),
        }
    }
}

impl Operation for TraitMethod {
    fn make(&self, call: &mut Call<'_>) -> Outcome {
        match self.0 {
            TraitCall::Clone(clone) => {
                let ([], [value]) = call.borrowed([], [0]);
                let made = clone(value);
                call.give_slot(Some(made));
            }
            TraitCall::Default(default) => call.give_slot(Some(default())),
            TraitCall::Compare(eq) => drop(black_box(on_two(call, eq))),
            TraitCall::PartialCmp(compare) => drop(black_box(on_two(call, compare))),
            TraitCall::Cmp(compare) => drop(black_box(on_two(call, compare))),
            TraitCall::Hash(hash) => hash(receiver(call), &mut DefaultHasher::new()),
            TraitCall::Display(display) => {
                drop(black_box(DisplayOf(display, receiver(call)).to_string()));
            }
            TraitCall::Iterate(iterate) => iterate(receiver(call), &mut |items| {
                (0..MOST_ITEMS).all(|_| items.skip_one());
            }),
            TraitCall::IterateBack(iterate) => iterate(receiver(call), &mut |items| {
                (0..MOST_ITEMS).all(|_| items.skip_one_back());
            }),
            TraitCall::RoundTrip(round_trip, is_for_people) => {
                match round_trip(receiver(call), is_for_people) {
                    Ok(read) => call.give_slot(Some(read)),
                    Err(_) => return Outcome::Error,
                }
            }
        }
        Outcome::Returned
    }

    fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        (self.make(call), None)
    }
}

/// The receiver of a call, as its type's traits expect it.
fn receiver<'c>(call: &'c mut Call<'_>) -> &'c dyn Any {
    let ([], [value]) = call.borrowed([], [0]);
    without_keys(value)
}

/// The result of a function of the two structures of a call, which may be the same.
fn on_two<T>(call: &mut Call<'_>, function: fn(&dyn Any, &dyn Any) -> T) -> T {
    let ([], [one, other]) = call.borrowed([], [0, 1]);
    function(without_keys(one), without_keys(other))
}

/// The last segment of a path or a type's name, without type arguments and anything called on it.
fn last_segment(text: &str) -> &str {
    let end = text.find(['<', '(']).unwrap_or(text.len());
    text[..end].rsplit("::").next().unwrap_or(text)
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_is_the_name() {
        let names = ["clone", "Stack::clone", "std::vec::Vec<a::B>", "Node::new()"];
        assert_eq!(names.map(last_segment), ["clone", "clone", "Vec", "new"]);
    }
}
