//! The loop of a genetic search: generations, islands, selection.
//!
//! A [`Species`] defines breeding and fitness; [`evolve`] does the rest. The population may be
//! copied to islands, which breed separately and are merged after each generation; each island
//! draws its own random numbers, and all children of a generation are rated together. So the result
//! depends on the seed, however the species shares its work among threads.
//!
//! The available genetic libraries order the steps differently, want integer fitness or use random
//! sequences that may change, so the loop is written here. It does not know what evolves.
use std::cmp::Ordering;

use beget_suite::SplitMix64;

/// The chromosomes that evolve.
pub trait Species {
    /// A chromosome.
    type Chromosome: Clone + PartialEq;

    /// The rating of a chromosome: its fitness, and the reasons for it.
    type Rating: Copy + Into<f64>;

    /// The children of a population, the fittest first, on one island. The population is not empty.
    fn breed(
        &self,
        population: &[IndividualOf<Self>],
        random: &mut SplitMix64,
    ) -> Vec<Self::Chromosome>;

    /// Rates these members of a generation: the first, number 0, or one of children. `None` ends
    /// the search.
    fn rate(
        &mut self,
        generation: u32,
        chromosomes: &[Self::Chromosome],
    ) -> Option<Vec<Self::Rating>>;

    /// Rates the survivors of a generation again, if chance may have influenced their rating.
    /// `None` ends the search.
    fn rate_again(
        &mut self,
        _: u32,
        survivors: &[IndividualOf<Self>],
    ) -> Option<Vec<Self::Rating>> {
        Some(survivors.iter().map(|one| one.rating).collect())
    }

    /// The order of two equally fit chromosomes; none by default, so that the older one comes
    /// first.
    fn order(_: &Self::Chromosome, _: &Self::Chromosome) -> Ordering {
        Ordering::Equal
    }
}

/// A chromosome with its rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual<C, R> {
    /// The chromosome.
    pub chromosome: C,
    /// Its rating.
    pub rating: R,
}

/// A rated chromosome of a species.
pub type IndividualOf<S> = Individual<<S as Species>::Chromosome, <S as Species>::Rating>;

/// The length of a search, and the size of its population.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations {
    /// The number of generations after the first.
    pub generations: u32,
    /// The number of survivors, which breed the next generation.
    pub survivors: usize,
    /// Copies of the population that breed separately; 0 means 1.
    pub islands: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneticOutcome<C, R> {
    /// The last generation, the fittest first.
    pub population: Vec<Individual<C, R>>,
    /// True if it is the planned last generation; false if the search was ended before.
    pub is_complete: bool,
}

/// Evolves the chromosomes `first`. `report` receives each generation with its number, the fittest
/// first, and may end the search by returning `false`.
pub fn evolve<S: Species>(
    species: &mut S,
    first: Vec<S::Chromosome>,
    settings: &Generations,
    report: &mut dyn FnMut(u32, &[IndividualOf<S>]) -> bool,
) -> GeneticOutcome<S::Chromosome, S::Rating> {
    let mut population = Vec::new();
    let Some(rated) = rated(species, 0, first) else {
        return GeneticOutcome { population, is_complete: false };
    };
    population.extend(rated);
    select::<S>(&mut population, usize::MAX);
    let mut goes_on = report(0, &population);
    for generation in 0..settings.generations {
        if !goes_on {
            return GeneticOutcome { population, is_complete: false };
        }
        let mut parents = population.clone();
        parents.truncate(settings.survivors);
        let Some(islands) = breed_islands(species, generation, &parents, settings) else {
            return GeneticOutcome { population, is_complete: false };
        };
        population = merge::<S>(islands, settings.survivors);
        goes_on = report(generation + 1, &population);
    }
    GeneticOutcome { population, is_complete: goes_on }
}

/// Each island's parents and children, the fittest first.
fn breed_islands<S: Species>(
    species: &mut S,
    generation: u32,
    parents: &[IndividualOf<S>],
    settings: &Generations,
) -> Option<Vec<Vec<IndividualOf<S>>>> {
    let parents = rated_again::<S>(species, generation + 1, parents)?;
    let brood = |number: usize| match &parents[..] {
        [] => Vec::new(),
        parents => {
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

/// The parents of a generation with their new ratings, the fittest first.
fn rated_again<S: Species>(
    species: &mut S,
    generation: u32,
    parents: &[IndividualOf<S>],
) -> Option<Vec<IndividualOf<S>>> {
    let ratings = species.rate_again(generation, parents)?;
    let mut parents = parents.to_vec();
    parents.iter_mut().zip(ratings).for_each(|(parent, rating)| parent.rating = rating);
    select::<S>(&mut parents, usize::MAX);
    Some(parents)
}

fn rated<S: Species>(
    species: &mut S,
    generation: u32,
    chromosomes: Vec<S::Chromosome>,
) -> Option<impl Iterator<Item = IndividualOf<S>> + use<S>> {
    let ratings = species.rate(generation, &chromosomes)?;
    let all = chromosomes.into_iter().zip(ratings);
    Some(all.map(|(chromosome, rating)| Individual { chromosome, rating }))
}

/// Sorts the fittest to the front, removes duplicates with equal ratings, and keeps at most `most`.
fn select<S: Species>(population: &mut Vec<IndividualOf<S>>, most: usize) {
    population.sort_by(|a, b| {
        let by_fitness = b.rating.into().total_cmp(&a.rating.into());
        by_fitness.then_with(|| S::order(&a.chromosome, &b.chromosome))
    });
    let mut kept: Vec<IndividualOf<S>> = Vec::with_capacity(population.len());
    for one in population.drain(..) {
        let fitness = one.rating.into();
        let mut equals = kept.iter().rev().take_while(|known| known.rating.into() == fitness);
        if !equals.any(|known| known.chromosome == one.chromosome) {
            kept.push(one);
        }
    }
    *population = kept;
    population.truncate(most);
}

/// The next population: each island's share of the fittest.
fn merge<S: Species>(islands: Vec<Vec<IndividualOf<S>>>, survivors: usize) -> Vec<IndividualOf<S>> {
    let share = survivors.div_ceil(islands.len());
    let mut merged: Vec<IndividualOf<S>> =
        islands.into_iter().flat_map(|island| island.into_iter().take(share)).collect();
    select::<S>(&mut merged, usize::MAX);
    merged
}

#[cfg(test)]
mod tests;
