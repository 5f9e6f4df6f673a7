//! The arguments that the heuristics choose (Kuperberg and Omri, section 4).

use std::sync::Arc;

use beget_plan::scope::PlannedIdx;
use beget_run::random::{CallStep, Fragment};
use beget_suite::{Chooser, Literal, Variable};

use super::{CallCandidate, CallSearch};
use crate::heuristic::bound::upper_bound;
use crate::heuristic::literals::{LiteralMenu, LiteralRole, length_of};
use crate::heuristic::pool::PoolIdx;

impl CallSearch<'_> {
    /// Arguments for a method: structures first, then texts and lists, then integers. Variant 0 is
    /// the heuristics' preference, the others go through the alternatives. `None` if a type has no
    /// structure.
    pub(super) fn generated(
        &mut self,
        method: PlannedIdx,
        variant: usize,
    ) -> Option<CallCandidate> {
        let types = &self.plan.planned(method).structures;
        let mut structures = Vec::with_capacity(types.len());
        for ty in types {
            let ranked = self.pool.ranked(*ty);
            structures.push(*ranked.get(variant % ranked.len().max(1))?);
        }
        let literals = self.generated_literals(method, &structures, variant);
        Some(CallCandidate { structures, literals, repair: None, n_messages: 0 })
    }

    /// The literals for these structures.
    pub(super) fn generated_literals(
        &mut self,
        method: PlannedIdx,
        structures: &[PoolIdx],
        variant: usize,
    ) -> Vec<Literal> {
        let menus = std::mem::take(&mut self.menus[method.index()]);
        let mut literals: Vec<Literal> =
            menus.iter().map(|menu| self.preferred(menu, variant)).collect();
        for (number, menu) in menus.iter().enumerate() {
            if menu.role == LiteralRole::Index && variant == 0 {
                let (containers, receiver) = self.lengths(method, structures, &literals);
                let choose = &mut self.choose;
                let bound = upper_bound(&containers, receiver, &menu.constants, choose);
                let template = &literals[number];
                let ints = menu.ints(template).into_iter();
                let drawn: Vec<i128> =
                    ints.map(|_| choose.below(bound.saturating_add(1)).into()).collect();
                if let Some(literal) = menu.with_ints(template, &drawn) {
                    literals[number] = literal;
                }
            }
        }
        self.menus[method.index()] = menus;
        literals
    }

    /// One of the non-empty constants, in random order; then all literals in turn.
    fn preferred(&mut self, menu: &LiteralMenu, variant: usize) -> Literal {
        let n_preferred = menu.n_preferred();
        let index = match variant {
            0 => self.choose.index(n_preferred),
            variant => variant % menu.literals.len(),
        };
        menu.literals[index].clone()
    }

    /// The lengths of the containers passed, except the receiver's, and the receiver's.
    pub(super) fn lengths(
        &self,
        method: PlannedIdx,
        structures: &[PoolIdx],
        literals: &[Literal],
    ) -> (Vec<u64>, Option<u64>) {
        let has_receiver =
            self.plan.method(method).params.first().is_some_and(|param| param.name == "self");
        let of_structure = |idx: &PoolIdx| self.pool.get(*idx).length;
        let (receiver, others) = match structures {
            [receiver, others @ ..] if has_receiver => (of_structure(receiver), others),
            others => (None, others),
        };
        let of_literals = literals.iter().filter_map(|literal| length_of(&literal.source));
        (others.iter().filter_map(of_structure).chain(of_literals).collect(), receiver)
    }

    /// The least positive length of all containers in a call, including the receiver: R of section
    /// 5.1.
    pub(super) fn range(&self, method: PlannedIdx, candidate: &CallCandidate) -> Option<u64> {
        let CallCandidate { structures, literals, .. } = candidate;
        let (containers, receiver) = self.lengths(method, structures, literals);
        containers.into_iter().chain(receiver).filter(|length| *length > 0).min()
    }

    /// The calls that make a candidate's structures, each on separate variables, and the call
    /// itself.
    pub(super) fn calls_of(
        &self,
        method: PlannedIdx,
        candidate: &CallCandidate,
    ) -> (Arc<Fragment>, Arc<CallStep>) {
        let (mut parts, mut variables, mut first) = (Vec::new(), Vec::new(), 0);
        for idx in &candidate.structures {
            let structure = self.pool.get(*idx);
            let Variable(number) = structure.variable;
            variables.push(Variable(first + number));
            first += structure.fragment.n_variables();
            parts.push(structure.fragment.clone());
        }
        let literals = candidate.literals.clone();
        let step = CallStep::new(self.plan, method, &variables, literals, first);
        (Arc::new(Fragment::new(parts, Vec::new())), Arc::new(step))
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_plan::scope::{Overrides, Plan};
    use beget_run::random::InProgress;
    use beget_run::{Catalog, Input};

    use super::*;
    use crate::heuristic::{CallOptions, plan_for};

    /// Coins in a row.
    #[derive(Clone, Default, Heap)]
    pub struct Purse {
        coins: Vec<u8>,
    }

    #[beget::api(name = "test::purse")]
    impl Purse {
        pub fn new() -> Self {
            Purse::default()
        }

        pub fn add(&mut self, coin: u8) {
            self.coins.push(coin);
        }

        pub fn all(one: &Purse, other: &Purse) -> usize {
            one.len() + other.len()
        }

        pub fn len(&self) -> usize {
            self.coins.len()
        }

        pub fn take(&mut self, other: &Purse) {
            self.coins.extend(&other.coins);
        }
    }

    fn plan() -> Plan {
        let text =
            r#"Scope(suite: "test::purse", k: 2, objects: {"*": "k"}, arrays: "k", ints: "1..=2")"#;
        let catalog = Catalog::new(vec![Purse::suite()]);
        let input = Input::of_text("purse.ron", text.to_owned(), catalog).unwrap();
        plan_for(input.resolve(&Overrides::default()).unwrap().plan, &CallOptions::default())
    }

    fn find(plan: &Plan, name: &str) -> PlannedIdx {
        plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).expect("a method")
    }

    /// Does `test` in a search whose pool has what its first calls have left.
    fn after_first_calls(test: impl FnOnce(&mut CallSearch<'_>)) {
        let (plan, in_progress) = (plan(), InProgress::default());
        let mut search = CallSearch::new(&plan, CallOptions::default(), &in_progress);
        ["new", "add"].iter().for_each(|name| search.try_first(find(&plan, name)));
        test(&mut search);
    }

    #[test]
    fn variants_go_through_the_structures_in_turn() {
        after_first_calls(|search| {
            let add = find(search.plan, "add");
            let ranked = search.pool.ranked(beget_suite::TypeIdx::new(0));
            assert_eq!(ranked.len(), 2);
            for variant in 0..6 {
                let candidate = search.generated(add, variant).unwrap();
                assert_eq!(candidate.structures, [ranked[variant % 2]], "{variant}");
            }
        });
    }

    #[test]
    fn only_a_receiver_is_apart_from_the_containers_passed() {
        after_first_calls(|search| {
            let ranked = search.pool.ranked(beget_suite::TypeIdx::new(0));
            assert_eq!([1, 0].map(Some), [0, 1].map(|one| search.pool.get(ranked[one]).length));
            let lengths = |name: &str| search.lengths(find(search.plan, name), &ranked, &[]);
            assert_eq!(lengths("take"), (vec![0], Some(1)));
            assert_eq!(lengths("all"), (vec![1, 0], None));
        });
    }
}
