//! The loop of a genetic search: generations, islands, selection.
//!
//! A [`Species`] says how chromosomes breed and how fit they are; [`evolve`] does the rest. The
//! population may be copied to islands, which breed apart and are merged after each generation;
//! each island draws random numbers of its own, and all children of a generation are rated
//! together. So the result depends on the seed, however the species shares its work among threads.
//!
//! The genetic libraries at hand order the steps otherwise, want integer fitness or leave the
//! random numbers to a library whose sequences may change, so the loop is written here. It knows
//! nothing of what is evolved.
#![warn(missing_docs)]

use std::cmp::Ordering;

use beget_suite::SplitMix64;

/// What evolves.
pub trait Species {
    /// A chromosome.
    type Chromosome: Clone + PartialEq;

    /// The children of a population, the fittest first, on one island. It has somebody.
    fn breed(
        &self,
        population: &[Individual<Self::Chromosome>],
        random: &mut SplitMix64,
    ) -> Vec<Self::Chromosome>;

    /// How fit each of these is, who belong to a generation: the first, number 0, or one of
    /// children. `None` ends the search.
    fn rate(&mut self, generation: u32, chromosomes: &[Self::Chromosome]) -> Option<Vec<f64>>;

    /// The order of two who are equally fit; none by default, so that the older one comes first.
    fn order(_: &Self::Chromosome, _: &Self::Chromosome) -> Ordering {
        Ordering::Equal
    }
}

/// A chromosome with its fitness.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual<C> {
    /// The chromosome.
    pub chromosome: C,
    /// How fit it is.
    pub fitness: f64,
}

/// How long a search goes on, and with how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations {
    /// How many generations follow the first.
    pub generations: u32,
    /// How many of a generation breed the next.
    pub survivors: usize,
    /// Copies of the population that breed apart; 0 is as 1.
    pub islands: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolved<C> {
    /// The last generation, the fittest first.
    pub population: Vec<Individual<C>>,
    /// Whether it is the last that was to be; an earlier one if the search was ended.
    pub is_complete: bool,
}

/// Evolves what begins with the chromosomes `first`. `told` is shown each generation by its number,
/// the fittest first, and may end the search by returning `false`.
pub fn evolve<S: Species>(
    species: &mut S,
    first: Vec<S::Chromosome>,
    settings: &Generations,
    told: &mut dyn FnMut(u32, &[Individual<S::Chromosome>]) -> bool,
) -> Evolved<S::Chromosome> {
    let mut population = Vec::new();
    let Some(rated) = rated(species, 0, first) else {
        return Evolved { population, is_complete: false };
    };
    population.extend(rated);
    select::<S>(&mut population, usize::MAX);
    let mut goes_on = told(0, &population);
    for generation in 0..settings.generations {
        if !goes_on {
            return Evolved { population, is_complete: false };
        }
        let mut parents = population.clone();
        parents.truncate(settings.survivors);
        let Some(islands) = breed_islands(species, generation, &parents, settings) else {
            return Evolved { population, is_complete: false };
        };
        population = merge::<S>(islands, settings.survivors);
        goes_on = told(generation + 1, &population);
    }
    Evolved { population, is_complete: goes_on }
}

/// Each island's parents and children, the fittest first.
fn breed_islands<S: Species>(
    species: &mut S,
    generation: u32,
    parents: &[Individual<S::Chromosome>],
    settings: &Generations,
) -> Option<Vec<Vec<Individual<S::Chromosome>>>> {
    let brood = |number: usize| match parents {
        [] => Vec::new(),
        _ => {
            let seeds = [settings.seed, u64::from(generation), number as u64];
            species.breed(parents, &mut SplitMix64::of_seeds(&seeds))
        }
    };
    let broods: Vec<Vec<S::Chromosome>> = (0..settings.islands.max(1)).map(brood).collect();
    let sizes: Vec<usize> = broods.iter().map(Vec::len).collect();
    let mut children = rated(species, generation + 1, broods.concat())?;
    let island = |size: usize| {
        let mut all = parents.to_vec();
        all.extend(children.by_ref().take(size));
        select::<S>(&mut all, usize::MAX);
        all
    };
    Some(sizes.into_iter().map(island).collect())
}

fn rated<S: Species>(
    species: &mut S,
    generation: u32,
    chromosomes: Vec<S::Chromosome>,
) -> Option<impl Iterator<Item = Individual<S::Chromosome>> + use<S>> {
    let fitness = species.rate(generation, &chromosomes)?;
    let all = chromosomes.into_iter().zip(fitness);
    Some(all.map(|(chromosome, fitness)| Individual { chromosome, fitness }))
}

/// Sorts the fittest to the front, neighbours that are equal once, and keeps at most `most`.
fn select<S: Species>(population: &mut Vec<Individual<S::Chromosome>>, most: usize) {
    population.sort_by(|a, b| {
        let by_fitness = b.fitness.total_cmp(&a.fitness);
        by_fitness.then_with(|| S::order(&a.chromosome, &b.chromosome))
    });
    population.dedup_by(|a, b| a.chromosome == b.chromosome);
    population.truncate(most);
}

/// The next population: of each island its share of the fittest.
fn merge<S: Species>(
    islands: Vec<Vec<Individual<S::Chromosome>>>,
    survivors: usize,
) -> Vec<Individual<S::Chromosome>> {
    let share = survivors.div_ceil(islands.len());
    let mut merged: Vec<Individual<S::Chromosome>> =
        islands.into_iter().flat_map(|island| island.into_iter().take(share)).collect();
    select::<S>(&mut merged, usize::MAX);
    merged
}

#[cfg(test)]
mod tests;
