//! The genetic search: the fitness of a chromosome is the value of its test cases' coverage.
//!
//! Source: Andrews, Li and Menzies, Nighthawk (ASE 2007), section 4.3. Departures: survivors are
//! rated again in each generation, and count by the mean of all their ratings. With the best rating
//! instead, a chromosome that was lucky once would win with few calls, and cover less ever after.
//! Half of a generation survives; the paper does not give the number.

use std::cell::Cell;
use std::sync::Arc;

use crate::genetic::{Generations, Individual, Species, evolve};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::Plan;
use beget_run::random::{
    Chromosome, Direction, FailureLog, GenePlan, MinimizedFinding, RandomOptions, SequencesOutcome,
    Targets, run_sequences,
};
use beget_suite::{Chooser, SplitMix64};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::evolve::breed::{Mutation, cross, template};
use crate::evolve::points::PointSource;
use crate::evolve::running::RunningTests;

/// The options of a search. The defaults are the paper's where it gives them.
#[derive(Clone, Debug, PartialEq)]
pub struct EvolveOptions {
    /// The seed: equal seeds give equal chromosomes.
    pub seed: u64,
    /// The number of chromosomes of a generation: p.
    pub population: usize,
    /// The number of generations after the first: g.
    pub generations: u32,
    /// The probability that a gene of a child mutates: m.
    pub mutation_rate: f64,
    /// The probability that a child has two parents.
    pub crossover_rate: f64,
    /// The share of a generation that survives and has children.
    pub retention: f64,
    /// Copies of the population that breed separately and are merged after each generation.
    pub islands: usize,
    /// The value of a point, in calls.
    pub coverage_factor: f64,
    /// Test cases by which a chromosome is rated.
    pub test_cases: u32,
    /// The number of calls after which no generation begins.
    pub max_calls: u64,
    /// The methods that are called.
    pub targets: Targets,
    /// The number of test cases that run at a time; 0 stands for all cores. The result does not
    /// depend on it.
    pub threads: usize,
}

impl Default for EvolveOptions {
    fn default() -> Self {
        EvolveOptions {
            seed: 0,
            population: 20,
            generations: 50,
            mutation_rate: 0.2,
            crossover_rate: 0.35,
            retention: 0.5,
            islands: 1,
            coverage_factor: 1000.0,
            test_cases: 10,
            max_calls: 10_000_000,
            targets: Targets::MainType,
            threads: 0,
        }
    }
}

/// The results of a chromosome's test cases, averaged over its ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Points that they covered.
    pub points: f64,
    /// Calls that they made.
    pub calls: f64,
    /// The value of all points, minus the calls.
    pub fitness: f64,
    /// The number of ratings: one for each generation that it has lived in.
    pub ratings: u32,
}

impl Evaluation {
    /// The mean of all ratings of both.
    fn and(self, other: Evaluation) -> Evaluation {
        let ratings = self.ratings + other.ratings;
        let mean = |of: fn(&Evaluation) -> f64| {
            let sum = of(&self) * f64::from(self.ratings) + of(&other) * f64::from(other.ratings);
            sum / f64::from(ratings)
        };
        Evaluation {
            points: mean(|one| one.points),
            calls: mean(|one| one.calls),
            fitness: mean(|one| one.fitness),
            ratings,
        }
    }
}

impl From<Evaluation> for f64 {
    fn from(evaluation: Evaluation) -> f64 {
        evaluation.fitness
    }
}

impl EvolveOptions {
    /// The number of a generation's survivors.
    fn survivors(&self) -> usize {
        let share = (self.population as f64 * self.retention).round() as usize;
        share.clamp(1, self.population.max(1))
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct EvolveReport {
    /// The fittest of the last generation; `None` if the search was stopped in the first.
    pub best: Option<(Arc<Chromosome>, Evaluation)>,
    /// The generations, including the first.
    pub generations: Vec<GenerationReport>,
    /// The number of ratings.
    pub evaluations: u64,
    /// All calls.
    pub calls: u64,
    /// Failures of calls, most important first, minimised.
    pub failures: Vec<MinimizedFinding>,
    /// The reason for the end.
    pub stop_reason: StopReason,
}

/// A generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GenerationReport {
    /// Its number; the first is 0.
    pub number: u32,
    /// The results of the best chromosome.
    pub best: Evaluation,
    /// The mean fitness of the survivors.
    pub mean_fitness: f64,
    /// The standard deviation of their fitness.
    pub deviation: f64,
    /// The most points that the test cases of one chromosome have covered so far.
    pub most_points: usize,
}

/// The watcher of a search.
pub struct EvolveWatcher<'w> {
    /// The running test cases, for calls that may not return.
    pub running: &'w RunningTests,
    /// Returns a reason to stop, if there is one.
    pub stopped: &'w (dyn Fn(Progress) -> Option<StopReason> + Sync),
    /// Receives each generation.
    pub told: &'w mut dyn FnMut(&GenerationReport),
}

impl std::fmt::Debug for EvolveWatcher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvolveWatcher").finish_non_exhaustive()
    }
}

/// Searches for a chromosome for a plan made by [`beget_run::random::plan_for`].
pub fn search(
    plan: &Plan,
    options: &EvolveOptions,
    source: PointSource,
    watcher: EvolveWatcher<'_>,
) -> EvolveReport {
    let genes = GenePlan::new(plan, options.targets);
    let EvolveWatcher { running, stopped, told } = watcher;
    // Counters of the whole process do not distinguish threads.
    let threads = if source.is_of_process() { 1 } else { options.threads };
    let most_points = Cell::new(0);
    let mut species = Nighthawk {
        evaluator: Evaluator { plan, options, source, running, stopped },
        genes: &genes,
        pool: thread_pool(threads),
        totals: EvolveTotals::default(),
        most_points: &most_points,
    };
    let mut random = SplitMix64::of_seeds(&[options.seed]);
    let first = first_generation(&genes, options, &mut random);
    let generations = Generations {
        generations: options.generations,
        survivors: options.survivors(),
        islands: options.islands,
        seed: options.seed,
    };
    let mut history = Vec::new();
    let evolved = evolve(&mut species, first, &generations, &mut |number, population| {
        let surviving = &population[..population.len().min(options.survivors())];
        history.extend(generation_report(number, surviving, most_points.get()));
        history.last().into_iter().for_each(&mut *told);
        true
    });
    let mut population = evolved.population;
    population.truncate(options.survivors());
    if evolved.is_complete {
        species.rate_finally(options.generations, &mut population);
    }
    let Nighthawk { totals, .. } = species;
    let best = population.into_iter().next();
    EvolveReport {
        best: best.map(|best| (best.chromosome, best.rating)),
        generations: history,
        evaluations: totals.evaluations,
        calls: totals.calls,
        failures: running.run(|in_progress| totals.failures.minimized(plan, in_progress)),
        stop_reason: totals.stopped.unwrap_or(StopReason::MaxGenerations(options.generations)),
    }
}

/// Rates one chromosome as a search does: by fresh test cases, whose choices `random` makes.
pub fn evaluate(
    plan: &Plan,
    chromosome: &Arc<Chromosome>,
    options: &EvolveOptions,
    source: PointSource,
    random: &mut SplitMix64,
) -> Evaluation {
    let (running, stopped) = (&RunningTests::default(), &|_: Progress| None);
    let evaluator = Evaluator { plan, options, source, running, stopped };
    evaluator.evaluate(chromosome, random).0
}

/// The template, and mutants of it.
fn first_generation(
    genes: &GenePlan,
    options: &EvolveOptions,
    random: &mut SplitMix64,
) -> Vec<Arc<Chromosome>> {
    let template = template(genes);
    let mut mutation = Mutation { genes, rate: options.mutation_rate, random };
    let mutants = (1..options.population).map(|_| mutation.mutant(&template));
    let mutants: Vec<Chromosome> = mutants.collect();
    std::iter::once(template).chain(mutants).map(Arc::new).collect()
}

fn generation_report(
    number: u32,
    surviving: &[Individual<Arc<Chromosome>, Evaluation>],
    most_points: usize,
) -> Option<GenerationReport> {
    let best = surviving.first()?.rating;
    let sum: f64 = surviving.iter().map(|one| one.rating.fitness).sum();
    let mean_fitness = sum / surviving.len() as f64;
    let squares = surviving.iter().map(|one| (one.rating.fitness - mean_fitness).powi(2));
    let deviation = (squares.sum::<f64>() / surviving.len() as f64).sqrt();
    Some(GenerationReport { number, best, mean_fitness, deviation, most_points })
}

/// Enough for the deepest structures.
const STACK_SIZE: usize = 64 << 20;

fn thread_pool(threads: usize) -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE);
    pool.build().expect("a thread pool can be started")
}

/// The species of chromosomes of test cases.
struct Nighthawk<'e> {
    evaluator: Evaluator<'e>,
    genes: &'e GenePlan,
    pool: ThreadPool,
    totals: EvolveTotals,
    most_points: &'e Cell<usize>,
}

/// The sums over all evaluations.
#[derive(Default)]
struct EvolveTotals {
    evaluations: u64,
    calls: u64,
    failures: FailureLog,
    stopped: Option<StopReason>,
}

impl Species for Nighthawk<'_> {
    type Chromosome = Arc<Chromosome>;
    type Rating = Evaluation;

    /// One child for each chromosome that does not survive: each has one or two parents, and all
    /// mutate.
    fn breed(
        &self,
        population: &[Individual<Arc<Chromosome>, Evaluation>],
        random: &mut SplitMix64,
    ) -> Vec<Arc<Chromosome>> {
        let options = self.evaluator.options;
        let n_children = options.population.saturating_sub(population.len());
        let parent = |index: usize| &population[index % population.len()].chromosome;
        let mut child = |index: usize| {
            let mut child = Chromosome::clone(parent(index));
            if random.chance(options.crossover_rate) {
                let other = parent(random.index(population.len()));
                child = cross(self.genes, &child, other, random);
            }
            let mut mutation = Mutation { genes: self.genes, rate: options.mutation_rate, random };
            Arc::new(mutation.mutant(&child))
        };
        (0..n_children).map(&mut child).collect()
    }

    fn rate(
        &mut self,
        generation: u32,
        chromosomes: &[Arc<Chromosome>],
    ) -> Option<Vec<Evaluation>> {
        self.evaluate_all([generation.into(), CHILDREN], chromosomes)
    }

    /// Lucky chromosomes lose their rank when they are rated again.
    fn rate_again(
        &mut self,
        generation: u32,
        survivors: &[Individual<Arc<Chromosome>, Evaluation>],
    ) -> Option<Vec<Evaluation>> {
        let chromosomes: Vec<_> = survivors.iter().map(|one| one.chromosome.clone()).collect();
        let again = self.evaluate_all([generation.into(), SURVIVORS], &chromosomes)?;
        Some(survivors.iter().zip(again).map(|(one, again)| one.rating.and(again)).collect())
    }
}

/// Separates the choices of test cases from those of breeding, and from each other.
const CHILDREN: u64 = 1;
const SURVIVORS: u64 = 2;

/// The number of times that the survivors of the last generation are rated again: the best is
/// chosen from these, and children have been rated only once.
const FINAL_RATINGS: u32 = 4;

impl Nighthawk<'_> {
    /// Rates the last survivors again, and puts the fittest first.
    fn rate_finally(
        &mut self,
        generation: u32,
        population: &mut [Individual<Arc<Chromosome>, Evaluation>],
    ) {
        for round in 1..=FINAL_RATINGS {
            let Some(ratings) = self.rate_again(generation + round, population) else { return };
            population.iter_mut().zip(ratings).for_each(|(one, rating)| one.rating = rating);
        }
        population.sort_by(|a, b| b.rating.fitness.total_cmp(&a.rating.fitness));
    }

    /// Rates some chromosomes; `seeds` belong to all of these. `None` if the search should end.
    fn evaluate_all(
        &mut self,
        seeds: [u64; 2],
        chromosomes: &[Arc<Chromosome>],
    ) -> Option<Vec<Evaluation>> {
        let max_calls = self.evaluator.options.max_calls;
        if self.totals.calls >= max_calls {
            self.totals.stopped = Some(StopReason::MaxCalls(max_calls));
            return None;
        }
        let evaluator = &self.evaluator;
        evaluator.running.begin_batch(self.totals.calls);
        let evaluate = |(index, chromosome): (usize, &Arc<Chromosome>)| {
            let seeds = [evaluator.options.seed, seeds[0], seeds[1], index as u64];
            evaluator.evaluate(chromosome, &mut SplitMix64::of_seeds(&seeds))
        };
        let evaluated: Vec<(Evaluation, SequencesOutcome)> =
            self.pool.install(|| chromosomes.par_iter().enumerate().map(evaluate).collect());
        let mut ratings = Vec::with_capacity(evaluated.len());
        for (rating, mut outcome) in evaluated {
            self.totals.evaluations += 1;
            self.most_points.set(self.most_points.get().max(rating.points as usize));
            self.totals.calls += outcome.report.counters.explored();
            self.totals.failures.add(self.evaluator.plan, &mut outcome);
            self.totals.stopped = self.totals.stopped.or(outcome.stopped);
            ratings.push(rating);
        }
        self.totals.stopped.is_none().then_some(ratings)
    }
}

/// Runs the test cases of chromosomes.
#[derive(Clone, Copy)]
struct Evaluator<'e> {
    plan: &'e Plan,
    options: &'e EvolveOptions,
    source: PointSource,
    running: &'e RunningTests,
    stopped: &'e (dyn Fn(Progress) -> Option<StopReason> + Sync),
}

impl Evaluator<'_> {
    fn evaluate(
        &self,
        chromosome: &Arc<Chromosome>,
        random: &mut SplitMix64,
    ) -> (Evaluation, SequencesOutcome) {
        let direction = Direction::Chromosome(chromosome.clone());
        let drawing = RandomOptions { direction, max_calls: u64::MAX, ..RandomOptions::default() };
        let counting = self.source.begin();
        let outcome = self.running.run(|in_progress| {
            let mut control = |progress: Progress| (self.stopped)(self.running.total(progress));
            let n = self.options.test_cases;
            run_sequences(self.plan, &drawing, n, random, in_progress, &mut control)
        });
        let points = counting.points(&outcome.report) as f64;
        let calls = outcome.report.counters.explored() as f64;
        let fitness = self.options.coverage_factor * points - calls;
        (Evaluation { points, calls, fitness, ratings: 1 }, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(fitness: f64, ratings: u32) -> Evaluation {
        Evaluation { points: 2.0 * fitness, calls: 3.0 * fitness, fitness, ratings }
    }

    #[test]
    fn ratings_of_several_generations_count_by_their_mean() {
        assert_eq!(evaluation(1.0, 3).and(evaluation(5.0, 1)), evaluation(2.0, 4));
    }

    #[test]
    fn chromosomes_are_compared_by_their_fitness() {
        assert_eq!(f64::from(evaluation(5.0, 1)), 5.0);
    }

    #[test]
    fn a_generation_is_told_by_its_best_with_mean_and_deviation() {
        let genes = GenePlan { types: Vec::new(), methods: Vec::new() };
        let one = |fitness| Individual {
            chromosome: Arc::new(template(&genes)),
            rating: evaluation(fitness, 1),
        };
        let report = generation_report(7, &[one(8.0), one(2.0)], 9).expect("there is a best");
        let (best, mean_fitness, deviation) = (evaluation(8.0, 1), 5.0, 3.0);
        let most_points = 9;
        assert_eq!(
            report,
            GenerationReport { number: 7, best, mean_fitness, deviation, most_points }
        );
    }

    /// Without crossover and mutation, children are copies: here of three by turns.
    #[test]
    fn each_chromosome_has_as_many_children_as_the_others() {
        use beget::HasSuite as _;
        use beget_plan::scope::{Overrides, default_scope};
        use beget_run::{Catalog, Input};

        let suite = beget_subjects::jpf::bintree::BinTree::suite();
        let text = default_scope::<&str>(&suite, &[]);
        let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let genes = GenePlan::new(&plan, Targets::MainType);
        let options = EvolveOptions {
            population: 8,
            crossover_rate: 0.0,
            mutation_rate: 0.0,
            ..EvolveOptions::default()
        };
        let (running, stopped) = (&RunningTests::default(), &|_: Progress| None);
        let source = PointSource::Structures;
        let species = Nighthawk {
            evaluator: Evaluator { plan: &plan, options: &options, source, running, stopped },
            genes: &genes,
            pool: thread_pool(1),
            totals: EvolveTotals::default(),
            most_points: &Cell::new(0),
        };
        let parents = [11, 12, 13].map(|calls| Individual {
            chromosome: Arc::new(Chromosome { calls, ..template(&genes) }),
            rating: evaluation(1.0, 1),
        });
        let children = species.breed(&parents, &mut SplitMix64::of_seeds(&[1]));
        let calls: Vec<u32> = children.iter().map(|child| child.calls).collect();
        assert_eq!(calls, [11, 12, 13, 11, 12]);
    }

    #[test]
    fn a_share_of_a_generation_survives_and_at_least_one() {
        let survivors = |population, retention| {
            EvolveOptions { population, retention, ..EvolveOptions::default() }.survivors()
        };
        assert_eq!([survivors(20, 0.5), survivors(7, 0.5), survivors(7, 0.3)], [10, 4, 2]);
        assert_eq!([survivors(7, 0.0), survivors(7, 3.0), survivors(0, 0.5)], [1, 7, 1]);
    }

    #[test]
    fn each_rating_has_the_weight_of_those_that_it_stands_for() {
        assert_eq!(evaluation(1.0, 2).and(evaluation(4.0, 4)), evaluation(3.0, 6));
    }
}
