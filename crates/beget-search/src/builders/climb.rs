//! Hill climbing: add the best method while the number of structures grows.
//!
//! Source: Politano et al. (FASE 2023), section 3.3. The search starts from the best constructor
//! and adds, step by step, the method with which the most structures are built. Ties go to simpler
//! parameters, then to the earlier method. Departures:
//!
//! - If no single method helps but the full API builds more, pairs are tried. With
//!   [`Goal::Everything`](crate::builders::Goal) that never happens: a set that no method extends
//!   is everything. With [`Goal::MainType`](crate::builders::Goal) it does: one method may make a
//!   helper that only another can use.
//! - At the end, methods that later ones have made superfluous are removed.

use std::cmp::Ordering;

use beget_plan::scope::PlannedIdx;
use rayon::prelude::*;

use crate::builders::methods::{Costs, MethodSet};
use crate::builders::space::{BuiltSet, Space};

/// One step of the climb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The method added, or the two.
    pub added: Vec<PlannedIdx>,
    /// The number of structures that the set then builds.
    pub structures: u64,
}

/// The course of a climb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climb {
    /// The steps in order; the first is the constructor.
    pub steps: Vec<Step>,
    /// Methods that later steps had made superfluous.
    pub dropped: Vec<PlannedIdx>,
    /// True if it ended where neither a method nor a pair helped although the full API builds more.
    pub is_stuck: bool,
}

/// Climbs. `report` receives each step and may end the climb by returning `false`.
pub(crate) fn climb(
    space: &Space<'_, '_>,
    costs: &Costs,
    report: &mut dyn FnMut(&Step) -> bool,
) -> Option<(MethodSet, Climb)> {
    let candidates: Vec<PlannedIdx> = space.candidates().iter().collect();
    let mut set = MethodSet::empty(space.n_methods());
    let mut reached = space.reach(&set);
    let mut climb = Climb { steps: Vec::new(), dropped: Vec::new(), is_stuck: false };
    while !space.is_everything(&reached) {
        let search = StepSearch { space, costs, set: &set, reached: &reached };
        let singles = || candidates.iter().filter(|&&method| !set.contains(method));
        let best = match set.is_empty() {
            true => search.best(constructors(space, &candidates), false),
            false => search.best(singles().map(|&method| vec![method]).collect(), true),
        };
        let Some((added, next)) = best.or_else(|| search.best(pairs(singles()), true)) else {
            climb.is_stuck = true;
            break;
        };
        set = set.with(&added);
        reached = next;
        climb.steps.push(Step { added, structures: reached.n_structures() });
        if !report(climb.steps.last().expect("a step was pushed")) {
            return None;
        }
    }
    let (shrunk, dropped) = space.shrink(&set, costs);
    climb.dropped = dropped;
    Some((shrunk, climb))
}

fn constructors(space: &Space<'_, '_>, candidates: &[PlannedIdx]) -> Vec<Vec<PlannedIdx>> {
    let plan = space.explorer().plan();
    let constructs = |method: &&PlannedIdx| plan.planned(**method).structures.is_empty();
    candidates.iter().filter(constructs).map(|&method| vec![method]).collect()
}

fn pairs<'m>(methods: impl Iterator<Item = &'m PlannedIdx>) -> Vec<Vec<PlannedIdx>> {
    let methods: Vec<PlannedIdx> = methods.copied().collect();
    let of_first = |(index, &first): (usize, &PlannedIdx)| {
        methods[index + 1..].iter().map(|&second| vec![first, second]).collect::<Vec<_>>()
    };
    methods.iter().enumerate().flat_map(of_first).collect()
}

struct StepSearch<'s, 'e, 'p> {
    space: &'s Space<'e, 'p>,
    costs: &'s Costs,
    set: &'s MethodSet,
    reached: &'s BuiltSet,
}

impl StepSearch<'_, '_, '_> {
    /// The best of some additions, and its result; `None` if there is none, or if it must grow the
    /// number of structures and none does.
    fn best(
        &self,
        additions: Vec<Vec<PlannedIdx>>,
        must_grow: bool,
    ) -> Option<(Vec<PlannedIdx>, BuiltSet)> {
        let try_one = |addition: Vec<PlannedIdx>| {
            let reached = self.space.extend(self.reached, self.set, &addition);
            (addition, reached)
        };
        let grows = |(_, reached): &(Vec<PlannedIdx>, BuiltSet)| {
            !must_grow || reached.n_structures() > self.reached.n_structures()
        };
        self.space.explorer().install(|| {
            additions.into_par_iter().map(try_one).filter(grows).max_by(|a, b| self.compare(a, b))
        })
    }

    /// Better additions are greater. No two are equal, so the order of trying them does not matter.
    fn compare(
        &self,
        left: &(Vec<PlannedIdx>, BuiltSet),
        right: &(Vec<PlannedIdx>, BuiltSet),
    ) -> Ordering {
        let weight = |addition: &[PlannedIdx]| self.costs.weight(addition.iter().copied());
        let by_structures = left.1.n_structures().cmp(&right.1.n_structures());
        by_structures
            .then_with(|| weight(&right.0).total_cmp(&weight(&left.0)))
            .then_with(|| right.0.cmp(&left.0))
    }
}
