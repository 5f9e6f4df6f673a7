//! Arguments of `evolve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{SequenceArgs, threads};
use super::random::probability;

/// Search how `random` is to draw test cases, by what they cover
///
/// A chromosome decides everything about a random test case: how many calls it has, how often each
/// method is called, how many values of each type there are and within which bounds, and which of
/// them calls may take again. A genetic search keeps those whose test cases cover most in fewest
/// calls, and writes the best one: a text to read and to change, by which `beget random
/// --chromosome` draws as many test cases as are wanted.
///
/// Failures that the test cases meet are shown, and the run ends with 1 then.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget evolve scopes/jpf/treemap.ron -o treemap.chromosome.ron
  beget random scopes/jpf/treemap.ron --chromosome treemap.chromosome.ron
  beget evolve scopes/jpf/treemap.ron --generations 10 --plot fitness.svg --summary json

The JSON summary has these fields of `generate`: suite, k, methods, complete, stop_reason, explored, findings, seconds, \
cpu_seconds, peak_rss_bytes. And: seed, population, generations, fitness, points (kind, covered, known, calls, or null), \
by_generation (generation, best, mean, deviation, points, calls), evaluations, chromosome (the file, or null).")]
pub(crate) struct EvolveArgs {
    #[command(flatten)]
    pub(crate) sequences: SequenceArgs,

    /// Write the best chromosome
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that is there
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Draw the fitness over the generations
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,

    /// Threads; all cores by default
    ///
    /// The result is the same for any number. Regions are counted on one.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    #[command(flatten)]
    pub(crate) genetics: GeneticArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// How the search goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to search")]
pub(crate) struct GeneticArgs {
    /// What is a point
    #[arg(long, value_name = "POINTS", default_value = "best")]
    pub(crate) points: PointsArg,

    /// How many calls a point is worth
    #[arg(long, value_name = "F", default_value_t = 1000.0, value_parser = factor)]
    pub(crate) coverage_factor: f64,

    /// Chromosomes of a generation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) population: u32,

    /// Generations after the first
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) generations: u32,

    /// The probability that a gene mutates
    #[arg(long, value_name = "P", default_value_t = 0.2, value_parser = probability)]
    pub(crate) mutation: f64,

    /// The probability that a child has two parents
    #[arg(long, value_name = "P", default_value_t = 0.35, value_parser = probability)]
    pub(crate) crossover: f64,

    /// The share of a generation that survives
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = probability)]
    pub(crate) retention: f64,

    /// Copies of the population that breed apart and are merged after each generation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) islands: u32,

    /// Test cases by which a chromosome is rated
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) test_cases: u32,

    /// Call methods of common traits too that the suite does not list: `Clone`, `Default`,
    /// comparing, `Hash`, `Display`, iteration
    ///
    /// `beget random --chromosome` needs it too, then.
    #[arg(long)]
    pub(crate) enrich: bool,

    /// Call the methods of all types, not only those of the main type and constructors of what
    /// these take
    #[arg(long)]
    pub(crate) deep: bool,
}

/// The points to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PointsArg {
    /// Blocks if the code has marks, else regions if the program was compiled with counters, else
    /// structures
    Best,
    /// A mark in the code
    Blocks,
    /// A mark with what was seen there
    Predicates,
    /// A region of the code, by LLVM's counters (`-C instrument-coverage`)
    Regions,
    /// A structure unlike all others
    Structures,
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e9 => Ok(factor),
        _ => Err("give a number greater than 0".to_owned()),
    }
}
