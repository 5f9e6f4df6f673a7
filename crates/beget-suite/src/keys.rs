//! Keys by provenance: handles that a structure returns belong to the structure that returned them.
//!
//! An arena returns a key for each value that it takes, and takes a key to find or remove one. If
//! keys were structures, they would have to be built by calls on another arena. So a structure of a
//! suite with keys carries the keys that its calls have returned, in order: a method that takes a
//! key is called with each of them, by number, whether its value is still there or not.
//!
//! A key of another structure comes last (`foreign.rs`), which should lead to nothing.
//!
//! The keys are part of the canonical form, so structures match only if their issued keys do.
//! Contracts do not see them.
//!
//! # Why keys belong to a structure
//!
//! **Keys** belong to the structure that returned them. If they were structures, they would be
//! built by calls on another arena, whose costs add up, and a foreign key that looks alike would
//! pass for an own one. So a suite with keys is made anew, like one in lockstep. A structure is a
//! value with the keys that it has issued, in the order of the calls, which are part of its
//! canonical form (each by its own form, as plain numbers; `arrays` bounds their number).
//! Parameters that take keys become literals, `key_0` and so on, the numbers of calls that issued
//! one; a number that was not issued is misuse. So copies, the store, budgets, lockstep and random
//! runs need no code for keys, recipes are as short as before, and two arenas match only if they
//! have issued the same keys. A call's signature shows whether it issues a key, so source can name
//! its key without running it: a call whose `Option` is `None` counts.
//! `crates/beget/tests/installed/keys.rs` compares the structures with a loop over arenas and lists
//! of keys. Keys are recognised from signatures (`keys/found.rs`) only if a value can do nothing
//! but be given back to the type that returned it: it has no methods and no constructor.

mod foreign;
mod found;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use beget_heap::graph::BesideValue;
use beget_heap::{
    Bounds, Decoder, Encoder, HeapGraph, Layout, Primitive, Schema, Undecodable, Walker as _,
};

use crate::downcast::downcast;
use crate::state::{GraphFn, WalkFn};
use crate::types::TypeLayer;
use crate::{
    Call, DomainError, DomainKind, Extent, Frame, Literal, LiteralDomain, Method, MethodIdx,
    Operation, Outcome, Output, Param, ParamKind, Passing, Pools, ReturnValue, SameAs, Slot,
    StateKind, StateView, Suite, Type, TypeIdx,
};
pub(crate) use foreign::{FOREIGN, ForeignCall, ForeignResult, RouteArgument};
use foreign::{ForeignKey, ForeignOwner, ForeignRoute, foreign_key, routes};

/// A method of structures that carry keys.
#[derive(Debug)]
pub struct KeyedMethod {
    /// The method with its real keys.
    inner: Method,
    /// The source of each of its arguments.
    sources: Vec<ArgumentSource>,
    /// The use of each structure that it returns.
    results: Vec<ResultUse>,
    /// The position, among the structures of a call, of the one that issues and knows the keys.
    owner: usize,
    /// The type of that structure.
    keyed: &'static KeyedType,
}

/// The source of an argument of a call.
#[derive(Clone, Copy, Debug)]
enum ArgumentSource {
    /// The structure of that position.
    Structure(usize),
    /// The literal of that position.
    Literal(usize),
    /// A key of that kind; its number is the literal at that position.
    Key { kind: usize, literal: usize },
}

/// The use of a structure that a call returns.
#[derive(Clone, Copy, Debug)]
enum ResultUse {
    /// It is a result of the call, with its own keys if its type carries some.
    Structure(Option<&'static KeyedType>),
    /// It is a key of that kind, which the owner keeps.
    Issued(usize),
    /// It is a key that a call shows behind a `&`.
    Dropped,
}

/// A type whose values carry keys.
#[derive(Debug)]
pub(crate) struct KeyedType {
    inner: Type,
    keys: Vec<KeyType>,
    /// The route by which another structure issues keys of each kind, if such keys are passed.
    routes: Vec<Option<ForeignRoute>>,
}

/// A type of keys.
#[derive(Clone, Debug)]
struct KeyType {
    ty: Type,
    /// The schema of the keys, which no bound of a scope limits.
    schema: Schema,
    layout: Layout,
}

/// Shows values with keys, whose structures are shown by `view`.
fn keyed_view(view: StateView) -> StateView {
    // A function carries no state, so each state has two of its own.
    macro_rules! walks {
        ($($state:ident)+) => {
            match view.state {
                $(StateKind::$state => (
                    |value, encoder| keyed(value).walk(StateKind::$state, encoder),
                    |value, schema, layout| {
                        keyed(value).graph(StateKind::$state, schema, layout)
                    },
                ),)+
            }
        };
    }
    let (walk, graph): (WalkFn, GraphFn) = walks!(Fields Abstraction Shown Bytes);
    StateView { walk, graph, decode: |_| Err(Undecodable::new("it carries keys")), ..view }
}

fn keyed(value: &dyn Any) -> &KeyedValue {
    downcast(value)
}

/// A structure with the keys that it has issued.
struct KeyedValue {
    ty: &'static KeyedType,
    structure: Slot,
    /// For each kind of keys, the results of the calls that return one, in the order of the calls.
    issued: Vec<Vec<Slot>>,
}

/// The start of literals that stand for keys.
const KEY: &str = "key_";

/// The number of a key among those of its kind that a structure has issued.
struct KeyNumber(usize);

/// The value without its keys, which contracts and invariants check.
pub fn without_keys(value: &dyn Any) -> &dyn Any {
    match value.downcast_ref::<KeyedValue>() {
        Some(keyed) => keyed.structure(),
        None => value,
    }
}

/// Like [`without_keys`], for an owned value.
pub fn into_without_keys(value: Box<dyn Any>) -> Box<dyn Any> {
    match value.downcast::<KeyedValue>() {
        Ok(mut keyed) => keyed.structure.take().expect("it is there between calls"),
        Err(value) => value,
    }
}

impl Suite {
    /// The suite in which structures of the main type carry the keys that they return: the values
    /// of the types `keys`. A method is called with each key that its structure has returned, and
    /// with one of another structure, unless `own` contains the key's type.
    ///
    /// The types' descriptions are never freed, as for suites in [lockstep](crate::Lockstep). Each
    /// value refers to its own, and a region image puts values back without destructors, so that
    /// a count of references would be wrong.
    ///
    /// # Panics
    ///
    /// If the main type is among the keys, or keys cannot be cloned.
    #[must_use]
    pub fn with_keys(self, keys: &[TypeIdx], own: &[TypeIdx]) -> Suite {
        assert!(!keys.contains(&TypeIdx::new(0)), "the main type is no type of keys");
        let key_types = keys.iter().map(|key| KeyType::new(&self.types[key.index()])).collect();
        let inner = self.types[0].clone();
        let mut routes = routes(keys, &self.methods);
        for (key, route) in keys.iter().zip(&mut routes) {
            route.take_if(|_| own.contains(key));
        }
        let keyed = KeyedType { inner, keys: key_types, routes };
        let keyed: &'static KeyedType = Box::leak(Box::new(keyed));
        let roles = KeyRoles { keyed, keys };
        let methods = self.methods.iter().map(|method| roles.keyed_method(method)).collect();
        let mut types = self.types.clone();
        types[0] = keyed.to_type();
        Suite { types, methods, ..self }
    }
}

impl Suite {
    /// The suite with the literals of a plan, if they have foreign keys: writing these as source
    /// requires making the calls before. `None` if there are none.
    #[must_use]
    pub fn knowing<'l>(
        &self,
        literals: impl Iterator<Item = (MethodIdx, usize, &'l Vec<Literal>)>,
    ) -> Option<Suite> {
        let literals: BTreeMap<_, _> =
            literals.map(|(method, index, all)| ((method, index), all.clone())).collect();
        let is_foreign = |literal: &Literal| literal.value.is::<ForeignKey>();
        let has_foreign = literals.values().flatten().any(is_foreign);
        has_foreign.then(|| Suite { literals: Arc::new(literals), ..self.clone() })
    }

    /// A literal of the plan by its source.
    pub(crate) fn literal(&self, method: MethodIdx, index: usize, source: &str) -> Option<Literal> {
        self.literals.get(&(method, index))?.iter().find(|one| one.source == source).cloned()
    }
}

impl Method {
    /// Returns whether parameter number `index` takes a key, by its number.
    pub fn takes_key(&self, index: usize) -> bool {
        self.stands_for::<KeyedMethod>().is_some_and(|keyed| keyed.key_kind(index).is_some())
    }
}

/// The types of a suite that are keys or carry keys.
struct KeyRoles<'k> {
    keyed: &'static KeyedType,
    keys: &'k [TypeIdx],
}

impl KeyRoles<'_> {
    fn kind_of(&self, ty: TypeIdx) -> Option<usize> {
        self.keys.iter().position(|key| *key == ty)
    }

    fn keyed_of(&self, ty: TypeIdx) -> Option<&'static KeyedType> {
        (ty == TypeIdx::new(0)).then_some(self.keyed)
    }

    /// The method for structures that carry keys; the same method if it does not involve keys.
    fn keyed_method(&self, method: &Method) -> Method {
        let returned = method.outputs.iter().map(|output| output.ty);
        let mut types = method.structure_params().map(|(ty, _)| ty).chain(returned);
        if !types.any(|ty| ty == TypeIdx::new(0) || self.kind_of(ty).is_some()) {
            return method.clone();
        }
        // The first structure of the type that issues keys.
        let mut structures =
            method.structure_params().filter(|(ty, _)| self.kind_of(*ty).is_none()).enumerate();
        let owner = structures.find(|(_, (ty, _))| *ty == TypeIdx::new(0));
        let issues = owner.is_some_and(|(_, (_, passing))| passing == Passing::Mut);
        let (sources, params) = self.parameters(method, owner.is_some());
        let results: Vec<ResultUse> =
            method.outputs.iter().map(|output| self.result_use(output, issues)).collect();
        let pairs = method.outputs.iter().zip(&results);
        let outputs = pairs.filter(|(_, result)| matches!(result, ResultUse::Structure(_)));
        let outputs = outputs.map(|(output, _)| *output).collect();
        let owner = owner.map_or(0, |(position, _)| position);
        let (inner, keyed) = (method.clone(), self.keyed);
        let stand_in = KeyedMethod { inner, sources, results, owner, keyed };
        let stand_in: Option<Arc<dyn Operation>> = Some(Arc::new(stand_in));
        Method { params, outputs, stand_in, ..method.clone() }
    }

    /// The parameters, with numbers in place of keys if a structure has issued them, and the
    /// sources of their arguments.
    fn parameters(&self, method: &Method, has_owner: bool) -> (Vec<ArgumentSource>, Vec<Param>) {
        let (mut n_structures, mut n_literals) = (0, 0);
        let parameter = |param: &Param| {
            let key = match param.kind {
                ParamKind::Structure { ty, passing } if has_owner => {
                    self.kind_of(ty).map(|kind| (kind, passing))
                }
                _ => None,
            };
            if let Some((kind, passing)) = key {
                n_literals += 1;
                let domain = key_numbers(self.keyed.routes[kind].is_some());
                let kind_of_param = ParamKind::Literal { domain, prefix: prefix_of(passing) };
                let source = ArgumentSource::Key { kind, literal: n_literals - 1 };
                return (source, Param { name: param.name, kind: kind_of_param });
            }
            let source = match param.kind {
                ParamKind::Structure { .. } => {
                    n_structures += 1;
                    ArgumentSource::Structure(n_structures - 1)
                }
                ParamKind::Literal { .. } => {
                    n_literals += 1;
                    ArgumentSource::Literal(n_literals - 1)
                }
            };
            (source, param.clone())
        };
        method.params.iter().map(parameter).unzip()
    }

    fn result_use(&self, output: &Output, issues: bool) -> ResultUse {
        match self.kind_of(output.ty) {
            Some(kind) if issues => ResultUse::Issued(kind),
            Some(_) => ResultUse::Dropped,
            None => ResultUse::Structure(self.keyed_of(output.ty)),
        }
    }
}

fn prefix_of(passing: Passing) -> &'static str {
    match passing {
        Passing::Value => "",
        Passing::Ref => "&",
        Passing::Mut => "&mut ",
    }
}

/// The numbers of keys, as a domain: as many as an array of the scope may have elements. A key of
/// another structure comes last, if wanted.
fn key_numbers(has_foreign: bool) -> LiteralDomain {
    type Literals = fn(&Pools) -> Result<Vec<Literal>, DomainError>;
    type Measure = fn(&Pools) -> Result<Extent, DomainError>;
    let (literals, extent): (Literals, Measure) = match has_foreign {
        true => (literals_of_all_keys, |pools| {
            literals_of_all_keys(pools).map(|all| Extent::of_literals(&all))
        }),
        false => {
            (literals_of_keys, |pools| literals_of_keys(pools).map(|all| Extent::of_literals(&all)))
        }
    };
    // Of any type: a model has its own keys.
    let scalars = |_: &Literal| Pools::default();
    LiteralDomain {
        ty: "key",
        kind: DomainKind::User,
        literals,
        extent,
        scalars,
        value_type: || None,
    }
}

fn literals_of_all_keys(pools: &Pools) -> Result<Vec<Literal>, DomainError> {
    let mut all = literals_of_keys(pools)?;
    all.push(Literal { value: Arc::new(ForeignKey), source: FOREIGN.to_owned() });
    Ok(all)
}

fn literals_of_keys(pools: &Pools) -> Result<Vec<Literal>, DomainError> {
    let literal = |number| {
        let source = format!("{KEY}{number}");
        Literal { value: Arc::new(KeyNumber(number)), source }
    };
    Ok((0..pools.longest).map(literal).collect())
}

impl KeyType {
    fn new(ty: &Type) -> Self {
        assert!(ty.clone.is_some(), "keys of type `{}` cannot be cloned", ty.name);
        let mut schema = Schema::default();
        ty.describe_in(&mut schema);
        let layout = Layout::new(&schema, &Bounds::unlimited());
        KeyType { ty: ty.clone(), schema, layout }
    }

    /// Writes keys, each by its own form.
    fn walk_all(&self, keys: &[Slot], encoder: &mut Encoder<'_>) {
        let mut beside = None;
        for key in keys {
            encoder.primitive(Primitive::Present(key.is_some()));
            let Some(key) = key else { continue };
            let beside = beside.get_or_insert_with(|| Encoder::new(&self.layout));
            beside.begin(0);
            (self.ty.walk)(&**key, beside);
            // Nothing is outside unlimited bounds.
            let Ok(form) = beside.finish() else { return encoder.stop_undecided() };
            encoder.primitive(Primitive::Word(form.len as u64));
            form.words.iter().for_each(|&word| encoder.primitive(Primitive::Word(word)));
        }
    }

    fn clone_of(&self, key: &dyn Any) -> Box<dyn Any> {
        self.ty.clone.expect("keys can be cloned")(key)
    }

    /// Returns whether two keys are equal: by their `PartialEq`, or else by their forms.
    fn is_same(&self, one: &dyn Any, other: &dyn Any) -> bool {
        if let Some(eq) = self.ty.traits.partial_eq {
            return eq(one, other);
        }
        let [one, other] = [one, other].map(|key| {
            let mut encoder = Encoder::new(&self.layout);
            encoder.begin(0);
            (self.ty.walk)(key, &mut encoder);
            encoder.finish().ok().map(|form| (form.len, form.words.to_vec()))
        });
        // Keys with undecided forms end the run.
        one == other
    }
}

impl KeyedType {
    /// The type as the suite has it.
    fn to_type(&'static self) -> Type {
        let StateView { walk, graph, decode, .. } = keyed_view(self.inner.view());
        Type {
            walk,
            graph,
            decode_own: decode,
            further_views: self.inner.further_views.iter().copied().map(keyed_view).collect(),
            clone: self.inner.clone.map(|_| {
                let clone: crate::CloneFn = |value| Box::new(downcast::<KeyedValue>(value).clone());
                clone
            }),
            own_form: None,
            keyed: Some(self),
            ..self.inner.clone()
        }
    }

    fn value(&'static self, structure: Box<dyn Any>) -> Box<dyn Any> {
        let issued = self.keys.iter().map(|_| Vec::new()).collect();
        Box::new(KeyedValue { ty: self, structure: Some(structure), issued })
    }
}

impl TypeLayer for KeyedType {
    /// Adds the effect of keys to the schema of the type, which has only its classes.
    fn describe(&self, schema: &mut Schema) {
        schema.irregular();
        schema.not_decodable(CARRIES_KEYS);
    }

    fn decode(&'static self, _: &mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable> {
        Err(Undecodable::new(CARRIES_KEYS))
    }
}

const CARRIES_KEYS: &str = "it carries the keys that it has issued";

impl KeyedValue {
    fn structure(&self) -> &dyn Any {
        self.structure.as_deref().expect("it is there between calls")
    }

    /// Shows the structure by `state`.
    fn view(&self, state: StateKind) -> StateView {
        let inner = &self.ty.inner;
        if inner.state == state {
            return inner.view();
        }
        let mut views = inner.further_views.iter();
        *views.find(|view| view.state == state).expect("a view of its type")
    }

    /// The structure's form, followed by its issued keys.
    fn walk(&self, state: StateKind, encoder: &mut Encoder<'_>) {
        (self.view(state).walk)(self.structure(), encoder);
        for (key_type, issued) in self.ty.keys.iter().zip(&self.issued) {
            // The bound of arrays also limits keys: otherwise there would be no end of them.
            encoder.primitive(Primitive::Length(issued.len()));
            key_type.walk_all(issued, encoder);
        }
    }

    fn graph(&self, state: StateKind, schema: &Schema, layout: &Layout) -> HeapGraph {
        let mut graph = (self.view(state).graph)(self.structure(), schema, layout);
        for (kind, (key_type, issued)) in self.ty.keys.iter().zip(&self.issued).enumerate() {
            let keys = issued.iter().enumerate();
            for (number, key) in keys.filter_map(|(number, key)| Some((number, key.as_deref()?))) {
                let heap = (key_type.ty.graph)(key, &key_type.schema, &key_type.layout);
                graph.put_beside(BesideValue { kind, number, heap });
            }
        }
        graph
    }

    /// The key meant by a literal, if there is one. Another structure's key comes from `foreign`,
    /// which keeps that structure.
    fn key(
        &self,
        kind: usize,
        literal: &Literal,
        foreign: &mut Vec<ForeignOwner>,
    ) -> Option<Box<dyn Any>> {
        let (issued, types) = (&self.issued[kind], &self.ty.keys);
        if literal.value.is::<ForeignKey>() {
            let route = self.ty.routes[kind].as_ref()?;
            let (key, owner) = foreign_key(route, kind, issued, types)?;
            foreign.push(owner);
            return Some(key);
        }
        let number = literal.value.downcast_ref::<KeyNumber>()?.0;
        Some(types[kind].clone_of(issued.get(number)?.as_deref()?))
    }
}

impl Clone for KeyedValue {
    fn clone(&self) -> Self {
        let clone = self.ty.inner.clone.expect("the type can be cloned");
        let issued = self.ty.keys.iter().zip(&self.issued).map(|(key_type, issued)| {
            let clone = |key: &Slot| key.as_deref().map(|key| key_type.clone_of(key));
            issued.iter().map(clone).collect()
        });
        KeyedValue {
            ty: self.ty,
            structure: Some(clone(self.structure())),
            issued: issued.collect(),
        }
    }
}

impl Operation for KeyedMethod {
    fn make(&self, call: &mut Call<'_>) -> Outcome {
        self.make_with_keys(call, false).0
    }

    fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        self.make_with_keys(call, true)
    }
}

impl KeyedMethod {
    /// The keys that a call issues: their kinds, and their places in its result.
    pub(crate) fn issued(&self) -> impl Iterator<Item = (usize, Output)> + '_ {
        let pairs = self.inner.outputs.iter().zip(&self.results);
        pairs.filter_map(|(output, result)| match result {
            ResultUse::Issued(kind) => Some((*kind, *output)),
            _ => None,
        })
    }

    /// The kind of the key that parameter number `index` takes, if it takes one.
    pub(crate) fn key_kind(&self, index: usize) -> Option<usize> {
        match self.sources[index] {
            ArgumentSource::Key { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// The position, among the structures of a call, of the one that issues and knows the keys.
    pub(crate) fn owner(&self) -> usize {
        self.owner
    }

    /// The number of the key meant by a literal. A sequence has its literals as source alone, and
    /// is printed without the plan that listed them.
    pub(crate) fn number_of(source: &str) -> Option<usize> {
        source.strip_prefix(KEY)?.parse().ok()
    }

    /// Makes the call with keys that the owner has issued; misuse if it has not issued them.
    fn make_with_keys(
        &self,
        call: &mut Call<'_>,
        is_observed: bool,
    ) -> (Outcome, Option<ReturnValue>) {
        let (frame, literals) = call.parts();
        // It lives as long as the call.
        let mut foreign = Vec::new();
        let Some(arguments) = self.inner_arguments(frame, literals, &mut foreign) else {
            return (Outcome::Misuse, None);
        };
        let inner_literals: Vec<&Literal> = self.inner_literals(literals);
        let mut lent =
            LentStructures { method: self, outer: &mut *frame, inner: Frame::of(arguments) };
        let mut inner = Call::new(&mut lent.inner, &inner_literals);
        let (outcome, value) = match is_observed {
            true => self.inner.observe(&mut inner),
            false => (self.inner.make(&mut inner), None),
        };
        let results = std::mem::take(&mut lent.inner.results);
        drop(lent);
        self.give(frame, results, outcome);
        let has_keys = !self.results.iter().all(|one| matches!(one, ResultUse::Structure(_)));
        (outcome, value.filter(|_| !has_keys))
    }

    /// The structures for the inner call: those of the frame are moved out of it, keys are cloned.
    fn inner_arguments(
        &self,
        frame: &mut Frame,
        literals: &[&Literal],
        foreign: &mut Vec<ForeignOwner>,
    ) -> Option<Vec<Slot>> {
        let mut keys = Vec::new();
        for source in &self.sources {
            if let ArgumentSource::Key { kind, literal } = *source {
                let owner = frame.arguments[self.owner].as_deref()?.downcast_ref::<KeyedValue>()?;
                keys.push(owner.key(kind, literals[literal], foreign)?);
            }
        }
        let mut keys = keys.into_iter();
        let arguments = self.sources.iter().filter_map(|source| match *source {
            ArgumentSource::Structure(index) => Some(self.lent(&mut frame.arguments[index])),
            ArgumentSource::Key { .. } => Some(keys.next()),
            ArgumentSource::Literal(_) => None,
        });
        Some(arguments.collect())
    }

    /// A structure out of its slot, for a call.
    fn lent(&self, slot: &mut Slot) -> Slot {
        if let Some(&SameAs(of)) = slot.as_ref()?.downcast_ref::<SameAs>() {
            return Some(Box::new(SameAs(self.inner_position(of))));
        }
        match slot.as_mut()?.downcast_mut::<KeyedValue>() {
            Some(keyed) => keyed.structure.take(),
            None => slot.take(),
        }
    }

    /// The position of a structure of the call among those of the inner call, which also has keys.
    fn inner_position(&self, of: usize) -> usize {
        let structures =
            self.sources.iter().filter(|one| !matches!(one, ArgumentSource::Literal(_)));
        let found = structures
            .into_iter()
            .position(|one| matches!(one, ArgumentSource::Structure(index) if *index == of));
        found.expect("it is one of the call")
    }

    fn inner_literals<'l>(&self, literals: &[&'l Literal]) -> Vec<&'l Literal> {
        let own = self.sources.iter().filter_map(|source| match *source {
            ArgumentSource::Literal(index) => Some(literals[index]),
            _ => None,
        });
        own.collect()
    }

    /// Gives the results of the inner call.
    fn give(&self, frame: &mut Frame, results: Vec<Slot>, outcome: Outcome) {
        if outcome == Outcome::Broken {
            // The result is the breach.
            frame.results.extend(results);
            return;
        }
        for (result, becomes) in results.into_iter().zip(&self.results) {
            match becomes {
                ResultUse::Structure(None) => frame.results.push(result),
                ResultUse::Structure(Some(keyed)) => {
                    frame.results.push(result.map(|structure| keyed.value(structure)));
                }
                // An error issues nothing.
                ResultUse::Issued(kind) if outcome == Outcome::Returned => {
                    let owner = frame.arguments[self.owner].as_deref_mut();
                    let owner = owner.and_then(|owner| owner.downcast_mut::<KeyedValue>());
                    owner.expect("it is passed by `&mut`").issued[*kind].push(result);
                }
                ResultUse::Issued(_) | ResultUse::Dropped => {}
            }
        }
    }
}

/// The structures of a call, which are always put back where they were.
struct LentStructures<'f> {
    method: &'f KeyedMethod,
    outer: &'f mut Frame,
    inner: Frame,
}

impl Drop for LentStructures<'_> {
    fn drop(&mut self) {
        let mut inner = self.inner.arguments.iter_mut();
        for source in &self.method.sources {
            match *source {
                ArgumentSource::Literal(_) => {}
                ArgumentSource::Key { .. } => drop(inner.next()),
                ArgumentSource::Structure(index) => {
                    let structure = inner.next().and_then(Option::take);
                    put_back(&mut self.outer.arguments[index], structure);
                }
            }
        }
    }
}

/// Puts a structure back into its slot, which stays empty if the call has taken it.
fn put_back(slot: &mut Slot, structure: Slot) {
    let is_alias = slot.as_ref().is_some_and(|value| value.is::<SameAs>());
    if is_alias {
        return;
    }
    match slot.as_mut().and_then(|value| value.downcast_mut::<KeyedValue>()) {
        Some(keyed) if structure.is_some() => keyed.structure = structure,
        Some(_) => *slot = None,
        None => *slot = structure,
    }
}

#[cfg(test)]
mod tests;
