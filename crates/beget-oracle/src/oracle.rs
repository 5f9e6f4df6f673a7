//! Which contracts apply to what a plan runs.

use std::sync::Arc;

use beget_heap::Schema;
use beget_scope::Plan;
use beget_suite::elements::{Tracked, TrackedUnit};
use beget_suite::{CloneFn, Literal, Type, TypeIdx, TypeTraits};

use crate::contract::{CONTRACTS, Contract};
use crate::observers::{ItemType, Observers};

/// The contracts that apply to each type of a plan.
#[derive(Debug)]
pub struct Oracle<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) types: Vec<TypeFacts>,
}

/// What a type has that contracts ask about.
#[derive(Clone, Debug)]
pub(crate) struct TypeFacts {
    pub(crate) traits: TypeTraits,
    pub(crate) clone: Option<CloneFn>,
    pub(crate) items: Option<Arc<ItemType>>,
    pub(crate) observers: Observers,
    /// Whether it has elements that can be watched.
    pub(crate) has_elements: bool,
    /// The contracts that apply, by their positions in [`CONTRACTS`].
    pub(crate) contracts: Vec<usize>,
}

impl TypeFacts {
    /// Whether it is known what it holds, by iteration.
    pub(crate) fn is_iterable(&self) -> bool {
        self.traits.iterate.is_some()
    }

    /// Whether something shows how much it holds.
    pub(crate) fn shows_contents(&self) -> bool {
        self.is_iterable() || self.observers.len.is_some() || self.observers.is_empty.is_some()
    }
}

impl<'p> Oracle<'p> {
    /// The contracts that apply to the plan, of those whose names `asks`.
    pub fn new(plan: &'p Plan, asks: &dyn Fn(&str) -> bool) -> Self {
        let types = (0..plan.suite.types.len()).map(|idx| facts(plan, TypeIdx(idx), asks));
        Oracle { plan, types: types.collect() }
    }

    /// Those that apply to structures of a type.
    pub fn contracts_of(&self, ty: TypeIdx) -> impl Iterator<Item = &'static Contract> + '_ {
        self.types[ty.0].contracts.iter().map(|&idx| &CONTRACTS[idx])
    }

    /// Whether none applies.
    pub fn is_idle(&self) -> bool {
        self.types.iter().all(|facts| facts.contracts.is_empty())
    }
}

fn facts(plan: &Plan, ty: TypeIdx, asks: &dyn Fn(&str) -> bool) -> TypeFacts {
    let described = &plan.suite.types[ty.0];
    let items = ItemType::of(&described.traits);
    let observers = Observers::of(plan, ty, items.as_ref());
    let mut facts = TypeFacts {
        traits: described.traits,
        clone: described.clone,
        items: items.map(Arc::new),
        observers,
        has_elements: type_has_elements(plan, described),
        contracts: Vec::new(),
    };
    let applies = |contract: &Contract| (contract.applies)(&facts) && asks(contract.name);
    let all = CONTRACTS.iter().enumerate();
    facts.contracts = all.filter(|(_, contract)| applies(contract)).map(|(idx, _)| idx).collect();
    facts
}

/// Whether structures of some type of the plan may have [elements](beget_suite::elements) that can
/// be watched.
pub fn has_elements(plan: &Plan) -> bool {
    plan.suite.types.iter().any(|described| type_has_elements(plan, described))
}

/// Whether the type says so, or a method takes such elements and the type does not show what it
/// holds.
fn type_has_elements(plan: &Plan, described: &Type) -> bool {
    let mut schema = Schema::default();
    described.describe_in(&mut schema);
    let is_element =
        |literal: &Literal| literal.value.is::<Tracked>() || literal.value.is::<TrackedUnit>();
    let mut domains = plan.methods.iter().flat_map(|method| &method.domains);
    schema.has_elements() || domains.any(|domain| domain.first().is_some_and(is_element))
}
