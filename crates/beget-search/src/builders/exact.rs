//! The cheapest sufficient set, exactly.
//!
//! A larger set builds at least as much. So a set is sufficient exactly when it has a method of
//! each *core*: the methods left out by some insufficient set that is as large as possible. The
//! search keeps the cores found so far. It finds the cheapest set that meets them all, by branch
//! and bound; if that set is sufficient, it is the cheapest sufficient one. If not, it is enlarged
//! until every further method would make it sufficient, and the methods it still lacks are a new
//! core. Methods without which the rest is not sufficient are cores of one method, and are found
//! first.
//!
//! A set is cheaper if it has fewer methods, then simpler parameters, then methods earlier in the
//! suite. The scheme is that of implicit hitting sets (Davies and Bacchus, CP 2011; Reiter's
//! conflict sets before it).

use std::cmp::Ordering;

use beget_plan::scope::PlannedIdx;
use rayon::prelude::*;

use crate::builders::methods::{Costs, MethodSet};
use crate::builders::space::Space;

/// Settings of the exact search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The most sets to evaluate, and the most branches between two of them.
    pub most_steps: u64,
}

impl Default for Exact {
    fn default() -> Self {
        Exact { most_steps: 1_000_000 }
    }
}

/// The course of an exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// True if the set is the cheapest. Otherwise the limit was hit and the set is only minimal.
    pub is_cheapest: bool,
    /// No sufficient set has fewer methods.
    pub fewest_methods: usize,
    /// The methods that every sufficient set has.
    pub necessary: Vec<PlannedIdx>,
    /// The cores: each sufficient set has a method of each.
    pub cores: Vec<Vec<PlannedIdx>>,
    /// The number of evaluated sets.
    pub evaluated: u64,
}

/// Searches. `report` receives the size of the cheapest set still possible after each core and may
/// end the search by returning `false`.
pub(crate) fn search(
    space: &Space<'_, '_>,
    costs: &Costs,
    settings: &Exact,
    report: &mut dyn FnMut(usize) -> bool,
) -> Option<(MethodSet, Proof)> {
    let mut cores = Cores::of_necessary(space, costs, settings.most_steps);
    let necessary: Vec<PlannedIdx> = cores.all.iter().flat_map(MethodSet::iter).collect();
    let mut fewest_methods = necessary.len();
    let (set, is_cheapest) = loop {
        let Some(cheapest) = cores.cheapest_hitting_set() else {
            break (space.shrink(&space.candidates(), costs).0, false);
        };
        fewest_methods = cheapest.len();
        if cores.is_sufficient(&cheapest) {
            break (cheapest, true);
        }
        if cores.evaluated >= settings.most_steps {
            break (space.shrink(&space.candidates(), costs).0, false);
        }
        cores.add(cheapest);
        if !report(fewest_methods) {
            return None;
        }
    };
    let proof = Proof {
        is_cheapest,
        fewest_methods,
        necessary,
        cores: cores.all.iter().map(|core| core.iter().collect()).collect(),
        evaluated: cores.evaluated,
    };
    Some((set, proof))
}

struct Cores<'s, 'e, 'p> {
    space: &'s Space<'e, 'p>,
    costs: &'s Costs,
    /// The methods to choose from, the cheapest first.
    candidates: Vec<PlannedIdx>,
    all: Vec<MethodSet>,
    evaluated: u64,
    most_steps: u64,
}

impl<'s, 'e, 'p> Cores<'s, 'e, 'p> {
    /// A core for each method without which all others are not sufficient.
    fn of_necessary(space: &'s Space<'e, 'p>, costs: &'s Costs, most_steps: u64) -> Self {
        let set = space.candidates();
        let is_necessary =
            |&method: &PlannedIdx| !space.is_everything(&space.reach(&set.without(method)));
        let methods: Vec<PlannedIdx> = set.iter().collect();
        let necessary: Vec<PlannedIdx> =
            space.explorer().install(|| methods.par_iter().copied().filter(is_necessary).collect());
        let core = |&method: &PlannedIdx| MethodSet::of(space.n_methods(), [method]);
        let mut candidates = methods;
        candidates.sort_by(|&a, &b| costs.weight([a]).total_cmp(&costs.weight([b])));
        Cores {
            space,
            costs,
            all: necessary.iter().map(core).collect(),
            evaluated: candidates.len() as u64,
            candidates,
            most_steps,
        }
    }

    fn is_sufficient(&mut self, set: &MethodSet) -> bool {
        self.evaluated += 1;
        self.space.is_everything(&self.space.reach(set))
    }

    /// Enlarges an insufficient set while it stays insufficient; the methods left out are a core.
    fn add(&mut self, mut set: MethodSet) {
        let mut core = MethodSet::empty(self.space.n_methods());
        let mut reached = self.space.reach(&set);
        // The simplest methods last: a core of simple methods rules out more.
        let left_out: Vec<PlannedIdx> =
            self.candidates.iter().rev().copied().filter(|&method| !set.contains(method)).collect();
        for method in left_out {
            let more = self.space.extend(&reached, &set, &[method]);
            self.evaluated += 1;
            if self.space.is_everything(&more) {
                core.insert(method);
            } else {
                reached = more;
                set.insert(method);
            }
        }
        self.all.push(core);
    }

    /// The cheapest set with a method of each core; `None` if the limit is hit first.
    fn cheapest_hitting_set(&self) -> Option<MethodSet> {
        let empty = MethodSet::empty(self.space.n_methods());
        let mut branch = Branch { cores: self, best: None, steps: 0 };
        branch.explore(&empty, &empty);
        if branch.steps > self.most_steps {
            return None;
        }
        Some(branch.best.expect("a beget bug: every core has a method"))
    }
}

struct Branch<'c, 's, 'e, 'p> {
    cores: &'c Cores<'s, 'e, 'p>,
    best: Option<MethodSet>,
    steps: u64,
}

impl Branch<'_, '_, '_, '_> {
    /// Explores all sets that contain `chosen` and nothing of `excluded`.
    fn explore(&mut self, chosen: &MethodSet, excluded: &MethodSet) {
        self.steps += 1;
        if self.steps > self.cores.most_steps || self.is_hopeless(chosen) {
            return;
        }
        let Some(core) = self.cores.all.iter().find(|core| !core.meets(chosen)) else {
            let costs = self.cores.costs;
            let is_better = |best: &MethodSet| costs.compare(chosen, best) == Ordering::Less;
            if self.best.as_ref().is_none_or(is_better) {
                self.best = Some(chosen.clone());
            }
            return;
        };
        let mut excluded = excluded.clone();
        let methods = self.cores.candidates.iter().copied();
        for method in methods.filter(|&method| core.contains(method)) {
            if !excluded.contains(method) {
                self.explore(&chosen.with(&[method]), &excluded);
                excluded.insert(method);
            }
        }
    }

    /// Returns whether more methods are needed than the best set has: one for each of some disjoint
    /// cores that do not meet the chosen methods.
    fn is_hopeless(&self, chosen: &MethodSet) -> bool {
        let Some(best) = &self.best else { return false };
        let mut met = chosen.clone();
        let mut n_methods = chosen.len();
        for core in &self.cores.all {
            if !core.meets(&met) {
                n_methods += 1;
                met = met.with(&core.iter().collect::<Vec<_>>());
            }
        }
        n_methods > best.len()
    }
}
