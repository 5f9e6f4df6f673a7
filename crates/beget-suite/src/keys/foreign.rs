//! Keys of another structure, which a structure must not accept as its own.
//!
//! The other structure is made for the call, by the first function of the suite that makes one and
//! the first method that issues a key of the kind, with a few plain literals. So it depends on no
//! scope, and a recipe can write it down. The key is the first one that the structure has not
//! issued itself, however many calls issue none or an old one again.
//!
//! # The choice of the key, and its name in source
//!
//! A **foreign key** (`keys/foreign.rs`) is one more literal, `foreign_key`. The suite and the keys
//! that the structure has issued determine it: the first key of another structure that is none of
//! these. Workers and both sides of a pair must find theirs by themselves, so its route uses plain
//! literals. Source names the calls that lead to it. Their number depends on values (a call may
//! issue none, or a key again), so the writer of source makes the calls before (`source/keys.rs`).
//! For that the suite of a plan with foreign keys knows the plan's literals (`Suite::knowing`); if
//! a random run has made other literals, source assumes that each call before has issued a key of
//! its own. `crates/beget/tests/installed/foreign_keys.rs` has slot maps that accept keys that they
//! should reject, and a separate loop over slabs that give numbers again, whose structures, calls
//! and recipes must be the same.

use std::any::Any;
use std::collections::BTreeMap;

use beget_process::guard::guarded;

use super::{KeyType, KeyedMethod, KeyedValue};
use crate::{Call, Frame, Literal, Method, Outcome, ParamKind, Passing, Pools, Slot, TypeIdx};

/// The literal that stands for a key of another structure.
pub(crate) const FOREIGN: &str = "foreign_key";

/// Its value.
pub(super) struct ForeignKey;

/// The calls by which another structure issues keys of a kind.
#[derive(Debug)]
pub(crate) struct ForeignRoute {
    /// Makes the structure.
    constructor: RouteCall,
    /// The calls that issue the keys, of other kinds, that later calls take.
    before: Vec<RouteCall>,
    /// Issues a key of the kind each time it is called.
    issuer: RouteCall,
}

/// A call of a route.
#[derive(Clone, Debug)]
pub(crate) struct RouteCall {
    pub(crate) method: Method,
    /// The argument of each of the method's parameters.
    pub(crate) arguments: Vec<RouteArgument>,
    /// The position of the wanted structure among the method's outputs.
    pub(crate) output: usize,
}

/// An argument of a call of a route.
#[derive(Clone, Debug)]
pub(crate) enum RouteArgument {
    /// The structure itself.
    Owner,
    /// The key of that kind issued by call number `call` before the last.
    Key { kind: usize, call: usize },
    /// The first of these, and the next one each time the call is repeated.
    Literals(Vec<Literal>),
}

/// A call that leads to a key of another structure, for source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeignCall<'r> {
    pub(crate) call: &'r RouteCall,
    /// The number of times it was made before.
    pub(crate) number: usize,
    pub(crate) gives: ForeignResult,
}

/// The part of a [`ForeignCall`]'s result that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignResult {
    /// The structure.
    Owner,
    /// A key that later calls take.
    Key,
    /// The wanted key.
    LastKey,
    Nothing,
}

/// A structure that was made for its keys, with the last one. It lives as long as the key is used.
#[derive(Default)]
pub(super) struct ForeignOwner {
    structure: Slot,
    key: Slot,
}

impl Drop for ForeignOwner {
    fn drop(&mut self) {
        // Its destructor may panic, and so may the call for which it was made.
        let (key, structure) = (self.key.take(), self.structure.take());
        let _ = guarded(|| drop(key));
        let _ = guarded(|| drop(structure));
    }
}

/// The routes to keys of each kind; `None` if the methods of the suite lead to none.
pub(super) fn routes(keys: &[TypeIdx], methods: &[Method]) -> Vec<Option<ForeignRoute>> {
    let none = || keys.iter().map(|_| None).collect();
    let Some(constructor) = methods.iter().find_map(|method| constructor(method, keys)) else {
        return none();
    };
    let mut issuers: Vec<(usize, RouteCall)> = Vec::new();
    // A kind may need keys of others, and then only be found in a later round.
    for _ in keys {
        for kind in 0..keys.len() {
            let known: Vec<usize> = issuers.iter().map(|(known, _)| *known).collect();
            if !known.contains(&kind) {
                let found = methods.iter().find_map(|method| issuer(method, kind, keys, &known));
                issuers.extend(found.map(|found| (kind, found)));
            }
        }
    }
    let route = |kind: usize| {
        let position = issuers.iter().position(|(known, _)| *known == kind)?;
        let before = issuers[..position].iter().map(|(_, call)| call.clone()).collect();
        let (constructor, issuer) = (constructor.clone(), issuers[position].1.clone());
        Some(ForeignRoute { constructor, before, issuer })
    };
    (0..keys.len()).map(route).collect()
}

fn constructor(method: &Method, keys: &[TypeIdx]) -> Option<RouteCall> {
    let output = method.outputs.iter().position(|output| output.ty == TypeIdx::new(0))?;
    method.is_constructor().then(|| RouteCall::new(method, output, keys, &[])).flatten()
}

/// The call of `method` that issues a key of a kind, if it needs only keys of the `known` kinds.
fn issuer(method: &Method, kind: usize, keys: &[TypeIdx], known: &[usize]) -> Option<RouteCall> {
    let output_of = |ty: TypeIdx| method.outputs.iter().position(|output| output.ty == ty);
    let output = output_of(keys[kind])?;
    let mut owners = method.structure_params().filter(|(ty, _)| *ty == TypeIdx::new(0));
    let is_changed =
        owners.next() == Some((TypeIdx::new(0), Passing::Mut)) && owners.next().is_none();
    let leaves_owner = is_changed && output_of(TypeIdx::new(0)).is_none();
    leaves_owner.then(|| RouteCall::new(method, output, keys, known)).flatten()
}

/// A few literals of each sort.
fn plain_pools() -> Pools {
    Pools {
        ints: Some((0..8).collect()),
        large_ints: Vec::new(),
        floats: Some(vec![0.0, 1.0]),
        bools: None,
        chars: Some(vec!['a', 'b']),
        strings: Some(vec!["a".to_owned(), "b".to_owned()]),
        enums: BTreeMap::new(),
        longest: 1,
        clamp: true,
    }
}

impl RouteCall {
    fn new(method: &Method, output: usize, keys: &[TypeIdx], known: &[usize]) -> Option<RouteCall> {
        let pools = plain_pools();
        let argument = |kind: &ParamKind| match kind {
            ParamKind::Structure { ty, .. } if ty.index() == 0 => Some(RouteArgument::Owner),
            ParamKind::Structure { ty, .. } => {
                let kind = keys.iter().position(|key| key == ty)?;
                let call = known.iter().position(|one| *one == kind)?;
                Some(RouteArgument::Key { kind, call })
            }
            ParamKind::Literal { domain, .. } => {
                let literals = (domain.literals)(&pools).ok()?;
                (!literals.is_empty()).then_some(RouteArgument::Literals(literals))
            }
        };
        let arguments: Option<Vec<_>> =
            method.params.iter().map(|param| argument(&param.kind)).collect();
        Some(RouteCall { method: method.clone(), arguments: arguments?, output })
    }

    /// The literals of the call when it is made for the `number`th time, by the parameters'
    /// positions.
    pub(crate) fn literal(&self, parameter: usize, number: usize) -> Option<&Literal> {
        match &self.arguments[parameter] {
            RouteArgument::Literals(literals) => Some(&literals[number % literals.len()]),
            _ => None,
        }
    }

    /// Makes the call for the `number`th time; returns the wanted structure, if the call returns
    /// it.
    fn make(
        &self,
        structure: &mut Slot,
        keys: &[Box<dyn Any>],
        number: usize,
        types: &[KeyType],
    ) -> Slot {
        let arguments = self.arguments.iter().filter_map(|argument| match argument {
            RouteArgument::Owner => Some(structure.take()),
            RouteArgument::Key { kind, call } => Some(Some(types[*kind].clone_of(&*keys[*call]))),
            RouteArgument::Literals(_) => None,
        });
        let mut frame = Frame::of(arguments.collect());
        let literals: Vec<&Literal> =
            (0..self.arguments.len()).filter_map(|index| self.literal(index, number)).collect();
        let outcome = self.method.make(&mut Call::new(&mut frame, &literals));
        let is_owner = |argument: &&RouteArgument| !matches!(argument, RouteArgument::Literals(_));
        let owner = self.arguments.iter().filter(is_owner);
        let owner = owner.enumerate().find(|(_, one)| matches!(one, RouteArgument::Owner));
        if let Some((position, _)) = owner {
            *structure = frame.arguments[position].take();
        }
        match outcome {
            Outcome::Returned => frame.results.get_mut(self.output).and_then(Option::take),
            _ => None,
        }
    }
}

/// The number of calls that may issue no new key for each wanted one: as many as [`plain_pools`]
/// has integers, so that every literal is tried.
const CALLS_PER_KEY: usize = 8;

impl ForeignRoute {
    /// The first key of the other structure that is none of `issued`, with that structure and the
    /// number of the call that issues the key; `None` if there is none.
    pub(super) fn first_foreign(
        &self,
        kind: usize,
        issued: &[Slot],
        types: &[KeyType],
    ) -> Option<(ForeignOwner, usize)> {
        let is_own =
            |key: &dyn Any| issued.iter().flatten().any(|own| types[kind].is_same(&**own, key));
        let made = guarded(|| {
            let mut foreign = ForeignOwner {
                structure: self.constructor.make(&mut None, &[], 0, types),
                key: None,
            };
            let mut keys = Vec::new();
            for call in &self.before {
                foreign.structure.as_ref()?;
                keys.push(call.make(&mut foreign.structure, &keys, 0, types)?);
            }
            for number in 0..CALLS_PER_KEY * (issued.len() + 1) {
                foreign.structure.as_ref()?;
                foreign.key = self.issuer.make(&mut foreign.structure, &keys, number, types);
                if foreign.key.as_deref().is_some_and(|key| !is_own(key)) {
                    return foreign.structure.is_some().then_some((foreign, number));
                }
            }
            None
        });
        made.ok().flatten()
    }

    /// The calls that lead to the key issued as number `last`.
    fn calls(&self, last: usize) -> Vec<ForeignCall<'_>> {
        let first = |call, gives| ForeignCall { call, number: 0, gives };
        let mut calls = vec![first(&self.constructor, ForeignResult::Owner)];
        calls.extend(self.before.iter().map(|call| first(call, ForeignResult::Key)));
        calls.extend((0..=last).map(|number| {
            let is_last = number == last;
            let gives = if is_last { ForeignResult::LastKey } else { ForeignResult::Nothing };
            ForeignCall { call: &self.issuer, number, gives }
        }));
        calls
    }
}

/// A key of another structure for one that has issued `issued`, if there is one that differs from
/// all of these.
pub(super) fn foreign_key(
    route: &ForeignRoute,
    kind: usize,
    issued: &[Slot],
    types: &[KeyType],
) -> Option<(Box<dyn Any>, ForeignOwner)> {
    let (foreign, _) = route.first_foreign(kind, issued, types)?;
    let key = foreign.key.as_deref()?;
    let cloned = guarded(|| types[kind].clone_of(key)).ok()?;
    Some((cloned, foreign))
}

impl KeyedMethod {
    /// The number of the call by which another structure issues the key meant by [`FOREIGN`], if
    /// parameter number `index` takes keys and `owner` is the structure that it is called on.
    pub(crate) fn foreign_number(&self, index: usize, owner: &dyn Any) -> Option<usize> {
        let kind = self.key_kind(index)?;
        let (issued, types) = (&owner.downcast_ref::<KeyedValue>()?.issued, &self.keyed.keys);
        let route = self.keyed.routes[kind].as_ref()?;
        route.first_foreign(kind, &issued[kind], types).map(|(_, number)| number)
    }

    /// The calls by which another structure issues that key by call number `number`.
    pub(crate) fn foreign_calls(
        &self,
        index: usize,
        number: usize,
    ) -> Option<Vec<ForeignCall<'_>>> {
        let route = self.keyed.routes[self.key_kind(index)?].as_ref()?;
        Some(route.calls(number))
    }
}
