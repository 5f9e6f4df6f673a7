//! Arguments of `evolve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{SequenceArgs, threads};
use super::random::probability;

/// Tune `random` for coverage with a genetic search
///
/// Example: beget evolve scopes/jpf/treemap.ron -o treemap.chromosome.ron
///
/// A chromosome decides everything about a random test case: the number of calls, the weight of
/// each method, the number of values of each type, their bounds, and the values that calls share.
/// The search keeps the chromosomes whose test cases cover most with the fewest calls, and writes
/// the best one: a text that you may edit, for `beget random --policy`.
///
/// Failures of the test cases are shown (exit code 1).
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget random scopes/jpf/treemap.ron --policy treemap.chromosome.ron
  beget evolve scopes/jpf/treemap.ron --generations 10 --plot fitness.svg --summary json

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, beget, explored, findings, seconds, \
cpu_seconds, peak_rss_bytes. And: seed, population, generations (after the first), fitness (of the best chromosome, or null), points \
(kind, covered and calls on average of ratings, known; or null), by_generation (generation, best, mean and deviation of the fitness of the survivors, \
points and calls of the best), evaluations (ratings of chromosomes), chromosome (the file, or null).")]
pub struct EvolveArgs {
    #[command(flatten)]
    pub sequences: SequenceArgs,

    /// Write the best chromosome
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that is there
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Draw the fitness by generation
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// Number of threads; all cores by default, but one for regions. The result does not depend on
    /// it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    #[command(flatten)]
    pub genetics: GeneticArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The options of the search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search options")]
pub struct GeneticArgs {
    /// The points to cover
    #[arg(long, value_name = "POINTS", default_value = "best")]
    pub points: PointsArg,

    /// Number of calls that a point is worth
    #[arg(long, value_name = "F", default_value_t = 1000.0, value_parser = factor)]
    pub coverage_factor: f64,

    /// Number of chromosomes in a generation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub population: u32,

    /// Number of generations after the first
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub generations: u32,

    /// The probability that a gene mutates
    #[arg(long, value_name = "P", default_value_t = 0.2, value_parser = probability)]
    pub mutation: f64,

    /// The probability that a child has two parents
    #[arg(long, value_name = "P", default_value_t = 0.35, value_parser = probability)]
    pub crossover: f64,

    /// The share of a generation that survives
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = probability)]
    pub retention: f64,

    /// Copies of the population that breed apart and are merged after each generation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub islands: u32,

    /// Number of test cases that rate a chromosome
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub test_cases: u32,

    /// Also call methods of `Clone`, `Default`, `PartialEq`, `Ord`, `Hash`, `Display` and iteration
    ///
    /// The chromosome keeps this, so that `beget random` calls them too.
    #[arg(long)]
    pub enrich: bool,

    /// Call the methods of all types, not only of the main type and constructors of its arguments
    #[arg(long)]
    pub deep: bool,
}

/// The points to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointsArg {
    /// Blocks if the code has marks, else regions if it has counters, else structures
    Best,
    /// A mark in the code
    Blocks,
    /// A mark with what was seen there
    Predicates,
    /// A region of the code, by LLVM's counters (`-C instrument-coverage`)
    Regions,
    /// A distinct structure
    Structures,
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e9 => Ok(factor),
        _ => Err("give a number greater than 0".to_owned()),
    }
}
