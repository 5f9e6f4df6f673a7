//! The contracts that apply to a plan.

use std::any::Any;
use std::sync::Arc;

use beget_heap::{Bounds, Encoder, Layout, Schema};
use beget_plan::scope::Plan;
use beget_suite::elements::SOURCE;
use beget_suite::{CloneFn, Literal, Type, TypeIdx, TypeTraits};

use crate::contract::{CONTRACTS, Contract};
use crate::observers::{ItemType, Observers};

/// The contracts that apply to each type of a plan.
#[derive(Debug)]
pub struct ApplicableContracts<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) types: Arc<[TypeFacts]>,
}

/// The facts about a type that contracts need.
#[derive(Clone, Debug)]
pub(crate) struct TypeFacts {
    pub(crate) traits: TypeTraits,
    pub(crate) clone: Option<CloneFn>,
    pub(crate) items: Option<Arc<ItemType>>,
    pub(crate) observers: Observers,
    /// True if it has elements that can be watched.
    pub(crate) has_elements: bool,
    /// How forms of it are written, where they are compared.
    forms: Option<Arc<FormComparison>>,
    /// The contracts that apply, by their positions in [`CONTRACTS`].
    pub(crate) contracts: Vec<usize>,
}

/// The canonical forms of a type, which no bound limits.
#[derive(Debug)]
struct FormComparison {
    ty: Type,
    layout: Layout,
}

impl FormComparison {
    fn of(ty: &Type) -> Self {
        let mut schema = Schema::default();
        ty.describe_in(&mut schema);
        FormComparison { ty: ty.clone(), layout: Layout::new(&schema, &Bounds::unlimited()) }
    }

    fn are_equal(&self, one: &dyn Any, other: &dyn Any) -> bool {
        let [one, other] = [one, other].map(|value| {
            let mut encoder = Encoder::new(&self.layout);
            encoder.begin(0);
            (self.ty.walk)(value, &mut encoder);
            encoder.finish().ok().map(|form| (form.len, form.words.to_vec()))
        });
        // Values without forms are taken for the same.
        one.is_none() || other.is_none() || one == other
    }
}

impl TypeFacts {
    /// Returns whether it is known what it holds, by iteration.
    pub(crate) fn is_iterable(&self) -> bool {
        self.traits.iterate.is_some()
    }

    /// Returns whether two values are the same: by `PartialEq`, if the type has it, or else by
    /// their forms. What is not equal to itself is the same as anything.
    pub(crate) fn are_same(&self, value: &dyn Any, other: &dyn Any) -> bool {
        match (self.traits.partial_eq, &self.forms) {
            (Some(eq), _) => !eq(value, value) || eq(other, value),
            (None, Some(forms)) => forms.are_equal(value, other),
            (None, None) => true,
        }
    }

    /// Returns whether its forms, where they are compared, are those of its own heap.
    pub(crate) fn shows_own_heap(&self) -> bool {
        self.forms.as_ref().is_some_and(|forms| !forms.ty.is_abstracted())
    }

    /// Returns whether something shows how much it holds.
    pub(crate) fn shows_contents(&self) -> bool {
        self.is_iterable() || self.observers.len.is_some() || self.observers.is_empty.is_some()
    }
}

impl<'p> ApplicableContracts<'p> {
    /// The contracts that apply to the plan, of those whose names `asks`.
    pub fn new(plan: &'p Plan, asks: &dyn Fn(&str) -> bool) -> Self {
        let types = (0..plan.suite.types.len()).map(|idx| facts(plan, TypeIdx::new(idx), asks));
        ApplicableContracts { plan, types: types.collect() }
    }

    /// Those that apply to structures of a type.
    pub fn contracts_of(&self, ty: TypeIdx) -> impl Iterator<Item = &'static Contract> + '_ {
        self.types[ty.index()].contracts.iter().map(|&idx| &CONTRACTS[idx])
    }

    /// Returns whether none applies.
    pub fn is_idle(&self) -> bool {
        self.types.iter().all(|facts| facts.contracts.is_empty())
    }
}

fn facts(plan: &Plan, ty: TypeIdx, asks: &dyn Fn(&str) -> bool) -> TypeFacts {
    let described = &plan.suite.types[ty.index()];
    let items = ItemType::of(&described.traits);
    let observers = Observers::of(plan, ty, items.as_ref());
    let mut facts = TypeFacts {
        traits: described.traits,
        clone: described.clone,
        items: items.map(Arc::new),
        observers,
        has_elements: type_has_elements(plan, described),
        forms: described.traits.serde.map(|_| Arc::new(FormComparison::of(described))),
        contracts: Vec::new(),
    };
    let applies = |contract: &Contract| (contract.applies)(&facts) && asks(contract.name);
    let all = CONTRACTS.iter().enumerate();
    facts.contracts = all.filter(|(_, contract)| applies(contract)).map(|(idx, _)| idx).collect();
    facts
}

/// Returns whether structures of some type of the plan may have [elements](beget_suite::elements)
/// that can be watched.
pub fn has_elements(plan: &Plan) -> bool {
    plan.suite.types.iter().any(|described| type_has_elements(plan, described))
}

/// Returns whether the type says so, or a method takes such elements, alone or many of them, and
/// the type does not show what it holds.
fn type_has_elements(plan: &Plan, described: &Type) -> bool {
    let mut schema = Schema::default();
    described.describe_in(&mut schema);
    let mut literals = plan.methods.iter().flat_map(|method| &method.domains).flatten();
    schema.has_elements || literals.any(has_element)
}

/// Returns whether there is an element in what a literal stands for.
fn has_element(literal: &Literal) -> bool {
    // Nothing but the source tells what is in a list.
    literal.source.contains(SOURCE)
}
