//! A species whose chromosomes are numbers, and whose fitness is the number.

use beget_suite::Chooser;

use super::*;

/// Children are up to three larger or smaller; those at the peak are equally fit.
struct Numbers {
    peak: i64,
    /// The generations whose ratings were requested, with the number of chromosomes.
    rated: Vec<(u32, usize)>,
    /// The generation at which the search ends.
    ends_at: u32,
}

impl Species for Numbers {
    type Chromosome = i64;
    type Rating = f64;

    fn breed(&self, population: &[Individual<i64, f64>], random: &mut SplitMix64) -> Vec<i64> {
        population.iter().map(|one| one.chromosome + random.below(7) as i64 - 3).collect()
    }

    fn rate(&mut self, generation: u32, chromosomes: &[i64]) -> Option<Vec<f64>> {
        self.rated.push((generation, chromosomes.len()));
        let fitness = |&number: &i64| number.min(self.peak) as f64;
        (generation < self.ends_at).then(|| chromosomes.iter().map(fitness).collect())
    }
}

fn numbers(peak: i64) -> Numbers {
    Numbers { peak, rated: Vec::new(), ends_at: u32::MAX }
}

const SETTINGS: Generations = Generations { generations: 40, survivors: 4, islands: 2, seed: 3 };

/// All generations of a search.
fn history(peak: i64, settings: &Generations) -> Vec<Vec<i64>> {
    let mut history = Vec::new();
    evolve(&mut numbers(peak), vec![0, 1, 2], settings, &mut |_, population| {
        history.push(population.iter().map(|one| one.chromosome).collect());
        true
    });
    history
}

#[test]
fn the_fittest_survive_and_the_result_is_that_of_the_seed() {
    let generations = history(30, &SETTINGS);
    assert_eq!(generations.len(), 41);
    assert_eq!(generations[0], [2, 1, 0]);
    let best: Vec<i64> = generations.iter().map(|one| one[0].min(30)).collect();
    assert!(best.is_sorted() && best[40] == 30, "{best:?}");
    // Two of each island.
    assert!(generations[1..].iter().all(|one| (2..=4).contains(&one.len())), "{generations:?}");
    assert_eq!(generations, history(30, &SETTINGS));
    assert_ne!(generations, history(30, &Generations { seed: 4, ..SETTINGS }));
}

/// One island is a loop of three lines.
#[test]
fn one_island_is_what_a_plain_loop_makes() {
    let settings = Generations { islands: 1, ..SETTINGS };
    let mut population = vec![2, 1, 0];
    let mut expected = vec![population.clone()];
    for generation in 0..settings.generations {
        let mut random = SplitMix64::of_seeds(&[settings.seed, generation.into(), 0]);
        for parent in population.clone() {
            population.push(parent + random.below(7) as i64 - 3);
        }
        population.sort_by_key(|number| -number);
        population.dedup();
        population.truncate(settings.survivors);
        expected.push(population.clone());
    }
    assert_eq!(history(i64::MAX, &settings), expected);
}

#[test]
fn of_equally_fit_ones_the_older_comes_first() {
    let generations = history(0, &Generations { islands: 1, ..SETTINGS });
    // All of the first are at the peak already.
    assert!(generations.iter().all(|one| one[..3] == [0, 1, 2]), "{generations:?}");
}

#[test]
fn a_search_that_is_ended_leaves_the_last_whole_generation() {
    let mut species = Numbers { ends_at: 3, ..numbers(30) };
    let mut last = Vec::new();
    let evolved = evolve(&mut species, vec![0, 1, 2], &SETTINGS, &mut |_, population| {
        last = population.to_vec();
        true
    });
    assert_eq!(evolved, GeneticOutcome { population: last, is_complete: false });
    assert_eq!(species.rated.len(), 4);
    // Three on each of two islands.
    assert_eq!(species.rated[..2], [(0, 3), (1, 6)]);
    let ended = evolve(&mut numbers(30), vec![0], &SETTINGS, &mut |number, _| number < 2);
    assert!(!ended.is_complete);
    let ended =
        evolve(&mut Numbers { ends_at: 0, ..numbers(30) }, vec![0], &SETTINGS, &mut |_, _| true);
    assert_eq!(ended, GeneticOutcome { population: Vec::new(), is_complete: false });
}

/// Notes the generations in which survivors are rated again.
struct Noting(Vec<u32>);

impl Species for Noting {
    type Chromosome = u32;
    type Rating = f64;

    fn breed(&self, _: &[Individual<u32, f64>], _: &mut SplitMix64) -> Vec<u32> {
        Vec::new()
    }

    fn rate(&mut self, _: u32, chromosomes: &[u32]) -> Option<Vec<f64>> {
        Some(vec![0.0; chromosomes.len()])
    }

    fn rate_again(&mut self, generation: u32, _: &[Individual<u32, f64>]) -> Option<Vec<f64>> {
        self.0.push(generation);
        Some(vec![0.0])
    }
}

#[test]
fn survivors_are_rated_again_in_the_generation_of_their_children() {
    let mut species = Noting(Vec::new());
    let settings = Generations { generations: 3, ..SETTINGS };
    evolve(&mut species, vec![1], &settings, &mut |_, _| true);
    assert_eq!(species.0, [1, 2, 3]);
}

/// Ratings are correct only the second time.
struct Lucky(u32);

impl Species for Lucky {
    type Chromosome = u32;
    type Rating = f64;

    fn breed(&self, _: &[Individual<u32, f64>], _: &mut SplitMix64) -> Vec<u32> {
        Vec::new()
    }

    fn rate(&mut self, _: u32, chromosomes: &[u32]) -> Option<Vec<f64>> {
        Some(chromosomes.iter().map(|&number| f64::from(number)).collect())
    }

    fn rate_again(&mut self, _: u32, survivors: &[Individual<u32, f64>]) -> Option<Vec<f64>> {
        self.0 = self.0.checked_sub(1)?;
        Some(survivors.iter().map(|one| -f64::from(one.chromosome)).collect())
    }
}

#[test]
fn survivors_are_ordered_by_what_they_are_rated_again() {
    let settings = Generations { generations: 1, islands: 1, ..SETTINGS };
    let of =
        |again: u32| evolve(&mut Lucky(again), vec![3, 1, 2, 5, 4], &settings, &mut |_, _| true);
    let numbers = |population: &[Individual<u32, f64>]| -> Vec<u32> {
        population.iter().map(|one| one.chromosome).collect()
    };
    // The least of the five does not survive.
    assert_eq!(numbers(&of(1).population), [2, 3, 4, 5]);
    let ended = of(0);
    assert_eq!((numbers(&ended.population), ended.is_complete), (vec![5, 4, 3, 2, 1], false));
}
