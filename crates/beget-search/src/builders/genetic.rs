//! The genetic search for builders.
//!
//! Source: Ponzio et al., "Automatically identifying sufficient object builders from module APIs"
//! (FASE 2019), section 4 and Algorithm 1. A chromosome has a bit for each method that is no
//! observer. Its fitness is the number of field extensions of its structures, plus a number in [0,
//! 1] that prefers fewer methods and simpler parameters. Departures:
//!
//! - the structures of a chromosome are known exactly, not sampled by a random generator;
//! - the number of islands is a setting, not the number of threads, and each draws its own random
//!   numbers: the result depends on the seed alone;
//! - a population holds no chromosome twice;
//! - at the end, methods that are not needed are removed.
//!
//! The evolution has a hundred lines. The available genetic libraries order the steps differently,
//! want integer fitness or use random sequences that may change, so it is written here.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::genetic::{Generations, Individual, Species};
use beget_plan::scope::PlannedIdx;
use beget_suite::{Chooser, SplitMix64};
use rayon::prelude::*;

use crate::builders::methods::{Costs, MethodSet};
use crate::builders::space::Space;

/// Settings of the genetic search; the defaults are the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Genetic {
    /// Generations: numEvo.
    pub evolutions: u32,
    /// Chromosomes kept at the start of each generation: popSize.
    pub population: usize,
    /// Crossovers of a generation per chromosome: cRate.
    pub crossover_rate: f64,
    /// The probability that a mutant differs in a gene: mRate.
    pub mutation_rate: f64,
    /// The weight of the number of methods: w1.
    pub method_weight: f64,
    /// The weight of the parameters: w2.
    pub parameter_weight: f64,
    /// Copies of the population that evolve separately, and are merged after each generation.
    pub islands: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Default for Genetic {
    fn default() -> Self {
        Genetic {
            evolutions: 20,
            population: 30,
            crossover_rate: 0.35,
            mutation_rate: 0.08,
            method_weight: 2.0,
            parameter_weight: 1.0,
            islands: 4,
            seed: 0,
        }
    }
}

/// The course of an evolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolution {
    /// The best fitness at the start and after each generation.
    pub fitness: Vec<f64>,
    /// The number of different evaluated sets.
    pub evaluated: usize,
    /// Methods of the best set that its structures do not need.
    pub dropped: Vec<PlannedIdx>,
}

/// Evolves. `report` receives the best fitness after each generation and may end the search by
/// returning `false`.
pub(crate) fn evolve(
    space: &Space<'_, '_>,
    costs: &Costs,
    settings: &Genetic,
    report: &mut dyn FnMut(f64) -> bool,
) -> Option<(MethodSet, Evolution)> {
    let genes: Vec<PlannedIdx> = space.candidates().iter().collect();
    let fitness = Fitness::new(space, costs, settings);
    let singleton = |&gene: &PlannedIdx| MethodSet::of(space.n_methods(), [gene]);
    let first = genes.iter().map(singleton).collect();
    let generations = Generations {
        generations: settings.evolutions,
        survivors: settings.population,
        islands: settings.islands,
        seed: settings.seed,
    };
    let mut best = Vec::new();
    let mut species = Builders { genes: &genes, settings, fitness: &fitness };
    let evolved = crate::genetic::evolve(&mut species, first, &generations, &mut |number, sets| {
        let fittest = sets.first().map_or(0.0, |best| best.rating);
        best.push(fittest);
        number == 0 || report(fittest)
    });
    if !evolved.is_complete {
        return None;
    }
    let nothing = || MethodSet::empty(space.n_methods());
    let winner = evolved.population.into_iter().next().map_or_else(nothing, |best| best.chromosome);
    let (set, dropped) = space.shrink(&winner, costs);
    Some((set, Evolution { fitness: best, evaluated: fitness.n_known(), dropped }))
}

/// The species of sets of methods.
struct Builders<'s, 'e, 'p> {
    genes: &'s [PlannedIdx],
    settings: &'s Genetic,
    fitness: &'s Fitness<'s, 'e, 'p>,
}

impl Species for Builders<'_, '_, '_> {
    type Chromosome = MethodSet;
    type Rating = f64;

    /// Crossovers and mutants.
    fn breed(
        &self,
        population: &[Individual<MethodSet, f64>],
        random: &mut SplitMix64,
    ) -> Vec<MethodSet> {
        let n_crossovers =
            (population.len() as f64 * self.settings.crossover_rate).round() as usize;
        let mut children = Vec::new();
        for _ in 0..n_crossovers {
            let parents = [(); 2].map(|()| &population[random.index(population.len())].chromosome);
            children.extend(self.cross(parents, random));
        }
        children.extend(population.iter().map(|one| self.mutate(&one.chromosome, random)));
        children
    }

    fn rate(&mut self, _: u32, sets: &[MethodSet]) -> Option<Vec<f64>> {
        let all = || sets.par_iter().map(|set| self.fitness.of(set)).collect();
        Some(self.fitness.space.explorer().install(all))
    }

    /// The order of the bit vectors.
    fn order(one: &MethodSet, other: &MethodSet) -> Ordering {
        one.cmp(other)
    }
}

impl Builders<'_, '_, '_> {
    /// Single-point crossover: both children.
    fn cross(&self, [left, right]: [&MethodSet; 2], random: &mut SplitMix64) -> [MethodSet; 2] {
        let point = random.index(self.genes.len());
        let mut children = [left.clone(), right.clone()];
        for &gene in &self.genes[point..] {
            if left.contains(gene) != right.contains(gene) {
                children.iter_mut().for_each(|child| child.toggle(gene));
            }
        }
        children
    }

    fn mutate(&self, set: &MethodSet, random: &mut SplitMix64) -> MethodSet {
        let mut mutant = set.clone();
        for &gene in self.genes {
            if random.chance(self.settings.mutation_rate) {
                mutant.toggle(gene);
            }
        }
        mutant
    }
}

/// The fitness function, with its earlier results.
struct Fitness<'s, 'e, 'p> {
    space: &'s Space<'e, 'p>,
    costs: &'s Costs,
    settings: &'s Genetic,
    /// The parameters of the whole API, weighted.
    all_parameters: f64,
    known: Mutex<BTreeMap<MethodSet, f64>>,
}

impl<'s, 'e, 'p> Fitness<'s, 'e, 'p> {
    fn new(space: &'s Space<'e, 'p>, costs: &'s Costs, settings: &'s Genetic) -> Self {
        let all_parameters = costs.weight(space.explorer().plan().planned_idxs());
        Fitness { space, costs, settings, all_parameters, known: Mutex::default() }
    }

    fn n_known(&self) -> usize {
        self.known.lock().expect("no thread panicked").len()
    }

    fn of(&self, set: &MethodSet) -> f64 {
        if let Some(&fitness) = self.known.lock().expect("no thread panicked").get(set) {
            return fitness;
        }
        let n_extensions = self.space.n_extensions(&self.space.reach(set));
        let fitness = n_extensions as f64 + self.simplicity(set);
        self.known.lock().expect("no thread panicked").insert(set.clone(), fitness);
        fitness
    }

    /// In [0, 1]: larger for fewer methods and simpler parameters.
    fn simplicity(&self, set: &MethodSet) -> f64 {
        let Genetic { method_weight, parameter_weight, .. } = *self.settings;
        let methods = set.len() as f64 / (self.space.n_methods() as f64).max(1.0);
        let own = self.costs.weight(set.iter());
        let parameters = if own > 0.0 { own / self.all_parameters } else { 0.0 };
        let weighted = method_weight * (1.0 - methods) + parameter_weight * (1.0 - parameters);
        weighted / (method_weight + parameter_weight)
    }
}
