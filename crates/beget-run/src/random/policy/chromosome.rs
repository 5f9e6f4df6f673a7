//! Test cases by the genes of a chromosome.
//!
//! Source: Andrews, Li and Menzies, Nighthawk (ASE 2007), section 4.1, Figures 2 and 3: each test
//! case begins with nothing, fills its value pools, and makes a number of calls whose arguments
//! come from the pools and whose results go to them. Departures:
//!
//! - a structure that is passed by value leaves its place empty until a result takes it;
//! - a call that breaks a rule of use is an exception of the paper's: the test case goes on,
//!   without what the call has changed (the search sees to that).

use std::sync::Arc;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, Literal, Method, ParamKind, ReturnValue, TypeIdx, Variable};

use super::{NextCall, Opening, Policy, PolicySources, draw_weighted, may_take};
use crate::random::chromosome::{MethodTypes, PooledKind};
use crate::random::live::Live;
use crate::random::{CallStep, CallVerdict, Chromosome, GenePlan, MethodGenes, Targets};

/// The number of methods in a row with an empty pool that ends a test case.
const MOST_FAILED: u32 = 100;

/// The policy of the paper.
pub(crate) struct ChromosomePolicy {
    genes: GenePlan,
    chromosome: Arc<Chromosome>,
    /// By type: the methods that make one of literals alone.
    initializers: Vec<Vec<PlannedIdx>>,
    /// By type, pool and place.
    pools: Vec<Vec<Vec<Element>>>,
    /// The places of structures that are still to be filled, the next one last.
    unfilled: Vec<PoolPlace>,
    /// Calls that are still to be made.
    left: u32,
    last: Option<LastCall>,
}

/// The contents of a place in a value pool.
#[derive(Clone, Debug)]
enum Element {
    Nothing,
    /// A variable, which holds a structure unless that was passed on.
    Structure(Variable),
    Literal(Literal),
}

/// A place in a value pool.
#[derive(Clone, Copy, Debug)]
struct PoolPlace {
    ty: usize,
    pool: usize,
    number: usize,
}

/// The call whose results are to be put into pools.
struct LastCall {
    method: PlannedIdx,
    /// The variables of its outputs begin here.
    first: usize,
    /// The pool place for them; chosen by the genes if absent.
    place: Option<PoolPlace>,
    went_well: bool,
    returned: Option<ReturnValue>,
}

impl ChromosomePolicy {
    pub(crate) fn new(plan: &Plan, chromosome: Arc<Chromosome>) -> Self {
        let genes = GenePlan::new(plan, Targets::Deep);
        let initializers = |ty: usize| {
            let makes_one = |idx: &PlannedIdx| {
                let method = plan.method(*idx);
                let gives = method.outputs.iter().any(|output| genes.structure(output.ty) == ty);
                gives && method.structure_params().next().is_none()
            };
            plan.planned_idxs().filter(makes_one).collect()
        };
        ChromosomePolicy {
            initializers: (0..genes.types.len()).map(initializers).collect(),
            pools: Vec::new(),
            unfilled: Vec::new(),
            left: 0,
            last: None,
            genes,
            chromosome,
        }
    }

    /// Puts literals into their pools; which structures are to be made is noted.
    fn begin_filling(&mut self, choose: &mut dyn Chooser) {
        self.unfilled.clear();
        self.pools.clear();
        for (ty, pools) in self.chromosome.pools.iter().enumerate() {
            let kind = &self.genes.types[ty].values;
            let mut filled = Vec::with_capacity(pools.len());
            for (pool, genes) in pools.iter().enumerate() {
                let places = 0..genes.values as usize;
                if let PooledKind::Structures(_) = kind {
                    if self.is_taken(ty) {
                        let place = |number| PoolPlace { ty, pool, number };
                        self.unfilled.extend(places.clone().map(place));
                    }
                    filled.push(vec![Element::Nothing; places.len()]);
                    continue;
                }
                let draw = |_| kind.draw(genes.bounds, choose);
                let literal =
                    |drawn: Option<Literal>| drawn.map_or(Element::Nothing, Element::Literal);
                filled.push(places.map(draw).map(literal).collect());
            }
            self.pools.push(filled);
        }
        self.unfilled.reverse();
    }

    /// Returns whether a method that is called takes structures of this type: without one the type
    /// is not of interest, and values of it would be made for nothing.
    fn is_taken(&self, ty: usize) -> bool {
        let methods = self.genes.methods.iter().zip(&self.chromosome.methods);
        let mut called = methods.filter(|(_, genes)| genes.weight > 0);
        called.any(|(types, _)| types.params.iter().any(|param| param.ty == ty))
    }

    /// Puts what the last call gave into pools.
    fn take_results(&mut self, plan: &Plan, live: &Live<'_>, choose: &mut dyn Chooser) {
        let Some(last) = self.last.take().filter(|last| last.went_well) else { return };
        let mut place = last.place;
        for (output, number) in plan.method(last.method).outputs.iter().zip(last.first..) {
            if live.value(Variable(number)).is_none() {
                continue;
            }
            let ty = self.genes.structure(output.ty);
            let to = match place.take_if(|place| place.ty == ty) {
                Some(place) => Some(place),
                None => self.place_for(last.method, ty, None, choose),
            };
            self.put(to, Element::Structure(Variable(number)));
        }
        for value in last.returned.iter().flat_map(ReturnValue::plain_values) {
            let Some(literal) = &value.literal else { continue };
            let results = self.genes.methods[last.method.index()].results.clone();
            for ty in results {
                if self.genes.types[ty].values.is_of_type(literal) {
                    let to = self.place_for(last.method, ty, Some(literal), choose);
                    self.put(to, Element::Literal(literal.clone()));
                }
            }
        }
    }

    fn put(&mut self, to: Option<PoolPlace>, element: Element) {
        if let Some(PoolPlace { ty, pool, number }) = to {
            self.pools[ty][pool][number] = element;
        }
    }

    /// The place that a result of a method takes; `None` if it is to be dropped. A literal takes
    /// none in a pool whose bounds it is beyond.
    fn place_for(
        &self,
        method: PlannedIdx,
        ty: usize,
        literal: Option<&Literal>,
        choose: &mut dyn Chooser,
    ) -> Option<PoolPlace> {
        let position =
            self.genes.methods[method.index()].results.iter().position(|&of| of == ty)?;
        let allowed = &self.chromosome.methods[method.index()].results[position];
        let kind = &self.genes.types[ty].values;
        let pool = choose_one(allowed.len(), |pool| allowed[pool], choose)?;
        let bounds = self.chromosome.pools[ty][pool].bounds;
        if literal.is_some_and(|literal| !kind.holds(bounds, literal)) {
            return None;
        }
        let number = choose.index(self.pools[ty][pool].len());
        Some(PoolPlace { ty, pool, number })
    }

    /// A method by weight; `None` if all weigh nothing.
    fn draw_method(&self, choose: &mut dyn Chooser) -> Option<PlannedIdx> {
        let weights = self.chromosome.methods.iter().map(|genes| u64::from(genes.weight));
        draw_weighted(&weights.collect::<Vec<_>>(), choose).map(PlannedIdx::new)
    }

    /// A call of a method on values of the pools; `None` if some pool has none.
    fn draw_call(
        &self,
        plan: &Plan,
        idx: PlannedIdx,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<CallStep> {
        let method = plan.method(idx);
        let MethodTypes { params: types, .. } = &self.genes.methods[idx.index()];
        let MethodGenes { params: genes, .. } = &self.chromosome.methods[idx.index()];
        let (mut structures, mut literals) = (Vec::new(), Vec::new());
        for ((param, ty), genes) in method.params.iter().zip(types).zip(genes) {
            match &param.kind {
                ParamKind::Structure { ty: of, .. } => {
                    let fits = |variable| fits(method, *of, variable, &structures, live);
                    let Element::Structure(variable) =
                        self.draw_element(ty.ty, &genes.pools, &fits, choose)?
                    else {
                        return None;
                    };
                    structures.push(*variable);
                }
                ParamKind::Literal { .. } => {
                    if let Some(none) = &ty.none
                        && choose.chance(genes.none)
                    {
                        literals.push(none.clone());
                        continue;
                    }
                    let element = self.draw_element(ty.ty, &genes.pools, &|_| true, choose)?;
                    let Element::Literal(literal) = element else { return None };
                    literals.push(literal.clone());
                }
            }
        }
        Some(CallStep::new(plan, idx, &structures, literals, live.n_variables()))
    }

    /// A value of a type from the allowed pools: a pool that has one that fits, then one of these.
    fn draw_element(
        &self,
        ty: usize,
        allowed: &[bool],
        fits: &dyn Fn(Variable) -> bool,
        choose: &mut dyn Chooser,
    ) -> Option<&Element> {
        let pools = &self.pools[ty];
        let is_there = |element: &Element| match element {
            Element::Nothing => false,
            Element::Structure(variable) => fits(*variable),
            Element::Literal(_) => true,
        };
        let has_one = |pool: usize| allowed[pool] && pools[pool].iter().any(is_there);
        let pool = &pools[choose_one(pools.len(), has_one, choose)?];
        let number = choose_one(pool.len(), |number| is_there(&pool[number]), choose)?;
        Some(&pool[number])
    }

    /// The call that fills the next place that can be filled, if there is one.
    fn fill_next(
        &mut self,
        plan: &Plan,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<NextCall> {
        while let Some(place) = self.unfilled.pop() {
            let initializers = &self.initializers[place.ty];
            if initializers.is_empty() {
                continue;
            }
            let method = initializers[choose.index(initializers.len())];
            if let Some(step) = self.draw_call(plan, method, live, choose) {
                return Some(self.make(method, step, live, Some(place)));
            }
        }
        None
    }

    fn make(
        &mut self,
        method: PlannedIdx,
        step: CallStep,
        live: &Live<'_>,
        place: Option<PoolPlace>,
    ) -> NextCall {
        let first = live.n_variables();
        self.last = Some(LastCall { method, first, place, went_well: false, returned: None });
        NextCall { method, step: Arc::new(step) }
    }
}

/// One of the numbers below `n` for which something holds, all alike.
fn choose_one(n: usize, holds: impl Fn(usize) -> bool, choose: &mut dyn Chooser) -> Option<usize> {
    let candidates: Vec<usize> = (0..n).filter(|&index| holds(index)).collect();
    (!candidates.is_empty()).then(|| candidates[choose.index(candidates.len())])
}

/// Returns whether the next structure parameter, of a type, can take a variable.
fn fits(
    method: &Method,
    ty: TypeIdx,
    variable: Variable,
    chosen: &[Variable],
    live: &Live<'_>,
) -> bool {
    live.value(variable).is_some()
        && live.type_of(variable) == ty
        && may_take(method, chosen.len(), variable, chosen)
}

impl Policy for ChromosomePolicy {
    fn begin(&mut self, _: &PolicySources<'_>, choose: &mut dyn Chooser) -> Opening {
        self.begin_filling(choose);
        self.left = self.chromosome.calls;
        self.last = None;
        Opening::Parts(Vec::new(), None)
    }

    fn next(
        &mut self,
        given: &PolicySources<'_>,
        live: &Live<'_>,
        choose: &mut dyn Chooser,
    ) -> Option<NextCall> {
        self.take_results(given.plan, live, choose);
        if let Some(call) = self.fill_next(given.plan, live, choose) {
            return Some(call);
        }
        self.left = self.left.checked_sub(1)?;
        for _ in 0..MOST_FAILED {
            let method = self.draw_method(choose)?;
            if let Some(step) = self.draw_call(given.plan, method, live, choose) {
                return Some(self.make(method, step, live, None));
            }
        }
        None
    }

    fn learn(&mut self, _: PlannedIdx, verdict: CallVerdict, _: u64) {
        if let Some(last) = &mut self.last {
            last.went_well = matches!(verdict, CallVerdict::Kept | CallVerdict::Matched);
        }
    }

    fn observes(&self) -> bool {
        true
    }

    fn see(&mut self, returned: &ReturnValue) {
        if let Some(last) = &mut self.last {
            last.returned = Some(returned.clone());
        }
    }

    fn outlives_misuse(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::tests::pens;
    use crate::random::{
        Direction, InProgress, ParamGenes, PoolBounds, PoolGenes, RandomOptions, RandomSearch,
    };

    /// Results go to no pool, so there is no pen but that of the first call, and `write` alone is
    /// called after it.
    #[test]
    fn the_structure_that_a_place_is_filled_with_takes_it() {
        let plan = pens("");
        let genes = |name: &str, n_params| MethodGenes {
            weight: u32::from(name == "write"),
            params: vec![ParamGenes { pools: vec![true], none: 0.0 }; n_params],
            results: if name == "new" { vec![vec![false]] } else { Vec::new() },
        };
        let methods = plan
            .planned_idxs()
            .map(|idx| genes(plan.method_name(idx), plan.method(idx).params.len()));
        let pool = PoolGenes { values: 1, bounds: PoolBounds::Unbounded };
        let chromosome =
            Chromosome { calls: 5, pools: vec![vec![pool]], methods: methods.collect() };
        let direction = Direction::Chromosome(Arc::new(chromosome));
        let options = RandomOptions { direction, max_calls: 60, ..RandomOptions::default() };
        let (in_progress, mut judge) = (InProgress::default(), ());
        let mut search = RandomSearch::new(&plan, &options, &in_progress, &mut judge, None);
        search.run(&mut |_| None);
        let report = search.report();
        let n_calls = |method: usize| report.by_method[method].calls.explored();
        assert_eq!((n_calls(0), n_calls(1), report.sequences), (10, 50, 10));
    }
}
