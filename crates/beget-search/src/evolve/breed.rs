//! The first chromosome, mutants and crossovers.
//!
//! The paper does not give the mutation of genes or the first chromosome: the numbers are ours.

use beget_run::random::{
    Chromosome, GenePlan, MethodGenes, ParamGenes, PoolBounds, PoolGenes, PooledKind, PooledType,
};
use beget_suite::{Chooser, SplitMix64};

/// Calls per test case of the first chromosome, and of mutants.
const CALLS: (u32, std::ops::RangeInclusive<i64>) = (100, 1..=10_000);

/// Value pools per type of the first chromosome, and of mutants.
const POOLS: (usize, usize) = (2, 8);

/// Values of a pool of literals, and of structures. Each structure takes a call, and calls spread
/// over many structures do not make any of them large.
const VALUES: (u32, u32) = (30, 3);

/// Values in the pools of mutants.
const MUTANT_VALUES: std::ops::RangeInclusive<i64> = 1..=1_000;

/// The weight of all methods of the first chromosome, and of mutants.
const WEIGHT: (u32, std::ops::RangeInclusive<i64>) = (10, 0..=100);

/// The chance of `None` of the first chromosome.
const NONE: f64 = 0.03;

/// The limits of mutants' bounds: a length that exceeds the memory ends the process.
const MUTANT_INTS: (i64, i64) = (-32_768, 32_767);

/// The first chromosome of a search: all methods equal, all pools in use.
pub fn template(genes: &GenePlan) -> Chromosome {
    let pools = |ty: &PooledType| {
        let is_structure = matches!(ty.values, PooledKind::Structures(_));
        let values = if is_structure { VALUES.1 } else { VALUES.0 };
        vec![PoolGenes { values, bounds: ty.values.usual_bounds() }; POOLS.0]
    };
    let all = || vec![true; POOLS.0];
    let method = |types: &beget_run::random::MethodTypes| MethodGenes {
        weight: if types.is_target { WEIGHT.0 } else { 0 },
        params: types
            .params
            .iter()
            .map(|ty| ParamGenes { pools: all(), none: if ty.none.is_some() { NONE } else { 0.0 } })
            .collect(),
        results: types.results.iter().map(|_| all()).collect(),
    };
    Chromosome {
        calls: CALLS.0,
        pools: genes.types.iter().map(pools).collect(),
        methods: genes.methods.iter().map(method).collect(),
    }
}

/// Makes mutants.
pub(crate) struct Mutation<'g, 'r> {
    pub(crate) genes: &'g GenePlan,
    /// The probability that a gene mutates.
    pub(crate) rate: f64,
    pub(crate) random: &'r mut SplitMix64,
}

impl Mutation<'_, '_> {
    /// A chromosome with some genes changed.
    pub(crate) fn mutant(&mut self, of: &Chromosome) -> Chromosome {
        let mut mutant = of.clone();
        self.int(&mut mutant.calls, CALLS.1);
        for (ty, pools) in self.genes.types.iter().zip(&mut mutant.pools) {
            self.number_of_pools(pools);
            for pool in pools {
                self.int(&mut pool.values, MUTANT_VALUES);
                self.bounds(&ty.values, &mut pool.bounds);
            }
        }
        for (types, method) in self.genes.methods.iter().zip(&mut mutant.methods) {
            if types.is_target {
                self.int(&mut method.weight, WEIGHT.1);
            }
            for (ty, param) in types.params.iter().zip(&mut method.params) {
                self.bits(&mut param.pools);
                if ty.none.is_some() && self.random.chance(self.rate) {
                    param.none = self.chance(param.none);
                }
            }
            method.results.iter_mut().for_each(|bits| self.bits(bits));
        }
        fit_to_pools(self.genes, &mut mutant);
        // At least one method must be called.
        if mutant.methods.iter().all(|method| method.weight == 0) {
            mutant.methods.clone_from(&of.methods);
            fit_to_pools(self.genes, &mut mutant);
        }
        mutant
    }

    fn int(&mut self, gene: &mut u32, range: std::ops::RangeInclusive<i64>) {
        if self.random.chance(self.rate) {
            let varied = self.varied((*gene).into());
            *gene = varied.clamp(*range.start(), *range.end()) as u32;
        }
    }

    /// A fifth more or less, but at least one; or doubled, or halved.
    fn varied(&mut self, value: i64) -> i64 {
        let fifth = (value.abs() / 5).max(1);
        match self.random.below(4) {
            0 => value - fifth,
            1 => value + fifth,
            2 => value / 2,
            _ => value.saturating_mul(2),
        }
    }

    /// Adds a pool like an existing one, or removes the last one.
    fn number_of_pools(&mut self, pools: &mut Vec<PoolGenes>) {
        if !self.random.chance(self.rate) {
            return;
        }
        let grows = self.random.chance(0.5);
        if grows && pools.len() < POOLS.1 {
            pools.push(pools[self.random.index(pools.len())]);
        } else if !grows && pools.len() > 1 {
            pools.pop();
        }
    }

    /// Each bound is a gene.
    fn bounds(&mut self, kind: &PooledKind, bounds: &mut PoolBounds) {
        match (kind, bounds) {
            (PooledKind::Ints(_, limits), PoolBounds::Ints(least, most)) => {
                let limits = (limits.0.max(MUTANT_INTS.0), limits.1.min(MUTANT_INTS.1));
                for bound in [&mut *least, &mut *most] {
                    if self.random.chance(self.rate) {
                        *bound = self.varied(*bound).clamp(limits.0, limits.1);
                    }
                }
                (*least, *most) = ((*least).min(*most), (*least).max(*most));
            }
            (_, PoolBounds::Floats(least, most)) => {
                for bound in [&mut *least, &mut *most] {
                    if self.random.chance(self.rate) {
                        *bound = self.varied_float(*bound);
                    }
                }
                (*least, *most) = (least.min(*most), least.max(*most));
            }
            (_, PoolBounds::Chars(least, most)) => {
                for bound in [&mut *least, &mut *most] {
                    if self.random.chance(self.rate) {
                        let varied = self.varied(u32::from(*bound).into());
                        let varied = u32::try_from(varied).ok().and_then(char::from_u32);
                        *bound = varied.unwrap_or(*bound);
                    }
                }
                (*least, *most) = ((*least).min(*most), (*least).max(*most));
            }
            _ => {}
        }
    }

    fn varied_float(&mut self, value: f64) -> f64 {
        let fifth = (value.abs() / 5.0).max(1.0);
        let varied = match self.random.below(4) {
            0 => value - fifth,
            1 => value + fifth,
            2 => value / 2.0,
            _ => value * 2.0,
        };
        varied.clamp(-1e300, 1e300)
    }

    fn chance(&mut self, chance: f64) -> f64 {
        let varied = match self.random.below(4) {
            0 => chance - 0.05,
            1 => chance + 0.05,
            2 => chance / 2.0,
            _ => chance * 2.0,
        };
        varied.clamp(0.0, 1.0)
    }

    fn bits(&mut self, bits: &mut [bool]) {
        for bit in bits {
            *bit ^= self.random.chance(self.rate);
        }
    }
}

/// A child of two chromosomes: genes before a point come from the one, the others from the other.
/// The pools of a type stay together.
pub(crate) fn cross(
    genes: &GenePlan,
    one: &Chromosome,
    other: &Chromosome,
    random: &mut SplitMix64,
) -> Chromosome {
    let (n_types, n_methods) = (genes.types.len(), genes.methods.len());
    let point = random.index(1 + n_types + n_methods);
    let mut child = one.clone();
    if point == 0 {
        child.calls = other.calls;
    }
    for ty in point.saturating_sub(1)..n_types {
        child.pools[ty].clone_from(&other.pools[ty]);
    }
    for method in point.saturating_sub(1 + n_types)..n_methods {
        child.methods[method].clone_from(&other.methods[method]);
    }
    fit_to_pools(genes, &mut child);
    child
}

/// Adjusts the bits of each list of pools to the number of pools: new ones are used, and each
/// parameter uses at least one.
fn fit_to_pools(genes: &GenePlan, chromosome: &mut Chromosome) {
    let Chromosome { pools, methods, .. } = chromosome;
    for (types, method) in genes.methods.iter().zip(methods) {
        for (ty, param) in types.params.iter().zip(&mut method.params) {
            param.pools.resize(pools[ty.ty].len(), true);
            if !param.pools.contains(&true) {
                param.pools.fill(true);
            }
        }
        for (&ty, result) in types.results.iter().zip(&mut method.results) {
            result.resize(pools[ty].len(), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beget_run::random::{MethodTypes, ParamType};

    use super::*;

    const NO_GENES: GenePlan = GenePlan { types: Vec::new(), methods: Vec::new() };

    #[test]
    fn numbers_vary_by_a_fifth_or_by_two() {
        let mut random = SplitMix64::of_seeds(&[1]);
        let mut mutation = Mutation { genes: &NO_GENES, rate: 1.0, random: &mut random };
        let mut all = |value| (0..200).map(|_| mutation.varied(value)).collect::<BTreeSet<_>>();
        assert_eq!(all(100), [50, 80, 120, 200].into());
        assert_eq!(all(-100), [-200, -120, -80, -50].into());
        assert_eq!(all(3), [1, 2, 4, 6].into());
        assert_eq!(all(0), [-1, 0, 1].into());
        let chances: BTreeSet<u64> =
            (0..200).map(|_| (mutation.chance(0.5) * 100.0).round() as u64).collect();
        assert_eq!(chances, [25, 45, 55, 100].into());
        let floats: BTreeSet<i64> =
            (0..200).map(|_| mutation.varied_float(100.0).round() as i64).collect();
        assert_eq!(floats, [50, 80, 120, 200].into());
    }

    #[test]
    fn a_type_has_a_pool_more_or_less_within_one_and_eight() {
        let mut random = SplitMix64::of_seeds(&[1]);
        let mut mutation = Mutation { genes: &NO_GENES, rate: 1.0, random: &mut random };
        let mut all = |n: usize| {
            let mut number = || {
                let mut pools = vec![PoolGenes { values: 3, bounds: PoolBounds::Unbounded }; n];
                mutation.number_of_pools(&mut pools);
                pools.len()
            };
            (0..100).map(|_| number()).collect::<BTreeSet<_>>()
        };
        assert_eq!([all(1), all(2), all(8)], [[1, 2].into(), [1, 3].into(), [7, 8].into()]);
    }

    #[test]
    fn a_child_has_all_genes_behind_the_point_from_the_other() {
        let chromosome = |calls| Chromosome { calls, pools: Vec::new(), methods: Vec::new() };
        let mut random = SplitMix64::of_seeds(&[1]);
        // The only point is the first.
        let child = cross(&NO_GENES, &chromosome(3), &chromosome(4), &mut random);
        assert_eq!(child, chromosome(4));
    }

    /// All bounds that a mutation of both makes of two equal ones.
    fn bounds_of(kind: &PooledKind, bounds: PoolBounds) -> BTreeSet<String> {
        let mut random = SplitMix64::of_seeds(&[1]);
        let mut mutation = Mutation { genes: &NO_GENES, rate: 1.0, random: &mut random };
        let mut mutant = || {
            let mut mutant = bounds;
            mutation.bounds(kind, &mut mutant);
            format!("{mutant:?}")
        };
        (0..1000).map(|_| mutant()).collect()
    }

    /// All pairs of values in order.
    fn pairs<T: Copy>(values: &[T], of: impl Fn(T, T) -> PoolBounds) -> BTreeSet<String> {
        let from = |(at, &least): (usize, &T)| {
            values[at..].iter().map(|&most| format!("{:?}", of(least, most))).collect::<Vec<_>>()
        };
        values.iter().enumerate().flat_map(from).collect()
    }

    #[test]
    fn both_bounds_vary_stay_in_order_and_within_what_a_type_has() {
        let kind = PooledKind::Listed(Vec::new());
        let floats = |bound| bounds_of(&kind, PoolBounds::Floats(bound, bound));
        assert_eq!(floats(100.0), pairs(&[50.0, 80.0, 120.0, 200.0], PoolBounds::Floats));
        assert_eq!(floats(0.5), pairs(&[-0.5, 0.25, 1.0, 1.5], PoolBounds::Floats));
        // The others are at the limit.
        let far = pairs(&[-1e300, -1e300 + 1e300 / 5.0, -5e299], PoolBounds::Floats);
        assert_eq!(floats(-1e300), far);
        let chars = |bound| bounds_of(&kind, PoolBounds::Chars(bound, bound));
        assert_eq!(chars('d'), pairs(&['2', 'P', 'x', 'È'], PoolBounds::Chars));
        // More is no character, so the bound stays.
        let (fifth_less, half) = ('\u{d9999}', '\u{87fff}');
        assert_eq!(chars(char::MAX), pairs(&[half, fifth_less, char::MAX], PoolBounds::Chars));
        // Bounds of integers belong to types of integers.
        let ints = PoolBounds::Ints(7, 7);
        assert_eq!(bounds_of(&kind, ints), [format!("{ints:?}")].into());
    }

    #[test]
    fn new_pools_are_used_and_each_parameter_uses_at_least_one() {
        let pool = PoolGenes { values: 3, bounds: PoolBounds::Unbounded };
        let values = PooledKind::Listed(Vec::new());
        let param = ParamType { name: "param", ty: 0, none: None };
        let genes = GenePlan {
            types: vec![PooledType { name: "type".to_owned(), values }],
            methods: vec![MethodTypes { is_target: true, params: vec![param], results: vec![0] }],
        };
        let fitted = |n_pools: usize, param: &[bool], result: &[bool]| {
            let params = vec![ParamGenes { pools: param.to_vec(), none: 0.0 }];
            let method = MethodGenes { weight: 1, params, results: vec![result.to_vec()] };
            let pools = vec![vec![pool; n_pools]];
            let mut chromosome = Chromosome { calls: 1, pools, methods: vec![method] };
            fit_to_pools(&genes, &mut chromosome);
            let MethodGenes { params, results, .. } = chromosome.methods.remove(0);
            (params[0].pools.clone(), results[0].clone())
        };
        let both = |bits: &[bool]| (bits.to_vec(), bits.to_vec());
        assert_eq!(fitted(2, &[true, false], &[true, false]), both(&[true, false]));
        assert_eq!(fitted(3, &[false, false], &[false, false]), both(&[false, false, true]));
        // Results may go nowhere.
        let none = fitted(2, &[false, false, true], &[false, false, true]);
        assert_eq!(none, (vec![true, true], vec![false, false]));
    }
}
