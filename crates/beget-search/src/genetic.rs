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
use std::cmp::Ordering;

use beget_suite::SplitMix64;

/// What evolves.
pub trait Species {
    /// A chromosome.
    type Chromosome: Clone + PartialEq;

    /// What is known of one: its fitness, and what that comes from.
    type Rating: Copy + Into<f64>;

    /// The children of a population, the fittest first, on one island. It has somebody.
    fn breed(
        &self,
        population: &[IndividualOf<Self>],
        random: &mut SplitMix64,
    ) -> Vec<Self::Chromosome>;

    /// How fit each of these is, who belong to a generation: the first, number 0, or one of
    /// children. `None` ends the search.
    fn rate(
        &mut self,
        generation: u32,
        chromosomes: &[Self::Chromosome],
    ) -> Option<Vec<Self::Rating>>;

    /// How fit those are who survive into a generation, if that is to be asked again: chance may
    /// have had a part in their rating. `None` ends the search.
    fn rate_again(
        &mut self,
        _: u32,
        survivors: &[IndividualOf<Self>],
    ) -> Option<Vec<Self::Rating>> {
        Some(survivors.iter().map(|one| one.rating).collect())
    }

    /// The order of two who are equally fit; none by default, so that the older one comes first.
    fn order(_: &Self::Chromosome, _: &Self::Chromosome) -> Ordering {
        Ordering::Equal
    }
}

/// A chromosome with its rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual<C, R> {
    /// The chromosome.
    pub chromosome: C,
    /// How fit it is.
    pub rating: R,
}

/// One of a species.
pub type IndividualOf<S> = Individual<<S as Species>::Chromosome, <S as Species>::Rating>;

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
pub struct GeneticOutcome<C, R> {
    /// The last generation, the fittest first.
    pub population: Vec<Individual<C, R>>,
    /// True if it is the last that was to be; an earlier one if the search was ended.
    pub is_complete: bool,
}

/// Evolves what begins with the chromosomes `first`. `told` is shown each generation by its number,
/// the fittest first, and may end the search by returning `false`.
pub fn evolve<S: Species>(
    species: &mut S,
    first: Vec<S::Chromosome>,
    settings: &Generations,
    told: &mut dyn FnMut(u32, &[IndividualOf<S>]) -> bool,
) -> GeneticOutcome<S::Chromosome, S::Rating> {
    let mut population = Vec::new();
    let Some(rated) = rated(species, 0, first) else {
        return GeneticOutcome { population, is_complete: false };
    };
    population.extend(rated);
    select::<S>(&mut population, usize::MAX);
    let mut goes_on = told(0, &population);
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
        goes_on = told(generation + 1, &population);
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

/// The parents of a generation as they are rated now, the fittest first.
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

/// Sorts the fittest to the front, those that are equal with equal ratings once, and keeps at most
/// `most`.
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

/// The next population: of each island its share of the fittest.
fn merge<S: Species>(islands: Vec<Vec<IndividualOf<S>>>, survivors: usize) -> Vec<IndividualOf<S>> {
    let share = survivors.div_ceil(islands.len());
    let mut merged: Vec<IndividualOf<S>> =
        islands.into_iter().flat_map(|island| island.into_iter().take(share)).collect();
    select::<S>(&mut merged, usize::MAX);
    merged
}

#[cfg(test)]
mod tests;
